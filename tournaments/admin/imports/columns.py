"""The meaning of uploaded tables and their columns: remembered, guessed, or chosen in the form."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.interchange.formats.layouts.recognition import RecognisedFile
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    COUNTED,
    CROSSTABLE,
    FIELDS,
    MATRIX,
    NOTHING,
    RESULTS,
    HeadedTable,
    MappedTable,
    TableMapping,
    guessed_as,
)
from tournaments.interchange.formats.tables.reading import mapped_tables
from tournaments.models import ColumnMapping, Competitor, Pairing, Player, Round

ROLES: dict[str, str | Promise] = {
    NOTHING: gettext_lazy("not read"),
    COMPETITORS: gettext_lazy("competitors"),
    RESULTS: gettext_lazy("results"),
    CROSSTABLE: gettext_lazy("cross table by rounds"),
    MATRIX: gettext_lazy("cross table by opponents"),
}
LABELS: dict[str, str | Promise] = {
    **{
        field.name: field.verbose_name
        for model in (Round, Pairing, Player, Competitor)
        for field in model._meta.fields
    },
    "label": gettext_lazy("place, or number in the cells"),
    "points": gettext_lazy("points, to be compared"),
    "number": gettext_lazy("start number"),
    "given_name": gettext_lazy("given name"),
    "other_name": gettext_lazy("name in another script"),
    "outside": gettext_lazy("outside the competition"),
    "withdrawn_after": gettext_lazy("withdrawn after round"),
    "player": gettext_lazy("player of the team"),
    "player_title": gettext_lazy("player's title"),
    "player_rating": gettext_lazy("player's rating"),
    "first_number": gettext_lazy("number of the first"),
    "first": gettext_lazy("first (White)"),
    "first_player": gettext_lazy("player of the first"),
    "result": gettext_lazy("result"),
    "first_score": gettext_lazy("score of the first"),
    "second_score": gettext_lazy("score of the second"),
    "second_player": gettext_lazy("player of the second"),
    "second_number": gettext_lazy("number of the second"),
    "second": gettext_lazy("second (Black)"),
    "kind": gettext_lazy("kind of result"),
    "white": gettext_lazy("White player"),
    "figure": gettext_lazy("printed figure"),
}
MAX_COLUMNS = 60  # of further columns, only the heading counts
SAMPLES = 3


def choices_of(found: RecognisedFile, data: Mapping[str, str]) -> tuple[MappedTable, ...]:
    """Return the tables with their mappings: from the form, else remembered, else by the layout.

    The mappings of a program's layout are fixed: neither remembered nor guessed.
    """
    tables, layout = found.reading.tables, found.recognition.layout
    # Tables that a layout builds are not in the form. Choices made for another layout do not apply.
    is_posted = found.reading.account is None and "role-0" in data
    code = layout.code if layout else ""
    if not is_posted or data.get("was-layout", code) != code:
        is_remembered = found.is_by_headings and not found.recognition.is_chosen
        return _remembered([table for table, _ in tables]) if is_remembered else tables
    return tuple(
        (table, _posted_mapping(table, guess, index, data)) for index, (table, guess) in enumerate(tables)
    )


def _posted_mapping(
    table: HeadedTable, guess: TableMapping, index: int, data: Mapping[str, str]
) -> TableMapping:
    role = data.get(f"role-{index}", "")
    # If the role was changed, the posted columns belong to the previous role.
    if role not in FIELDS or data.get(f"was-{index}", role) != role:
        return guessed_as(table, role if role in FIELDS else NOTHING)
    default = guess.columns if role == guess.role else guessed_as(table, role).columns
    columns = {at: data.get(f"column-{index}-{at}", default.get(at, "")) for at in range(table.grid.width)}

    def is_field(field: str) -> bool:
        counted, _, number = field.partition(":")
        is_counted = counted == COUNTED.get(role) and number.isdecimal() and 0 < len(number) < 4
        return field in FIELDS[role] or is_counted

    return TableMapping(role, {at: each for at, each in columns.items() if is_field(each)})


def _remembered(tables: Sequence[HeadedTable]) -> tuple[MappedTable, ...]:
    """Return the last mapping of tables with the same headings, else a guess. One query."""
    signatures = [each.signature for each in tables if each.signature]
    mappings = {
        each.signature: TableMapping(each.role, {int(at): field for at, field in each.columns.items()})
        for each in ColumnMapping.objects.filter(signature__in=signatures)
    }
    return tuple((table, mappings.get(table.signature, guess)) for table, guess in mapped_tables(tables))


def remember(tables: Sequence[MappedTable]) -> None:
    for table, each in tables:
        if table.signature:
            columns = {str(at): field for at, field in each.columns.items()}
            ColumnMapping.objects.update_or_create(
                signature=table.signature, defaults={"role": each.role, "columns": columns}
            )


class TableForm(forms.Form):
    """The choices for a table: its role, and the meaning of each column, with a few sample values."""

    def __init__(self, table: HeadedTable, mapping: TableMapping, index: int) -> None:
        super().__init__()
        self.title = table.grid.name or _("Table %(number)s") % {"number": index + 1}
        self.rows = len(table.rows)
        self.was = (f"was-{index}", mapping.role)
        self.fields[f"role-{index}"] = _optional_choice(
            _("meaning of %(table)s") % {"table": self.title}, ROLES, mapping.role
        )
        # A spreadsheet may have thousands of empty columns at the right.
        for at in range(min(table.grid.width, MAX_COLUMNS) if mapping.role else 0):
            self.fields[f"column-{index}-{at}"] = _column_field(table, mapping, at)


def _column_field(table: HeadedTable, mapping: TableMapping, at: int) -> forms.ChoiceField:
    chosen = mapping.columns.get(at, "")
    options: dict[str, Any] = {"": _("not read"), **{each: LABELS[each] for each in FIELDS[mapping.role]}}
    if counted := COUNTED.get(mapping.role):
        numbers = (int(each.partition(":")[2] or 0) for each in mapping.columns.values())
        last = max(table.grid.width, *numbers, 0)
        label = _("round %(number)s") if mapping.role == CROSSTABLE else _("against row %(number)s")
        options |= {f"{counted}:{number}": label % {"number": number} for number in range(1, last + 1)}
    field = _optional_choice(table.labels[at], options, chosen)
    values = (row.cell(at) for row in table.rows[:SAMPLES])
    field.help_text = " · ".join(value[:30] for value in values if value)
    return field


def _optional_choice(label: str, options: Mapping[str, Any], chosen: str) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(options.items()), initial=chosen, required=False)
