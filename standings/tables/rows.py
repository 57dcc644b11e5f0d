"""The standings table with its rows in the requested order."""

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_text
from standings.engine import Row
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import SortedTable, TableColumn
from standings.tables.why import with_reasons

LONG_TABLE, FIRST_ROWS = 400, 100
"""A page shows only the first rows of a table with more rows than LONG_TABLE."""


class StandingsTable(SortedTable):
    """Standings with some columns.

    An unknown sort key gives the standings order. `limit`: the number of rows shown, if not all. `carried`:
    the query parameters that the links in headings retain.
    """

    def __init__(
        self,
        sheet: StandingsSheet,
        columns: list[TableColumn],
        asked: Mapping[str, str] | None = None,
        limit: int | None = None,
        carried: Mapping[str, str] | None = None,
    ) -> None:
        self.sheet, self.limit = sheet, limit
        about = ", ".join(filter(None, (sheet.event.name, sheet.group)))
        title = (
            _("%(event)s: standings without manual changes, %(basis)s")
            if sheet.as_computed
            else _("%(event)s: standings %(basis)s")
        )
        title %= {"event": about, "basis": basis_text(sheet.basis)}
        super().__init__(title, columns, asked, carried)

    @property
    def after(self) -> int:
        return self.sheet.standings.table.rounds

    @property
    def has_places(self) -> bool:
        """Return whether there are criteria or published places to rank by."""
        return self.sheet.standings.has_places

    @cached_property
    def standings_rows(self) -> list[Row]:
        return self.sheet.rows_of_group

    @property
    def is_long(self) -> bool:
        return len(self.standings_rows) > LONG_TABLE

    @property
    def leaders(self) -> str:
        rows = self.standings_rows[:3]
        return ", ".join(f"{row.place or '-'}. {self.sheet.entries[row.competitor].name}" for row in rows)

    def add_reasons(self) -> None:
        """Add the column that explains each row's position, unless the table is sorted by a column."""
        if not self.sort and self.sheet.standings.columns:
            self.columns = with_reasons(self.columns, self.sheet, self.standings_rows)

    @cached_property
    def rows(self) -> SafeString:
        """Return the rows in the requested order. Equal competitors remain in standings order."""
        rows = self.standings_rows
        ends_group = self._group_ends(rows)
        rows = self.in_order(rows, lambda row: row.competitor)
        # Joined by column first, because the cells are already rendered.
        cells = list(map("".join, zip(*(column.cells for column in self.columns), strict=True)))
        lines = []
        for row in rows[: self.limit]:
            css = "group" if row.competitor in ends_group else ""
            css += " gone" if "withdrawn" in row.marks else ""
            start = row_start(self.sheet.entries[row.competitor].number, css.strip())
            lines.append(f"{start}{cells[row.competitor]}</tr>")
        return SafeString("\n".join(lines))

    def _group_ends(self, rows: list[Row]) -> set[int]:
        # If the table is sorted by a column, groups are not contiguous.
        if self.sort or not self.sheet.standings.columns:
            return set()
        key = self.sheet.standings.columns[0].column.keys().tolist()
        return {
            above.competitor
            for above, below in pairwise(rows)
            if key[above.competitor] != key[below.competitor]
        }


def row_start(number: int, css: str = "") -> str:
    marked = f' class="{css}"' if css else ""
    return f"<tr role=row{marked} id=c{number} data-number={number}>"
