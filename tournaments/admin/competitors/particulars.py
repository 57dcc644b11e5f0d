"""The forms of competitors and players: what is known of them, as people write it."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import (
    AdjustmentsField,
    CategoriesField,
    CategoryDecisionsField,
    RequestedByesField,
)
from tournaments.admin.versions import VersionedForm
from tournaments.event.finding import Severity
from tournaments.models import Competitor, Event
from tournaments.recording.competitors import free_number, new_findings

PARTICULARS = ("club", "city", "sex", "born", "categories", "fide_id", "fmjd_id")


class PlayerForm(VersionedForm):
    """A member of a team."""

    categories = CategoriesField()


class CompetitorForm(VersionedForm):
    """A team or a player of one event, checked as those of a file.

    What is wrong refuses the form; `remarks` are the warnings, which stand under the findings from now on.
    """

    categories = CategoriesField()
    requested_byes = RequestedByesField()
    adjustments = AdjustmentsField()
    category_decisions = CategoryDecisionsField()
    swap = forms.BooleanField(label=gettext_lazy("Swap the two numbers"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.remarks: list[str] = []

    def clean(self) -> dict[str, Any] | None:
        """Return the values; an error where the checks find one that is new, or the number is another's."""
        cleaned = super().clean() or self.cleaned_data
        event = cleaned.get("event") or (self.instance.event if self.instance.pk else None)
        if event and not self.errors:
            self._check_number(event, cleaned)
        if event and not self.errors:
            self._check(event, cleaned)
        return cleaned

    def _check_number(self, event: Event, cleaned: dict[str, Any]) -> None:
        other = event.competitors.filter(number=cleaned["number"]).exclude(pk=self.instance.pk).first()
        # A new competitor has no number to give in exchange.
        if other is None or (self.instance.pk and cleaned.get("swap")):
            return
        values = {"number": cleaned["number"], "name": other.name, "free": free_number(event)}
        fault = _("Number %(number)s is %(name)s's. %(free)s is free.") % values
        if self.instance.pk:
            fault += " " + _("Or tick “Swap the two numbers”, and save: each gets the other's.")
        self.add_error("number", fault)

    def _check(self, event: Event, cleaned: dict[str, Any]) -> None:
        was = Competitor.objects.get(pk=self.instance.pk).number if self.instance.pk else None
        for finding in new_findings(event, was, cleaned):
            field = next((name for name in finding.where.split(".") if name in self.fields), None)
            if finding.severity is Severity.ERROR:
                self.add_error(field, finding.message)
            elif field:  # of the event as a whole, the screen tells itself
                self.remarks.append(finding.message)

    def _text(self, name: str, value: Any) -> str:
        """Return byes and adjustments as they are typed, every other value as people read it."""
        is_typed = name in {"requested_byes", "adjustments", "category_decisions"} and isinstance(
            value, dict | list
        )
        return super()._text(name, self.fields[name].prepare_value(value) if is_typed else value)
