"""The forms of competitors and players: what is known of them, as people write it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.versions import VersionedForm
from tournaments.files.document import REQUESTED
from tournaments.files.read_event import LONGEST_CATEGORY
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
    """A team or a player of one event."""

    categories = Categories()
    requested_byes = RequestedByes()

    def clean(self) -> dict[str, Any] | None:
        """Refuse a bye of a round that the event does not have."""
        cleaned = super().clean() or self.cleaned_data
        event = cleaned.get("event") or (self.instance.event if self.instance.pk else None)
        beyond = [
            number
            for number in cleaned.get("requested_byes") or {}
            if event and int(number) > event.planned_rounds
        ]
        if beyond and event:
            told = {"number": beyond[0], "rounds": event.planned_rounds}
            self.add_error("requested_byes", _("Round %(number)s of an event of %(rounds)s rounds.") % told)
        return cleaned

    def _text(self, name: str, value: Any) -> str:
        """Return byes as they are typed, every other value as people read it."""
        prepared = self.fields[name].prepare_value(value) if isinstance(value, dict) else value
        return super()._text(name, prepared)
