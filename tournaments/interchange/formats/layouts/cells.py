"""Facts about an event that follow from its results: scoring, entrants, boards, schedule, rounds."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tournaments.event.choices import RatingsFrom
from tournaments.event.numbers import fault_of_results, text_of_results
from tournaments.event.resultcodes import half_points_or_none
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.interchange.formats.layouts.titles import outline_of_standings, titles_of
from tournaments.interchange.formats.tables.crosstable_cells import read_cell
from tournaments.interchange.formats.tables.heading_words import word_of
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    CROSSTABLE,
    MATRIX,
    MEMBER,
    NOTHING,
    RESULTS,
    HeadedTable,
    MappedTable,
    TableMapping,
    has_points,
    is_of_a_round,
    rounds_of_mapping,
)
from tournaments.interchange.formats.tables.listed_games import GameList, listed_games

SCORINGS = ("1-½-0", "2-1-0", "3-1-0")  # win, draw and loss; the usual scoring of chess first

_BY_POINTS = (
    (frozenset((0, 1, 2)), "1-½-0"),
    (frozenset((0, 2, 6)), "3-1-0"),
    (frozenset((0, 2, 4)), "2-1-0"),  # else as many sides have 2 points as 0
    (frozenset((0, 2, 3, 6)), "3-0 1½-1"),  # a further game after a draw, for 1½ or 1 point
    (frozenset((0, 1, 3, 4)), "2-0 1½-½"),  # the same with a point for both after a draw
)
"""The half-points of a side by scoring. The first scoring that allows all points of a table is used."""

_RESULTS = {
    "1-½-0": {(2, 0), (1, 1)},
    "2-1-0": {(4, 0), (2, 2)},
    "3-1-0": {(6, 0), (2, 2)},
    "3-0 1½-1": {(6, 0), (3, 2)},
    "2-0 1½-½": {(4, 0), (3, 1)},
}
"""The half-points of both sides of a game by scoring, the larger first."""

_TEAMS = re.compile("team|ploeg|mannschaft|é?equip[eoa]?|команда|squadra|dru[żž]|takım|csapat|ekipa|lag")
_FIRST = re.compile(r"=?1(?!\d)")  # place 1, perhaps shared
_GAMES_PER_ERROR = 20  # one impossible result in this many games is taken for a typing error
_SIDES = re.compile(r"\s*([\d½.,/]+)\s*[-:–]\s*([\d½.,/]+)\s*")
_LARGEST_GAME = 6  # half-points of a game won in 3-1-0; more is a match
_LARGEST_MATCH = 2_000  # half-points; more is a typing error, which the reader of the cell reports
_REPEATED_TENTHS = 3  # in tenths: share of pairs that meet again in a double round


@dataclass
class PlayedResults:
    """The pairings and points in tables, independent of the scoring. Points are half-points."""

    points: Counter[int] = field(default_factory=Counter)
    # the points of both sides, larger first, if both cells have them
    results: Counter[tuple[int, int]] = field(default_factory=Counter)

    meetings: Counter[tuple[str, str]] = field(default_factory=Counter)
    competitors: set[str] = field(default_factory=set)
    rounds: int = 0
    example: str = ""
    has_members: bool = False
    boards: list[str] = field(default_factory=list)  # the usual boards of the players of teams

    def add(self, own: str, other: str, points: Iterable[int | None], text: str) -> None:
        self.meetings[own, other] += 1
        for each in points:
            if each is not None and each <= _LARGEST_MATCH:
                self.points[each] += 1
                self.example = self.example or text


def outline_of_cells(
    tables: Sequence[MappedTable],
    entrants: str = "",
    discipline: str = "chess",
    games: GameList | None = None,
) -> EventOutline:
    """Return the facts about the event that follow from the results; unknown facts are blank.

    `entrants`: who competes, if known. In events of teams the points are those of matches, and the number of
    boards depends on the discipline.
    """
    game = 2 if discipline in {"", "chess"} else 4  # half-points that the two sides of a game share
    found = PlayedResults()
    for table, mapping in tables:
        fields = set(mapping.columns.values()) & set(MEMBER) - {"fide_id"}
        found.has_members |= bool(fields) and mapping.role != RESULTS
        columns = [at for at, each in mapping.columns.items() if each == "board"]
        found.boards += [row.cell(at) for at in columns for row in table.rows if mapping.role == COMPETITORS]
        if mapping.role == CROSSTABLE:
            _add_crosstable(table, mapping, found)
        elif mapping.role == MATRIX:
            _add_matrix(table, mapping, found)
        elif mapping.role == RESULTS:
            _add_games(listed_games(table, mapping), found)
    if games:
        _add_games(games, found)
    outline = NO_FACTS
    is_team = entrants == "teams" or found.has_members
    where = f"the cells, such as “{found.example}”" if found.example else "the pairings"
    scoring, boards = _scoring_of_matches(found.points, game) if is_team else _scoring_of_games(found, game)
    entrants = "teams" if is_team or boards else "players"
    if found.meetings or found.has_members:
        outline = outline.with_fact("entrants", entrants, where)
    if found.meetings:
        outline = outline.with_fact("schedule", _schedule_of_meetings(found), "who met whom")
    outline = outline.with_fact("scoring", scoring, where)
    outline = outline.with_fact("boards", str(boards) if boards else "", where)
    if found.has_members and not found.meetings:
        highest = max((int(text) for text in found.boards if text.isdecimal()), default="")
        outline = outline.with_fact("boards", str(highest), "the highest board of a player")
    headings = [
        table.labels[at]
        for table, mapping in tables
        for at, each in mapping.columns.items()
        if each in {"rating", "player_rating"}
    ]
    if headings and all(word_of(each) in _NATIONAL for each in headings):
        outline = outline.with_fact("ratings_from", RatingsFrom.LOCAL, f"the heading “{headings[0]}”")
    return outline.with_fact("rounds", str(found.rounds) if found.rounds else "", "the last round there")


# headings of national ratings
_NATIONAL = frozenset(["rtgn", "rtgnat", "elon", "elonat", "nwz", "dwz", "ukd"])


def outline_of_places(tables: Sequence[MappedTable], known: EventOutline) -> EventOutline:
    """Return the facts of an event of which the file has places and no games; blank for other files.

    If fewer rounds were played than each competitor has opponents, the schedule is Swiss. It is a round robin
    if the rounds suffice exactly, or if the points do: a point for each pair.
    """
    ranked = [(table, each) for table, each in tables if {"label", "name"} <= {*each.columns.values()}]
    if len(ranked) != 1 or any(each.role not in (NOTHING, COMPETITORS) for _, each in tables):
        return NO_FACTS
    table, mapping = ranked[0]
    at = {field: column for column, field in mapping.columns.items()}
    unread = (column for column in range(table.grid.width) if column not in mapping.columns)
    is_ranked = any(_FIRST.match(row.cell(at["label"])) for row in table.rows)
    if not is_ranked or any(is_of_a_round(table, column) for column in unread):
        return NO_FACTS
    points = [half_points_or_none(row.cell(at["points"])) for row in table.rows] if "points" in at else []
    outline = outline_of_standings(titles_of(tables), known, has_points=any(points))
    is_team = _TEAMS.match(word_of(table.labels[at["name"]])) is not None or "player" in at
    outline = outline.with_fact("entrants", "teams" if is_team else "players", "the column of names")
    known, count = known.completed_by(outline), len(table.rows)
    if known.entrants == "players" and any(each % 2 for each in points if each):
        outline = outline.with_fact("scoring", "1-½-0", "the points")
    cycle, total = count - 1 + count % 2, sum(each or 0 for each in points)
    if not known.rounds and None not in points and total == count * (count - 1) > 2:
        outline = outline.with_fact("rounds", str(cycle), "the points: one for each pair")
    if (rounds := known.rounds or outline.rounds).isdecimal():
        schedules = {cycle: "round-robin", 2 * cycle: "double-round-robin"}
        schedule = "swiss" if int(rounds) < count - 1 else schedules.get(int(rounds), "")
        outline = outline.with_fact("schedule", schedule, f"{rounds} rounds of {count} competitors")
    return outline


# --- results in cells -------------------------------------------------------------------------------------


def _add_crosstable(table: HeadedTable, mapping: TableMapping, found: PlayedResults) -> None:
    found.rounds = max(found.rounds, *rounds_of_mapping(mapping), 0)
    columns = [at for at, each in mapping.columns.items() if each.startswith("round:")]
    for row in table.rows:
        own = f"row {row.number}"
        cells = [(text, read_cell(text)) for at in columns if (text := row.cell(at))]
        if cells:
            found.competitors.add(own)
        for text, cell in cells:
            if cell and cell.opponent is not None:
                points = cell.score if cell.kind == "played" else None
                found.add(own, str(cell.opponent), [points], text)
    found.results += _paired_results(table, mapping, columns)


def _paired_results(
    table: HeadedTable, mapping: TableMapping, columns: Sequence[int]
) -> Counter[tuple[int, int]]:
    # Cells refer to rows by position, label or number; the reference with the most matching games is used.
    labels = [mapping.column(name) for name in ("label", "number")]
    namings = [[str(at) for at in range(1, len(table.rows) + 1)]]
    namings += [[row.cell(at).strip(" .") for row in table.rows] for at in labels if at is not None]
    found: list[Counter[tuple[int, int]]] = []
    for names in namings:
        results: Counter[tuple[int, int]] = Counter()
        for at in columns:
            cells = {own: read_cell(row.cell(at)) for own, row in zip(names, table.rows, strict=True)}
            for own, cell in cells.items():
                other = cells.get(str(cell.opponent)) if cell else None
                if cell and other and str(other.opponent) == own and own < str(cell.opponent):
                    sides = [each.score for each in (cell, other) if each.kind == "played"]
                    points = [each for each in sides if each is not None]
                    if len(points) == len(sides) == 2:
                        results[max(points), min(points)] += 1
        found.append(results)
    return max(found, key=lambda each: sum(each.values()))


def _add_matrix(table: HeadedTable, mapping: TableMapping, found: PlayedResults) -> None:
    columns = {int(each.partition(":")[2]): at for at, each in mapping.columns.items() if ":" in each}
    most = 0
    for number, row in enumerate(table.rows, start=1):
        found.competitors.add(f"row {number}")
        for opponent, at in columns.items():
            text = row.cell(at)
            if opponent != number and has_points(text):
                games = _split_games(text)
                most = max(most, len(games))
                for game in games:
                    found.add(f"row {number}", f"row {opponent}", [half_points_or_none(game)], text)
    count = len(table.rows)
    found.rounds = max(found.rounds, (count - 1 + count % 2) * most)


def _split_games(text: str) -> list[str]:
    parts = re.split(r"[\s·|]+", text.strip())
    if len(parts) == 1 and len(text) > 1 and set(text) <= set("01½=+-"):
        return list(text)
    return parts


def _add_games(games: GameList, found: PlayedResults) -> None:
    # In events of players, the board of each game is its table.
    has_matches = any(
        each.board is None and each.first.reference and each.second.reference for each in games.games
    )
    is_team = "board" in games.columns and has_matches
    found.has_members |= is_team
    for each in games.games:
        first, second = each.first.reference, each.second.reference
        if isinstance(each.round, int):
            found.rounds = max(found.rounds, min(each.round, 9999))
        found.competitors.update(filter(None, (first, second)))
        if not (first and second) or (is_team and each.board is not None):
            continue
        text = each.result_text
        sides = _SIDES.fullmatch(text)
        points = [half_points_or_none(side) for side in sides.groups()] if sides else []
        found.add(first, second, points[:1], text)
        found.add(second, first, points[1:], text)


# --- facts ------------------------------------------------------------------------------------------------


def _scoring_of_games(found: PlayedResults, game: int) -> tuple[str, int]:
    """Return the scoring of a game, and the number of boards if the points are those of matches.

    The scoring is blank if several are possible, or none. A few impossible results are ignored.
    """
    points = found.points
    if not points:
        return "", 0
    for allowed, scoring in _BY_POINTS:
        if set(points) <= allowed:
            return scoring, 0
    count = sum(found.results.values())
    for scoring, possible in _RESULTS.items():
        if _GAMES_PER_ERROR * sum(found.results[each] for each in found.results.keys() - possible) < count:
            return scoring, 0
    # The points of a match always have the same sum. Points of games with different sums are a scoring that
    # lists the possible results.
    is_shared = len({sum(each) for each in found.results}) < 2
    distinct = tuple(sorted(found.results, reverse=True))
    if not is_shared and 2 * len(distinct) <= count and not fault_of_results(distinct):
        return text_of_results(distinct), 0
    return _scoring_of_matches(points, game) if _match_total(points) > _LARGEST_GAME else ("", 0)


def _scoring_of_matches(points: Counter[int], game: int) -> tuple[str, int]:
    full = _match_total(points) if points else 0
    if any(each % 2 for each in points):
        return "1-½-0", full // 2
    return "", full // game


def _match_total(points: Counter[int]) -> int:
    top = max(points)
    sums = range(top, 2 * top + 1)
    pairs = {each: sum(min(count, points[each - own]) for own, count in points.items()) for each in sums}
    return max(sums, key=lambda each: (pairs[each], -each))


def _schedule_of_meetings(found: PlayedResults) -> str:
    count = len(found.competitors)
    pairs, most = len(found.meetings), max(found.meetings.values())
    again = sum(each > 1 for each in found.meetings.values())
    is_complete = count > 2 and pairs >= count * (count - 1)
    is_double = again and 10 * again >= _REPEATED_TENTHS * pairs
    if is_complete or (is_double and found.rounds >= count - 1):
        return "double-round-robin" if most > 1 and is_double else "round-robin"
    return "double-round-robin" if is_double else "swiss"
