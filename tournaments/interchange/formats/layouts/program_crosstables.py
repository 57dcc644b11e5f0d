"""Crosstables of programs, recognised by the form of their cells, or by their headings and titles."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from tournaments.event.choices import RatingsFrom
from tournaments.interchange.formats.layouts.crosstables import (
    around,
    crosstable_reading,
    crosstables_of,
    with_countries,
    with_split_column,
)
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.heading_words import ROUND
from tournaments.interchange.formats.tables.headings import CROSSTABLE, MATRIX, HeadedTable
from tournaments.interchange.formats.tables.joining import joins
from tournaments.interchange.formats.trf.records import TITLES

_DRAUGHTS = EventOutline().with_fact("discipline", "draughts-100", "the layout")
_CHESS = EventOutline().with_fact("discipline", "chess", "the layout")
_PAPI_CELL = re.compile(r"[-+=<>–−]\s{0,4}\d{1,4}\s?[BN]|EXE", re.IGNORECASE)
_PERFECT_CELL = re.compile(r"\d{0,4}\s{0,4}:\s{0,4}[WLD½=+.\d-]{0,3}", re.IGNORECASE)
_LMS_CELL = re.compile(
    r"(?:[\d½.,/]{1,3}|-)\s{0,4}\(\s{0,4}(?:[wb]\s?\d{1,4}d?|[wb]-|bye|def|)\s{0,4}\)", re.IGNORECASE
)
_TOERNOOIBASE_CELL = re.compile(r"\d{1,4}(?:[.,]5|½)?\s{0,4}/\s{0,4}\d{1,4}\s{0,4}[wzb]", re.IGNORECASE)
_GAMES_CELL = re.compile(r"[01½=+-]{2,}|[01½=](?:[ ·|][01½=])+", re.IGNORECASE)
_CLASSED = re.compile(r"[A-E] ?\d{3,4}")
_COLUMNS = re.compile(r"S\.? ?No\.?|SSolk|Solk|TSolk|WSolk|S-?B|Trunc\.?", re.IGNORECASE)
_POINTS_WITH_X = re.compile(r"\d*x")
_TITLE = re.compile(r"game ?file|competition name|spelbestand", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_FEWEST_NUMBERS = 3
_CATEGORY = re.compile(r"(\w{2,4})([MF])")


def _recognise(file: LayoutFile, cell: re.Pattern[str], sign: str, what: str, role: str) -> Iterator[str]:
    for table, mapping in crosstables_of(file):
        columns = [at for at, field in mapping.columns.items() if ":" in field]
        cells = [text for row in table.rows for at in columns if (text := row.cell(at))]
        found = list(filter(cell.fullmatch, cells))
        if mapping.role != role or 2 * len(found) <= len(cells):
            continue
        yield f"{what}, such as “{found[0]}”"
        heading = " ".join(table.heading.cells).casefold() if table.heading else ""
        text = f"{around(file)}\n{heading}"
        yield from (f"“{each}” in the file" for each in filter(None, sign.split("|")) if each in text)
        return


def _recognise_papi(file: LayoutFile) -> Iterator[str]:
    yield from _recognise(file, _PAPI_CELL, "grille américaine", "cells with the result first", CROSSTABLE)
    for table in file.tables:
        labels = [each.strip(".") for each in table.labels]
        if {"nom", "elo", "cat", "ligue"} <= {each.casefold() for each in labels}:
            yield f"columns “{'”, “'.join(labels[:8])}”"


def _read_papi(file: LayoutFile) -> LayoutReading:
    more = dict.fromkeys(("cat.", "cat", "ligue"), "categories") | {"(sexe)": "sex", "(titre)": "title"}
    return crosstable_reading(file, _CHESS, more, [*map(_with_titles, map(_with_sexes, file.tables))])


def _with_sexes(table: HeadedTable) -> HeadedTable:
    labels = [each.casefold().strip(".") for each in table.labels]
    at = labels.index("cat") if table.heading and "cat" in labels else None
    if at is None:
        return table
    found = {row.number: _CATEGORY.fullmatch(row.cell(at)) for row in table.rows}
    parts = {row: (each[1], each[2]) for row, each in found.items() if each}
    return with_split_column(table, at, "(sexe)", parts)


def _with_titles(table: HeadedTable) -> HeadedTable:
    labels = [each.casefold() for each in table.labels]
    at = labels.index("nom") - 1 if "nom" in labels else -1
    if at < 0 or (table.heading and table.heading.cell(at)):
        return table
    titles = {row.number: ("", TITLES[each]) for row in table.rows if (each := row.cell(at)) in TITLES}
    return with_split_column(table, at, "(titre)", titles) if titles else table


def _read_swiss_perfect(file: LayoutFile) -> LayoutReading:
    labels = {label.casefold() for table in file.tables for label in table.labels}
    if "loc" not in labels or "rtg" in labels:
        return crosstable_reading(file, _CHESS)
    outline = _CHESS.with_fact("ratings_from", RatingsFrom.LOCAL, "the heading “Loc”")
    return crosstable_reading(file, outline, {"loc": "rating"})


def _layout(
    code: str,
    name: str,
    form: tuple[str, re.Pattern[str], str],
    read: Callable[[LayoutFile], LayoutReading],
    about: str,
    role: str = CROSSTABLE,
) -> Layout:
    what, cell, sign = form
    recognise = partial(_recognise, cell=cell, sign=sign, what=what, role=role)
    endings = (".csv", ".txt", ".xlsx", ".xls", ".html")
    return Layout(code, name, endings, recognise, read, about=about)


PAPI = Layout(
    code="papi",
    name="Papi, of the French federation: grille américaine or ranking",
    endings=(".csv", ".txt", ".xlsx", ".xls", ".html"),
    recognise=_recognise_papi,
    read=_read_papi,
    about="Result, opponent and colour (`B` Blancs, `N` Noirs): `+  4B`. `>` and `<` are forfeits, `EXE` is "
    "a bye. The letter after a rating is its kind: F FIDE, N national, E estimated. The last letter of "
    "`SenM` is the sex; `Sen` and the league are categories.",
)
SWISS_PERFECT = _layout(
    "swiss-perfect",
    "SwissPerfect: cross table as text",
    ("cells with a colon", _PERFECT_CELL, "loc id|intl id"),
    _read_swiss_perfect,
    "Opponent and result in a cell, without colours: `5:+` is a forfeit, `0:W` a bye, `0:D` a half-point "
    "bye, `:` an absence. Name and date are missing. `Loc` is the local rating if there is no `Rtg`.",
)
ECF_LMS = _layout(
    "ecf-lms",
    "LMS of the English federation: crosstable",
    ("cells with colour and opponent in brackets", _LMS_CELL, ""),
    lambda file: crosstable_reading(file, _CHESS),
    "Points, colour and opponent in a cell: `1 (b4)`, `½ (bye)`; `- (  )` is a round without a game, "
    "`1 (w4d)` and `1 (def)` are won by default.",
)
TOERNOOIBASE = _layout(
    "toernooibase",
    "Toernooibase, or an FMJD report",
    (
        "cells with the points first",
        _TOERNOOIBASE_CELL,
        "fmjd-report|fmjd report|fmjdreport|toernooibase|fmjd-id",
    ),
    lambda file: crosstable_reading(
        file, _DRAUGHTS.with_fact("entrants", "players", "the layout"), {"cn": "flag"}
    ),
    "Points, opponent and colour in a cell: `1/7w`. The opponent is named by place, or by start number if "
    "there is such a column: the program uses the reading in which the cells of both players agree. A round "
    "without a game is blank. A row “Dummy” is no player: its opponents had a bye with the points in their "
    "cell.",
)
MATCH_SQUARE = _layout(
    "match-square",
    "a square of matches, a sign for each game",
    ("a square with several games in a cell", _GAMES_CELL, ""),
    crosstable_reading,
    "A round-robin table of matches, such as `½1½`: the games of a match are in the order of play, with or "
    "without a blank, a dot or a bar between them. The table has no rounds: a new event gets rounds by "
    "Berger tables, in the order of the rows, with a cycle for each game of a match.",
    role=MATRIX,
)


def _recognise_draughts_arbiter(file: LayoutFile) -> Signs:
    # A single sign is not enough.
    signs = tuple(_program_signs(file))
    return signs if len(signs) > 1 else ()


def _program_signs(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        titles = around(file)
        if "tournament table" in titles or "draughts arbiter" in titles:
            yield "“Tournament table” above the table"
        headings = table.heading.cells if table.heading else ()
        if found := list(filter(_COLUMNS.fullmatch, headings)):
            yield f"columns “{'”, “'.join(found)}”"
        ratings = mapping.column("rating")
        texts = [row.cell(ratings) for row in table.rows] if ratings is not None else []
        if classed := next(filter(_CLASSED.fullmatch, texts), ""):
            yield f"class and rating in one cell, such as “{classed}”"


DRAUGHTS_ARBITER = Layout(
    code="draughts-arbiter",
    name="Draughts Arbiter: tournament table",
    endings=(".csv", ".xlsx", ".xls", ".html", ".txt"),
    recognise=_recognise_draughts_arbiter,
    read=lambda file: crosstable_reading(file, _DRAUGHTS),
    about=(
        "Draughts Arbiter's table of a tournament: start number, class and rating in one cell, Total, "
        "Solkoff. `12w+` and `12b-` are forfeits; a minus for both sides is a forfeit loss of both. Total "
        "and SSolk are stored as printed."
    ),
)


def _recognise_swiss_manager(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        # The tables have joined columns, so the grids of the file are used.
        heads = [
            row
            for grid in file.grids
            for row in grid.rows
            if table.heading and row.number == table.heading.number
        ]
        bare = [
            (row, at)
            for row in heads
            for at, cell in enumerate(row.cells)
            if ROUND.fullmatch(re.sub(r"[\s.]+", "", cell.casefold()))
            and not row.cell(at + 1)
            and not row.cell(at + 2)
        ]
        rows = {row.number for row in table.rows}
        of_file = [row for grid in file.grids for row in grid.rows if row.number in rows]
        if not (bare and joins(of_file, bare[0][1])):
            return
        yield f"three columns a round, from “{bare[0][0].cell(bare[0][1])}” on"
        points = mapping.column("points")
        texts = [row.cell(points) for row in table.rows] if points is not None else []
        if found := next(filter(_POINTS_WITH_X.fullmatch, texts), ""):
            yield f"points such as “{found}”"


SWISS_MANAGER = Layout(
    code="swiss-manager",
    name="Swiss-Manager: text with three columns a round",
    endings=(".txt", ".csv", ".xlsx", ".xls"),
    recognise=_recognise_swiss_manager,
    read=crosstable_reading,
    about=(
        "Swiss-Manager's text: three columns a round (opponent; colour; result), `x` for a draw, `7x` for "
        "7½. Opponents are named by place. The place of a competitor that shares the place above is "
        "blank, but counted on."
    ),
)


def _recognise_game_file(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        if mapping.role != CROSSTABLE:
            return
        if found := _TITLE.search(around(file)):
            yield f"“{found[0]}” above the table"
        if line := next(filter(_is_of_numbers, table.outside), None):
            yield f"a line of numbers in row {line.number}"
        changed, _, _ = with_countries(table, mapping)
        if changed is not table:
            yield "countries in brackets after the names"


def _is_of_numbers(row: GridRow) -> bool:
    cells = [cell for cell in row.cells if cell]
    numbers = [part for cell in cells[1:] for part in re.split(r", | ", cell)]
    return len(numbers) >= _FEWEST_NUMBERS and all(map(_NUMBER.fullmatch, numbers))


GAME_FILE = Layout(
    code="game-file",
    name="a table of rounds with titles, lines of numbers and remarks around it",
    endings=(".csv", ".txt", ".xlsx", ".ods"),
    recognise=_recognise_game_file,
    read=crosstable_reading,
    about=(
        "Tables of rounds that were typed for a calculation: titles and lines of numbers above, remarks "
        "below. A round without a game is blank. Lines of numbers above the heading are the ratings of "
        "the rows; they are counted as unread. Leagues have the same form: the opponent of each week, 3 "
        "points for a win, blanks for free weeks."
    ),
)
