"""The arrays that the engine computes with, and the codes and figures that stand in them."""

from enum import IntEnum, StrEnum

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class RoundKind(IntEnum):
    """A round as it was for a competitor. ANNULLED is never recorded: it follows from a withdrawal."""

    ABSENT = 0
    PLAYED = 1
    FORFEIT = 2
    BYE = 3
    HALF_BYE = 4
    ZERO_BYE = 5
    PENDING = 6
    UNKNOWN = 7
    ANNULLED = 8


class BoardFigure(IntEnum):
    """The figures kept of one side of a match, each a number of boards but for the two of games.

    `PLUS` and `MINUS`: drawn with advantage, with disadvantage. `GAMES_WON` and `GAMES_LOST`: games played in
    the micro-matches won and lost. `RECORDED`: boards with a result. `UNKNOWN`: boards without one.
    """

    WON = 0
    LOST = 1
    PLUS = 2
    MINUS = 3
    GAMES_WON = 4
    GAMES_LOST = 5
    RECORDED = 6
    UNKNOWN = 7


class BoardInput(StrEnum):
    """What a criterion of teams needs to know of the boards of matches."""

    RESULTS = "results"
    """How many were won and lost."""
    EACH_BOARD = "each board"
    """The result of each."""
    NUMBER_OF_GAMES = "number of games"
    """How many games the micro-match on each took."""


PAIRED = (RoundKind.PLAYED, RoundKind.FORFEIT)
AWAITED = (RoundKind.PENDING, RoundKind.UNKNOWN)
WITH_OPPONENT = PAIRED + AWAITED
ALONE = (RoundKind.BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.ABSENT, RoundKind.ANNULLED)


def is_any(kind: Ints, kinds: tuple[RoundKind, ...]) -> Bools:
    """Return a mask of the cells whose kind is one of these."""
    # One look-up for the whole array: np.isin is ten times as slow on arrays of this size.
    chosen = np.zeros(len(RoundKind), dtype=bool)
    chosen[list(kinds)] = True
    return chosen[kind]
