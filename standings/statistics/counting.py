"""Statistics of an event out of its results: counting and sorting, without a database.

Only what was played counts. Forfeits are counted apart, byes not at all. All points are half-points.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import lcm
from typing import Any, NamedTuple, Protocol

from standings.statistics.performance import performance_rating, rounded

PLAYED, FORFEIT = "played", "forfeit"
WON, DRAWN, LOST = 2, 1, 0


def outcome(own: int, theirs: int) -> int:
    """How a game ended for one of the two: half-points of one a win. Nothing for either is lost by both."""
    return WON if own > theirs else DRAWN if own == theirs > 0 else LOST


class Result(NamedTuple):
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
class Tally:
    """How some games ended. Where the colours are not told, a game counts in `games` and `drawn` only."""

    games: int = 0
    drawn: int = 0
    white: int = 0
    black: int = 0
    told: int = 0
    told_drawn: int = 0
    better_white: int = 0
    better_black: int = 0
    forfeits: int = 0

    @property
    def untold(self) -> int:
        """Games whose colours are not told."""
        return self.games - self.told

    @property
    def white_share(self) -> int | None:
        """What White scored, per mille, a draw as one half; None where no colours are told."""
        return per_mille(2 * self.white + self.told_drawn, 2 * self.told)

    @property
    def drawn_share(self) -> int | None:
        """How many of the games were drawn, per mille; None without games."""
        return per_mille(self.drawn, self.games)

    def add(self, result: Result) -> None:
        """Count a result as often as it occurred."""
        if result.kind == FORFEIT:
            self.forfeits += result.times
        if result.kind != PLAYED or result.first is None or result.second is None:
            return
        self.games += result.times
        self.drawn += result.times * (outcome(result.first, result.second) == DRAWN)
        if result.white == "first":
            self._add_told(result.first, result.second, result)
        elif result.white:
            self._add_told(result.second, result.first, result)

    def _add_told(self, white: int, black: int, result: Result) -> None:
        self.told += result.times
        self.white += result.times * (outcome(white, black) == WON)
        self.black += result.times * (outcome(black, white) == WON)
        self.told_drawn += result.times * (outcome(white, black) == DRAWN)
        self.better_white += result.times * (result.advantage == result.white)
        self.better_black += result.times * (result.advantage not in ("", result.white))


def per_mille(part: int, whole: int) -> int | None:
    """The share in thousandths, a half rounded upward: to be shown, never compared. None of nothing."""
    return rounded(1000 * part, whole) if whole else None


def tallies(results: Iterable[Result]) -> tuple[Tally, dict[int, Tally]]:
    """How all games ended, and those of each board, in the order of the boards."""
    everything, boards = Tally(), defaultdict[int, Tally](Tally)
    for result in results:
        everything.add(result)
        boards[result.board].add(result)
    return everything, {board: boards[board] for board in sorted(boards)}


# --- what each scored --------------------------------------------------------------------------------------


class Game(NamedTuple):
    """One game: who played it, by any key that tells them apart (None: not told), and what they scored.

    `most` is what could be scored, in half-points as the scores.
    """

    board: int
    first: Hashable | None
    second: Hashable | None
    kind: str
    first_score: int | None
    second_score: int | None
    most: int


@dataclass
class Score:
    """What one scored in the games played, of the `most` possible; `opponents`: the ratings of the rated."""

    points: int = 0
    most: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    boards: Counter[int] = field(default_factory=Counter)
    opponents: list[int] = field(default_factory=list)
    against_rated: int = 0

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.won + self.drawn + self.lost

    @property
    def performance(self) -> int | None:
        """The performance rating, over the games against rated opponents; None without one."""
        return performance_rating(self.opponents, self.against_rated)

    def own_board(self, listed: int | None) -> int:
        """Whose board it was: the place in the board order, otherwise where most games were played.

        The first of those where it was several equally often.
        """
        return listed or min(self.boards, key=lambda board: (-self.boards[board], board), default=0)

    def add(self, game: Game, own: int, theirs: int, rating: int | None) -> None:
        """Count a game: what both scored, and the opponent's rating if there is one."""
        self.points += own
        self.most += game.most
        self.boards[game.board] += 1
        ended = outcome(own, theirs)
        self.won += ended == WON
        self.drawn += ended == DRAWN
        self.lost += ended == LOST
        if rating:
            self.opponents.append(rating)
            self.against_rated += ended


def scores(games: Iterable[Game], ratings: Mapping[Any, int | None]) -> dict[Hashable, Score]:
    """What everybody who played scored, by key."""
    found = defaultdict[Hashable, Score](Score)
    for game in games:
        _board, first, second, kind, first_score, second_score, _most = game
        if kind != PLAYED or first_score is None or second_score is None:
            continue
        if first is not None:
            found[first].add(game, first_score, second_score, ratings.get(second))
        if second is not None:
            found[second].add(game, second_score, first_score, ratings.get(first))
    return dict(found)


class OfMost(Protocol):
    """Points, of the most that were possible; both in half-points."""

    @property
    def points(self) -> int: ...
    @property
    def most(self) -> int: ...


def share_keys(scores: Sequence[OfMost]) -> list[int]:
    """For each score a whole number that sorts it by its share of what was possible; -1 of nothing."""
    common = lcm(*{score.most for score in scores if score.most})
    return [score.points * (common // score.most) if score.most else -1 for score in scores]


class Placed(NamedTuple):
    """Somebody's place among the best of a board, by the index in what was given; it may be shared."""

    place: int
    at: int


def best(scores: Sequence[Score], least: int, places: int = 3) -> list[Placed]:
    """The first places by share, then by the number of games, of those with at least so many games.

    Level in both is level: the place is shared and the next ones are skipped.
    """
    keys = [(share, score.games) for share, score in zip(share_keys(scores), scores, strict=True)]
    able = [index for index, score in enumerate(scores) if score.games >= max(least, 1)]
    able.sort(key=keys.__getitem__, reverse=True)
    found: list[Placed] = []
    for at, index in enumerate(able, start=1):
        level = found and keys[found[-1].at] == keys[index]
        place = found[-1].place if level else at
        if place > places:
            break
        found.append(Placed(place, index))
    return found


def least_games(rounds: int) -> int:
    """How many games make a score comparable: two thirds of the rounds, as 8 of 11 at chess olympiads."""
    return -(-2 * rounds // 3)


# --- matches -----------------------------------------------------------------------------------------------


class Match(NamedTuple):
    """A match that was played: where, between which rows of the crosstable, and its score in half-points."""

    round: int
    table: int
    first: int
    second: int
    first_score: int
    second_score: int

    @property
    def score(self) -> tuple[int, int]:
        """The score, the higher first."""
        first, second = self.first_score, self.second_score
        return (first, second) if first >= second else (second, first)


def by_score(matches: Iterable[Match]) -> list[tuple[tuple[int, int], list[Match]]]:
    """The matches under their scores, the widest margin first, then the most points; drawn ones last."""
    found = defaultdict[tuple[int, int], list[Match]](list)
    for match in matches:
        found[match.score].append(match)
    return sorted(found.items(), key=lambda group: (group[0][1] - group[0][0], -group[0][0]))


def biggest(groups: Sequence[tuple[tuple[int, int], list[Match]]], at_most: int) -> list[Match]:
    """The matches won by the widest margins: whole groups of one margin, as many as fit.

    None where already the first group is larger. A drawn match is no win.
    """
    found: list[Match] = []
    for _margin, level in groupby(groups, lambda group: group[0][0] - group[0][1]):
        wins = [match for (high, low), matches in level if high > low for match in matches]
        if len(found) + len(wins) > at_most:
            break
        found += wins
    return found
