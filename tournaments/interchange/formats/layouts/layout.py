"""A layout: the form in which a program or site writes files, with its recognition and reading."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tournaments.event.finding import Finding
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.account import Account
from tournaments.interchange.formats.encodings import decode_text
from tournaments.interchange.formats.foreign_files import foreign_refusal
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.interchange.formats.layouts.titles import titles_of
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.headings import HeadedTable, MappedTable, TableMapping
from tournaments.interchange.formats.tables.html import is_page, preformatted
from tournaments.interchange.formats.tables.listed_games import GameList
from tournaments.interchange.formats.tables.reading import grids_of_content, mapped_tables, tables_in
from tournaments.interchange.formats.tables.sheets import OLD_OFFICE

FieldRow = tuple[int, Mapping[str, str]]  # the line of a row in the file, and its texts by field
# line, name and result of the players of a team in a round, by round and name of the team
PlayerResults = Mapping[tuple[int, str], Sequence[tuple[int, str, str]]]
_EXAMPLES = Path(__file__).parent / "examples"

Signs = tuple[str, ...]  # the evidence for a layout, empty if the file has another one


class LayoutFile:
    """A file to be read by a layout. The text and the tables are computed at first use."""

    def __init__(self, name: str, content: bytes, options: ReadingOptions = AS_FOUND) -> None:
        self.name, self.content, self.options = name, content, options

    @cached_property
    def _decoded(self) -> tuple[str, list[Finding]]:
        # A workbook is not text, even if its bytes can be decoded.
        is_workbook = self.content.startswith((archives.MAGIC, OLD_OFFICE))
        if is_workbook or len(self.content) > archives.most_bytes() or foreign_refusal(self.content):
            return "", []
        text, findings = decode_text(self.content, self.options.encoding)
        return preformatted(text), findings

    @property
    def text(self) -> str:
        """Return the text of the file; blank for a workbook, and if the file cannot be decoded."""
        return self._decoded[0]

    @property
    def text_findings(self) -> tuple[Finding, ...]:
        return tuple(self._decoded[1])

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the text, from line 1 of findings.

        The lines of a workbook or an HTML page are its rows, with tabs between cells.
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
        return tuple(self._grids[0])

    @cached_property
    def _tables(self) -> tuple[tuple[HeadedTable, ...], list[Finding]]:
        return tables_in(self._grids[0], self.options.part)

    @property
    def tables(self) -> tuple[HeadedTable, ...]:
        return self._tables[0]

    @cached_property
    def mapped(self) -> tuple[MappedTable, ...]:
        return mapped_tables(self.tables)

    @cached_property
    def titles(self) -> list[GridRow]:
        return titles_of(self.mapped)

    @property
    def grid_findings(self) -> tuple[Finding, ...]:
        return (*self._grids[1], *self._tables[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutReading:
    """The tables and games that a layout found in a file.

    `outline`: facts outside the tables. `account`: None if the tables are the grids of the file, because
    lines are counted when these are read; a layout that builds its tables or lists games counts all lines of
    the file itself. `player_results`: results without opponents, which follow from the matches of an event.
    """

    tables: tuple[MappedTable, ...] = ()
    games: GameList | None = None
    outline: EventOutline = NO_FACTS
    findings: tuple[Finding, ...] = ()
    account: Account | None = None
    player_results: PlayerResults = field(default_factory=dict)

    @property
    def mappings(self) -> list[TableMapping]:
        return [mapping for _, mapping in self.tables]


@dataclass(frozen=True, slots=True)
class Layout:
    """The form in which a program or site writes files.

    `name`: the name for users. `endings`: file name extensions. `recognise`: finds the signs of the layout in
    a file; the layout with the most signs is used. `is_generic`: used only if no other layout has signs.
    `about`: the description, by default that of the module.
    """

    code: str
    name: str
    endings: tuple[str, ...]
    recognise: Callable[[LayoutFile], Iterable[str]]
    read: Callable[[LayoutFile], LayoutReading]
    is_generic: bool = False
    about: str = ""

    @property
    def example(self) -> str:
        return (_EXAMPLES / f"{self.code}{self.endings[0]}").read_text(encoding="utf-8")


def table_of_fields(role: str, fields: Sequence[str], rows: Iterable[FieldRow]) -> MappedTable:
    cells = [GridRow(line, tuple(values.get(each, "") for each in fields)) for line, values in rows]
    return table_of_rows(role, fields, cells)


def table_of_rows(
    role: str, fields: Sequence[str], rows: Sequence[GridRow], name: str = "", labels: Sequence[str] = ()
) -> MappedTable:
    """Return a table of these rows. Columns are labelled by `labels`, else by `fields`."""
    heading = GridRow(0, tuple(labels or fields))
    table = HeadedTable(Grid((heading, *rows), name), heading, tuple(rows))
    return table, TableMapping(role, {at: each for at, each in enumerate(fields) if each})
