"""Scores in tie-breaks, as the policy for unplayed rounds credits them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from standings.engine.arrays import WITH_OPPONENT, Bools, Ints, RoundKind, is_any
from standings.engine.fide.unplayed import UnplayedRounds
from standings.engine.policies import ForfeitWin
from standings.engine.scoring import EIGHTH, HALF, SYMBOL, Scale
from standings.engine.terms import Factor, Terms, TermSources

if TYPE_CHECKING:
    from standings.engine.scoredrecord import ScoredRecord


@dataclass(frozen=True, eq=False)
class CreditedScores:
    """The credited scores of a table, (n, rounds), in eighths of a point.

    Codes of C.07 can change them. `as_paired`: forfeits count as games against the scheduled opponent.
    `fore`: all pairings of the last planned round count as draws.
    """

    table: ScoredRecord
    as_paired: bool = False
    fore: bool = False

    @cached_property
    def present(self) -> Bools:
        return is_any(self.table.state, self.table.policy.counted_kinds)

    @cached_property
    def unplayed(self) -> UnplayedRounds | None:
        if not self.table.policy.dummy:
            return None
        return UnplayedRounds(self.table, as_paired=self.as_paired, fore=self.fore)

    @cached_property
    def cut_first(self) -> Bools:
        return np.zeros(self.table.shape, dtype=bool) if self.unplayed is None else self.unplayed.cut_first

    # --- the terms ---------------------------------------------------------------------------------

    @cached_property
    def _sources(self) -> TermSources:
        rounds = np.arange(1, self.table.rounds + 1)
        return TermSources(self.table.names, self._opponent, rounds, self.table.state, self._virtual)

    def opponent_scores(self, scale: Scale) -> Terms:
        key = "opponent scores", scale, self.as_paired, self.fore
        return self.table.remember(key, lambda _table: self._opponent_scores(scale))

    def _opponent_scores(self, scale: Scale) -> Terms:
        if self.unplayed is not None:
            sources = replace(self._sources, note=partial(self.unplayed.note, scale))
            return Terms.of(Factor(SYMBOL[scale], self.unplayed.scores(scale), EIGHTH), sources, self.present)
        own = EIGHTH // HALF * self.table.totals(scale)
        # A bye against itself has the own score, not the score that the policy credits to opponents.
        scores = np.where(
            self._against_itself, own[:, None], self._values_of_opponents(self._credited_totals(scale))
        )
        scores = np.where(self._virtual, self._virtual_scores(scale), scores)
        return Terms.of(Factor(SYMBOL[scale], scores, EIGHTH), self._sources, self.present)

    def own_points(self, scale: Scale) -> Terms:
        if self.unplayed is not None:
            points = self.unplayed.own_points(scale)
        else:
            points = EIGHTH // HALF * self.table.points(scale)
            points = np.where(self._against_itself, self.table.scoring.drawn_eighths(scale), points)
            if self.table.policy.forfeit_win is ForfeitWin.THREE_QUARTERS and scale is Scale.GAME:
                # Three quarters are exact in eighths, but not in half-points.
                points = np.where(self._won_by_forfeit, 3 * self.table.scoring.win(scale), points)
        return Terms.of(Factor(SYMBOL[scale], points, EIGHTH), self._sources, self.present)

    def of_opponents(self, symbol: str, values: Ints, unit: int, code: str) -> Terms:
        """Return the opponents' values under the criterion `code`; a bye against itself has the own value."""
        return Terms.of(
            Factor(symbol, self._values_of_opponents(values), unit, code), self._sources, self.present
        )

    # --- the policy ------------------------------------------------------------------------------

    @cached_property
    def _paired(self) -> Bools:
        return is_any(self.table.state, WITH_OPPONENT)

    @cached_property
    def _against_itself(self) -> Bools:
        byes: Bools = self.table.state == RoundKind.BYE
        return byes & self.table.policy.bye_against_itself

    @cached_property
    def _won_by_forfeit(self) -> Bools:
        forfeits: Bools = self.table.state == RoundKind.FORFEIT
        return forfeits & (self.table.outcome > 0) & (not self.as_paired)

    @cached_property
    def _virtual(self) -> Bools:
        if self.unplayed is not None:
            return ~self.unplayed.as_games
        return self._won_by_forfeit & (self.table.policy.forfeit_win is ForfeitWin.VIRTUAL)

    @cached_property
    def _opponent(self) -> Ints:
        if not self.table.policy.bye_against_itself:
            return self.table.opponent
        return np.where(self._against_itself, np.arange(len(self.table.names))[:, None], self.table.opponent)

    def _values_of_opponents(self, values: Ints) -> Ints:
        return np.where(self._paired | self._against_itself, values[self._opponent], 0)

    def _credited_totals(self, scale: Scale) -> Ints:
        """Return (n,) the totals with which competitors count in the tie-breaks of their opponents."""
        table, scoring = self.table, self.table.scoring
        points = EIGHTH // HALF * table.points(scale)
        if table.policy.opponents_gifts_are_draws:
            gifts = self._won_by_forfeit | (table.state == RoundKind.BYE)
            lost = (table.state == RoundKind.FORFEIT) & (table.outcome < 0)
            points = np.where(gifts, scoring.drawn_eighths(scale), np.where(lost, 0, points))
        if self.fore:
            points = np.where(table.is_last_planned & self._paired, scoring.draw(scale), points)
        totals: Ints = points.sum(axis=1)
        return totals

    def _virtual_scores(self, scale: Scale) -> Ints:
        points = EIGHTH // HALF * self.table.points(scale)
        to_come = np.arange(self.table.rounds)[::-1]
        draws = self.table.scoring.drawn_eighths(scale) * to_come
        scores: Ints = points.cumsum(axis=1) - points + draws
        return scores
