"""Documents from tables: the event with their additions and changes (ADR 0028).

Findings name row and column. Only an event file removes data.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from tournaments.event.checks import check_document
from tournaments.event.checks.published import with_complete_results
from tournaments.event.checks.references import repeated
from tournaments.event.completing import complete, in_order, with_unknown_facts
from tournaments.event.dates import date_order_text, order_of
from tournaments.event.document import Document, RoundEntry
from tournaments.event.finding import Finding, Place, error, errors, objection, warning
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.dummies import dummies, without
from tournaments.interchange.formats.encodings import decode_text
from tournaments.interchange.formats.foreign_files import foreign_refusal
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions
from tournaments.interchange.formats.tables.continuing import continued, heads_again, split_at_headings
from tournaments.interchange.formats.tables.crosstable_rows import CrosstableRows
from tournaments.interchange.formats.tables.entrants import EntrantList
from tournaments.interchange.formats.tables.grid import MOST_ENTRANTS, MOST_TABLES, Grid, GridRow, RowPlace
from tournaments.interchange.formats.tables.groups import called_part, name_of_table, of_one_group, part_read
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    COUNTED,
    MATRIX,
    MEMBER,
    NOT_READ,
    NOTHING,
    RESULTS,
    HeadedTable,
    MappedTable,
    TableMapping,
    guessed,
    headed_table,
    is_of_a_round,
    missing_fields,
    rounds_of_mapping,
    with_rounds_joined,
    without_remarks,
)
from tournaments.interchange.formats.tables.html import grids_of_page, is_page, preformatted
from tournaments.interchange.formats.tables.listed_games import GameList, listed_games
from tournaments.interchange.formats.tables.matrix_rows import MatrixRows
from tournaments.interchange.formats.tables.merging import Rounds
from tournaments.interchange.formats.tables.printed_figures import (
    PrintedRow,
    printed_contradictions,
    printed_rows,
    published_of,
)
from tournaments.interchange.formats.tables.result_rows import ResultRows
from tournaments.interchange.formats.tables.sheets import OLD_OFFICE, grids_of_workbook
from tournaments.interchange.formats.tables.text import grids_of_text

SUFFIXES = (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".html", ".htm")
WITH_MACROS = (".xlsm", ".xltm", ".xlsb", ".xlam", ".xltx", ".xla", ".xlt", ".xlw")
MOST_TEXT = 4 * 1024 * 1024  # bytes: 20,000 rows of 200 characters
UNKNOWN_TABLE = error(
    "unknown-table",
    Place(),
    "No table was recognised by its heading. Choose the kind of table and the meaning of each column.",
)
NO_COLUMNS = error(
    "unknown-table",
    Place(),
    "No table was recognised: each line is a single text. Write each player on a line, such as “1. Arends "
    "7½”, or put tabs between the columns.",
)
_ROW = re.compile(r"\brow (\d+)")
_MOST_NAMED = 5  # of too many tables
_PAIRING = re.compile(r"rounds\[(\d+)\](?:\.pairings\[(\d+)\])?.*")
_COMPETITOR = re.compile(r"competitors\[(\d+)\].*")


def grids_of_content(
    content: bytes, name: str = "", options: ReadingOptions = AS_FOUND
) -> tuple[list[Grid], list[Finding]]:
    if len(content) > archives.most_bytes():
        most = archives.in_megabytes(archives.most_bytes())
        return [], [error("too-big", Place(), f"The file is larger than {most}. Cut it.")]
    if PurePath(name.casefold()).suffix in WITH_MACROS:
        text = f"A {PurePath(name).suffix} may contain macros, so it is not read. Save it as .xlsx."
        return [], [error("macros", Place(), text)]
    if refusal := foreign_refusal(content):
        return [], [refusal]
    # By content, because the name may be wrong.
    is_workbook = content.startswith((archives.MAGIC, OLD_OFFICE))
    grids, findings = grids_of_workbook(content) if is_workbook else _grids_of_text(content, options)
    if not grids and not findings:
        findings = [error("empty-table", Place(), "The file is empty. Save the table again.")]
    return grids, findings


def _grids_of_text(content: bytes, options: ReadingOptions) -> tuple[list[Grid], list[Finding]]:
    if len(content) > MOST_TEXT:
        most = archives.in_megabytes(MOST_TEXT)
        return [], [error("too-big", Place(), f"The table is larger than {most}. Cut it.")]
    text, findings = decode_text(content, options.encoding)
    if errors(findings):
        return [], findings
    text = preformatted(text)
    grids, problems = grids_of_page(text) if is_page(text) else grids_of_text(text)
    return grids, [*findings, *problems]


def tables_in(grids: Sequence[Grid], part: str = "") -> tuple[tuple[HeadedTable, ...], list[Finding]]:
    """Return the tables of the grids.

    Of too many tables, return the `part`, by number or name, or a finding.
    """
    parts: list[list[HeadedTable]] = []
    for grid in (part for each in grids for part in split_at_headings(each)):
        table = headed_table(grid)
        # An empty line splits a table; rows without a heading after it continue the table.
        if parts and table.heading is None and parts[-1][0].grid.name == grid.name:
            parts[-1].append(table)
        else:
            parts.append([table])
    tables = continued([_joined_table(each) for each in parts])
    if len(tables) > MOST_TABLES:
        chosen, finding = _one_of(tables, part)
        return ((with_rounds_joined(chosen),) if chosen else ()), [finding]
    tables, findings = of_one_group(tables, part)
    return tuple(map(with_rounds_joined, tables)), findings


def _one_of(parts: Sequence[HeadedTable], wanted: str) -> tuple[HeadedTable | None, Finding]:
    sizes = [len(each.rows) for each in parts]
    names = [name_of_table(each, at) for at, each in enumerate(parts, start=1)]
    found = called_part(names, wanted)
    if found is not None:
        return parts[found], part_read(names, found, "table")
    largest = sorted(range(len(parts)), key=lambda at: (-sizes[at], at))[:_MOST_NAMED]
    listed = "; ".join(f"{at + 1} “{names[at]}” ({sizes[at]} rows)" for at in largest)
    text = (
        f"{len(parts)} tables, each with a heading; at most {MOST_TABLES} are read together. The largest are "
        f"{listed}. Choose one by its number or its name as the part that is read, or cut the file."
    )
    return None, error("too-many-tables", Place("part"), text)


def _joined_table(parts: Sequence[HeadedTable]) -> HeadedTable:
    grid = Grid(tuple(row for part in parts for row in part.grid.rows), parts[0].grid.name)
    rows = tuple(row for part in parts for row in part.rows)
    return HeadedTable(grid, parts[0].heading, without_remarks(rows, parts[0].heading))


def mapped_tables(tables: Sequence[HeadedTable]) -> tuple[MappedTable, ...]:
    """Return the tables with their mappings, so that no data is read twice."""
    found = [(table, guessed(table)) for table in tables]
    # Lines around a table with a heading are remarks, even if they look like names.
    if any(each.role and table.heading for table, each in found):
        found = [
            (table, NOT_READ if each.role == COMPETITORS and table.heading is None else each)
            for table, each in found
        ]
    lists = [each for _, each in found if each.role == COMPETITORS]
    # Of several lists of competitors, the one with the most columns; the others repeat it, unless they are
    # lists of the players of teams by board.
    best = max(lists, key=lambda each: len(each.columns), default=None)
    # A crosstable repeats a list of results.
    has_results = any(each.role == RESULTS for _, each in found)

    def repeats(each: TableMapping) -> bool:
        is_other_list = each.role == COMPETITORS and each is not best
        is_repeated = is_other_list and "player" not in each.columns.values()
        return is_repeated or (each.role in COUNTED and has_results)

    return tuple((table, NOT_READ if repeats(each) else each) for table, each in found)


def read_tables(
    base: Document,
    tables: Sequence[MappedTable],
    options: ReadingOptions = AS_FOUND,
    titles: Collection[GridRow] | None = (),
    games: GameList | None = None,
) -> Reading:
    """Read tables and a list of games into the event, competitors before results, with an account.

    `titles`: rows around the tables with facts. None for tables that a layout has built, whose lines and
    columns are counted elsewhere.
    """
    tally = ReadingTally()
    if titles is not None:
        for table, each in tables:
            is_remark = table.heading is None and not each.role
            for at, label in enumerate(() if is_remark else table.labels):
                if not any(row.cell(at) for row in table.rows):
                    continue
                if at in each.columns:
                    tally.read("columns")
                else:
                    tally.unread("columns", label)
        for table, each in tables:
            read = {row.number for row in table.rows} if each.role else set()
            for row in table.grid.rows:
                if row.is_blank:
                    continue
                is_heading = not table.is_left_out and (
                    row is table.heading or heads_again(row, table.heading)
                )
                if is_heading or row.number in read or row in titles:
                    tally.read("lines")
                else:
                    tally.unread("lines", " ".join(filter(None, row.cells)))
    reading = _read_known(base, tables, games, options, tally)
    return replace(reading, account=tally.account())


def _read_known(
    base: Document,
    tables: Sequence[MappedTable],
    games: GameList | None,
    options: ReadingOptions,
    tally: ReadingTally,
) -> Reading:
    log = Log()
    pairs = [(table, each) for table, each in tables if each.role not in (NOTHING, RESULTS)]
    lists = [listed_games(table, each) for table, each in tables if each.role == RESULTS]
    lists += [games] if games else []
    if not (pairs or lists):
        log.findings.append(UNKNOWN_TABLE)
    columns: list[tuple[str, str, Collection[str]]] = [
        (table.grid.name, each.role, each.columns.values()) for table, each in pairs
    ]
    columns += [(rows.name, RESULTS, rows.columns.keys()) for rows in lists]
    for name, role, fields in columns:
        for group in missing_fields(role, fields):
            text = f"The column “{' or '.join(group).replace('_', ' ')}” is missing. Choose the column."
            log.add("missing-column", Place(name), text)
    for table, each in pairs:
        lists_players = any(field in MEMBER for field in each.columns.values())
        if len(table.rows) > MOST_ENTRANTS and not lists_players:
            text = f"{len(table.rows)} competitors; at most {MOST_ENTRANTS} are read. Cut the table."
            log.add("too-many-rows", Place(table.grid.name), text)
    if any(each.code == "too-many-rows" for each in log.findings):
        return Reading(None, tuple(log.findings))
    unread = list(_unread_rounds(tables, tally, has_games=bool(lists)))
    if log.findings:
        return Reading(None, (*log.findings, *unread))
    log.findings += unread
    return _read_in_order(base, pairs, lists, options, log, tally)


def _unread_rounds(
    tables: Sequence[MappedTable], tally: ReadingTally, *, has_games: bool
) -> Iterator[Finding]:
    has_results = has_games or any(each.role in COUNTED for _, each in tables)
    for table, each in tables:
        if each.role in (NOTHING, RESULTS) or (each.role == COMPETITORS and has_results):
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


def _read_in_order(
    base: Document,
    pairs: Sequence[MappedTable],
    lists: Sequence[GameList],
    options: ReadingOptions,
    log: Log,
    tally: ReadingTally,
) -> Reading:
    event = base.event
    options = _with_order_of_dates(pairs, lists, options, log)
    entrants = EntrantList(base, log, date_order=options.dates)
    rounds = Rounds(event, base.rounds, log)
    printed: list[tuple[list[PrintedRow], set[int] | None]] = []
    for table, each in pairs:
        if each.role == COMPETITORS:
            if table.is_of_sides and base.competitors:
                entrants.learn(table, each)
            else:
                numbers = entrants.read(table, each, is_team=event.is_team)
                log.findings += _names_with_two_places(table, each, numbers)
                printed.append((printed_rows(table, each, numbers, tally), None))
    if not (base.competitors or pairs):
        for rows in lists:
            for game in rows.games:
                for side in game.sides.values():
                    entrants.add_side(rows.place(game), side.name, side.number)
    for table, each in pairs:
        if each.role not in COUNTED:
            continue
        numbers = entrants.read(table, each, is_team=False)
        figures = printed_rows(table, each, numbers, tally)
        if each.role == MATRIX:
            rounds.merge(MatrixRows(event, rounds.all(), log, tally).read(table, each, numbers))
        else:
            cells = CrosstableRows(event, entrants, log, tally, options)
            rounds.merge(cells.read(table, each, numbers, figures))
        printed.append((figures, rounds_of_mapping(each) or None))
    for rows in lists:
        results = ResultRows(event, entrants, log, options.dates)
        rounds.merge(results.read(rows, leaves_out=bool(base.competitors) and rows.has_moves))
        for stranger in results.strangers:
            tally.unread("games", stranger)
    if any(rows.has_moves for rows in lists):
        log.findings += _count_moves(rounds.all(), base, tally, lists)
    return _checked_event(base, entrants, rounds, printed, log)


def _names_with_two_places(
    table: HeadedTable, mapping: TableMapping, numbers: Sequence[int | None]
) -> Iterator[Finding]:
    if mapping.column("label") is not None and mapping.column("player") is None:
        for at in (each for each in repeated(numbers) if numbers[each]):
            text = "This name has two places. Give each competitor a number, or complete the name."
            yield error("name-of-several", table.grid.place(table.rows[at]), text)


def _checked_event(
    base: Document,
    entrants: EntrantList,
    rounds: Rounds,
    printed: Sequence[tuple[list[PrintedRow], set[int] | None]],
    log: Log,
) -> Reading:
    known = set(check_document(base))  # existing faults of the event are not reported
    competitors = tuple(entrants.by_number.values())
    document, remarks = complete(in_order(replace(base, competitors=competitors, rounds=rounds.all())))
    document = _without_dummy_rows(in_order(document), base, entrants.places, log)
    made = any(each.code == "made-schedule" for each in log.findings)
    document = with_unknown_facts(document, is_new=not base.rounds, has_made_rounds=made)
    document = with_complete_results(document)
    # In a generated schedule, two competitors meet as often as they have games.
    new = (
        each
        for each in check_document(document)
        if each not in known and not (made and each.code == "met-before")
    )
    located = [_at_row(each, document, entrants.places, rounds.places) for each in (*remarks, *new)]
    if not errors((*log.findings, *located)):  # incomplete results cannot be compared
        for rows, of_rounds in printed:
            located += printed_contradictions(document, rows, of_rounds)
            # A table replaces nothing, so the published standings come from the first table.
            if not base.competitors and document.published is None:
                document = replace(document, published=published_of(document, rows, of_rounds))
    return Reading(document, tuple(sorted((*log.findings, *located), key=_row_of_finding)))


def _count_moves(
    rounds: Sequence[RoundEntry], base: Document, tally: ReadingTally, lists: Sequence[GameList]
) -> Iterator[Finding]:
    if any(rows.has_made_rounds for rows in lists):
        text = "No game has a round; Berger rounds are stored, which the site does not show."
        refused = error("no-round", Place(), "No game has a round. Add the tag Round.")
        yield refused if base.rounds else warning("made-schedule", Place(), text)
    known = {(number, frozenset(each.numbers)) for number, each in base.pairings()}
    added = [
        (round_.number, each.table)
        for round_ in rounds
        for each in round_.pairings
        if known and (round_.number, frozenset(each.numbers)) not in known
    ]
    if added:
        where = "round {}, table {}".format(*added[0])
        text = f"{len(added)} games are no pairing of the event yet, such as that in {where}; they are added."
        yield warning("games-added", Place(), text)
    for round_ in rounds:
        for pairing in round_.pairings:
            for each in pairing.games or (pairing,):
                if each.kind == "played" and each.moves:
                    tally.read("games of the event with moves")
                elif each.kind == "played":
                    where = f"round {round_.number}, table {pairing.table}"
                    tally.unread("games of the event with moves", where)


def _with_order_of_dates(
    pairs: Sequence[MappedTable],
    lists: Sequence[GameList],
    options: ReadingOptions,
    log: Log,
) -> ReadingOptions:
    if options.dates:
        return options
    dates = [
        row.cell(at)
        for table, mapping in pairs
        if (at := mapping.column("born")) is not None
        for row in table.rows
    ]
    by_round: dict[int, str] = {}
    for game in (each for rows in lists for each in rows.games if each.date):
        dates.append(game.date)
        if isinstance(game.round, int):
            by_round.setdefault(game.round, game.date)
    found = order_of(dates, [by_round[number] for number in sorted(by_round)])
    if not found.order:
        return options
    log.findings.append(warning("date-order", Place(), date_order_text(found)))
    return replace(options, dates=found.order)


def _without_dummy_rows(
    document: Document, base: Document, places: dict[int, RowPlace], log: Log
) -> Document:
    known = {each.number for each in base.competitors}
    dummy_rows = [each for each in dummies(document) if each.number in places and each.number not in known]
    for each in dummy_rows:
        text = f"“{each.name}” is read as a bye and not as a competitor."
        log.findings.append(warning("dummy-competitor", places[each.number], text))
    return without(document, {each.number for each in dummy_rows})


def _row_of_finding(finding: Finding) -> int:
    found = _ROW.search(finding.where)
    return int(found[1]) if found else 0


def _at_row(
    finding: Finding,
    document: Document,
    competitors: dict[int, RowPlace],
    pairings: dict[tuple[int, int], RowPlace],
) -> Finding:
    place: RowPlace | None = None
    if found := _PAIRING.fullmatch(finding.where):
        round_ = document.rounds[int(found[1])]
        table = round_.pairings[int(found[2])].table if found[2] else 0
        place = pairings.get((round_.number, table))
    elif found := _COMPETITOR.fullmatch(finding.where):
        place = competitors.get(document.competitors[int(found[1])].number)
    return replace(finding, where=place.path) if place else finding
