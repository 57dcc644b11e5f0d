"""A table that sorts by the columns it has, with links alone: any other key is its own order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Any, TypeVar

from django.utils.safestring import SafeString

from standings.engine import all_criteria
from standings.tables.switches import query_of

DESCENDING, ASCENDING = "desc", "asc"
HEAD = '<th scope="col" role="columnheader"'
"""The beginning of a heading: rows have roles, because phones lay them out as a list."""


class SortKey(StrEnum):
    """The keys in addresses of the columns that are neither a criterion's nor a round's."""

    BOARD = "board"
    TEAM = "team"
    GAMES = "games"
    POINTS = "points"
    SHARE = "share"
    PERFORMANCE = "performance"
    EXPECTED = "expected"
    CHANGE = "change"
    MOVE = "move"
    PUBLISHED = "published"
    NAME = "name"
    NUMBER = "number"
    CODE = "code"
    RATING = "rating"
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    GOLD = "gold"
    SILVER = "silver"
    BRONZE = "bronze"
    MEDALS = "medals"
    MEDALLIST = "medallist"
    EDITIONS = "editions"
    MATCHES = "matches"
    EVENTS = "events"
    TITLE = "title"


CODES = "|".join(criterion.code for criterion in all_criteria() if not criterion.is_fide)
FIDE = "|".join(criterion.code for criterion in all_criteria() if criterion.is_fide)
MODIFIED = rf"({FIDE})(:(MP|GP))?(-[CMKL][+-]?[0-9]{{1,3}})?(-[PFR]){{0,3}}"
# Pages are kept under what was asked of them: a key that no column has must not make another page.
KEY_PATTERN = rf"{'|'.join(SortKey)}|round-[0-9]{{1,3}}|({CODES})(@(game|match))?|{MODIFIED}"
"""The keys that a column may have, as a regular expression."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class TableColumn:
    """One column: its key in the address, its heading, and its cells in the order of the crosstable.

    `sort_keys` are in the same order; None where the column does not sort. `best_first` is the direction of
    the first click.
    """

    key: str
    label: str
    name: str
    css: str
    cells: list[str]
    sort_keys: Sequence[Any] | None = None
    best_first: str = DESCENDING


class SortedTable:
    """Some columns and the one that a reader sorts by; None is the table's own order.

    `carried` are the reader's choices that the headings carry on, `anchor` where on its page the table
    stands.
    """

    def __init__(
        self,
        columns: list[TableColumn],
        sort: str = "",
        direction: str = "",
        carried: Mapping[str, str] | None = None,
        anchor: str = "",
    ) -> None:
        self.columns, self.carried, self.anchor = columns, carried or {}, anchor
        self.sort = next((column for column in columns if column.sort_keys and column.key == sort), None)
        given = direction if direction in (ASCENDING, DESCENDING) else ""
        self.direction = given or (self.sort.best_first if self.sort else "")

    def in_order(self, rows: list[Row], index: Callable[[Row], int]) -> list[Row]:
        """Return the rows by the column that is sorted by; those equal in it stay as they are.

        `index` says where a row's key stands among the column's.
        """
        if not self.sort or not self.sort.sort_keys:
            return rows
        key = self.sort.sort_keys
        # Python's sort is stable, also reversed: who is level keeps the table's own order.
        return sorted(rows, key=lambda row: key[index(row)], reverse=self.direction == DESCENDING)

    def lines(self, order: Sequence[int]) -> SafeString:
        """Return these rows of the columns, for a table of the class `stack`: a list on a phone."""
        # Column by column, then across: each cell was made once, and a row is one join.
        rows = list(map("".join, zip(*map(stacked_cells, self.columns), strict=True)))
        return SafeString("\n".join(f'<tr role="row">{rows[at]}</tr>' for at in order))

    @property
    def heads(self) -> SafeString:
        """Return the heading cells; every one but the place is a link that sorts."""
        return SafeString("".join(map(self._head, self.columns)))

    @property
    def plain_heads(self) -> SafeString:
        """Return the heading cells of a table that does not sort."""
        return SafeString("".join(map(plain_head, self.columns)))

    def _head(self, column: TableColumn) -> str:
        if column.sort_keys is None:
            return plain_head(column)
        sorted_by = self.sort is not None and self.sort.key == column.key
        state, arrow = self._direction_signs() if sorted_by else ("", "")
        return (
            f'{HEAD} class="{column.css}"{state}><a id="sort-{escape(column.key)}"'
            f' href="{escape(self._sort_link(column, sorted_by))}"{_spoken(column)}>'
            f"{escape(column.label)}{arrow}</a></th>"
        )

    def _direction_signs(self) -> tuple[str, str]:
        word, arrow = ("ascending", "▴") if self.direction == ASCENDING else ("descending", "▾")
        return f' aria-sort="{word}"', f'<span aria-hidden="true">{arrow}</span>'

    def _sort_link(self, column: TableColumn, sorted_by: bool) -> str:
        """Link to the next order: best first, then the other way, then the table's own."""
        if not sorted_by:
            asked = {"sort": column.key, "dir": column.best_first}
        elif self.direction == column.best_first:
            other = ASCENDING if column.best_first == DESCENDING else DESCENDING
            asked = {"sort": column.key, "dir": other}
        else:
            asked = {}
        return f"{query_of({**asked, **self.carried})}{self.anchor}"


def stacked_cells(column: TableColumn) -> list[str]:
    """Return the cells with their roles, which a layout as a list takes away, and with what is told there.

    In the list no heading stands above a figure: its short name stands before it.
    """
    label = "" if column.css in {"no", "who", "lead"} else f' data-label="{escape(column.label)}"'
    return [
        cell.replace("<td", f'<td role="cell"{label}', 1).replace("<th", '<th role="rowheader"', 1)
        for cell in column.cells
    ]


def plain_head(column: TableColumn) -> str:
    """Return the heading cell of a column that does not sort."""
    return f'{HEAD} class="{column.css}"{_spoken(column)}>{escape(column.label)}</th>'


def _spoken(column: TableColumn) -> str:
    """Return the name for who listens, with the label in it; nothing where the label is the name."""
    label, name = column.label, column.name
    if label.casefold() == name.casefold():
        return ""
    spoken = name if label in name.split() else f"{label}: {name}"
    return f' aria-label="{escape(spoken)}"'
