"""What became of the boards of a match."""

from enum import IntEnum


class Boards(IntEnum):
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
