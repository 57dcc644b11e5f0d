"""The register as a sheet: its columns, what is typed into a row, and the cells that a page prints of it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import CategoriesField
from tournaments.admin.versions import VersionedForm
from tournaments.admin.wire import Malformed, decoded
from tournaments.event.choices import SEX_OF_LETTER
from tournaments.event.dates import DateError, read_date
from tournaments.models import Competitor, Event, Player
from tournaments.recording.register import CellFinding, Row

NEW = "n"
"""What the key of a new row begins with."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the sheet: the field it shows, its heading, and the width of its cells in signs."""

    name: str
    heading: str | Promise
    signs: int


def columns_of(event: Event, *, players: bool) -> list[Column]:
    """Return the columns for competitors, or for the players of teams."""
    ids = [Column("fide_id", gettext_lazy("FIDE id"), 9), Column("fmjd_id", gettext_lazy("FMJD id"), 7)]
    where = [Column("club", gettext_lazy("club"), 12), Column("city", gettext_lazy("city"), 10)]
    person = [Column("sex", gettext_lazy("sex"), 2), Column("born", gettext_lazy("born"), 10)]
    strength = [Column("title", gettext_lazy("title"), 4), Column("rating", gettext_lazy("rating"), 4)]
    name, categories = (
        Column("name", gettext_lazy("name"), 23),
        Column("categories", gettext_lazy("categories"), 8),
    )
    if players:
        board = Column("board", gettext_lazy("board"), 3)
        return [board, name, *strength, *person, *ids, *where, categories]
    code = Column("code", gettext_lazy("code") if event.is_team else gettext_lazy("fed."), 4)
    if event.is_team:
        rating = Column("rating", gettext_lazy("rating"), 4)
        return [name, code, Column("flag", gettext_lazy("flag"), 3), rating, *where, categories]
    return [name, *strength, code, *where, *person, *ids, categories]


class SexField(forms.CharField):
    """m or w, or a word of a list that begins like one that means so."""

    def to_python(self, value: Any) -> str:
        """Return `m`, `w` or nothing; ValidationError where the text is none of them."""
        text = str(super().to_python(value) or "").strip()
        if text and text[0].lower() not in SEX_OF_LETTER:
            raise ValidationError(_("Write m or w, or nothing."))
        return SEX_OF_LETTER[text[0].lower()].value if text else ""


class BornField(forms.CharField):
    """A day or a year, in any spelling that says one date only."""

    def to_python(self, value: Any) -> str:
        """Return the date as the record writes it; ValidationError where the text may be several, or none."""
        try:
            return read_date(str(super().to_python(value) or "")).date
        except DateError as fault:
            raise ValidationError(str(fault)) from fault


class SheetRowForm(VersionedForm):
    """A row of the sheet. What was not touched keeps what is stored, also where somebody else changed it."""

    categories = CategoriesField()
    sex = SexField(required=False)
    born = BornField(required=False)

    shown: Mapping[str, str]
    """The texts of the cells as the page showed them. Rows of an import have no past that could tell."""

    def _saved_since(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Say whether both changed the field since the page was shown; else the other's value stays."""
        if not self._is_stored(name):
            return False
        if self.data.get(self.add_prefix(name), "").strip() == self.shown.get(name):
            cleaned[name] = getattr(self.instance, name)
            return False
        return text_of(self.instance, name) != self.shown.get(name)


FORMS: dict[type[Row], Any] = {
    Competitor: forms.modelform_factory(
        Competitor,
        form=SheetRowForm,
        fields=[
            *("name", "title", "rating", "code", "flag", "club", "city", "sex", "born"),
            *("fide_id", "fmjd_id", "categories"),
        ],
    ),
    Player: forms.modelform_factory(
        Player,
        form=SheetRowForm,
        fields=[
            *("board", "name", "title", "rating", "sex", "born", "fide_id", "fmjd_id", "club", "city"),
            "categories",
        ],
    ),
}


@dataclass(slots=True)
class SheetRow:
    """A row as the page prints it: its number, the texts of its cells, and what is wrong with them.

    `seen` is the version of the row, and `shown` its stored texts as JSON; both come back with the form.
    """

    key: str
    number: str
    name: str
    seen: int
    texts: dict[str, str]
    shown: str = ""
    faults: list[CellFinding] = field(default_factory=list)
    form: SheetRowForm | None = None
    is_typed: bool = False
    may_go: bool = False
    printed: list[SafeString] = field(default_factory=list)

    @property
    def remarks(self) -> list[CellFinding]:
        """Return what is wrong with the row as a whole."""
        return [each for each in self.faults if each.name not in self.texts]

    def print(self, columns: Sequence[Column]) -> None:
        """Write the cells in the order of the columns, as `printed`."""
        # In Python: a template takes ten times as long for the four thousand cells of a page.
        self.printed = [_cell(self, column) for column in columns]


def text_of(row: Row, name: str) -> str:
    """Return the value of a field as it stands in its cell."""
    value = getattr(row, name)
    if isinstance(value, list):
        return ", ".join(value)
    return "" if value is None else str(value)


def texts_of(row: Row, columns: Iterable[Column]) -> dict[str, str]:
    """Return the texts of the cells of a stored row."""
    return {each.name: text_of(row, each.name) for each in columns}


def shown_text(texts: Mapping[str, str]) -> str:
    """Return the texts of a row as they come back with the form."""
    return json.dumps([*texts.values()], ensure_ascii=False)


def texts_shown(sent: str, columns: Iterable[Column]) -> dict[str, str]:
    """Return the texts that the page showed of a row; none where that is nothing of ours."""
    try:
        texts = decoded(sent)
    except Malformed:
        return {}
    return (
        dict(zip((each.name for each in columns), map(str, texts), strict=False))
        if isinstance(texts, list)
        else {}
    )


def texts_posted(data: QueryDict, key: str, columns: Iterable[Column]) -> dict[str, str]:
    """Return the texts of the cells of a row as they were typed."""
    return {each.name: data.get(f"{key}-{each.name}", "").strip() for each in columns}


def rows_of(event: Event, *, players: bool) -> QuerySet[Any]:
    """Return the competitors of an event, or the players of its teams, in their usual order."""
    if players:
        rows = Player.objects.filter(competitor__event=event).select_related("competitor")
        return rows.order_by("competitor__number", "board", "pk")
    return event.competitors.order_by("number")


def sorted_rows(rows: QuerySet[Any], sort: str, columns: Sequence[Column]) -> QuerySet[Any]:
    """Return rows in the order of a column, `-rating` from the largest down; else as they are."""
    name = sort.removeprefix("-")
    if name not in {each.name for each in columns} | {"number"} or name == "categories":
        return rows
    first = F(name).desc(nulls_last=True) if sort.startswith("-") else F(name).asc(nulls_last=True)
    return rows.order_by(first, "pk")


def _cell(row: SheetRow, column: Column) -> SafeString:
    """Return a cell: its field, and below it what is wrong, or what somebody else saved meanwhile."""
    at = f"{row.key}-{column.name}"
    faults = [each for each in row.faults if each.name == column.name]
    label = f"{row.name or _('new')}: {column.heading}"
    below = format_html_join(
        "", '<p class="fault{}">{}</p>', ((" warns" * (not each.is_error), each.message) for each in faults)
    )
    below += _choice(row, column)
    is_wrong = any(each.is_error for each in faults) or "<fieldset" in below
    return format_html(
        '<td><input name="{0}" id="{0}" value="{1}" size="{2}" aria-label="{3}"{4}>{5}</td>',
        at,
        row.texts[column.name],
        column.signs,
        label,
        SafeString(' aria-invalid="true"') if is_wrong else "",
        below,
    )


def _choice(row: SheetRow, column: Column) -> SafeString:
    form = row.form
    found = next((each for each in form.differences if each.field == column.name), None) if form else None
    if form is None or found is None or form.last_save is None:
        return SafeString("")
    values = {"by": form.last_save.by, "value": found.stored}
    return format_html(
        '<fieldset class="choice"><legend>{}</legend><input type="hidden" name="{}" value="{}">'
        '<label><input type="radio" name="{}" value="stored" required> {}</label>'
        '<label><input type="radio" name="{}" value="mine"> {}</label></fieldset>',
        _("%(by)s saved “%(value)s” meanwhile.") % values,
        found.companion,
        found.field,
        found.name,
        _("Keep “%(value)s”") % {"value": found.stored},
        found.name,
        _("Put “%(value)s”") % {"value": found.mine},
    )
