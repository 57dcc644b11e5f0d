"""Scores and rated games of players, and the best of a board, without a database.

Only played games count. Points are half-points.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, NamedTuple, Protocol

from standings.engine import outcome_sign
from standings.statistics.counting import DRAWN, LOST, PLAYED, WON
from standings.statistics.ratings import RatedGame


class CountedGame(NamedTuple):
    """A game.

    `first` and `second`: any unique keys of the players, None if unknown. `most`: the maximum score. Scores
    are half-points.
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
    """The results of a player's games. `most`: the maximum points. `rated`: the games for ratings."""

    points: int = 0
    most: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    boards: Counter[int] = field(default_factory=Counter)
    rated: list[RatedGame] = field(default_factory=list)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def own_board(self, in_order: int | None) -> int:
        """Return the position in the board order if known, else the board with most games.

        If several boards have equally many games, return the first.
        """
        return in_order or min(self.boards, key=lambda board: (-self.boards[board], board), default=0)

    def add(self, game: CountedGame, own: int, theirs: int, opponent: Hashable | None, rating: int) -> None:
        """Add a game. `rating`: of the opponent, 0 if unrated."""
        self.points += own
        self.most += game.most
        self.boards[game.board] += 1
        ended = outcome_sign(own, theirs)
        self.won += ended == WON
        self.drawn += ended == DRAWN
        self.lost += ended == LOST
        # A win is always 2 half-points here, because FIDE's tables know no other score.
        self.rated.append(RatedGame(game.round, opponent, rating, ended - LOST))


def scores(games: Iterable[CountedGame], ratings: Mapping[Any, int | None]) -> dict[Hashable, PlayerScore]:
    """Return the scores by key of the player. Players without played games are omitted."""
    by_player = defaultdict[Hashable, PlayerScore](PlayerScore)
    for game in games:
        first = game.first
        second = game.second
        first_score = game.first_score
        second_score = game.second_score
        if game.kind != PLAYED or first_score is None or second_score is None:
            continue
        if first is not None:
            by_player[first].add(game, first_score, second_score, second, ratings.get(second) or 0)
        if second is not None:
            by_player[second].add(game, second_score, first_score, first, ratings.get(first) or 0)
    return dict(by_player)


class OfMost(Protocol):
    """A score with its maximum, both in half-points."""

    @property
    def points(self) -> int: ...
    @property
    def most(self) -> int: ...


def share_keys(scores: Sequence[OfMost]) -> list[int]:
    """Return integers that sort scores by share of the maximum. -1 if the maximum is 0."""
    # Over a common denominator, so that floating-point errors cannot decide a prize.
    common = lcm(*{score.most for score in scores if score.most})
    return [score.points * (common // score.most) if score.most else -1 for score in scores]


class BestPlace(NamedTuple):
    """A place among the best of a board, possibly shared. `at`: the index in the input."""

    place: int
    at: int


def best(scores: Sequence[PlayerScore], least: int, places: int = 3) -> list[BestPlace]:
    """Return the first places by share, then by number of games, of players with at least `least` games.

    Players who are level in both share a place, and the next places are skipped.
    """
    keys = [(share, score.games) for share, score in zip(share_keys(scores), scores, strict=True)]
    able = [index for index, score in enumerate(scores) if score.games >= max(least, 1)]
    able.sort(key=keys.__getitem__, reverse=True)
    best_places: list[BestPlace] = []
    for at, index in enumerate(able, start=1):
        level = best_places and keys[best_places[-1].at] == keys[index]
        place = best_places[-1].place if level else at
        # Compared by place instead of count, so that a shared third place is listed in full.
        if place > places:
            break
        best_places.append(BestPlace(place, index))
    return best_places


def least_games(rounds: int) -> int:
    """Return the minimum number of games for a board prize: two thirds, as 8 of 11 at olympiads."""
    return -(-2 * rounds // 3)
