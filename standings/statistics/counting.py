"""How the games and matches of an event ended, counted and sorted without a database.

Only what was played counts. Forfeits are counted apart, byes not at all. All points are half-points.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from standings.engine import outcome, rounded

PLAYED, FORFEIT = "played", "forfeit"
WON, DRAWN, LOST = 1, 0, -1


class CountedResult(NamedTuple):
    """A result, and how often it occurred on a board (0 where there are none).

    `white` and `advantage` are "first", "second" or blank; scores in half-points.
    """

    board: int
    white: str
    kind: str
    advantage: str
    first: int | None
    second: int | None
    times: int = 1


@dataclass
class ResultTally:
    """How some games ended. Where the colours are not told, a game counts in `games` and `drawn` only."""

    games: int = 0
    drawn: int = 0
    white: int = 0
    black: int = 0
    with_colours: int = 0
    drawn_with_colours: int = 0
    better_white: int = 0
    better_black: int = 0
    forfeits: int = 0

    @property
    def without_colours(self) -> int:
        """Return how many games have no colours in the source."""
        return self.games - self.with_colours

    @property
    def white_share(self) -> int | None:
        """Return what White scored, per mille, a draw as one half; None where no colours are told."""
        return per_mille(2 * self.white + self.drawn_with_colours, 2 * self.with_colours)

    @property
    def drawn_share(self) -> int | None:
        """Return how many of the games were drawn, per mille; None without games."""
        return per_mille(self.drawn, self.games)

    def add(self, result: CountedResult) -> None:
        """Count a result as often as it occurred."""
        # Apart: a forfeit is no game, and counts in no share.
        if result.kind == FORFEIT:
            self.forfeits += result.times
        if result.kind != PLAYED or result.first is None or result.second is None:
            return
        self.games += result.times
        self.drawn += result.times * (outcome(result.first, result.second) == DRAWN)
        if result.white == "first":
            self._add_colours(result.first, result.second, result)
        elif result.white:
            self._add_colours(result.second, result.first, result)

    def _add_colours(self, white: int, black: int, result: CountedResult) -> None:
        self.with_colours += result.times
        self.white += result.times * (outcome(white, black) == WON)
        self.black += result.times * (outcome(black, white) == WON)
        self.drawn_with_colours += result.times * (outcome(white, black) == DRAWN)
        self.better_white += result.times * (result.advantage == result.white)
        self.better_black += result.times * (result.advantage not in ("", result.white))


def per_mille(part: int, whole: int) -> int | None:
    """Return the share in thousandths, a half rounded upward; None of nothing."""
    return rounded(1000 * part, whole) if whole else None


def tallies(results: Iterable[CountedResult]) -> tuple[ResultTally, dict[int, ResultTally]]:
    """Return how all games ended, and those of each board, in the order of the boards."""
    everything, boards = ResultTally(), defaultdict[int, ResultTally](ResultTally)
    for result in results:
        everything.add(result)
        boards[result.board].add(result)
    return everything, {board: boards[board] for board in sorted(boards)}


# --- matches -----------------------------------------------------------------------------------------------


class CountedMatch(NamedTuple):
    """A match that was played: where, between which rows of the crosstable, and its score in half-points."""

    round: int
    table: int
    first: int
    second: int
    first_score: int
    second_score: int

    @property
    def score(self) -> tuple[int, int]:
        """Return the score, the higher first."""
        first, second = self.first_score, self.second_score
        return (first, second) if first >= second else (second, first)


def by_score(matches: Iterable[CountedMatch]) -> list[tuple[tuple[int, int], list[CountedMatch]]]:
    """Group matches by score, the widest margin first, then the most points; drawn ones last."""
    found = defaultdict[tuple[int, int], list[CountedMatch]](list)
    for match in matches:
        found[match.score].append(match)
    return sorted(found.items(), key=lambda group: (group[0][1] - group[0][0], -group[0][0]))


def biggest(groups: Sequence[tuple[tuple[int, int], list[CountedMatch]]], at_most: int) -> list[CountedMatch]:
    """Return the matches won by the widest margins: whole groups of one margin, as many as fit.

    None where already the first group is larger. A drawn match is no win.
    """
    found: list[CountedMatch] = []
    for _margin, level in groupby(groups, lambda group: group[0][0] - group[0][1]):
        wins = [match for (high, low), matches in level if high > low for match in matches]
        # A margin is listed whole or not at all: nothing orders the matches in it.
        if len(found) + len(wins) > at_most:
            break
        found += wins
    return found
