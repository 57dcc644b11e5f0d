"""Tables → a document: the event as it is, with what they add to it and change in it (ADR 0034).

Findings name the row and the column. Only an event file takes anything away.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from tournaments.event.checks import check
from tournaments.event.completing import complete, in_order
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error, errors, objection
from tournaments.formats import archives
from tournaments.formats.account import ReadingTally
from tournaments.formats.json.reader import Reading
from tournaments.formats.log import Log
from tournaments.formats.options import AS_FOUND, ReadingOptions
from tournaments.formats.tables.crosstable_rows import CrosstableRows
from tournaments.formats.tables.entrants import EntrantList
from tournaments.formats.tables.grid import MOST_ENTRANTS, MOST_TABLES, Grid, RowPlace
from tournaments.formats.tables.headings import (
    COMPETITORS,
    COUNTED,
    MATRIX,
    MEMBER,
    NOTHING,
    RESULTS,
    HeadedTable,
    TableLayout,
    guessed,
    is_of_a_round,
    missing,
    rounds_of,
    table_of,
    with_rounds_joined,
)
from tournaments.formats.tables.matrix_rows import MatrixRows
from tournaments.formats.tables.merging import Rounds
from tournaments.formats.tables.printed_figures import PrintedRow, contradictions
from tournaments.formats.tables.result_rows import ResultRows
from tournaments.formats.tables.sheets import OLD_OFFICE, grids_of_workbook
from tournaments.formats.tables.text import grids_of_bytes

SUFFIXES = (".csv", ".tsv", ".xlsx")
WITH_MACROS = (".xlsm", ".xltm", ".xlsb", ".xlam", ".xls")
_ROW = re.compile(r"\brow (\d+)")
_PAIRING = re.compile(r"rounds\[(\d+)\](?:\.pairings\[(\d+)\])?.*")
_COMPETITOR = re.compile(r"competitors\[(\d+)\].*")


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a file, or findings that say why there are none."""

    tables: tuple[HeadedTable, ...]
    findings: tuple[Finding, ...] = ()


def tables_of(content: bytes, name: str = "", options: ReadingOptions = AS_FOUND) -> Tables:
    """Return the tables of a file; a workbook is known by its bytes, everything else is text."""
    if len(content) > archives.most_bytes():
        most = archives.in_megabytes(archives.most_bytes())
        return Tables((), (error("too-big", Place(), f"The file is larger than {most}. Cut it."),))
    if PurePath(name.casefold()).suffix in WITH_MACROS:
        text = f"A {PurePath(name).suffix} may hold macros, which are never taken in. Save it as .xlsx."
        return Tables((), (error("macros", Place(), text),))
    # By its bytes, for a name may say otherwise.
    is_workbook = content.startswith((archives.MAGIC, OLD_OFFICE))
    grids, findings = grids_of_workbook(content) if is_workbook else grids_of_bytes(content, options.encoding)
    if not grids and not findings:
        findings = [error("empty-table", Place(), "Nothing stands in it. Save the table again.")]
    tables = _tables(grids)
    if len(tables) > MOST_TABLES:
        text = f"{len(tables)} tables, each with a heading; at most {MOST_TABLES} are read. Cut the file."
        findings.append(error("too-many-tables", Place(), text))
    return Tables(tables, tuple(findings))


def _tables(grids: Sequence[Grid]) -> tuple[HeadedTable, ...]:
    """Return the tables of the grids."""
    parts: list[list[HeadedTable]] = []
    for grid in grids:
        table = table_of(grid)
        # An empty line inside a table parts it; what follows without a heading goes on there.
        if parts and table.heading is None and parts[-1][0].grid.name == grid.name:
            parts[-1].append(table)
        else:
            parts.append([table])
    return tuple(with_rounds_joined(_together(each)) for each in parts)


def _together(parts: Sequence[HeadedTable]) -> HeadedTable:
    """Return one table of several parts, under the heading of the first."""
    grid = Grid(tuple(row for part in parts for row in part.grid.rows), parts[0].grid.name)
    return HeadedTable(grid, parts[0].heading, tuple(row for part in parts for row in part.rows))


def layouts_of(tables: Sequence[HeadedTable]) -> list[TableLayout]:
    """Return the layout that each table is taken for, so that nothing is read twice."""
    found = [guessed(each) for each in tables]
    lists = [each for each in found if each.role == COMPETITORS]
    # Of several lists of competitors the one that says most; the others repeat it.
    best = max(lists, key=lambda each: len(each.columns), default=None)
    # A cross table repeats what a list of results says round by round.
    has_results = any(each.role == RESULTS for each in found)
    return [
        TableLayout(NOTHING, {})
        if (each.role == COMPETITORS and each is not best) or (each.role in COUNTED and has_results)
        else each
        for each in found
    ]


def read_tables(
    base: Document,
    tables: Sequence[HeadedTable],
    layouts: Sequence[TableLayout],
    options: ReadingOptions = AS_FOUND,
) -> Reading:
    """Read tables into the event, competitors first, then what was played; with an account."""
    tally = ReadingTally()
    for table, each in zip(tables, layouts, strict=True):
        _count(table, each, tally)
    reading = _read_known(base, tables, layouts, options, tally)
    return replace(reading, account=tally.account())


def _count(table: HeadedTable, layouts: TableLayout, tally: ReadingTally) -> None:
    """Count the columns and the lines of a table, titles and remarks too."""
    for at, label in enumerate(table.labels):
        if not any(row.cell(at) for row in table.rows):
            continue
        if at in layouts.columns:
            tally.read("columns")
        else:
            tally.unread("columns", label)
    read = {row.number for row in table.rows} if layouts.role else set()
    for row in table.grid.rows:
        if row.is_blank:
            continue
        if row is table.heading or row.number in read:
            tally.read("lines")
        else:
            tally.unread("lines", " ".join(filter(None, row.cells)))


def _read_known(
    base: Document,
    tables: Sequence[HeadedTable],
    layouts: Sequence[TableLayout],
    options: ReadingOptions,
    tally: ReadingTally,
) -> Reading:
    log = Log()
    pairs = [(table, each) for table, each in zip(tables, layouts, strict=True) if each.role]
    if not pairs:
        text = "No table here is known by its heading. Say what it is, and which column is what."
        log.add("unknown-table", Place(), text)
    for table, each in pairs:
        for group in missing(each):
            text = f"No column is “{' or '.join(group).replace('_', ' ')}”. Say which one."
            log.add("missing-column", Place(table.grid.name), text)
    for table, each in pairs:
        if len(table.rows) > MOST_ENTRANTS and not (each.role == RESULTS or _lists_players(each)):
            text = f"{len(table.rows)} competitors; at most {MOST_ENTRANTS} are read. Cut the table."
            log.add("too-many-rows", Place(table.grid.name), text)
    if any(each.code == "too-many-rows" for each in log.findings):
        return Reading(None, tuple(log.findings))
    unread = list(_unread_rounds(tables, layouts, tally))
    if log.findings:
        return Reading(None, (*log.findings, *unread))
    log.findings += unread
    return _read(base, pairs, options, log, tally)


def _lists_players(layout: TableLayout) -> bool:
    """Say whether the players of teams stand in rows of their own."""
    return any(each in MEMBER for each in layout.columns.values())


def _unread_rounds(
    tables: Sequence[HeadedTable], layouts: Sequence[TableLayout], tally: ReadingTally
) -> Iterator[Finding]:
    """Object to rounds that nobody reads, where no other table says what was played."""
    tells_results = any(each.role in (RESULTS, *COUNTED) for each in layouts)
    for table, each in zip(tables, layouts, strict=True):
        if each.role in (NOTHING, RESULTS) or (each.role == COMPETITORS and tells_results):
            continue
        columns = [
            at for at in range(table.grid.width) if at not in each.columns and is_of_a_round(table, at)
        ]
        cells = [(row, at) for row in table.rows for at in columns if row.cell(at)]
        for row, at in cells:
            tally.unread("cells", row.cell(at))
        if cells:
            row, at = cells[0]
            place = table.grid.place(row).at(table.labels[at])
            text = (
                f"{len(cells)} cells in {len(columns)} columns of rounds are not read, such as "
                f"“{row.cell(at)}”. "
                "Say that the table is a cross table, and which column is which round; write its cells as "
                "12w1, 1/12w, +12 or BYE. Accept this only if the results are to be left out."
            )
            yield objection("unread-rounds", place, text)


def _read(
    base: Document,
    pairs: Sequence[tuple[HeadedTable, TableLayout]],
    options: ReadingOptions,
    log: Log,
    tally: ReadingTally,
) -> Reading:
    event = base.event
    entrants = EntrantList(base.competitors, log, of_nations=event.has_nations)
    rounds = Rounds(event, base.rounds, log)
    printed: list[tuple[list[PrintedRow], set[int] | None]] = []
    for table, each in sorted(pairs, key=lambda pair: pair[1].role != COMPETITORS):
        if each.role == COMPETITORS:
            entrants.read(table, each, is_team=event.is_team)
        elif each.role == RESULTS:
            rounds.merge(ResultRows(event, entrants, log, options.dates).read(table, each))
        elif each.role == MATRIX:
            square = MatrixRows(event, entrants, rounds.all(), log, tally)
            rounds.merge(square.read(table, each))
            printed.append((square.printed, None))
        else:
            cells = CrosstableRows(event, entrants, log, tally, options.dash)
            rounds.merge(cells.read(table, each))
            printed.append((cells.printed, rounds_of(each)))
    competitors = tuple(entrants.by_number.values())
    document, remarks = complete(in_order(replace(base, competitors=competitors, rounds=rounds.all())))
    document = in_order(document)
    # What was wrong with the event before is not the table's fault.
    known = set(check(base))
    new = (each for each in check(document) if each not in known)
    located = [_located(each, document, entrants.places, rounds.places) for each in (*remarks, *new)]
    if not errors((*log.findings, *located)):  # what is half read cannot be compared
        for rows, of_rounds in printed:
            located += contradictions(document, rows, of_rounds)
    return Reading(document, tuple(sorted((*log.findings, *located), key=_row_of)))


def _row_of(finding: Finding) -> int:
    """Return the row that a finding speaks of; 0 for one of the whole."""
    found = _ROW.search(finding.where)
    return int(found[1]) if found else 0


def _located(
    finding: Finding,
    document: Document,
    competitors: dict[int, RowPlace],
    pairings: dict[tuple[int, int], RowPlace],
) -> Finding:
    """Return the finding with the row that it speaks of, where one of the tables has it."""
    place: RowPlace | None = None
    if found := _PAIRING.fullmatch(finding.where):
        round_ = document.rounds[int(found[1])]
        table = round_.pairings[int(found[2])].table if found[2] else 0
        place = pairings.get((round_.number, table))
    elif found := _COMPETITOR.fullmatch(finding.where):
        place = competitors.get(document.competitors[int(found[1])].number)
    return replace(finding, where=place.path) if place else finding
