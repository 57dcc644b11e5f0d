"""chess-results.com: cross tables by rank, round-robin tables and starting lists, of players and of teams.

    Rk.;;Name;Rtg;FED;1.Rd;2.Rd;Pts.;TB1
    1;IM;Arends, Bo;2400;NED;4w1;2b½;1½;3

The players of teams are below the name of their team, or in a list with a column of teams (`Rk.;;Name;Rtg;
Team;Pts.;Games;%;Bo.`). These pages name no opponents, so a new event has the teams and players only:

    1. Reds A (RtgAvg:2350, Captain: Gale, Hal / TB1: 3)
    Bo.;;Name;Rtg;FED;FideID;1;2;Pts.;Games
    1;IM;Arends, Bo;2400;NED;1001;1;½;1,5;2

The lines above the table name the site, the event, the time of the upload and the kind of list. The lines
below name the tie-breaks and the address `tnr…` of the event. CSV, XLSX, the page and text copied from it
are equal.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from tournaments.event.document import Document
from tournaments.interchange.formats.layouts.crosstables import around, crosstable_reading, crosstables_of
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, PlayerResults
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.titles import discipline_in
from tournaments.interchange.formats.tables.entrants import name_key
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.heading_words import MEANINGS, TEAM, word_of
from tournaments.interchange.formats.tables.headings import COMPETITORS, PRINTED, HeadedTable, of_teams
from tournaments.interchange.formats.tables.listed_games import ListedGame, ListedSide, SideScores

SITE = re.compile(r"chess-?\s?results(?:\.com)?|swiss-manager\.at", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:https?://)?(?:s\d+\.|www\.)?chess-results\.com/(tnr\d+\.aspx[^\s;\"'<>]*)", re.IGNORECASE
)
_ROUND = re.compile(r"\d{1,2}\.\s?(?:Rd|Rnd|Ronde|Runde|Rde|тур)\.?", re.IGNORECASE)
_TIE_BREAK = re.compile(r"(?:TB|Wtg|Desp?|D[eé]p|Dés|Crit|PH|BH|Крит|Доп)\.? ?(\d)", re.IGNORECASE)
_LEGEND = re.compile(
    r"(?:tie.?break|wertung|desempate|départage|spareggio|критер\w{1,20}|доп\w{0,20})\s?(\d)\s*:\s*([^<>\r\n;|]{3,120})",
    re.IGNORECASE,
)
_NAMED = (
    ("points", re.compile(r"points?\s*\(game.?points\)|points?$|punkte$|puntos$", re.IGNORECASE)),
    ("SB", re.compile(r"(?!.*olymp|.*match)sonneborn", re.IGNORECASE)),
)
"""The criteria of tie-breaks that the lines below a table name, if the name leaves no parameter open."""

_BEFORE_NAME = re.compile(r"^.{0,60}?chess-?results(?:\.com)?\s*[-–:]\s*(?=\S)", re.IGNORECASE)
_BEGINNING = 20_000  # of a page, in which the site is named
# 3. Harbour (Reds) (RtgAvg:2350, Captain: Gale, Hal / TB1: 3)
_NAME_OF_TEAM = re.compile(r"\d{1,4}\.\s*+(\S(?>(?:[^(]|\((?![^():]*+:))*))")
_FEWEST_CELLS = 3  # in the row of a player
_RANK = re.compile(r"R[kg]\.|Pl\.|Rg\.|Cl\.|М(?:есто)?\.?")


def recognise_chess_results(file: LayoutFile) -> Iterator[str]:
    has_crosstable = bool(crosstables_of(file))
    if not has_crosstable and all(each.role != COMPETITORS for _, each in file.mapped):
        return
    cells = [cell for table in file.tables if table.heading for cell in table.heading.cells]
    patterns = ((_RANK, "ranks"), (_ROUND, "rounds"), (_TIE_BREAK, "tie-breaks"))
    headings = [
        f"{what} headed “{found}”"
        for pattern, what in patterns
        if (found := next(filter(pattern.fullmatch, cells), ""))
    ]
    if site := SITE.search(around(file)):
        yield f"“{site[0]}” around the table"
    if site or (has_crosstable and len(headings) == len(patterns)):
        yield from headings


def read_chess_results(file: LayoutFile) -> LayoutReading:
    table, results, outline = _composition(file)
    for row in file.titles:
        for found in _ADDRESS.finditer(" ".join(row.cells)):
            address = f"https://chess-results.com/{found[1]}"
            outline = outline.with_fact("sources", address, f"row {row.number}")
    if SITE.search(around(file)):
        outline = outline.with_fact("published", "chess-results.com", "around the table")
    legend: dict[str, str] = {}
    for number, text in _LEGEND.findall(file.text or around(file)):
        named = next((code for code, sign in _NAMED if sign.match(text.strip())), "")
        legend.setdefault(number, named)
    reading = _with_legend(crosstable_reading(file, outline, changed=table), legend)
    reading = _of_players(replace(reading, player_results=results))
    return replace(reading, outline=without_site(reading.outline, file))


def _composition(file: LayoutFile) -> tuple[tuple[HeadedTable, ...], PlayerResults, EventOutline]:
    rows = [row for grid in file.grids for row in grid.rows]
    width = max((len(row.cells) for row in rows), default=0)
    results: dict[tuple[int, str], list[tuple[int, str, str]]] = defaultdict(list)
    changed: dict[int, GridRow] = {}
    read: list[GridRow] = []
    team, name, rounds = "", 0, dict[int, int]()
    for above, row in pairwise((GridRow(0, ()), *rows)):
        words = [(at, word_of(cell)) for at, cell in enumerate(row.cells)]
        names = [at for at, word in words if "name" in MEANINGS.get(word, ()) and word not in TEAM]
        named = _NAME_OF_TEAM.match(above.cell(0)) if not any(above.cells[1:]) else None
        is_heading = bool(named and names) and any("board" in MEANINGS.get(word, ()) for _, word in words)
        if named and is_heading:
            team, name = named[1].strip(), names[0]
            rounds = {int(word): at for at, word in words if word.isdecimal()}
            read += [above, row]
        elif not (team and row.cell(name)) or sum(map(bool, row.cells)) < _FEWEST_CELLS:
            continue
        cells = (row.cell(at) if at not in rounds.values() else "" for at in range(width))
        changed[row.number] = GridRow(row.number, (*cells, "Team" if is_heading else team))
        for number, at in () if is_heading else rounds.items():
            if text := row.cell(at):
                results[number, team].append((row.number, row.cell(name), text))
    if not read:
        return (), {}, EventOutline()
    headings = [changed.pop(row.number, row) for row in read[1::2]]
    grid = Grid(tuple(changed.get(row.number, row) if row is not read[1] else headings[0] for row in rows))
    most, last = max(map(len, results.values()), default=""), max(results, default=("", ""))[0]
    facts = {"boards": str(most), "rounds": str(last)}
    outline = EventOutline(titles=tuple(read)).with_facts(facts, "the results of players")
    return (HeadedTable(grid, headings[0], tuple(changed.values())),), results, outline


def _of_players(reading: LayoutReading) -> LayoutReading:
    tables = list(reading.tables)
    for at, (table, each) in enumerate(tables):
        if each.role == COMPETITORS and table.heading and reading.outline.entrants == "teams":
            columns = of_teams(table.heading, each.columns) or each.columns
            tables[at] = table, replace(each, columns=columns)
    fields = {field for _, each in tables for field in each.columns.values()}
    outline = reading.outline
    is_list = not any(":" in each or each == "player" for each in fields)
    if is_list and fields & {"title", "rating", "fide_id", "sex", "born"}:
        outline = outline.with_fact("entrants", "players", "the columns of the list")
    return replace(reading, tables=tuple(tables), outline=outline)


def games_of_players(base: Document, results: PlayerResults) -> Iterator[ListedGame]:
    """Yield matches, each with its boards, if both teams have as many results in the round."""
    numbers = {name_key(each.name): each.number for each in base.competitors}
    seated = {(number, numbers.get(name_key(team))): each for (number, team), each in results.items()}
    for number, match in base.pairings():
        first, second = seated.get((number, match.first), ()), seated.get((number, match.second), ())
        if match.first_score is None or match.second_score is None or len(first) != len(second) or not first:
            continue
        teams = ListedSide(number=str(match.first)), ListedSide(number=str(match.second))
        listed = ListedGame(line=first[0][0], round=number, first=teams[0], second=teams[1])
        scores = SideScores(match.first_score, match.second_score)
        yield replace(listed, table=match.table, kind=match.kind, scores=scores)
        for board, ((_, own, result), (_, other, theirs)) in enumerate(zip(first, second, strict=True), 1):
            sides = [side._replace(player=player) for side, player in zip(teams, (own, other), strict=True)]
            game = replace(listed, board=board, first=sides[0], second=sides[1])
            yield replace(game, result=f"{result} - {theirs}")


def _with_legend(reading: LayoutReading, legend: Mapping[str, str]) -> LayoutReading:
    tables = []
    for given, each in reading.tables:
        table, mapping = given, each
        for at in [at for at, name in each.columns.items() if name == PRINTED and given.heading]:
            found = _TIE_BREAK.fullmatch(given.labels[at])
            named = legend.get(found[1], "") if found else ""
            if named == "points" and mapping.column("points") is None:
                mapping = replace(mapping, columns={**mapping.columns, at: "points"})
            elif named == "SB":
                table = _with_heading(table, at, named)
        tables.append((table, mapping))
    return replace(reading, tables=tuple(tables))


def _with_heading(table: HeadedTable, at: int, label: str) -> HeadedTable:
    heading = table.heading
    if heading is None or label in heading.cells:
        return table
    cells = tuple(label if column == at else cell for column, cell in enumerate(heading.cells))
    return table.with_rows(lambda row: replace(row, cells=cells) if row is heading else row)


def is_of_site(file: LayoutFile) -> bool:
    return SITE.search(file.text[:_BEGINNING]) is not None or SITE.search(around(file)) is not None


def without_site(outline: EventOutline, file: LayoutFile) -> EventOutline:
    """Return the outline without the name of the site, which page titles begin with, and with its game."""
    outline = replace(outline, name=_BEFORE_NAME.sub("", outline.name))
    game = (discipline_in(outline.name) or "chess") if is_of_site(file) else ""
    return outline.with_fact("discipline", game, "usual on the site")


CHESS_RESULTS = Layout(
    code="chess-results",
    name="chess-results.com: a ranking, its cross table, a starting list, or the players of teams",
    endings=(".csv", ".xlsx", ".html", ".htm", ".txt"),
    recognise=recognise_chess_results,
    read=read_chess_results,
)
