"""A table as rows of text, and where in it something stands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_uppercase

from tournaments.event.finding import Place

MOST_ROWS, MOST_COLUMNS, MOST_TABLES = 20_000, 200, 20
LONGEST_CELL = 2_000
MOST_CELLS = 400_000
"""Of all tables of a file: 2,000 players with 13 rounds of three columns have 100,000."""

MOST_ENTRANTS = 5_000
"""Rows of a table of competitors: twice the largest open there was; a list of results has more rows."""


_LINE_BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\b")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f\ud800-\udfff]")


def as_cell(text: str) -> str:
    """Return a text as a cell holds it: on one line, without blanks around it or signs no database keeps.

    Nothing else changes: blanks that do not break, soft hyphens, apostrophes and how accents are composed are
    the writer's.
    """
    return _LINE_BREAKS.sub(" ", _UNPRINTABLE.sub("", text)).strip()


def as_day(text: str) -> str:
    """Return what to say of a result that is a day: spreadsheets make one of `3-1`; blank for other texts."""
    if not _DAY.match(text):
        return ""
    return "It is a day: a spreadsheet may have made it of a result such as 3-1; make its column text there. "


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row; `number` as the source counts it, from 1."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """Return the text in a column counted from 0; blank beyond the last."""
        return self.cells[column] if column < len(self.cells) else ""

    @property
    def is_blank(self) -> bool:
        """Say whether nothing stands in it."""
        return not any(self.cells)


@dataclass(frozen=True)
class Grid:
    """A table; `name` is that of its sheet, blank where it has none."""

    rows: tuple[GridRow, ...]
    name: str = ""

    @cached_property
    def width(self) -> int:
        """Return how many columns it has."""
        return max((len(each.cells) for each in self.rows), default=0)

    def place(self, row: GridRow, columns: Mapping[str, str] | None = None) -> "RowPlace":
        """Return the place of a row; `columns` say in which column a key was read."""
        sheet = f"{self.name}, " if self.name else ""
        return RowPlace(f"{sheet}row {row.number}", columns=columns or {})


@dataclass(frozen=True, slots=True)
class RowPlace(Place):
    """A row of a table; a key of it is a column."""

    columns: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> Place:
        """Return the column that a key was read from, the row where it has none."""
        column = self.columns.get(name.partition("[")[0])
        path = f"{self.path}, column {column}" if column else self.path
        return Place(path, self.round, self.table)

    def item(self, name: str, index: int) -> Place:
        """Return the place of an element of a list: the column of the list, or one of its own."""
        own = f"{name}[{index}]"
        return self.key(own if own in self.columns else name)

    def at(self, column: str) -> Place:
        """Return a column by its label."""
        return Place(f"{self.path}, column {column}", self.round, self.table)

    def seated(self, round_: int, table: int | None) -> "RowPlace":
        """Return the same row, which tells of that round and table."""
        return replace(self, round=round_, table=table)


def letters(column: int) -> str:
    """Return the name that spreadsheets give a column counted from 0: A … Z, AA …"""
    if column < len(ascii_uppercase):
        return ascii_uppercase[column]
    return letters(column // len(ascii_uppercase) - 1) + ascii_uppercase[column % len(ascii_uppercase)]
