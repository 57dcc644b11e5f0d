"""The forms of competitors and players: what is known of them, as people write it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.versions import VersionedForm
from tournaments.event.document import REQUESTED
from tournaments.event.findings import Severity
from tournaments.formats.json.read_event import LONGEST_CATEGORY
from tournaments.models import Competitor, Event
from tournaments.recording.competitors import free_number, new_findings
from tournaments.recording.reasons import prose

PARTICULARS = ("club", "city", "sex", "born", "categories", "fide_id", "fmjd_id")

LONGEST_TYPED = 1000
"""More characters than any name or bye has; what is behind them is not looked at, as it is refused anyway."""


class Categories(forms.CharField):
    """A list of short names on one line, between commas."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Categories"),
            required=False,
            help_text=gettext_lazy("Between commas: U20, W."),
            widget=forms.TextInput(attrs={"size": 16}),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the list as one line."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the names in their order, each once; ValidationError where one is too long."""
        names = list(
            dict.fromkeys(name for each in (value or "").split(",") if (name := prose(each[:LONGEST_TYPED])))
        )
        for name in names:
            if len(name) > LONGEST_CATEGORY:
                told = {"name": name, "most": LONGEST_CATEGORY}
                raise ValidationError(_("“%(name)s” is too long: %(most)s characters fit.") % told)
        return names

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other names were typed; a name that is refused is a change."""
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class RequestedByes(forms.CharField):
    """Byes asked for, by round: `3 half-bye, 5 zero-bye`."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Requested byes"),
            required=False,
            help_text=gettext_lazy("Round and kind, between commas: 3 half-bye, 5 zero-bye."),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the byes as one line, by round."""
        if not isinstance(value, dict):
            return value
        return ", ".join(f"{number} {value[number]}" for number in sorted(value, key=int))

    def to_python(self, value: Any) -> Any:
        """Return the kinds by number of the round, as text; ValidationError where one is not understood."""
        byes: dict[str, str] = {}
        for each in filter(None, (prose(part[:LONGEST_TYPED]) for part in (value or "").split(","))):
            number, _space, kind = each.partition(" ")
            if not (number.isascii() and number.isdecimal() and int(number[:5]) and kind in REQUESTED):
                told = {"text": each, "kinds": ", ".join(REQUESTED)}
                raise ValidationError(
                    _("“%(text)s” is no bye. Write the round and one of %(kinds)s, such as 3 half-bye.")
                    % told
                )
            if str(int(number[:5])) in byes:
                raise ValidationError(_("Round %(number)s stands here twice.") % {"number": number})
            byes[str(int(number[:5]))] = kind
        return byes

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other byes were typed; a text that is refused is a change."""
        try:
            return bool((initial or {}) != self.to_python(data))
        except ValidationError:
            return True


class PlayerForm(VersionedForm):
    """A member of a team."""

    categories = Categories()


class CompetitorForm(VersionedForm):
    """A team or a player of one event, checked as those of a file.

    What is wrong refuses the form; `remarks` are the warnings, which stand under the findings from now on.
    """

    categories = Categories()
    requested_byes = RequestedByes()
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
        if other is None or (self.instance.pk and cleaned.get("swap")):
            return
        told = {"number": cleaned["number"], "name": other.name, "free": free_number(event)}
        fault = _("Number %(number)s is %(name)s's. %(free)s is free.") % told
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
        """Return byes as they are typed, every other value as people read it."""
        prepared = self.fields[name].prepare_value(value) if isinstance(value, dict) else value
        return super()._text(name, prepared)
