"""The rows and columns of the register: parsing of typed rows, and rendering of cells."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
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
from tournaments.models import Event, Player
from tournaments.recording.competitors.bulk_changes import CellFinding
from tournaments.recording.competitors.ratings import Row

NEW = "n"
"""The prefix of the keys of new rows."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the register. `signs`: the width of its cells in characters."""

    name: str
    heading: str | Promise
    signs: int


def columns_of(event: Event, *, players: bool) -> list[Column]:
    ids = [Column("fide_id", gettext_lazy("FIDE id"), 9), Column("fmjd_id", gettext_lazy("FMJD id"), 7)]
    origin = [Column("club", gettext_lazy("club"), 12), Column("city", gettext_lazy("city"), 10)]
    person = [Column("sex", gettext_lazy("sex"), 2), Column("born", gettext_lazy("born"), 10)]
    rating = Column("rating", gettext_lazy("rating"), 4)
    strength = [Column("title", gettext_lazy("title"), 4), rating]
    name = Column("name", gettext_lazy("name"), 23)
    categories = Column("categories", gettext_lazy("categories"), 8)
    if players:
        board = Column("board", gettext_lazy("board"), 3)
        return [board, name, *strength, *person, *ids, *origin, categories]
    code = Column("code", gettext_lazy("code") if event.is_team else gettext_lazy("fed."), 4)
    if event.is_team:
        return [name, code, Column("flag", gettext_lazy("flag"), 3), rating, *origin, categories]
    return [name, *strength, code, *origin, *person, *ids, categories]


class SexField(forms.CharField):
    """A sex as m or w, or a word that starts with the letter of one in a known language."""

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value) or "").strip()
        if text and text[0].lower() not in SEX_OF_LETTER:
            raise ValidationError(_("Write m or w, or leave it empty."))
        return SEX_OF_LETTER[text[0].lower()].value if text else ""


class BornField(forms.CharField):
    """A date or year, in any unambiguous format."""

    def to_python(self, value: Any) -> str:
        """Return the date in the record's format. Raise ValidationError if it is ambiguous or invalid."""
        try:
            return read_date(str(super().to_python(value) or "")).date
        except DateError as fault:
            raise ValidationError(str(fault)) from fault


class SheetRowForm(VersionedForm):
    """A row of the register. A cell that the user did not edit never overwrites another user's change."""

    categories = CategoriesField()
    sex = SexField(required=False)
    born = BornField(required=False)

    shown: Mapping[str, str]
    """The texts of the cells when the page was rendered. Imported rows have no history to compare with."""

    def _was_saved_since(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Return whether both users changed the field. If only the other user did, take that value."""
        if not self._is_stored(name):
            return False
        if self.data.get(self.add_prefix(name), "").strip() == self.shown.get(name):
            cleaned[name] = getattr(self.instance, name)
            return False
        return text_of(self.instance, name) != self.shown.get(name)


@dataclass(slots=True)
class SheetRow:
    """A row as the page renders it.

    `seen`: the version of the row. `shown`: its stored texts as JSON. Both are posted with the form.
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
    pairing_number: int | str = ""
    printed: list[SafeString] = field(default_factory=list)

    @property
    def remarks(self) -> list[CellFinding]:
        return [each for each in self.faults if each.name not in self.texts]

    def print(self, columns: Sequence[Column]) -> None:
        # In Python, since a template takes ten times as long for the 4,000 cells of a page.
        self.printed = [_cell_html(self, column) for column in columns]


def text_of(row: Row, name: str) -> str:
    return text_of_value(getattr(row, name))


def text_of_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return "" if value is None else str(value)


def texts_of(row: Row, columns: Iterable[Column]) -> dict[str, str]:
    return {each.name: text_of(row, each.name) for each in columns}


def rendered_texts_json(texts: Mapping[str, str]) -> str:
    return json.dumps([*texts.values()], ensure_ascii=False)


def rendered_texts(sent: str, columns: Iterable[Column]) -> dict[str, str]:
    """Return the texts of a row when the page was rendered; empty if the JSON is malformed."""
    try:
        texts = decoded(sent)
    except Malformed:
        return {}
    if not isinstance(texts, list):
        return {}
    return dict(zip((each.name for each in columns), map(str, texts), strict=False))


def rows_of(event: Event, *, players: bool) -> QuerySet[Any]:
    if players:
        rows = Player.objects.filter(competitor__event=event).select_related("competitor")
        return rows.order_by("competitor__number", "board", "pk")
    return event.competitors.order_by("number")


def sorted_rows(rows: QuerySet[Any], sort: str, columns: Sequence[Column]) -> QuerySet[Any]:
    """Return rows sorted by a column, descending with a prefix `-`. Unknown columns do not sort."""
    name = sort.removeprefix("-")
    if name not in {each.name for each in columns} | {"number"} or name == "categories":
        return rows
    first = F(name).desc(nulls_last=True) if sort.startswith("-") else F(name).asc(nulls_last=True)
    return rows.order_by(first, "pk")


def _cell_html(row: SheetRow, column: Column) -> SafeString:
    """Return the HTML of a cell: its input, followed by errors, or by the choice of a conflict."""
    input_name = f"{row.key}-{column.name}"
    faults = [each for each in row.faults if each.name == column.name]
    label = f"{row.name or _('new')}: {column.heading}"
    details = format_html_join(
        "", '<p class="fault{}">{}</p>', ((" warns" * (not each.is_error), each.message) for each in faults)
    )
    details += _conflict_html(row, column)
    is_invalid = any(each.is_error for each in faults) or "<fieldset" in details
    return format_html(
        '<td><input name="{0}" id="{0}" value="{1}" size="{2}" aria-label="{3}"{4}>{5}</td>',
        input_name,
        row.texts[column.name],
        column.signs,
        label,
        SafeString(' aria-invalid="true"') if is_invalid else "",
        details,
    )


def _conflict_html(row: SheetRow, column: Column) -> SafeString:
    form = row.form
    conflict = next((each for each in form.differences if each.field == column.name), None) if form else None
    if form is None or conflict is None or form.last_save is None:
        return SafeString("")
    values = {"by": form.last_save.by, "value": conflict.stored}
    return format_html(
        '<fieldset class="choice"><legend>{}</legend><input type="hidden" name="{}" value="{}">'
        '<label><input type="radio" name="{}" value="stored" required> {}</label>'
        '<label><input type="radio" name="{}" value="mine"> {}</label></fieldset>',
        _("%(by)s has saved “%(value)s”.") % values,
        conflict.companion,
        conflict.field,
        conflict.name,
        _("Keep “%(value)s”") % {"value": conflict.stored},
        conflict.name,
        _("Put “%(value)s”") % {"value": conflict.mine},
    )
