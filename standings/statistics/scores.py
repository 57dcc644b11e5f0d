"""What each player scored, with its performance rating and the best of a board, without a database.

Only what was played counts. All points are half-points.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, NamedTuple, Protocol

from standings.engine import outcome
from standings.statistics.counting import DRAWN, LOST, PLAYED, WON, rounded

BONUS = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""Rating points for a score of 50, 51, … 100 per cent (FIDE Handbook B.01, 1.4.9; B.02, 8.1.1)."""

HALF_PERCENT = 50


def performance_rating(ratings: Sequence[int], points: int) -> int | None:
    """Return the rating that the score was worth: Rp = Ra + dp (FIDE Handbook B.01, 1.4.8).

    `ratings` are those of the opponents, one for each game; `points` were scored against them, in half-points
    of one a win, whatever the event gives. None without a rated opponent.
    """
    if not ratings:
        return None
    return rounded(sum(ratings), len(ratings)) + bonus(points, 2 * len(ratings))


def bonus(points: int, most: int) -> int:
    """Return the rating points that a score adds to the opponents' average."""
    percent = rounded(100 * points, most)
    return BONUS[percent - HALF_PERCENT] if percent >= HALF_PERCENT else -BONUS[HALF_PERCENT - percent]


class CountedGame(NamedTuple):
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
class PlayerScore:
    """Points in the games played, of the `most` possible; `opponents`: the ratings of the rated."""

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
        """Return how many games were played."""
        return self.won + self.drawn + self.lost

    @property
    def performance(self) -> int | None:
        """Return the performance rating, over the games against rated opponents; None without one."""
        return performance_rating(self.opponents, self.against_rated)

    def own_board(self, in_order: int | None) -> int:
        """Return the player's board: the place in the board order, otherwise where most games were played.

        The first of those where it was several equally often.
        """
        return in_order or min(self.boards, key=lambda board: (-self.boards[board], board), default=0)

    def add(self, game: CountedGame, own: int, theirs: int, rating: int | None) -> None:
        """Count a game: what both scored, and the opponent's rating if there is one."""
        self.points += own
        self.most += game.most
        self.boards[game.board] += 1
        ended = outcome(own, theirs)
        self.won += ended == WON
        self.drawn += ended == DRAWN
        self.lost += ended == LOST
        # In half-points of one a win, whatever the event gives: FIDE's table knows no other score.
        if rating:
            self.opponents.append(rating)
            self.against_rated += ended - LOST


def scores(games: Iterable[CountedGame], ratings: Mapping[Any, int | None]) -> dict[Hashable, PlayerScore]:
    """Return what everybody who played scored, by key."""
    found = defaultdict[Hashable, PlayerScore](PlayerScore)
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
    """Return for each score a whole number that sorts by the share of what was possible; -1 of nothing."""
    # Over a common denominator, so that shares compare exactly and no float decides a prize.
    common = lcm(*{score.most for score in scores if score.most})
    return [score.points * (common // score.most) if score.most else -1 for score in scores]


class BestPlace(NamedTuple):
    """Somebody's place among the best of a board, by the index in what was given; it may be shared."""

    place: int
    at: int


def best(scores: Sequence[PlayerScore], least: int, places: int = 3) -> list[BestPlace]:
    """Return the first places by share, then by the number of games, of those with at least so many games.

    Level in both is level: the place is shared and the next ones are skipped.
    """
    keys = [(share, score.games) for share, score in zip(share_keys(scores), scores, strict=True)]
    able = [index for index, score in enumerate(scores) if score.games >= max(least, 1)]
    able.sort(key=keys.__getitem__, reverse=True)
    found: list[BestPlace] = []
    for at, index in enumerate(able, start=1):
        level = found and keys[found[-1].at] == keys[index]
        place = found[-1].place if level else at
        # By place and not by number: a shared third place is listed whole.
        if place > places:
            break
        found.append(BestPlace(place, index))
    return found


def least_games(rounds: int) -> int:
    """Return how many games make a score comparable: two thirds, as 8 of 11 at chess olympiads."""
    return -(-2 * rounds // 3)
