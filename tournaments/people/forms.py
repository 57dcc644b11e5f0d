"""Forms of persons and teams. Lists have an item on each line, with parts between semicolons."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import LinesField
from tournaments.event.choices import Sex, TeamsAre
from tournaments.event.dates import partial_date

MOST_LINES = 100
SHORTEST_SCHEME = 3
Part = tuple[str, ...]


class PartsField(LinesField):
    """A list with an item on each line, and its parts between semicolons: `NED; 1990; 2001`.

    Parts at the end may be left out. `columns`: maximum length of each part, by name. `since` and `until`
    are days, months or years.
    """

    def __init__(self, label: Any, help_text: Any, **columns: int) -> None:
        widget = forms.Textarea(attrs={"rows": 3, "cols": 60, "spellcheck": "false", "autocomplete": "off"})
        super().__init__(
            label=label, max_length=10_000, required=False, widget=widget, strip=False, help_text=help_text
        )
        self.columns = columns

    def prepare_value(self, value: Any) -> Any:
        """Return the list as lines. Text that was typed is returned unchanged."""
        if isinstance(value, str) or value is None:
            return value
        if len(self.columns) == 1:
            return "\n".join(each[0] for each in value)
        return "\n".join("; ".join(each).rstrip("; ") for each in value)

    def to_python(self, value: Any) -> Any:
        """Return the parts of each line. Raise ValidationError with the line if it is wrong."""
        lines = super().to_python(value)
        if len(lines) > MOST_LINES:
            raise ValidationError(_("%(most)s lines at most.") % {"most": MOST_LINES})
        return [self._parts_of(line) for line in dict.fromkeys(lines)]

    def _parts_of(self, line: str) -> Part:
        # A name without further parts may contain a semicolon.
        parts = [part.strip() for part in line.split(";")] if len(self.columns) > 1 else [line.strip()]
        if not parts[0]:
            text = _("“%(line)s” begins with “;”. Write the first value before it.")
            raise ValidationError(text % {"line": line})
        if len(parts) > len(self.columns):
            values = {"line": line, "most": len(self.columns)}
            raise ValidationError(_("“%(line)s”: write %(most)s parts at most, with ; between.") % values)
        parts += [""] * (len(self.columns) - len(parts))
        for part, (column, most) in zip(parts, self.columns.items(), strict=True):
            if len(part) > most:
                values = {"part": part, "most": most}
                raise ValidationError(_("“%(part)s” is longer than %(most)s characters.") % values)
            if part and column in {"since", "until"}:
                partial_date(part)
        return tuple(parts)


class IdentifiersField(PartsField):
    """Ids: scheme, then id."""

    def _parts_of(self, line: str) -> Part:
        scheme, value = super()._parts_of(line)
        if not (value and scheme.isalpha() and len(scheme) >= SHORTEST_SCHEME):
            text = _("“%(line)s” is not an id. Write the organisation, then the id: fide; 703303.")
            raise ValidationError(text % {"line": line})
        return scheme.casefold(), value


class OwnerForm(forms.Form):
    """Fields of both persons and teams."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=10_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Only the desk sees this; it is never public."),
    )
    sources = LinesField(
        label=gettext_lazy("Sources"),
        required=False,
        help_text=gettext_lazy("Sources, one per line. They are public."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=1_000,
        required=False,
        help_text=gettext_lazy("For the history, if the change needs an explanation."),
    )


class PersonForm(OwnerForm):
    names = PartsField(
        gettext_lazy("Other names"), gettext_lazy("One per line: another script or order."), name=120
    )
    sex = forms.ChoiceField(label=gettext_lazy("Sex"), choices=[("", ""), *Sex.choices], required=False)
    born = forms.CharField(
        label=gettext_lazy("Born"),
        max_length=10,
        required=False,
        validators=[partial_date],
        help_text=gettext_lazy("A day or a year; readers see the year."),
    )
    federations = PartsField(
        gettext_lazy("Federations"),
        gettext_lazy("Code; since; until: URS; 1960; 1991. One per line, without overlapping periods."),
        code=8,
        since=10,
        until=10,
    )
    titles = PartsField(
        gettext_lazy("Titles"), gettext_lazy("Title; since: GM; 1955. One per line."), title=8, since=10
    )
    identifiers = IdentifiersField(
        gettext_lazy("Ids"),
        gettext_lazy("Organisation; id: fide; 703303. Also fmjd, or a federation such as ned. One per line."),
        scheme=8,
        value=32,
    )

    field_order = (
        *("seen", "name", "names", "sex", "born", "federations", "titles", "identifiers"),
        *("sources", "note", "reason"),
    )

    def clean_federations(self) -> list[Part]:
        return [(code.upper(), *rest) for code, *rest in self.cleaned_data["federations"]]


class TeamForm(OwnerForm):
    kind = forms.ChoiceField(label=gettext_lazy("Identification"), choices=TeamsAre.choices)
    names = PartsField(
        gettext_lazy("Other names"),
        gettext_lazy("Name; since; until, one per line."),
        name=120,
        since=10,
        until=10,
    )
    codes = PartsField(
        gettext_lazy("Codes"), gettext_lazy("Code; since; until: HOL; ; 1991."), code=8, since=10, until=10
    )

    field_order = ("seen", "name", "kind", "names", "codes", "sources", "note", "reason")


class ReasonForm(forms.Form):
    """The reason for an act on persons and teams, stored in its history."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("For the history, which organisers read."),
    )


class SplitForm(ReasonForm):
    """The name of the person or team that is split off."""

    name = forms.CharField(
        label=gettext_lazy("Name of the other one"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Empty: the name of the first entry that is ticked."),
    )
    field_order = ("name", "reason")
