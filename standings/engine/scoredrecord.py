"""The record of an event with scores and withdrawals, as far as it does not depend on a criterion."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from standings.engine.arrays import (
    PAIRED,
    WITHOUT_RESULT,
    BoardFigure,
    BoardInput,
    Bools,
    Ints,
    RoundKind,
    is_any,
)
from standings.engine.policies import FMJD, UnplayedPolicy
from standings.engine.record import PER_BOARD, PER_ROUND, Record
from standings.engine.scoring import Scale

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredRecord(Record):
    """A record with withdrawals applied and points added up.

    `system_primary` and `system_unplayed` come from the ranking system; rank() sets them. Arrays are (n,
    rounds) unless noted, and points are half-points.
    """

    system_primary: Scale | None = None
    system_unplayed: UnplayedPolicy = FMJD
    _cache: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def scale(self) -> Scale:
        return self.system_primary or self.primary

    @property
    def policy(self) -> UnplayedPolicy:
        chosen = self.unplayed or self.system_unplayed
        return chosen.in_round_robin or chosen if self.is_round_robin else chosen

    @property
    def is_round_robin(self) -> bool:
        return self.games_each > 0

    def after(self, rounds: int) -> Self:
        # Slices are views, so no array is copied.
        arrays: dict[str, Any] = {name: getattr(self, name) for name in (*PER_ROUND, "boards", *PER_BOARD)}
        coming: dict[str, Any] = {}
        for score in Scale:
            gone = getattr(self, f"{score}_bonus")[:, rounds:]
            if gone.any():
                name = f"coming_{score}_bonus"
                coming[name] = getattr(self, name) + gone.sum(axis=1)
        return self.derived(
            **{name: array[:, :rounds] for name, array in arrays.items() if array is not None}, **coming
        )

    def with_rounds(self, rounds: int) -> Self:
        """Return the results with columns for more rounds, in which all competitors are absent."""
        more = rounds - self.rounds
        if more <= 0:
            return self
        longer: dict[str, Any] = {}
        for name in (*PER_ROUND, "boards", *PER_BOARD):
            array = getattr(self, name)
            if array is not None:
                # The blank value is 0 (ABSENT for a kind), and -1 for an opponent.
                blank = np.full((len(self.names), more, *array.shape[2:]), -1 if name == "opponent" else 0)
                longer[name] = np.concatenate([array, blank], axis=1)
        return self.derived(**longer)

    def under(self, scale: Scale | None) -> Self:
        if scale is None or scale is self.scale:
            return self
        return self.remember(("under", scale), lambda results: results.derived(system_primary=scale))

    def remember(self, key: Hashable, compute: Callable[[Self], Result]) -> Result:
        if key not in self._cache:
            self._cache[key] = compute(self)
        result: Result = self._cache[key]
        return result

    # --- withdrawals -----------------------------------------------------------------------------

    @cached_property
    def withdrawn(self) -> Bools:
        return (self.withdrawn_after < self.rounds) & (self.games_each > 0)

    @cached_property
    def annulled(self) -> Bools:
        """Return (n,) a mask of competitors who withdrew too early for their results to count."""
        played_before = (self.kind == RoundKind.PLAYED) & ~self._since_withdrawal
        played = np.count_nonzero(played_before, axis=1)
        # Doubled, because half of an odd number of games is not an integer.
        too_few: Bools = 2 * played - self.half_annuls < self.games_each
        return self.withdrawn & too_few

    @cached_property
    def state(self) -> Ints:
        if not self.withdrawn.any():
            return self.kind
        annulled = self.annulled[:, None] | (self._has_opponent & self.annulled[self.opponent])
        annulled &= self.kind != RoundKind.ABSENT
        # Annulled first: after an early withdrawal, no result counts, not even forfeits.
        forfeited = self._lost_by_withdrawal | self._won_by_withdrawal
        return np.where(annulled, RoundKind.ANNULLED, np.where(forfeited, RoundKind.FORFEIT, self.kind))

    @cached_property
    def _since_withdrawal(self) -> Bools:
        return self.withdrawn_after[:, None] <= np.arange(self.rounds)

    @cached_property
    def _lost_by_withdrawal(self) -> Bools:
        stays = self.withdrawn & ~self.annulled
        open_pairings: Bools = self.kind == RoundKind.PENDING
        return stays[:, None] & self._since_withdrawal & open_pairings

    @cached_property
    def _won_by_withdrawal(self) -> Bools:
        return (
            self._has_opponent & ~self._lost_by_withdrawal & (self.of_opponent(self._lost_by_withdrawal) > 0)
        )

    # --- rounds ----------------------------------------------------------------------------------

    @cached_property
    def _has_opponent(self) -> Bools:
        return self.opponent >= 0

    @cached_property
    def met(self) -> Bools:
        return is_any(self.state, PAIRED)

    @property
    def is_last_planned(self) -> Bools:
        last: Bools = np.arange(1, self.rounds + 1) == self.planned_rounds
        return last

    @cached_property
    def over_the_board(self) -> Bools:
        """Return (n, rounds) pairings that were played. A match with all boards forfeited was not."""
        played: Bools = self.state == RoundKind.PLAYED
        if self.board_kind is None:
            return played
        played_boards = (self.board_kind == RoundKind.PLAYED).any(axis=2)
        forfeited_boards = (self.board_kind == RoundKind.FORFEIT).any(axis=2)
        played &= played_boards | ~forfeited_boards
        return played

    @cached_property
    def settled(self) -> Bools:
        return ~is_any(self.state, (*WITHOUT_RESULT, RoundKind.ANNULLED))

    def of_opponent(self, values: Ints | Bools) -> Ints:
        """Return (n, rounds, …) the opponent's values in the same rounds; undefined without an opponent."""
        return np.asarray(values[self.opponent, np.arange(self.rounds)], dtype=np.int64)

    @cached_property
    def outcome(self) -> Ints:
        """Return (n, rounds) 1 won, -1 lost, 0 drawn or undecided. 0-0 is lost by both sides."""
        points = self.points(Scale.MATCH)
        byes = self.byes_are_wins & (self.state == RoundKind.BYE)
        met: Ints = np.where(self.met, self.scoring.outcome(points, self.of_opponent(points)), byes)
        return met

    @cached_property
    def board_arrays(self) -> tuple[Ints, Ints, Ints]:
        """Return (n, rounds, boards) points, kinds and colours of boards, ABSENT if not recorded."""
        if self.board_points is None or self.board_kind is None or self.board_colour is None:
            none = np.zeros((*self.shape, self.scoring.boards), dtype=np.int64)
            return none, np.full_like(none, RoundKind.ABSENT), none
        return self.board_points, self.board_kind, self.board_colour

    # --- boards ----------------------------------------------------------------------------------

    @cached_property
    def in_progress(self) -> tuple[Ints, Ints]:
        """Return (n, rounds) half-points so far, and open boards, of matches in progress; zeros elsewhere.

        A match is in progress if some of its boards have a result and others are open. It counts in no
        criterion. A match with a board whose result is unknown has no running score.
        """
        pending = self.state == RoundKind.PENDING
        if not pending.any():  # as in most events
            return 0 * pending, 0 * pending
        points, kind, _ = self.board_arrays
        finished = is_any(kind, PAIRED)
        # Sources omit boards that have not started.
        all_boards = np.maximum(np.count_nonzero(kind, axis=2), self.scoring.boards)
        running = pending & finished.any(axis=2)
        running &= ~(kind == RoundKind.UNKNOWN).any(axis=2)
        still_open = np.where(running, all_boards - np.count_nonzero(finished, axis=2), 0)
        return np.where((still_open > 0)[:, :, None] & finished, points, 0).sum(axis=2), still_open

    def on_boards(self, figure: BoardFigure) -> Ints:
        """Return (n, rounds) a figure of the boards of each match. A pairing of players is a board."""
        return self._boards_of_matches[:, :, figure]

    @cached_property
    def boards_missing(self) -> int:
        recorded, unknown = (self.on_boards(figure) for figure in (BoardFigure.RECORDED, BoardFigure.UNKNOWN))
        return int(np.count_nonzero(self.met & ((recorded == 0) | (unknown > 0)))) // 2

    def lacks_boards(self, needed: BoardInput) -> Bools:
        if self.boards is None:
            return np.zeros(self.shape, dtype=bool)
        unknown = self.on_boards(BoardFigure.UNKNOWN) > 0
        unrecorded = np.where(self.met, self.boards[:, :, BoardFigure.RECORDED], 1) == 0
        match needed:
            case BoardInput.RESULTS:
                lacking = unknown | (unrecorded & ~self.boards_as_match & ~self.won_all_but_a_draw)
            case BoardInput.EACH_BOARD:
                lacking = unknown | (unrecorded & ~self.boards_as_match)
            case BoardInput.NUMBER_OF_GAMES:
                lacking = unknown | (unrecorded & ~(self.boards_as_match & (self.state == RoundKind.FORFEIT)))
        lacks: Bools = self.met & lacking
        return lacks

    def lacks_colours(self, *, on_boards: bool) -> Bools:
        if on_boards and self.boards is not None:
            _, kind, colour = self.board_arrays
            played = (kind == RoundKind.PLAYED) & self.met[:, :, None]
            return np.asarray((played & (colour == 0)).any(axis=(1, 2)))
        return np.asarray((self.over_the_board & (self.colour == 0)).any(axis=1))

    @cached_property
    def _boards_of_matches(self) -> Ints:
        figures = np.zeros((*self.shape, len(BoardFigure)), dtype=np.int64)
        if self.boards is not None:
            figures = np.where(self.met[:, :, None], self.boards, 0)
        decided = self.met if self.boards is None else self.boards_as_match
        forfeited = decided if self.boards is None else decided & (self.state == RoundKind.FORFEIT)
        boards = 1 if self.boards is None else self.scoring.boards
        won, lost = self.outcome > 0, self.outcome < 0
        for figure, mask, amount in (
            (BoardFigure.WON, won & (decided | (self.state == RoundKind.BYE)), boards),
            (BoardFigure.LOST, lost & decided, boards),
            (BoardFigure.RECORDED, decided, boards),
            (BoardFigure.PLUS, decided & (self.advantage > 0), 1),
            (BoardFigure.MINUS, decided & (self.advantage < 0), 1),
            (BoardFigure.GAMES_WON, won & forfeited, self.games),
            (BoardFigure.GAMES_LOST, lost & forfeited, self.games),
        ):
            figures[:, :, figure] += mask * np.asarray(amount)
        if self.boards is not None:
            figures[:, :, BoardFigure.WON] += (won & self.won_all_but_a_draw) * (boards - 1)
            figures[:, :, BoardFigure.LOST] += (lost & self.won_all_but_a_draw) * (boards - 1)
        return figures

    @cached_property
    def boards_as_match(self) -> Bools:
        """Return (n, rounds) matches without recorded boards whose boards all ended like the match.

        This is certain for a score such as 4-0, and for a forfeit 0-0, which both sides lose on every board.
        """
        fewer, more = self._points_of_both
        is_shutout = (fewer == 0) & (more == self.scoring.win(Scale.GAME))
        certain: Bools = self._boards_unrecorded & (
            is_shutout | ((more == 0) & (self.state == RoundKind.FORFEIT))
        )
        return certain

    @cached_property
    def won_all_but_a_draw(self) -> Bools:
        """Return (n, rounds) matches without recorded boards that ended like 3½-½ on four boards.

        The winner has drawn a board and won all others. In micro-matches, other results are possible too.
        """
        fewer, more = self._points_of_both
        draw = self.scoring.draw_of_board // 4
        is_full = fewer + more == self.scoring.win(Scale.GAME)
        found: Bools = self._boards_unrecorded & is_full & (fewer == draw) & (self.state == RoundKind.PLAYED)
        return found & (self.scoring.game_win <= 4) & (draw > 0)

    @cached_property
    def _points_of_both(self) -> tuple[Ints, Ints]:
        points = self.points(Scale.GAME)
        theirs = self.of_opponent(points)
        return np.minimum(points, theirs), np.maximum(points, theirs)

    @property
    def _boards_unrecorded(self) -> Bools:
        if self.boards is None:
            return np.zeros(self.shape, dtype=bool)
        without: Bools = self.met & (self.boards[:, :, BoardFigure.RECORDED] == 0)
        return without

    # --- scores ----------------------------------------------------------------------------------

    def points(self, scale: Scale | None = None) -> Ints:
        scale = scale or self.scale
        return self.remember(("points", scale), lambda results: results._points(scale))

    def _points(self, scale: Scale) -> Ints:
        points = np.where(self.settled, self.recorded(scale), 0)
        if not self.withdrawn.any():
            return points
        return np.where(self._won_by_withdrawal & self.settled, self.scoring.win(scale), points)

    def recorded(self, scale: Scale) -> Ints:
        return self.match_points if scale is Scale.MATCH else self.game_points

    def totals(self, scale: Scale | None = None) -> Ints:
        """Return (n,) half-points of all rounds, with bonus points."""
        scale = scale or self.scale
        return self.remember(
            ("totals", scale), lambda results: (results.points(scale) + results.bonus(scale)).sum(axis=1)
        )

    def bonus(self, scale: Scale) -> Ints:
        return self.match_bonus if scale is Scale.MATCH else self.game_bonus

    def final_bonus(self, scale: Scale) -> Ints:
        """Return (n,) bonus half-points of the final standings, 0 before the last planned round."""
        final = self.final_match_bonus if scale is Scale.MATCH else self.final_game_bonus
        return final * (self.rounds >= self.planned_rounds)

    @cached_property
    def won_drawn_lost(self) -> Ints:
        """Return (n, 3) wins, draws and losses with forfeits, as on OlimpBase; byes by a setting."""
        drawn = self.met & (self.outcome == 0)
        counts = [np.count_nonzero(rounds, axis=1) for rounds in (self.outcome > 0, drawn, self.outcome < 0)]
        return np.stack(counts, axis=1)

    @cached_property
    def manual_numbers(self) -> Ints:
        return np.where(self.manual_after <= self.rounds, self.manual, 0)
