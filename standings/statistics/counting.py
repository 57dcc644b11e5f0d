"""Results of games and matches, counted and sorted without a database.

Only played games count. Forfeits are counted separately, byes are ignored. Points are half-points.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from standings.engine import outcome_sign, rounded

PLAYED, FORFEIT, UNKNOWN = "played", "forfeit", "unknown"
WON, DRAWN, LOST = 1, 0, -1


class CountedResult(NamedTuple):
    """A result and its number of occurrences on a board.

    `board`: 0 if there are no boards. `white` and `advantage`: "first", "second" or blank. Scores are
    half-points.
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
    """The number of games by result. Games with unknown colours count only in `games` and `drawn`."""

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
        return self.games - self.with_colours

    @property
    def white_share(self) -> int | None:
        return per_mille(2 * self.white + self.drawn_with_colours, 2 * self.with_colours)

    @property
    def drawn_share(self) -> int | None:
        return per_mille(self.drawn, self.games)

    def add(self, result: CountedResult) -> None:
        # Forfeits are not games and are excluded from the percentages.
        if result.kind == FORFEIT:
            self.forfeits += result.times
        if result.kind != PLAYED or result.first is None or result.second is None:
            return
        self.games += result.times
        self.drawn += result.times * (outcome_sign(result.first, result.second) == DRAWN)
        if result.white == "first":
            self._add_colours(result.first, result.second, result)
        elif result.white:
            self._add_colours(result.second, result.first, result)

    def _add_colours(self, white: int, black: int, result: CountedResult) -> None:
        self.with_colours += result.times
        self.white += result.times * (outcome_sign(white, black) == WON)
        self.black += result.times * (outcome_sign(black, white) == WON)
        self.drawn_with_colours += result.times * (outcome_sign(white, black) == DRAWN)
        self.better_white += result.times * (result.advantage == result.white)
        self.better_black += result.times * (result.advantage not in ("", result.white))


def per_mille(part: int, whole: int) -> int | None:
    """Return the share in thousandths, rounded half up, None if `whole` is 0."""
    return rounded(1000 * part, whole) if whole else None


def tallies(results: Iterable[CountedResult]) -> tuple[ResultTally, dict[int, ResultTally]]:
    everything, boards = ResultTally(), defaultdict[int, ResultTally](ResultTally)
    for result in results:
        everything.add(result)
        boards[result.board].add(result)
    return everything, {board: boards[board] for board in sorted(boards)}


# --- matches -----------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A pairing from the view of its first competitor: a match, or a game of two players.

    `first` and `second`: rows of the crosstable. Scores are half-points.
    """

    round: int
    table: int
    first: int
    second: int
    kind: str
    colour: int
    advantage: int
    games: int
    first_score: int
    second_score: int

    @property
    def score(self) -> tuple[int, int]:
        first, second = self.first_score, self.second_score
        return (first, second) if first >= second else (second, first)


def by_score(matches: Iterable[Pair]) -> list[tuple[tuple[int, int], list[Pair]]]:
    """Group played matches by score: widest margin first, then most points, drawn matches last."""
    found = defaultdict[tuple[int, int], list[Pair]](list)
    for match in matches:
        if match.kind == PLAYED:
            found[match.score].append(match)
    return sorted(found.items(), key=lambda group: (group[0][1] - group[0][0], -group[0][0]))


def biggest(groups: Sequence[tuple[tuple[int, int], list[Pair]]], at_most: int) -> list[Pair]:
    """Return the matches won by the widest margins, in entire groups as long as they fit.

    Empty if the first group is larger than `at_most`. Drawn matches are excluded.
    """
    chosen: list[Pair] = []
    for _margin, level in groupby(groups, lambda group: group[0][0] - group[0][1]):
        wins = [match for (high, low), matches in level if high > low for match in matches]
        # Matches with the same margin have no order, so they are listed together or not at all.
        if len(chosen) + len(wins) > at_most:
            break
        chosen += wins
    return chosen
