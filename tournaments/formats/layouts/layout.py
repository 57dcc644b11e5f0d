"""A layout: how a program or a site lays out a file; recognised by signs, and read into tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.event.finding import Finding
from tournaments.formats import archives
from tournaments.formats.account import Account
from tournaments.formats.encodings import decoded
from tournaments.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.formats.options import AS_FOUND, ReadingOptions
from tournaments.formats.tables.grid import Grid, GridRow
from tournaments.formats.tables.headings import HeadedTable, TableMapping
from tournaments.formats.tables.html import is_page, preformatted
from tournaments.formats.tables.reading import grids_of_content, tables_in
from tournaments.formats.tables.sheets import OLD_OFFICE

Signs = tuple[str, ...]
"""The evidence that a file is of a layout, a sign each in words; empty where it is not."""


class LayoutFile:
    """A file that some layout reads; its text and its tables are made once, when first asked for."""

    def __init__(self, name: str, content: bytes, options: ReadingOptions = AS_FOUND) -> None:
        self.name, self.content, self.options = name, content, options

    @cached_property
    def _decoded(self) -> tuple[str, list[Finding]]:
        # A workbook is no text, whatever its bytes could be taken for.
        if len(self.content) > archives.most_bytes() or self.content.startswith((archives.MAGIC, OLD_OFFICE)):
            return "", []
        text, findings = decoded(self.content, self.options.encoding)
        return preformatted(text), findings

    @property
    def text(self) -> str:
        """Return the file as text; blank for a workbook, and for what cannot be decoded."""
        return self._decoded[0]

    @property
    def text_findings(self) -> tuple[Finding, ...]:
        """Return the findings of the decoding."""
        return tuple(self._decoded[1])

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the text; the first one is line 1 in findings.

        Those of a workbook or of a page are its rows, with tabs between cells.
        """
        if self.text and not is_page(self.text):
            return tuple(self.text.splitlines())
        rows = {row.number: "\t".join(row.cells) for grid in self.grids for row in grid.rows}
        is_counted_once = len(rows) == sum(len(grid.rows) for grid in self.grids)
        return tuple(rows.get(at, "") for at in range(1, max(rows) + 1)) if rows and is_counted_once else ()

    @cached_property
    def _grids(self) -> tuple[list[Grid], list[Finding]]:
        return grids_of_content(self.content, self.name, self.options)

    @property
    def grids(self) -> tuple[Grid, ...]:
        """Return the file as rows of cells, a grid each table, block or sheet."""
        return tuple(self._grids[0])

    @cached_property
    def _tables(self) -> tuple[tuple[HeadedTable, ...], list[Finding]]:
        return tables_in(self._grids[0], self.options.part)

    @property
    def tables(self) -> tuple[HeadedTable, ...]:
        """Return the grids with their headings found."""
        return self._tables[0]

    @property
    def grid_findings(self) -> tuple[Finding, ...]:
        """Return the findings of the grids and of their headings."""
        return (*self._grids[1], *self._tables[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutReading:
    """The tables that a layout made of a file, the mapping of each, and the facts that stand beside them.

    `account` is None where the tables are the grids of the file, whose lines are counted as they are read.
    A layout that makes its tables in memory counts every line of the file itself, as read or unread.
    """

    tables: tuple[HeadedTable, ...] = ()
    mappings: tuple[TableMapping, ...] = ()
    outline: EventOutline = NO_FACTS
    findings: tuple[Finding, ...] = ()
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """One way of laying out a file.

    `name` is for people, `endings` are those of the names of such files, `example` is a small whole file of
    invented people. `recognise` returns the signs of the layout in a file: that with the most is taken.
    A generic one yields to every other.
    """

    code: str
    name: str
    endings: tuple[str, ...]
    recognise: Callable[[LayoutFile], Signs]
    read: Callable[[LayoutFile], LayoutReading]
    example: str
    is_generic: bool = False


def made_table(
    role: str, fields: Sequence[str], rows: Sequence[GridRow], name: str = "", labels: Sequence[str] = ()
) -> tuple[HeadedTable, TableMapping]:
    """Return a table that stands in no file as such, its columns called by labels or like their fields."""
    heading = GridRow(0, tuple(labels or fields))
    table = HeadedTable(Grid((heading, *rows), name), heading, tuple(rows))
    return table, TableMapping(role, {at: each for at, each in enumerate(fields) if each})
