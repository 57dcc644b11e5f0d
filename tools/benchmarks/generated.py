"""Random individual Swiss tournaments in chess, in which no two players meet twice.

Without unplayed rounds every player plays every round. With them, some pairings are forfeited, and others are
replaced with two byes.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

SPREAD = 400  # rating difference for winning odds of 10 to 1
DRAWN = 0.9  # probability of a draw relative to the weaker player's expected score
STRONGEST, STEP = 2700, 1400  # highest rating, and the range of the ratings


FORFEITS, BYES = 0.03, 0.04
"""Shares of the pairings that are forfeited and replaced with byes, if there are unplayed rounds."""


class Game(NamedTuple):
    """A game; players from 0, rounds from 1. `score` is White's in half-points, also for a forfeit."""

    round: int
    table: int
    white: int
    black: int
    score: int
    is_forfeit: bool = False


class Bye(NamedTuple):
    """A bye of a player; `letter`: F for a full point, H for half a point, Z for none."""

    round: int
    player: int
    letter: str


@dataclass(frozen=True)
class Tournament:
    """Players by start number, the strongest first, and all games and byes in order."""

    ratings: tuple[int, ...]
    rounds: int
    games: tuple[Game, ...]
    byes: tuple[Bye, ...] = ()

    @property
    def players(self) -> int:
        return len(self.ratings)


class Player:
    """A player during the tournament; `score` in half-points."""

    def __init__(self, number: int, rating: int) -> None:
        self.number, self.rating = number, rating
        self.score = self.whites = 0
        self.met = {number}


def generate(players: int, rounds: int, seed: int = 1, *, unplayed: bool = False) -> Tournament:
    """Return the tournament of that size for a seed, with some unplayed rounds if requested.

    Raise ValueError for an odd number of players, because rules differ about the bye, and for more rounds
    than half the players, up to which a pairing without rematches always exists.
    """
    if players % 2:
        raise ValueError(f"{players} players leave one without an opponent")
    if 2 * rounds > players:
        raise ValueError(f"{players} players may run out of opponents in {rounds} rounds")
    dice = random.Random(seed)
    ratings = sorted((STRONGEST - int(STEP * dice.random()) for _ in range(players)), reverse=True)
    field = [Player(number, rating) for number, rating in enumerate(ratings)]
    games = [game for number in range(1, rounds + 1) for game in _round(number, field, dice)]
    made = Tournament(tuple(ratings), rounds, tuple(games))
    return _with_unplayed(made, dice) if unplayed else made


def _with_unplayed(tournament: Tournament, dice: random.Random) -> Tournament:
    games, byes = list[Game](), list[Bye]()
    for game in tournament.games:
        roll = dice.random()
        if roll < FORFEITS:
            games.append(game._replace(score=dice.choice([0, 2]), is_forfeit=True))
        elif roll < FORFEITS + BYES:
            byes += (Bye(game.round, player, dice.choice("FHZ")) for player in (game.white, game.black))
        else:
            games.append(game)
    return replace(tournament, games=tuple(games), byes=tuple(byes))


def _round(number: int, field: Sequence[Player], dice: random.Random) -> Iterator[Game]:
    for table, pair in enumerate(_paired(field, dice), start=1):
        white, black = sorted(pair, key=lambda player: (player.whites, dice.random()))
        score = _result(white.rating - black.rating, dice)
        white.score, black.score = white.score + score, black.score + 2 - score
        white.whites += 1
        white.met.add(black.number)
        black.met.add(white.number)
        yield Game(number, table, white.number, black.number, score)


def _paired(field: Sequence[Player], dice: random.Random) -> list[tuple[Player, Player]]:
    """Pair within the score groups; if this is impossible, in a perturbed order."""
    attempts = (_folded(_in_order(field, blur, dice)) for blur in count())
    return next(pairs for pairs in attempts if pairs is not None)


def _in_order(field: Sequence[Player], blur: int, dice: random.Random) -> list[Player]:
    standing = {player: player.score + blur * dice.random() for player in field}
    return sorted(field, key=lambda player: (-standing[player], player.number))


def _folded(waiting: list[Player]) -> list[tuple[Player, Player]] | None:
    """Pair from the top down with players half a score group below. Return None at a dead end."""
    pairs = []
    while waiting:
        first = waiting.pop(0)
        at = next((at for at in _preferred(first, waiting) if waiting[at].number not in first.met), None)
        if at is None:
            return None
        pairs.append((first, waiting.pop(at)))
    return pairs


def _preferred(first: Player, waiting: Sequence[Player]) -> Iterator[int]:
    """Yield candidates: the lower half of the score group, the upper half, all lower groups."""
    ends = (at for at, player in enumerate(waiting) if player.score != first.score)
    size = next(ends, len(waiting))
    yield from range(size // 2, size)
    yield from range(size // 2 - 1, -1, -1)
    yield from range(size, len(waiting))


def _result(difference: int, dice: random.Random) -> int:
    """Return White's half-points, random by the difference of the ratings."""
    expected = 1 / (1 + 10 ** (-difference / SPREAD))
    draw = DRAWN * min(expected, 1 - expected)
    roll = dice.random()
    return (roll >= 1 - expected - draw / 2) + (roll >= 1 - expected + draw / 2)
