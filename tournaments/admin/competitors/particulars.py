"""The forms of competitors and players."""

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
from tournaments.recording.competitors.checks import free_number, new_findings

PARTICULARS = ("club", "city", "sex", "born", "categories", "fide_id", "fmjd_id")


class PlayerForm(VersionedForm):
    """A player of a team."""

    categories = CategoriesField()


class CompetitorForm(VersionedForm):
    """A team or a player of an event, with the checks of an event file.

    `remarks`: warnings of the checks, which the findings page lists too.
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
        cleaned = super().clean() or self.cleaned_data
        event = cleaned.get("event") or (self.instance.event if self.instance.pk else None)
        if event and not self.errors:
            self._check_number(event, cleaned)
        if event and not self.errors:
            self._check(event, cleaned)
        return cleaned

    def _check_number(self, event: Event, cleaned: dict[str, Any]) -> None:
        holder = event.competitors.filter(number=cleaned["number"]).exclude(pk=self.instance.pk).first()
        # A new competitor has no number to swap.
        if holder is None or (self.instance.pk and cleaned.get("swap")):
            return
        values = {"number": cleaned["number"], "name": holder.name, "free": free_number(event)}
        error = _("Number %(number)s is %(name)s's. %(free)s is free.") % values
        if self.instance.pk:
            error += " " + _("Or tick “Swap the two numbers”, and save: each gets the other's.")
        self.add_error("number", error)

    def _check(self, event: Event, cleaned: dict[str, Any]) -> None:
        old_number = Competitor.objects.get(pk=self.instance.pk).number if self.instance.pk else None
        for finding in new_findings(event, old_number, cleaned):
            field = next((name for name in finding.where.split(".") if name in self.fields), None)
            if finding.severity is Severity.ERROR:
                self.add_error(field, finding.message)
            elif field:  # warnings about the whole event are shown by the page
                self.remarks.append(finding.message)

    def _text(self, name: str, value: Any) -> str:
        has_typed_form = name in {"requested_byes", "adjustments", "category_decisions"} and isinstance(
            value, dict | list
        )
        return super()._text(name, self.fields[name].prepare_value(value) if has_typed_form else value)
