"""What each player scored, the games that count for ratings, and the best of a board, without a database.

Only what was played counts. All points are half-points.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, NamedTuple, Protocol

from standings.engine import outcome
from standings.statistics.counting import DRAWN, LOST, PLAYED, WON
from standings.statistics.ratings import RatedGame


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
    round: int = 0


@dataclass
class PlayerScore:
    """Points in the games played, of the `most` possible; `rated` are the games as ratings count them."""

    points: int = 0
    most: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    boards: Counter[int] = field(default_factory=Counter)
    rated: list[RatedGame] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.won + self.drawn + self.lost

    def own_board(self, in_order: int | None) -> int:
        """Return the player's board: the place in the board order, otherwise where most games were played.

        The first of those where it was several equally often.
        """
        return in_order or min(self.boards, key=lambda board: (-self.boards[board], board), default=0)

    def add(self, game: CountedGame, own: int, theirs: int, opponent: Hashable | None, rating: int) -> None:
        """Count a game: what both scored, the opponent, and its rating, 0 for none."""
        self.points += own
        self.most += game.most
        self.boards[game.board] += 1
        ended = outcome(own, theirs)
        self.won += ended == WON
        self.drawn += ended == DRAWN
        self.lost += ended == LOST
        # In half-points of one a win, whatever the event gives: FIDE's tables know no other score.
        self.rated.append(RatedGame(game.round, opponent, rating, ended - LOST))


def scores(games: Iterable[CountedGame], ratings: Mapping[Any, int | None]) -> dict[Hashable, PlayerScore]:
    """Return what everybody who played scored, by key; the games in the order in which they are given."""
    found = defaultdict[Hashable, PlayerScore](PlayerScore)
    for game in games:
        first, second, first_score, second_score = (
            game.first,
            game.second,
            game.first_score,
            game.second_score,
        )
        if game.kind != PLAYED or first_score is None or second_score is None:
            continue
        if first is not None:
            found[first].add(game, first_score, second_score, second, ratings.get(second) or 0)
        if second is not None:
            found[second].add(game, second_score, first_score, first, ratings.get(first) or 0)
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
