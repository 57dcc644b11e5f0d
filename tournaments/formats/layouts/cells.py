"""Facts about an event that its results tell: scoring, entrants, boards, schedule, rounds."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tournaments.event.choices import RatingsFrom
from tournaments.event.numbers import fault_of_results, text_of_results
from tournaments.event.resultcodes import ResultError, half_points
from tournaments.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.formats.tables.crosstable_cells import read_cell
from tournaments.formats.tables.heading_words import word_of
from tournaments.formats.tables.headings import (
    CROSSTABLE,
    MATRIX,
    MEMBER,
    RESULTS,
    HeadedTable,
    TableMapping,
    has_points,
    rounds_of,
)

SCORINGS = ("1-½-0", "2-1-0", "3-1-0")
"""Win, draw and loss as events score them, the usual one of chess first."""

_BY_POINTS = (
    (frozenset((0, 1, 2)), "1-½-0"),
    (frozenset((0, 2, 6)), "3-1-0"),
    (frozenset((0, 2, 4)), "2-1-0"),  # as many have 2 points as have none
    (frozenset((0, 2, 3, 6)), "3-0 1½-1"),  # after a draw a game more decides between 1½ and 1
    (frozenset((0, 1, 3, 4)), "2-0 1½-½"),  # the same where a draw is a point for both
)
"""The half-points that a side can have by each scoring; the first that allows all of a table's is taken."""

_RESULTS = {
    "1-½-0": {(2, 0), (1, 1)},
    "2-1-0": {(4, 0), (2, 2)},
    "3-1-0": {(6, 0), (2, 2)},
    "3-0 1½-1": {(6, 0), (3, 2)},
    "2-0 1½-½": {(4, 0), (3, 1)},
}
"""The half-points that both sides of a game can have by each scoring, the larger first."""

_MISTAKEN = 20  # of so many games, one may have cells that cannot be
_SIDES = re.compile(r"\s*([\d½.,/]+)\s*[-:–]\s*([\d½.,/]+)\s*")
_LARGEST_GAME = 6  # half-points of a game won in 3-1-0; more is a match
_LARGEST_MATCH = 2_000  # half-points; more is a mistake of its cell, whose reader names it
_REPEATED = 3  # of ten pairs, how many have to meet again for a schedule of two meetings


@dataclass
class PlayedResults:
    """What tables tell of who played and how it ended, whatever the scoring; points are half-points."""

    points: Counter[int] = field(default_factory=Counter)
    results: Counter[tuple[int, int]] = field(default_factory=Counter)
    """The points of both sides of a game, the larger first, where both cells tell them."""

    meetings: Counter[tuple[str, str]] = field(default_factory=Counter)
    competitors: set[str] = field(default_factory=set)
    rounds: int = 0
    example: str = ""
    has_members: bool = False

    def add(self, own: str, other: str, points: Iterable[int | None], text: str) -> None:
        """Take in a meeting as one side tells it."""
        self.meetings[own, other] += 1
        for each in points:
            if each is not None and each <= _LARGEST_MATCH:
                self.points[each] += 1
                self.example = self.example or text


def outline_of_cells(
    tables: Sequence[HeadedTable],
    mappings: Sequence[TableMapping],
    entrants: str = "",
    discipline: str = "chess",
) -> EventOutline:
    """Return what the results in the tables tell of the event; a fact that they leave open is blank.

    `entrants` is who competes where that is known: of teams the same points are those of a match. What was
    played says how many boards make those.
    """
    game = 2 if discipline in {"", "chess"} else 4  # half-points that two share
    found = PlayedResults()
    for table, mapping in zip(tables, mappings, strict=True):
        found.has_members |= any(each in MEMBER for each in mapping.columns.values())
        _READERS.get(mapping.role, _nothing)(table, mapping, found)
    outline = NO_FACTS
    is_team = entrants == "teams" or found.has_members
    where = f"the cells, such as “{found.example}”" if found.example else "the pairings"
    scoring, boards = _of_match(found.points, game) if is_team else _scoring(found, game)
    entrants = "teams" if is_team or boards else "players"
    if found.meetings:
        outline = outline.with_fact("entrants", entrants, where)
        outline = outline.with_fact("schedule", _schedule(found), "who met whom")
    outline = outline.with_fact("scoring", scoring, where)
    outline = outline.with_fact("boards", str(boards) if boards else "", where)
    heading = _local_rating(tables, mappings)
    if heading:
        outline = outline.with_fact("ratings_from", RatingsFrom.LOCAL, f"the heading “{heading}”")
    return outline.with_fact("rounds", str(found.rounds) if found.rounds else "", "the last round there")


_NATIONAL = frozenset(["rtgn", "rtgnat", "elon", "elonat", "nwz", "dwz", "ukd"])
"""Headings of ratings that are a federation's own."""


def _local_rating(tables: Sequence[HeadedTable], mappings: Sequence[TableMapping]) -> str:
    """Return the heading of national ratings; blank if there are none, or others beside them."""
    headings = [
        table.labels[at]
        for table, mapping in zip(tables, mappings, strict=True)
        for at, each in mapping.columns.items()
        if each in {"rating", "player_rating"}
    ]
    is_local = headings and all(word_of(each) in _NATIONAL for each in headings)
    return headings[0] if is_local else ""


# --- from cells to results --------------------------------------------------------------------------------


def _nothing(table: HeadedTable, mapping: TableMapping, found: PlayedResults) -> None:
    """Take nothing from a table that holds no results."""


def _of_crosstable(table: HeadedTable, mapping: TableMapping, found: PlayedResults) -> None:
    found.rounds = max(found.rounds, *rounds_of(mapping), 0)
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
    found.results += _results(table, mapping, columns)


def _results(table: HeadedTable, mapping: TableMapping, columns: Sequence[int]) -> Counter[tuple[int, int]]:
    """Return the points of both sides of the games whose cells name each other, by whatever names rows."""
    labels = [mapping.column(name) for name in ("label", "number")]
    ways = [[str(at) for at in range(1, len(table.rows) + 1)]]
    ways += [[row.cell(at).strip(" .") for row in table.rows] for at in labels if at is not None]
    found: list[Counter[tuple[int, int]]] = []
    for way in ways:
        results: Counter[tuple[int, int]] = Counter()
        for at in columns:
            cells = {own: read_cell(row.cell(at)) for own, row in zip(way, table.rows, strict=True)}
            for own, cell in cells.items():
                other = cells.get(str(cell.opponent)) if cell else None
                if cell and other and str(other.opponent) == own and own < str(cell.opponent):
                    sides = [each.score for each in (cell, other) if each.kind == "played"]
                    points = [each for each in sides if each is not None]
                    if len(points) == len(sides) == 2:
                        results[max(points), min(points)] += 1
        found.append(results)
    return max(found, key=lambda each: sum(each.values()))


def _of_matrix(table: HeadedTable, mapping: TableMapping, found: PlayedResults) -> None:
    columns = {int(each.partition(":")[2]): at for at, each in mapping.columns.items() if ":" in each}
    most = 0
    for number, row in enumerate(table.rows, start=1):
        found.competitors.add(f"row {number}")
        for opponent, at in columns.items():
            text = row.cell(at)
            if opponent != number and has_points(text):
                games = _games(text)
                most = max(most, len(games))
                for game in games:
                    found.add(f"row {number}", f"row {opponent}", [_points(game)], text)
    count = len(table.rows)
    found.rounds = max(found.rounds, (count - 1 + count % 2) * most)


def _games(text: str) -> list[str]:
    """Return the results in a cell of a square: parted by blanks, or a sign for each game."""
    parts = re.split(r"[\s·|]+", text.strip())
    if len(parts) == 1 and len(text) > 1 and set(text) <= set("01½=+-"):
        return list(text)
    return parts


def _of_results(table: HeadedTable, mapping: TableMapping, found: PlayedResults) -> None:
    at = {each: column for column, each in mapping.columns.items()}
    for row in table.rows:
        cells = {each: row.cell(column) for each, column in at.items()}
        sides = [cells.get(f"{side}_number") or cells.get(side, "") for side in ("first", "second")]
        if cells.get("round", "").isdecimal():
            found.rounds = max(found.rounds, int(cells["round"][:4]))
        found.competitors.update(filter(None, sides))
        if not all(sides) or cells.get("board"):
            continue
        text = cells.get("result", "") or f"{cells.get('first_score')}-{cells.get('second_score')}"
        told = _SIDES.fullmatch(text)
        points = [_points(each) for each in told.groups()] if told else []
        found.add(sides[0], sides[1], points[:1], text)
        found.add(sides[1], sides[0], points[1:], text)


_READERS = {CROSSTABLE: _of_crosstable, MATRIX: _of_matrix, RESULTS: _of_results}


def _points(text: str) -> int | None:
    try:
        return half_points(text)
    except ResultError:
        return None


# --- what they tell ---------------------------------------------------------------------------------------


def _scoring(found: PlayedResults, game: int) -> tuple[str, int]:
    """Return the scoring of a game that the points allow, and the number of boards where they are of matches.

    Blank where they allow several, or none. A few results that no game can have are mistakes of their cells.
    """
    points = found.points
    if not points:
        return "", 0
    for allowed, scoring in _BY_POINTS:
        if set(points) <= allowed:
            return scoring, 0
    count = sum(found.results.values())
    for scoring, possible in _RESULTS.items():
        if _MISTAKEN * sum(found.results[each] for each in found.results.keys() - possible) < count:
            return scoring, 0
    # Matches share the same points always; games that share different ones end in one of several ways.
    is_shared = len({sum(each) for each in found.results}) < 2
    if not is_shared and 2 * len(found.results) <= count and not fault_of_results(_listed(found)):
        return text_of_results(_listed(found)), 0
    return _of_match(points, game) if _full(points) > _LARGEST_GAME else ("", 0)


def _listed(found: PlayedResults) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(found.results, reverse=True))


def _of_match(points: Counter[int], game: int) -> tuple[str, int]:
    """Return the scoring of a game, where half-points tell it, and the number of boards of a match."""
    full = _full(points) if points else 0
    if any(each % 2 for each in points):
        return "1-½-0", full // 2
    return "", full // game


def _full(points: Counter[int]) -> int:
    """Return the half-points that both sides of a match share: as many have the one part as the other."""
    top = max(points)
    sums = range(top, 2 * top + 1)
    pairs = {each: sum(min(count, points[each - own]) for own, count in points.items()) for each in sums}
    return max(sums, key=lambda each: (pairs[each], -each))


def _schedule(found: PlayedResults) -> str:
    """Return the schedule that the meetings show."""
    count = len(found.competitors)
    pairs, most = len(found.meetings), max(found.meetings.values())
    again = sum(each > 1 for each in found.meetings.values())
    is_complete = count > 2 and pairs >= count * (count - 1)
    is_double = again and 10 * again >= _REPEATED * pairs
    if is_complete or (is_double and found.rounds >= count - 1):
        return "double-round-robin" if most > 1 and is_double else "round-robin"
    return "double-round-robin" if is_double else "swiss"
