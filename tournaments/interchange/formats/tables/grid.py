"""A table as rows of texts, and places in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_uppercase

from tournaments.event.finding import Place

MOST_ROWS, MOST_COLUMNS, MOST_TABLES = 20_000, 200, 20
LONGEST_CELL = 2_000
MOST_CELLS = 400_000  # in all tables of a file: 2,000 players with 13 rounds of three columns have 100,000

# competitors in a table: twice the largest open tournament; lists of results have more rows
MOST_ENTRANTS = 5_000


_LINE_BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\b")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f\ud800-\udfff]")


def as_cell(text: str) -> str:
    """Return a text as a cell: in a single line, without outer blanks and invalid characters.

    Nothing else is changed: non-breaking spaces, soft hyphens, apostrophes and composed accents remain.
    """
    return _LINE_BREAKS.sub(" ", _UNPRINTABLE.sub("", text)).strip()


def as_day(text: str) -> str:
    """Return a hint if a result is a date, because spreadsheets convert `3-1` into one; else ""."""
    if not _DAY.match(text):
        return ""
    return "It is a day: a spreadsheet may have made it of a result such as 3-1; make its column text there. "


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row. `number`: its number in the source, from 1."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """Return the text in a column, from 0; "" after the last cell."""
        return self.cells[column] if column < len(self.cells) else ""

    @property
    def is_blank(self) -> bool:
        return not any(self.cells)


@dataclass(frozen=True)
class Grid:
    """A table. `name`: of its sheet, else blank."""

    rows: tuple[GridRow, ...]
    name: str = ""

    @cached_property
    def width(self) -> int:
        return max((len(each.cells) for each in self.rows), default=0)

    def place(self, row: GridRow, columns: Mapping[str, str] | None = None) -> "RowPlace":
        """Return the place of a row. `columns`: the column label of each key."""
        sheet = f"{self.name}, " if self.name else ""
        return RowPlace(f"{sheet}row {row.number}", columns=columns or {})


@dataclass(frozen=True, slots=True)
class RowPlace(Place):
    """A row of a table as a place. Its keys are columns."""

    columns: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> Place:
        column = self.columns.get(name.partition("[")[0])
        path = f"{self.path}, column {column}" if column else self.path
        return Place(path, self.round, self.table)

    def item(self, name: str, index: int) -> Place:
        """Return the column of a list element: the column of the list, or its own column."""
        own = f"{name}[{index}]"
        return self.key(own if own in self.columns else name)

    def at(self, column: str) -> "RowPlace":
        return RowPlace(f"{self.path}, column {column}", self.round, self.table)

    def seated(self, round_: int, table: int | None) -> "RowPlace":
        return replace(self, round=round_, table=table)


def letters(column: int) -> str:
    """Return the spreadsheet name of a column, from 0: A … Z, AA …"""
    if column < len(ascii_uppercase):
        return ascii_uppercase[column]
    return letters(column // len(ascii_uppercase) - 1) + ascii_uppercase[column % len(ascii_uppercase)]
