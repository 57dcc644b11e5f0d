"""Own rounds as C.07 7 counts them: won, won over the board, with Black, elected to play; games or boards.

Where a code asks for game points of teams (`:GP`), their boards are counted; otherwise each pairing is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind, is_any
from standings.engine.fide.unplayed import REQUESTED
from standings.engine.scoredrecord import ScoredRecord
from standings.engine.scoring import HALF, Scale

BLACK = -1


@dataclass(frozen=True, eq=False)
class BoardsOfMatches:
    """Boards of the matches of teams, all (n, rounds, boards): `points` in half-points, who `played`, colours."""

    points: Ints
    played: Bools
    colour: Ints
    elected: Bools
    theirs: Ints


@dataclass(frozen=True, eq=False)
class OwnRounds:
    """The own rounds of a table; figures are (n, rounds)."""

    table: ScoredRecord

    def _counts_boards(self, scale: Scale | None) -> bool:
        return scale is Scale.GAME and self.table.board_points is not None

    @cached_property
    def boards(self) -> BoardsOfMatches:
        """Return the boards; where a round has none recorded, all of them as the round went (12)."""
        table = self.table
        assert (
            table.board_points is not None and table.board_kind is not None and table.board_colour is not None
        )  # noqa: S101
        recorded = (
            is_any(table.board_kind, (RoundKind.PLAYED, RoundKind.FORFEIT)) & table.over_the_board[:, :, None]
        )
        without = ~recorded.any(axis=2)
        shape, boards = table.board_points.shape, np.arange(table.board_points.shape[2])
        there = boards < max(table.scoring.boards, 1)
        went = np.where(without, self.went, 0)[:, :, None] * there
        opponent = np.where(table.opponent >= 0, table.opponent, 0)
        theirs = table.board_points[opponent, np.arange(table.rounds)] * recorded
        played = (table.board_kind == RoundKind.PLAYED) & recorded
        elected = np.where(
            without[:, :, None],
            self.elected[:, :, None] & there,
            recorded & (played | (table.board_points > 0)),
        )
        return BoardsOfMatches(
            points=np.where(recorded, table.board_points, went),
            played=played,
            colour=np.broadcast_to(table.board_colour, shape),
            elected=elected,
            theirs=theirs,
        )

    @cached_property
    def went(self) -> Ints:
        """Return what each board gives, in half-points, in a round that was not played at the boards (12)."""
        table = self.table
        draw, win = (
            table.scoring.draw(Scale.GAME) // max(table.scoring.boards, 1) // 4,
            table.scoring.game_win,
        )
        won = (table.state == RoundKind.BYE) | ((table.state == RoundKind.FORFEIT) & (table.outcome > 0))
        drawn = (table.state == RoundKind.HALF_BYE) | (
            (table.state == RoundKind.FORFEIT) & (table.outcome == 0)
        )
        return np.where(won, win, np.where(drawn, draw, 0))

    # --- 7.1 to 7.4 --------------------------------------------------------------------------------

    def won(self, scale: Scale | None) -> Ints:
        """Return the rounds, or boards, that gave as many points as a win."""
        if self._counts_boards(scale):
            return np.count_nonzero(self.boards.points >= self.table.scoring.game_win, axis=2)
        scale = scale or self.table.scale
        gave = self.table.points(scale) == self.table.scoring.win(scale)
        if self.table.scoring.listed:
            gave = np.where(self.table.met, self.table.outcome > 0, gave)
        return gave.astype(np.int64)

    def won_over_the_board(self, scale: Scale | None) -> Ints:
        """Return the rounds, or boards, won in play."""
        if self._counts_boards(scale):
            wins = (self.boards.points >= self.table.scoring.game_win) & self.boards.played
            return np.count_nonzero(wins, axis=2)
        return self.won(scale) * self.table.over_the_board

    def black(self, scale: Scale | None) -> Ints:
        """Return the games played with Black."""
        if self._counts_boards(scale):
            return np.count_nonzero((self.boards.colour == BLACK) & self.boards.played, axis=2)
        return ((self.table.colour == BLACK) & self.table.over_the_board).astype(np.int64)

    def won_with_black(self, scale: Scale | None) -> Ints:
        """Return the games won in play with Black."""
        if self._counts_boards(scale):
            wins = (self.boards.points >= self.table.scoring.game_win) & self.boards.played
            return np.count_nonzero(wins & (self.boards.colour == BLACK), axis=2)
        return self.won_over_the_board(scale) * (self.table.colour == BLACK)

    # --- 7.6, 7.7 ----------------------------------------------------------------------------------

    @cached_property
    def elected(self) -> Bools:
        """Return the rounds that were elected to play: not asked to be off, and not lost by forfeit."""
        table = self.table
        lost = table.met & ~table.over_the_board & (table.outcome < 0)
        off = is_any(table.state, REQUESTED) | (table.state == RoundKind.ANNULLED) | lost
        if table.is_round_robin:
            # A rest day, where the number of players is odd: nothing was asked for, and nothing given.
            off = off | ((table.state == RoundKind.BYE) & (table.points() == 0))
        return ~off

    def elected_to_play(self, scale: Scale | None) -> Ints:
        """Return the rounds, or boards, that were elected to play."""
        if self._counts_boards(scale):
            return np.count_nonzero(self.boards.elected, axis=2)
        return self.elected.astype(np.int64)

    def standard(self, scale: Scale | None) -> Ints:
        """Return 2 for more points than the opponent, 1 for as many; what was not played against a draw."""
        if self._counts_boards(scale):
            draw = self.table.scoring.draw(Scale.GAME) // max(self.table.scoring.boards, 1) // 4
            own, boards = self.boards.points, np.arange(self.boards.points.shape[2])
            theirs = np.where(self.boards.played, self.boards.theirs, draw)
            there = boards < max(self.table.scoring.boards, 1)
            return ((1 + np.sign(own - theirs)) * (there | self.boards.played)).sum(axis=2)
        scale = scale or self.table.scale
        own = 4 * self.table.points(scale)
        theirs = np.where(
            self.table.over_the_board, self.table.of_opponent(own), self.table.scoring.draw(scale)
        )
        awaited = is_any(self.table.state, (RoundKind.PENDING, RoundKind.UNKNOWN, RoundKind.ANNULLED))
        return np.where(awaited, 0, 1 + np.sign(own - theirs))
