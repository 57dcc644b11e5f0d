"""Own games by C.07 7 and 12: pairings, or the boards of team matches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from standings.engine.arrays import PAIRED, Bools, Ints, RoundKind, is_any
from standings.engine.scoredrecord import ScoredRecord
from standings.engine.scoring import Scale

REQUESTED = (RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.ABSENT)
"""The kinds of round that a competitor asked for; rounds after a withdrawal are ABSENT too."""

NOT_DECIDED = (RoundKind.PENDING, RoundKind.UNKNOWN, RoundKind.ANNULLED)
BLACK = -1


@dataclass(frozen=True, eq=False)
class Games:
    """Own games, (n, rounds, games).

    `won`: with the points of a win, played or not. `played`: over the board. `black`: with Black. `elected`:
    rounds that the competitor elected to play, without requested byes and losses by forfeit. `standard`: 2
    for more points than the opponent, 1 for equal points, 0 for fewer; an unplayed game is compared with a
    draw.
    """

    won: Bools
    played: Bools
    black: Bools
    elected: Bools
    standard: Ints


def scored_games(table: ScoredRecord, scale: Scale | None) -> Games:
    """Return the boards, if game points of teams are requested and boards are recorded, else the pairings."""
    if scale is Scale.GAME and table.boards is not None:
        return _board_games(table)
    scale = scale or table.scale
    own, played = 4 * table.points(scale), table.over_the_board
    won = own == 4 * table.scoring.win(scale)
    if table.scoring.listed:
        won = np.where(table.met, table.outcome > 0, won)
    theirs = np.where(played, table.of_opponent(own), table.scoring.draw(scale))
    standard = np.where(is_any(table.state, NOT_DECIDED), 0, 1 + np.sign(own - theirs))
    # A pairing is the only game of its round.
    return Games(
        won=won[:, :, None],
        played=played[:, :, None],
        black=(table.colour == BLACK)[:, :, None],
        elected=elected(table)[:, :, None],
        standard=standard[:, :, None],
    )


def elected(table: ScoredRecord) -> Bools:
    """Return (n, rounds) rounds other than requested byes and losses by forfeit (7.6)."""
    lost = table.met & ~table.over_the_board & (table.outcome < 0)
    off = is_any(table.state, (*REQUESTED, RoundKind.ANNULLED)) | lost
    if table.is_round_robin:
        # A rest day, if the number of players is odd: neither requested nor awarded.
        off = off | ((table.state == RoundKind.BYE) & (table.points() == 0))
    return ~off


def _board_games(table: ScoredRecord) -> Games:
    points, kind, colour = table.board_arrays
    recorded = recorded_boards(table)
    # In a round without recorded boards, all boards count as the round ended.
    whole = ~recorded.any(axis=2, keepdims=True) & (np.arange(points.shape[2]) < table.scoring.boards)
    played = recorded & (kind == RoundKind.PLAYED)
    played |= whole & (table.boards_as_match & (table.state == RoundKind.PLAYED))[:, :, None]
    own = points_on_boards(table)
    theirs = np.where(played, table.of_opponent(own), table.scoring.draw_of_board // 4)
    standard = np.where(played | whole | recorded, 1 + np.sign(own - theirs), 0)
    undecided = is_any(table.state, NOT_DECIDED)[:, :, None]
    # The number of won boards is known, although the drawn board is not.
    but_a_draw = (table.won_all_but_a_draw & (table.outcome > 0))[:, :, None]
    but_a_draw = but_a_draw & (np.arange(points.shape[2]) < table.scoring.boards - 1)
    return Games(
        won=(own == table.scoring.game_win) | but_a_draw,
        played=played,
        black=colour == BLACK,
        elected=np.where(whole, elected(table)[:, :, None], played | (recorded & (own > 0))),
        standard=np.where(undecided, 0, standard),
    )


def recorded_boards(table: ScoredRecord) -> Bools:
    _, kind, _ = table.board_arrays
    return is_any(kind, PAIRED) & table.met[:, :, None]


def points_on_boards(table: ScoredRecord) -> Ints:
    """Return (n, rounds, boards) half-points; no boards for players.

    By C.07 12, a pairing-allocated or full-point bye and a forfeit win without boards are a win on every
    board, and a half-point bye is a draw on every board, whatever game points were awarded. A match won 4-0
    is a win on every board too.
    """
    if table.boards is None and table.board_points is None:
        return np.zeros((*table.shape, 0), dtype=np.int64)
    points, _, _ = table.board_arrays
    recorded = recorded_boards(table)
    forfeited = (table.met & ~table.over_the_board) | table.boards_as_match
    won = (table.state == RoundKind.BYE) | (forfeited & (table.outcome > 0))
    drawn = (table.state == RoundKind.HALF_BYE) | (forfeited & (table.outcome == 0))
    went = np.where(won, table.scoring.game_win, np.where(drawn, table.scoring.draw_of_board // 4, 0))
    there = np.arange(recorded.shape[2]) < table.scoring.boards
    whole = ~recorded.any(axis=2, keepdims=True) & there
    return np.where(recorded, points, went[:, :, None] * whole)
