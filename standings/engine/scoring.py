"""What a won, drawn and lost pairing scores in an event."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

from standings.engine.arrays import PAIRED, Ints, is_any

HALF = 2  # parts to a point of every score that is stored
EIGHTH = 8  # parts to a point of what a policy credits: three quarters of any half-points are exact in it


HalfPoints = TypeVar("HalfPoints", int, Ints)


class Scale(StrEnum):
    """One of the two scores: game points (board points) or match points."""

    GAME = "game"
    MATCH = "match"

    @property
    def other(self) -> "Scale":
        """Return the other one."""
        return Scale.GAME if self is Scale.MATCH else Scale.MATCH


SYMBOL = {Scale.GAME: "pts", Scale.MATCH: "MP"}


@dataclass(frozen=True)
class Scoring:
    """Half-points for a game won, and for a match won, drawn and lost; `boards` games make a match.

    `game_draw` is half of a win where it is not given. `listed`: the event lists the results that a game can
    have, so that nothing but who has more says who has won.
    """

    game_win: int = 2
    match_win: int = 4
    match_draw: int = 2
    boards: int = 1
    match_loss: int = 0
    game_draw: int | None = None
    listed: bool = False

    def win(self, scale: Scale) -> int:
        """Return the half-points for a pairing won to nothing."""
        return self.match_win if scale is Scale.MATCH else self.game_win * self.boards

    def drawn_eighths(self, scale: Scale) -> int:
        """Return eighths of a point for a drawn pairing: match points of a draw, or half the game points."""
        # A half-point is four eighths; a draw is half of the game points of a win.
        return 4 * self.match_draw if scale is Scale.MATCH else 2 * self.win(scale)

    def draw(self, scale: Scale) -> int:
        """Return eighths of a point for a drawn pairing: in game points, for a draw on every board."""
        return 4 * self.match_draw if scale is Scale.MATCH else self.boards * self.draw_of_board

    @property
    def draw_of_board(self) -> int:
        """Return eighths of a point for a drawn game."""
        return 2 * self.game_win if self.game_draw is None else 4 * self.game_draw

    def three_quarters_eighths(self) -> int:
        """Return three quarters of a pairing's game points, in eighths of a point."""
        return 3 * self.win(Scale.GAME)

    def match_points(self, game_points: Ints, theirs: Ints, kind: Ints) -> Ints:
        """Return the match points that follow, in half-points: more than half of the game points is won.

        Half is drawn, and so is what a drawn game gives; less is lost. Where results are listed, who has more
        than the opponent has won, and nothing for either is lost by both. Without an opponent there is
        nothing to lose, and so no points for it.
        """
        paired = is_any(kind, PAIRED)
        lead = 2 * game_points - self.win(Scale.GAME)  # doubled: half of an odd score is no half-point
        if self.listed:
            nothing = (game_points == 0) & (theirs == 0)
            lead = np.where(paired, game_points - theirs - nothing, lead)
        elif self.boards == 1 and self.game_draw is not None:
            lead = np.where(game_points == self.game_draw, 0, lead)
        lost = np.where(paired, self.match_loss, 0)
        return np.where(lead == 0, self.match_draw, np.where(lead > 0, self.match_win, lost))

    def outcome(self, match_points: Ints, theirs: Ints) -> Ints:
        """Return 1 won, 0 drawn, -1 lost; `match_points` and `theirs` are those of both sides."""
        return outcome(match_points, theirs, self.match_loss)


def outcome(points: HalfPoints, theirs: HalfPoints, loss: int = 0) -> HalfPoints:
    """Return 1 won, 0 drawn, -1 lost for the side with these half-points, or for an array of sides."""
    # Nothing for either side, or what a lost match gives, is lost by both and no draw.
    lost = (points < theirs) | ((points == theirs) & (points <= loss))
    ended: HalfPoints = 1 * (points > theirs) - 1 * lost  # times 1, for numpy subtracts no booleans
    return ended


CHESS = Scoring(game_win=2)
DRAUGHTS = Scoring(game_win=4)
