"""The standings table: its rows in the order a reader asked for."""

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import rests_on
from standings.engine import Row
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import SortedTable, TableColumn
from standings.tables.why import with_reasons


class StandingsTable(SortedTable):
    """A sheet in some columns. An unknown sort key is the standings order; `limit` keeps the first rows.

    `carried` are the reader's choices that the headings carry on.
    """

    def __init__(
        self,
        sheet: StandingsSheet,
        columns: list[TableColumn],
        sort: str = "",
        direction: str = "",
        limit: int | None = None,
        carried: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(columns, sort, direction, carried)
        self.sheet, self.limit = sheet, limit

    @property
    def after(self) -> int:
        """Return the last round that counts."""
        return self.sheet.standings.table.rounds

    @property
    def has_places(self) -> bool:
        """Return whether there is anything to rank by."""
        return self.sheet.standings.has_places

    @property
    def about(self) -> str:
        """Return the name of what it is the table of."""
        return self.sheet.event.name

    @cached_property
    def standings_rows(self) -> list[Row]:
        """Return the rows that it lists, in the standings order."""
        return list(self.sheet.rows)

    @property
    def caption(self) -> str:
        """Return the caption, for those who hear the table."""
        names = {"event": self.about, "basis": rests_on(self.sheet.basis)}
        caption = (
            _("%(event)s: standings as computed, not as ruled, %(basis)s")
            if self.sheet.as_computed
            else _("%(event)s: standings %(basis)s")
        ) % names
        if not self.sort:
            return caption
        return _("%(caption)s, sorted by: %(column)s") % {"caption": caption, "column": self.sort.name}

    @property
    def leaders(self) -> str:
        """Return the first three, for the page's description."""
        rows = self.standings_rows[:3]
        return ", ".join(f"{row.place or '-'}. {self.sheet.entries[row.competitor].name}" for row in rows)

    def add_reasons(self) -> None:
        """Put beside each name what set it above the next one, unless the rows are sorted otherwise."""
        if not self.sort and self.sheet.standings.columns:
            self.columns = with_reasons(self.columns, self.sheet, self.standings_rows)

    @cached_property
    def rows(self) -> SafeString:
        """Return the rows in the order asked for; competitors equal in it stay in the standings order."""
        rows = self.standings_rows
        ends_group = self._group_ends(rows)
        rows = self.in_order(rows, lambda row: row.competitor)
        # Column by column, then across: each cell was made once, and a row is one join.
        cells = list(map("".join, zip(*(column.cells for column in self.columns), strict=True)))
        lines = (
            _line(row, row.competitor in ends_group, self.sheet.entries[row.competitor].number, cells)
            for row in rows[: self.limit]
        )
        return SafeString("\n".join(lines))

    def _group_ends(self, rows: list[Row]) -> set[int]:
        """Return the last competitor of each score group, as long as the rows stand in standings order."""
        # Sorted otherwise, a group's rows stand apart and there is no end to mark.
        if self.sort or not self.sheet.standings.columns:
            return set()
        key = self.sheet.standings.columns[0].column.keys().tolist()
        return {
            above.competitor
            for above, below in pairwise(rows)
            if key[above.competitor] != key[below.competitor]
        }


def _line(row: Row, ends_group: bool, number: int, cells: list[str]) -> str:
    marks = (("group", ends_group), ("gone", "withdrawn" in row.marks))
    css = " ".join(name for name, marked in marks if marked)
    return f"{row_start(number, css)}{cells[row.competitor]}</tr>"


def row_start(number: int, css: str = "") -> str:
    """Return the tag that begins the row of the competitor with that number, which has an address by it."""
    marked = f' class="{css}"' if css else ""
    return f'<tr role="row"{marked} id="c{number}" data-number="{number}">'
