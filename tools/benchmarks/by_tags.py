"""The standings page as Django projects usually render it: a template with a tag for every value.

A reference for `standings.tables.rows`: the same queries, standings, page and texts. Only the rendering of
the rows differs. Headings are not measured, and the texts of a round are computed once for all rounds with
the same texts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

from django.template import Context, Template
from django.utils.safestring import SafeString

from standings.engine import Row
from standings.flags import flag_of, year_of
from standings.pages.events import tables
from standings.tables import columns
from standings.tables.cells import CellParts, RoundResult, cell_parts, rounds_of_competitor
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet, displayed_criteria
from standings.tables.sorting import TableColumn
from standings.tables.values import exact_texts
from standings.tables.why import why_column
from tournaments.event.arrays import CompetitorInfo

TEMPLATE = Path(__file__).with_suffix(".html")


@dataclass(frozen=True)
class Value:
    """A cell in the column of a criterion."""

    css: str
    code: str
    label: str
    exact: str
    text: str


@dataclass(frozen=True)
class Cell:
    """A cell in the column of a round."""

    round: int
    table: int
    opponent: CompetitorInfo | None
    says: CellParts


@dataclass(frozen=True)
class Line:
    """A row of the table."""

    css: str
    medal: bool
    place: str
    flag: SafeString
    entry: CompetitorInfo
    why: SafeString
    values: list[Value]
    counts: list[int]
    cells: list[Cell]


class TableByTags(StandingsTable):
    """The standings of a team event, with rows rendered by a template."""

    @property
    def rows(self) -> SafeString:
        return SafeString(_template().render(Context({"lines": list(self._lines())})))

    def _lines(self) -> Iterator[Line]:
        sheet, rows = self.sheet, self.sheet.rows
        ends = self._group_ends(rows)
        values, counts = _values(sheet), sheet.standings.table.won_drawn_lost.tolist()
        reasons = why_column(sheet, rows).cells
        for row in rows:
            entry = sheet.entries[row.competitor]
            yield Line(
                css="group" if row.competitor in ends else "",
                medal=row.place is not None and row.place <= 3,
                place=_place(sheet, row),
                flag=flag_of(entry.flag or entry.code, year_of(sheet.event)),
                entry=entry,
                why=SafeString(reasons[row.competitor]),
                values=values[row.competitor],
                counts=counts[row.competitor],
                cells=_cells(sheet, row.competitor),
            )


def _place(sheet: StandingsSheet, row: Row) -> str:
    first = sheet.first_on_place.get(row.place or 0)
    if not row.shared or row.competitor == first:
        spoken = SafeString('<span class="spoken"> shared</span>') if row.shared else ""
        return SafeString(f"{row.place}{spoken}")
    return SafeString(f'<span class="repeated">{row.place}<span class="spoken"> shared</span></span>')


def _values(sheet: StandingsSheet) -> list[list[Value]]:
    columns = [
        [
            Value("tb" if at else "lead", judged.criterion.code, judged.criterion.abbr, exact, text)
            for exact, text in zip(exact_texts(judged), judged.texts, strict=True)
        ]
        for at, judged in enumerate(displayed_criteria(sheet.standings))
    ]
    return [list(values) for values in zip(*columns, strict=True)]


def _cells(sheet: StandingsSheet, row: int) -> list[Cell]:
    return [
        Cell(
            each.round,
            each.table,
            sheet.entries[each.opponent] if each.opponent >= 0 else None,
            _says(each.result),
        )
        for each in rounds_of_competitor(sheet.standings.table, row)
    ]


@cache
def _says(facts: RoundResult) -> CellParts:
    """Return the texts of a round, which are already escaped."""
    words = cell_parts(facts, players=False)
    signs = (SafeString(sign) for sign in (words.opening, words.closing, words.alone))
    return CellParts(words.css, words.form, words.before, words.after, *signs)


@cache
def _template() -> Template:
    return Template(TEMPLATE.read_text())


@contextmanager
def instead() -> Iterator[None]:
    """Use this implementation for the standings within the block."""
    known: list[TableColumn] = []

    def headings(sheet: StandingsSheet) -> list[TableColumn]:
        if not known:
            known.extend(replace(column, cells=[]) for column in columns.all_columns(sheet))
        return known

    with (
        patch.object(tables, "StandingsTable", TableByTags),
        patch.object(tables, "all_columns", headings),
    ):
        yield
