"""The record of an event with its scores, and all that follows from it before any criterion."""

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

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredRecord(Record):
    """A record, with withdrawals taken into account and points added up.

    `system_primary` and `system_unplayed` are what the ranking system says; rank() fills them in.
    """

    system_primary: Scale | None = None
    system_unplayed: UnplayedPolicy = FMJD
    _remembered: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def scale(self) -> Scale:
        """Return the score that totals mean: the system's where it fixes one, else the event's."""
        return self.system_primary or self.primary

    @property
    def policy(self) -> UnplayedPolicy:
        """Return the policy for unplayed rounds: the event's own, else the system's."""
        chosen = self.unplayed or self.system_unplayed
        return chosen.of_schedule(round_robin=self.is_round_robin)

    @property
    def is_round_robin(self) -> bool:
        """Say whether all pairings are determined beforehand."""
        return self.games_each > 0

    def after(self, rounds: int) -> Self:
        """Return the results as they stood after that round: everything later is gone."""
        # Slices are views: standings after every round copy no array.
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
        """Return the results with columns up to that round: in those without pairings everybody is absent."""
        more = rounds - self.rounds
        if more <= 0:
            return self
        longer: dict[str, Any] = {}
        for name in (*PER_ROUND, "boards", *PER_BOARD):
            array = getattr(self, name)
            if array is not None:
                # ABSENT is 0, as all blanks are but that of the opponent.
                behind = np.full((len(self.names), more, *array.shape[2:]), -1 if name == "opponent" else 0)
                longer[name] = np.concatenate([array, behind], axis=1)
        return self.derived(**longer)

    def under(self, scale: Scale | None) -> Self:
        """Return the same results with totals meaning that score."""
        if scale is None or scale is self.scale:
            return self
        return self.remember(("under", scale), lambda results: results.derived(system_primary=scale))

    def remember(self, key: Hashable, compute: Callable[[Self], Found]) -> Found:
        """Compute once what is asked for often."""
        if key not in self._remembered:
            self._remembered[key] = compute(self)
        found: Found = self._remembered[key]
        return found

    # --- what follows from a withdrawal ----------------------------------------------------------

    @cached_property
    def withdrawn(self) -> Bools:
        """Return (n,) who left a round robin before the last round shown."""
        return (self.withdrawn_after < self.rounds) & (self.games_each > 0)

    @cached_property
    def annulled(self) -> Bools:
        """Return (n,) who left a round robin having played too little: his results count for nobody."""
        played_before = (self.kind == RoundKind.PLAYED) & ~self._since_withdrawal
        played = np.count_nonzero(played_before, axis=1)
        # Doubled, because half of an odd schedule is no whole number of games; half itself may annul.
        too_few: Bools = 2 * played - self.half_annuls < self.games_each
        return self.withdrawn & too_few

    @cached_property
    def state(self) -> Ints:
        """Return (n, rounds) the RoundKind of each round, as recorded but for what a withdrawal changes."""
        if not self.withdrawn.any():
            return self.kind
        annulled = self.annulled[:, None] | (self._has_opponent & self.annulled[self.opponent])
        annulled &= self.kind != RoundKind.ABSENT
        # Annulled goes before forfeit: nothing counts of who left too early, not even what he gave up.
        forfeited = self._given_up | self._given
        return np.where(annulled, RoundKind.ANNULLED, np.where(forfeited, RoundKind.FORFEIT, self.kind))

    @cached_property
    def _since_withdrawal(self) -> Bools:
        return self.withdrawn_after[:, None] <= np.arange(self.rounds)

    @cached_property
    def _given_up(self) -> Bools:
        """Return (n, rounds) the pairings lost by forfeit by somebody who left late enough for that."""
        stays = self.withdrawn & ~self.annulled
        open_pairings: Bools = self.kind == RoundKind.PENDING
        return stays[:, None] & self._since_withdrawal & open_pairings

    @cached_property
    def _given(self) -> Bools:
        """Return (n, rounds) pairings won because the opponent had left."""
        return self._has_opponent & ~self._given_up & (self.of_opponent(self._given_up) > 0)

    # --- what a round was ------------------------------------------------------------------------

    @cached_property
    def _has_opponent(self) -> Bools:
        return self.opponent >= 0

    @cached_property
    def met(self) -> Bools:
        """Return (n, rounds) pairings that are decided, by play or by forfeit."""
        return is_any(self.state, PAIRED)

    @property
    def is_last_planned(self) -> Bools:
        """Return (rounds,) which round is the last that is planned."""
        last: Bools = np.arange(1, self.rounds + 1) == self.planned_rounds
        return last

    @cached_property
    def over_the_board(self) -> Bools:
        """Return (n, rounds) pairings that were played; a match with every board forfeited was not."""
        played: Bools = self.state == RoundKind.PLAYED
        if self.board_kind is None:
            return played
        sat = (self.board_kind == RoundKind.PLAYED).any(axis=2)
        set_by_default = (self.board_kind == RoundKind.FORFEIT).any(axis=2)
        played &= sat | ~set_by_default
        return played

    @cached_property
    def settled(self) -> Bools:
        """Return (n, rounds) rounds with a score that counts."""
        return ~is_any(self.state, (*WITHOUT_RESULT, RoundKind.ANNULLED))

    def of_opponent(self, values: Ints | Bools) -> Ints:
        """Return (n, rounds) the opponent's figure of the round; meaningless without an opponent."""
        return np.asarray(values[self.opponent, np.arange(self.rounds)], dtype=np.int64)

    @cached_property
    def outcome(self) -> Ints:
        """Return (n, rounds) 1 won, 0 drawn or none, -1 lost; nothing for either is lost by both."""
        points = self.points(Scale.MATCH)
        byes = self.byes_are_wins & (self.state == RoundKind.BYE)
        met: Ints = np.where(self.met, self.scoring.outcome(points, self.of_opponent(points)), byes)
        return met

    @cached_property
    def board_arrays(self) -> tuple[Ints, Ints, Ints]:
        """Return (n, rounds, boards) points, kinds and colours; ABSENT where no board is recorded."""
        if self.board_points is None or self.board_kind is None or self.board_colour is None:
            none = np.zeros((*self.shape, self.scoring.boards), dtype=np.int64)
            return none, np.full_like(none, RoundKind.ABSENT), none
        return self.board_points, self.board_kind, self.board_colour

    def of_opponent_boards(self, values: Ints) -> Ints:
        """Return (n, rounds, boards) the opponent's figures; meaningless without an opponent."""
        theirs: Ints = values[self.opponent, np.arange(self.rounds)]
        return theirs

    # --- boards ----------------------------------------------------------------------------------

    @cached_property
    def in_progress(self) -> tuple[Ints, Ints]:
        """Return (n, rounds) half-points so far, and open boards, of matches in progress; zeros elsewhere.

        A match is in progress if some of its boards have a result and others are open. No criterion counts
        it. A match with a board whose result is unknown has no running score.
        """
        points, kind, _ = self.board_arrays
        finished = is_any(kind, PAIRED)
        # Sources leave out boards that have not begun.
        all_boards = np.maximum(np.count_nonzero(kind, axis=2), self.scoring.boards)
        running = (self.state == RoundKind.PENDING) & finished.any(axis=2)
        running &= ~(kind == RoundKind.UNKNOWN).any(axis=2)
        still_open = np.where(running, all_boards - np.count_nonzero(finished, axis=2), 0)
        return np.where((still_open > 0)[:, :, None] & finished, points, 0).sum(axis=2), still_open

    def on_boards(self, figure: BoardFigure) -> Ints:
        """Return (n, rounds) a figure of the boards of each match; among players each pairing is a board."""
        return self._boards_of_matches[:, :, figure]

    @cached_property
    def boards_missing(self) -> int:
        """Return how many decided matches have not all of their boards recorded."""
        recorded, unknown = (self.on_boards(figure) for figure in (BoardFigure.RECORDED, BoardFigure.UNKNOWN))
        return int(np.count_nonzero(self.met & ((recorded == 0) | (unknown > 0)))) // 2

    def lacks_boards(self, needed: BoardInput) -> Bools:
        """Return (n, rounds) the matches of whose boards it is not known what a criterion needs."""
        if self.boards is None:
            return np.zeros(self.shape, dtype=bool)
        unknown = self.on_boards(BoardFigure.UNKNOWN) > 0
        alone = np.where(self.met, self.boards[:, :, BoardFigure.RECORDED], 1) == 0
        match needed:
            case BoardInput.RESULTS:
                lacking = unknown | (alone & ~self.set_whole & ~self.all_won_but_a_draw)
            case BoardInput.EACH_BOARD:
                lacking = unknown | (alone & ~self.set_whole)
            case BoardInput.NUMBER_OF_GAMES:
                lacking = unknown | (alone & ~(self.set_whole & (self.state == RoundKind.FORFEIT)))
        lacks: Bools = self.met & lacking
        return lacks

    def lacks_colours(self, *, on_boards: bool) -> Bools:
        """Return (n,) who played a game, or a recorded board, whose colours are unknown."""
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
        went_alike = self.met if self.boards is None else self.set_whole
        by_default = went_alike if self.boards is None else went_alike & (self.state == RoundKind.FORFEIT)
        boards = 1 if self.boards is None else self.scoring.boards
        won, lost = self.outcome > 0, self.outcome < 0
        for figure, where, amount in (
            (BoardFigure.WON, won & (went_alike | (self.state == RoundKind.BYE)), boards),
            (BoardFigure.LOST, lost & went_alike, boards),
            (BoardFigure.RECORDED, went_alike, boards),
            (BoardFigure.PLUS, went_alike & (self.advantage > 0), 1),
            (BoardFigure.MINUS, went_alike & (self.advantage < 0), 1),
            (BoardFigure.GAMES_WON, won & by_default, self.games),
            (BoardFigure.GAMES_LOST, lost & by_default, self.games),
        ):
            figures[:, :, figure] += where * np.asarray(amount)
        if self.boards is not None:
            figures[:, :, BoardFigure.WON] += (won & self.all_won_but_a_draw) * (boards - 1)
            figures[:, :, BoardFigure.LOST] += (lost & self.all_won_but_a_draw) * (boards - 1)
        return figures

    @cached_property
    def set_whole(self) -> Bools:
        """Return (n, rounds) the matches without recorded boards whose boards all went as the match.

        Of a score such as 4-0 there is only one set of results; a forfeit 0-0 is lost on every board by both.
        """
        fewer, more = self._points_of_both
        to_nothing = (fewer == 0) & (more == self.scoring.win(Scale.GAME))
        whole: Bools = self._without_boards & (to_nothing | ((more == 0) & (self.state == RoundKind.FORFEIT)))
        return whole

    @cached_property
    def all_won_but_a_draw(self) -> Bools:
        """Return (n, rounds) the matches without recorded boards with a score such as 3½-½ on four boards.

        One side drew a board and won all others. In micro-matches, more sets of results are possible.
        """
        fewer, more = self._points_of_both
        draw = self.scoring.draw_of_board // 4
        is_full = fewer + more == self.scoring.win(Scale.GAME)
        found: Bools = self._without_boards & is_full & (fewer == draw) & (self.state == RoundKind.PLAYED)
        return found & (self.scoring.game_win <= 4) & (draw > 0)

    @cached_property
    def _points_of_both(self) -> tuple[Ints, Ints]:
        points = self.points(Scale.GAME)
        theirs = self.of_opponent(points)
        return np.minimum(points, theirs), np.maximum(points, theirs)

    @property
    def _without_boards(self) -> Bools:
        if self.boards is None:
            return np.zeros(self.shape, dtype=bool)
        without: Bools = self.met & (self.boards[:, :, BoardFigure.RECORDED] == 0)
        return without

    # --- scores ----------------------------------------------------------------------------------

    def points(self, scale: Scale | None = None) -> Ints:
        """Return (n, rounds) half-points as awarded."""
        scale = scale or self.scale
        return self.remember(("points", scale), lambda results: results._points(scale))

    def _points(self, scale: Scale) -> Ints:
        points = np.where(self.settled, self.recorded(scale), 0)
        if not self.withdrawn.any():
            return points
        return np.where(self._given & self.settled, self.scoring.win(scale), points)

    def recorded(self, scale: Scale) -> Ints:
        """Return (n, rounds) half-points as entered, before any withdrawal is taken into account."""
        return self.match_points if scale is Scale.MATCH else self.game_points

    def totals(self, scale: Scale | None = None) -> Ints:
        """Return (n,) half-points of all rounds, and of what was given beside them."""
        scale = scale or self.scale
        return self.remember(
            ("totals", scale), lambda results: (results.points(scale) + results.bonus(scale)).sum(axis=1)
        )

    def bonus(self, scale: Scale) -> Ints:
        """Return (n, rounds) half-points given beside the results; they count in the own score alone."""
        return self.match_bonus if scale is Scale.MATCH else self.game_bonus

    def final_bonus(self, scale: Scale) -> Ints:
        """Return (n,) half-points that only the final standings have; none before the last planned round."""
        final = self.final_match_bonus if scale is Scale.MATCH else self.final_game_bonus
        return final * (self.rounds >= self.planned_rounds)

    @cached_property
    def won_drawn_lost(self) -> Ints:
        """Return (n, 3) won, drawn, lost, as OlimpBase counts: with defaults, byes only under the switch."""
        drawn = self.met & (self.outcome == 0)
        counts = [np.count_nonzero(rounds, axis=1) for rounds in (self.outcome > 0, drawn, self.outcome < 0)]
        return np.stack(counts, axis=1)

    def awaited(self, kind: RoundKind) -> int:
        """Return how many pairings have no result yet (PENDING), or none that is known (UNKNOWN)."""
        return int(np.count_nonzero(self.state == kind)) // 2

    @cached_property
    def manual_numbers(self) -> Ints:
        """Return (n,) the arbiter's numbers that touch the standings after the last round shown."""
        return np.where(self.manual_after <= self.rounds, self.manual, 0)
