"""The standings table: its headings that sort and its rows, in the order a reader asked for."""

from collections.abc import Mapping
from functools import cached_property
from html import escape
from itertools import pairwise

from django.utils.safestring import SafeString

from standings.columns import ASCENDING, DESCENDING, Column, Sheet
from standings.engine import Row, get
from standings.switches import query_of


class StandingsTable:
    """A sheet in some columns. An unknown sort key is the standings order; `limit` keeps the first rows.

    `kept` are the reader's choices that the headings carry on.
    """

    def __init__(
        self,
        sheet: Sheet,
        columns: list[Column],
        sort: str = "",
        direction: str = "",
        limit: int | None = None,
        kept: Mapping[str, str] | None = None,
    ) -> None:
        self.sheet, self.columns, self.limit, self.kept = sheet, columns, limit, kept or {}
        self.sort = next((column for column in columns if column.sort_keys and column.key == sort), None)
        given = direction if direction in (ASCENDING, DESCENDING) else ""
        self.direction = given or (self.sort.best_first if self.sort else "")

    @property
    def after(self) -> int:
        """The last round that counts."""
        return self.sheet.standings.table.rounds

    @property
    def caption(self) -> str:
        """What the table is, for those who hear it."""
        order = f", sorted by {self.sort.name}" if self.sort else ""
        computed = " as computed, not as ruled," if self.sheet.as_computed else ""
        return f"{self.sheet.event.name}: standings{computed} after round {self.after}{order}"

    @property
    def decided_by(self) -> str:
        """The criteria in the order in which they decide, short."""
        short = (get(code).abbr for code in self.sheet.standings.criteria if code != "manual")
        return ", ".join(short)

    @property
    def leaders(self) -> str:
        """The first three, for the page's description."""
        rows = self.sheet.rows[:3]
        return ", ".join(f"{row.place or '-'}. {self.sheet.entries[row.competitor].name}" for row in rows)

    # --- headings ----------------------------------------------------------------------------------------

    @property
    def heads(self) -> SafeString:
        """The heading cells; every one but the place is a link that sorts."""
        return SafeString("".join(map(self._head, self.columns)))

    @property
    def plain_heads(self) -> SafeString:
        """The heading cells of a table that does not sort."""
        return SafeString("".join(map(_plain_head, self.columns)))

    def _head(self, column: Column) -> str:
        if column.sort_keys is None:
            return _plain_head(column)
        sorted_by = self.sort is not None and self.sort.key == column.key
        state, arrow = self._direction_signs() if sorted_by else ("", "")
        return (
            f'<th scope="col" class="{column.css}"{state}><a id="sort-{escape(column.key)}"'
            f' href="{escape(self._sort_link(column, sorted_by))}" title="{escape(column.name)}">'
            f"{escape(column.label)}{arrow}</a></th>"
        )

    def _direction_signs(self) -> tuple[str, str]:
        word, arrow = ("ascending", "▴") if self.direction == ASCENDING else ("descending", "▾")
        return f' aria-sort="{word}"', f'<span aria-hidden="true">{arrow}</span>'

    def _sort_link(self, column: Column, sorted_by: bool) -> str:
        """First click: best first; second: the other way; third: the standings order."""
        if not sorted_by:
            return query_of({"sort": column.key, "dir": column.best_first, **self.kept})
        if self.direction == column.best_first:
            other = ASCENDING if column.best_first == DESCENDING else DESCENDING
            return query_of({"sort": column.key, "dir": other, **self.kept})
        return query_of(self.kept)

    # --- rows --------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> SafeString:
        """The rows in the order asked for; competitors equal in it stay in the standings order."""
        rows = list(self.sheet.rows)
        ends_group = self._group_ends(rows)
        if self.sort and self.sort.sort_keys:
            key = self.sort.sort_keys
            rows.sort(key=lambda row: key[row.competitor], reverse=self.direction == DESCENDING)
        cells = list(map("".join, zip(*(column.cells for column in self.columns), strict=True)))
        lines = (
            _line(row, row.competitor in ends_group, cells[row.competitor]) for row in rows[: self.limit]
        )
        return SafeString("\n".join(lines))

    def _group_ends(self, rows: list[Row]) -> set[int]:
        """The last competitor of each score group, as long as the rows stand in standings order."""
        if self.sort or not self.sheet.standings.judged:
            return set()
        key = self.sheet.standings.judged[0].column.keys().tolist()
        return {
            above.competitor
            for above, below in pairwise(rows)
            if key[above.competitor] != key[below.competitor]
        }


def _plain_head(column: Column) -> str:
    return f'<th scope="col" class="{column.css}" title="{escape(column.name)}">{escape(column.label)}</th>'


def _line(row: Row, ends_group: bool, cells: str) -> str:
    marks = (("group", ends_group), ("gone", "withdrawn" in row.marks))
    css = " ".join(name for name, marked in marks if marked)
    return f'<tr class="{css}">{cells}</tr>' if css else f"<tr>{cells}</tr>"
