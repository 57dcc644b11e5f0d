"""Tables that sort by links without scripts. An unknown sort key gives the default order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from html import escape
from typing import Any, TypeVar

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.engine import all_criteria
from standings.tables.sheet import DETAILS
from standings.tables.switches import query_of

DESCENDING, ASCENDING = "desc", "asc"
# Explicit roles, because the list layout on phones removes the native ones.
HEAD = '<th scope="col" role="columnheader"'


class SortKey(StrEnum):
    """Sort keys in URLs, except those of criteria and rounds."""

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
# Responses are cached by sort key, so unknown keys must not create further variants.
KEY_PATTERN = rf"{'|'.join((*SortKey, *DETAILS))}|round-[0-9]{{1,3}}|({CODES})(@(game|match))?|{MODIFIED}"

Row = TypeVar("Row")


@dataclass(frozen=True)
class TableColumn:
    """A column of a table.

    `key`: the sort key in the URL. `label` and `name`: the short and the full heading. `cells` and
    `sort_keys`: in the order of the crosstable; `sort_keys` is None if the column does not sort.
    `best_first`: the direction of the first click.
    """

    key: str
    label: str
    name: str
    css: str
    cells: list[str]
    sort_keys: Sequence[Any] | None = None
    best_first: str = DESCENDING


class SortedTable:
    """Columns and the column to sort by, None for the default order.

    `asked`: the query parameters, of which `sort` and `dir` give the order. `carried`: those that the links
    retain. `anchor`: the fragment of the table on its page.
    """

    def __init__(
        self,
        title: str,
        columns: list[TableColumn],
        asked: Mapping[str, str] | None = None,
        carried: Mapping[str, str] | None = None,
        anchor: str = "",
    ) -> None:
        self.title, self.columns, self.carried, self.anchor = title, columns, carried or {}, anchor
        sort, direction = ((asked or {}).get(name, "") for name in ("sort", "dir"))
        self.sort = next((column for column in columns if column.sort_keys and column.key == sort), None)
        given = direction if direction in (ASCENDING, DESCENDING) else ""
        self.direction = given or (self.sort.best_first if self.sort else "")

    @cached_property
    def rows(self) -> SafeString:
        return self.lines(self.in_order(list(range(len(self.columns[0].cells))), lambda at: at))

    @property
    def caption(self) -> str:
        if self.sort is None:
            return self.title
        return _("%(caption)s, sorted by: %(column)s") % {"caption": self.title, "column": self.sort.name}

    def in_order(self, rows: list[Row], index: Callable[[Row], int]) -> list[Row]:
        """Return the rows sorted by the chosen column. Equal rows remain in the given order.

        `index` returns the position of a row in the column.
        """
        if not self.sort or not self.sort.sort_keys:
            return rows
        key = self.sort.sort_keys
        # Python's sort is stable, also with reverse.
        return sorted(rows, key=lambda row: key[index(row)], reverse=self.direction == DESCENDING)

    def lines(self, order: Sequence[int]) -> SafeString:
        """Return these rows as HTML for a table of class `stack`, which is a list on phones."""
        # Joined by column first, because the cells are already rendered.
        rows = list(map("".join, zip(*map(stacked_cells, self.columns), strict=True)))
        return SafeString("\n".join(f'<tr role="row">{rows[at]}</tr>' for at in order))

    @property
    def heads(self) -> SafeString:
        """Return the heading cells. All sortable columns except the place have a link."""
        return SafeString("".join(map(self._head, self.columns)))

    @property
    def plain_heads(self) -> SafeString:
        return SafeString("".join(map(plain_head, self.columns)))

    def _head(self, column: TableColumn) -> str:
        if column.sort_keys is None:
            return plain_head(column)
        sorted_by = self.sort is not None and self.sort.key == column.key
        state = arrow = ""
        if sorted_by:
            word, sign = ("ascending", "▴") if self.direction == ASCENDING else ("descending", "▾")
            state, arrow = f' aria-sort="{word}"', f'<span aria-hidden="true">{sign}</span>'
        return (
            f'{HEAD} class="{column.css}"{state}><a id="sort-{escape(column.key)}"'
            f' href="{escape(self._sort_link(column, sorted_by))}"{_spoken_label(column)}>'
            f"{escape(column.label)}{arrow}</a></th>"
        )

    def _sort_link(self, column: TableColumn, sorted_by: bool) -> str:
        if not sorted_by:
            params = {"sort": column.key, "dir": column.best_first}
        elif self.direction == column.best_first:
            other = ASCENDING if column.best_first == DESCENDING else DESCENDING
            params = {"sort": column.key, "dir": other}
        else:
            params = {}
        return f"{query_of({**params, **self.carried})}{self.anchor}"


def stacked_cells(column: TableColumn) -> list[str]:
    """Return the cells with roles and labels, which the list layout on phones requires."""
    label = "" if column.css in {"no", "who", "lead"} else f' data-label="{escape(column.label)}"'
    return [
        cell.replace("<td", f'<td role="cell"{label}', 1).replace("<th", '<th role="rowheader"', 1)
        for cell in column.cells
    ]


def plain_head(column: TableColumn) -> str:
    return f'{HEAD} class="{column.css}"{_spoken_label(column)}>{escape(column.label)}</th>'


def _spoken_label(column: TableColumn) -> str:
    """Return the full name with the label for screen readers, empty if both are the same."""
    label, name = column.label, column.name
    if label.casefold() == name.casefold():
        return ""
    spoken = name if label in name.split() else f"{label}: {name}"
    return f' aria-label="{escape(spoken)}"'


def text_column(
    key: str,
    label: str,
    name: str,
    css: str,
    texts: Iterable[object],
    sort_keys: Sequence[Any] | None = None,
    best_first: str = DESCENDING,
) -> TableColumn:
    """Return a column of texts, which are escaped unless they are safe HTML."""
    cells = [f'<td class="{css}">{conditional_escape(str(text))}</td>' for text in texts]
    return TableColumn(key, label, name, css, cells, sort_keys, best_first)
