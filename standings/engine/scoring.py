"""Points for a won, drawn and lost pairing."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

from standings.engine.arrays import PAIRED, Ints, is_any

HALF = 2  # parts of a point in stored scores
EIGHTH = 8  # parts of a point in scores that a policy credits: three quarters of them are exact

HalfPoints = TypeVar("HalfPoints", int, Ints)


class Scale(StrEnum):
    """The two kinds of score: game points (board points) and match points."""

    GAME = "game"
    MATCH = "match"

    @property
    def other(self) -> "Scale":
        return Scale.GAME if self is Scale.MATCH else Scale.MATCH


SYMBOL = {Scale.GAME: "pts", Scale.MATCH: "MP"}


@dataclass(frozen=True)
class Scoring:
    """Half-points for a won game, and for a won, drawn and lost match of `boards` games.

    `game_draw`: None for half of a win. `listed`: the event lists the possible results of a game, so the side
    with more points has won.
    """

    game_win: int = 2
    match_win: int = 4
    match_draw: int = 2
    boards: int = 1
    match_loss: int = 0
    game_draw: int | None = None
    listed: bool = False

    def win(self, scale: Scale) -> int:
        return self.match_win if scale is Scale.MATCH else self.game_win * self.boards

    def drawn_eighths(self, scale: Scale) -> int:
        """Return eighths of a point for a drawn pairing: match points, or half of all game points."""
        # A half-point has four eighths: 4 for all match points, 2 for half of the game points.
        return 4 * self.match_draw if scale is Scale.MATCH else 2 * self.win(scale)

    def draw(self, scale: Scale) -> int:
        """Return eighths of a point for a drawn pairing; in game points, for a draw on every board."""
        return 4 * self.match_draw if scale is Scale.MATCH else self.boards * self.draw_of_board

    @property
    def draw_of_board(self) -> int:
        return 2 * self.game_win if self.game_draw is None else 4 * self.game_draw

    def match_points(self, game_points: Ints, theirs: Ints, kind: Ints) -> Ints:
        """Return match points (half-points): a win for more than 50 % of the game points, a draw for 50 %.

        The score of a drawn game is a draw too. If the event lists its results, the side with more points
        wins, and 0-0 is lost by both. A round without an opponent never gets the points of a loss.
        """
        paired = is_any(kind, PAIRED)
        lead = 2 * game_points - self.win(Scale.GAME)  # doubled, to stay an integer
        if self.listed:
            nothing = (game_points == 0) & (theirs == 0)
            lead = np.where(paired, game_points - theirs - nothing, lead)
        elif self.boards == 1 and self.game_draw is not None:
            lead = np.where(game_points == self.game_draw, 0, lead)
        lost = np.where(paired, self.match_loss, 0)
        return np.where(lead == 0, self.match_draw, np.where(lead > 0, self.match_win, lost))

    def outcome(self, match_points: Ints, theirs: Ints) -> Ints:
        return outcome_sign(match_points, theirs, self.match_loss)


def outcome_sign(points: HalfPoints, theirs: HalfPoints, loss: int = 0) -> HalfPoints:
    """Return 1 (won), 0 (drawn) or -1 (lost) for the side with `points`. Accepts arrays."""
    # 0-0 is lost by both sides, and so is a match in which both get the points of a loss.
    lost = (points < theirs) | ((points == theirs) & (points <= loss))
    result: HalfPoints = 1 * (points > theirs) - 1 * lost  # 1 *, because numpy cannot subtract booleans
    return result


CHESS = Scoring(game_win=2)
DRAUGHTS = Scoring(game_win=4)
