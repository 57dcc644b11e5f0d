"""Array types of the engine, and the codes that the arrays contain."""

from enum import IntEnum, StrEnum

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class RoundKind(IntEnum):
    """The kind of a competitor's round. ANNULLED is never recorded; it follows from a withdrawal."""

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
    """Figures about the boards of a match, for each side.

    `WON` and `LOST`: boards. `PLUS` and `MINUS`: boards drawn with advantage and with disadvantage.
    `GAMES_WON` and `GAMES_LOST`: games played in the micro-matches won and lost. `RECORDED` and `UNKNOWN`:
    boards with and without a known result.
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
    """The information about the boards of matches that a criterion for teams needs."""

    RESULTS = "results"  # how many boards were won and lost
    EACH_BOARD = "each board"  # the result of every board
    NUMBER_OF_GAMES = "number of games"  # how many games each micro-match took


PAIRED = (RoundKind.PLAYED, RoundKind.FORFEIT)
WITHOUT_RESULT = (RoundKind.PENDING, RoundKind.UNKNOWN)
WITH_OPPONENT = PAIRED + WITHOUT_RESULT
WITHOUT_OPPONENT = (
    RoundKind.BYE,
    RoundKind.HALF_BYE,
    RoundKind.ZERO_BYE,
    RoundKind.ABSENT,
    RoundKind.ANNULLED,
)


def is_any(kind: Ints, kinds: tuple[RoundKind, ...]) -> Bools:
    # A lookup table, because np.isin is ten times slower on arrays of this size.
    lookup = np.zeros(len(RoundKind), dtype=bool)
    lookup[list(kinds)] = True
    return lookup[kind]
