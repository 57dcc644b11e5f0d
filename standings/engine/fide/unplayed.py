"""Unplayed rounds by C.07, articles 15 and 16: voluntary rounds, and dummy opponents.

All arrays are (n, rounds); scores are in eighths of a point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from standings.engine.arrays import WITHOUT_RESULT, Bools, Ints, RoundKind, is_any
from standings.engine.fide.games import REQUESTED
from standings.engine.policies import Dummy
from standings.engine.scoredrecord import ScoredRecord
from standings.engine.scoring import EIGHTH, HALF, Scale
from standings.engine.texts import Phrase, fraction_text, phrase

ROUND_NAMES = {
    RoundKind.BYE: phrase("pairing-allocated bye"),
    RoundKind.HALF_BYE: phrase("half-point bye"),
    RoundKind.ZERO_BYE: phrase("zero-point bye"),
    RoundKind.ABSENT: phrase("zero-point bye"),
    RoundKind.ANNULLED: phrase("annulled"),
}
FORFEIT_NAMES = {
    1: phrase("won by forfeit"),
    0: phrase("set by default"),
    -1: phrase("lost by forfeit"),
}


@dataclass(frozen=True, eq=False)
class UnplayedRounds:
    """The unplayed rounds of a table under an edition of C.07; its policy has a dummy.

    For `as_paired` and `fore` see CreditedScores. `requested` and `voluntary` are defined in 16.2, dummies
    and their maximum in 16.4, and the order of cuts in 16.5. `adjusted_totals` (n,) are the scores with which
    competitors count for their opponents.
    """

    table: ScoredRecord
    as_paired: bool = False
    fore: bool = False
    _adjusted: dict[Scale, Ints] = field(default_factory=dict, init=False, repr=False)

    # --- kinds of rounds -------------------------------------------------------------------------

    @cached_property
    def _awaited(self) -> Bools:
        return is_any(self.table.state, WITHOUT_RESULT)

    @cached_property
    def _unplayed(self) -> Bools:
        return ~(self.table.over_the_board | self._awaited)

    @cached_property
    def _with_opponent(self) -> Bools:
        return self.table.opponent >= 0

    @cached_property
    def _drawn_at_last(self) -> Bools:
        """Return pairings of the last planned round, which Fore Buchholz counts as draws (8.3)."""
        return self._with_opponent & self.table.is_last_planned & self.fore

    @cached_property
    def requested(self) -> Bools:
        return is_any(self.table.state, REQUESTED)

    @cached_property
    def voluntary(self) -> Bools:
        lost = self._unplayed & self._with_opponent & (self.table.outcome < 0) & ~self._drawn_at_last
        return self.requested | lost

    @cached_property
    def at_the_end(self) -> Bools:
        """Return requested byes that are followed by voluntary unplayed rounds only (16.2.5)."""
        voluntary_onwards = np.logical_and.accumulate(self.voluntary[:, ::-1], axis=1)[:, ::-1]
        return self.requested & voluntary_onwards

    @cached_property
    def as_games(self) -> Bools:
        """Return rounds that count against the real opponent and need no dummy."""
        games = self.table.over_the_board | self._awaited
        if self.as_paired:
            games = games | self._with_opponent
        return games | self._drawn_at_last

    # --- for the tie-breaks of opponents -----------------------------------------------------------

    @cached_property
    def drawn_for_opponents(self) -> Bools:
        """Return rounds that are draws in opponents' tie-breaks (16.3; in 2009 all unplayed rounds)."""
        drawn = self._unplayed if self.table.policy.opponents_unplayed_are_draws else self.at_the_end
        return drawn | self._drawn_at_last

    def adjusted_totals(self, scale: Scale) -> Ints:
        if scale not in self._adjusted:
            points = EIGHTH // HALF * self.table.points(scale)
            counted = np.where(self.drawn_for_opponents, self.table.scoring.draw(scale), points)
            self._adjusted[scale] = counted.sum(axis=1)
        return self._adjusted[scale]

    # --- for the own tie-break -----------------------------------------------------------------------

    def own_totals(self, scale: Scale) -> Ints:
        """Return (n,) the own score for dummies; with Fore Buchholz, with a draw in the last round."""
        own = EIGHTH // HALF * self.table.totals(scale)
        if not self.fore:
            return own
        points = EIGHTH // HALF * self.table.points(scale)
        fore: Ints = (self._drawn_at_last * (self.table.scoring.draw(scale) - points)).sum(axis=1)
        return own + fore

    def caps(self, scale: Scale) -> Ints:
        opponents = self.adjusted_totals(scale)[self.table.opponent]
        draws = self.table.scoring.draw(scale) * self.table.rounds
        return np.where(self._with_opponent, opponents, draws)

    def dummies(self, scale: Scale) -> Ints:
        if self.table.policy.dummy is Dummy.VIRTUAL:
            return self._virtual_opponents(scale)
        own = np.broadcast_to(self.own_totals(scale)[:, None], self.table.shape)
        return np.minimum(own, self.caps(scale)) if self.table.policy.dummy is Dummy.CAPPED else own

    def _virtual_opponents(self, scale: Scale) -> Ints:
        """Return the own score before the round, a win less the points awarded, and then draws."""
        points = EIGHTH // HALF * self.table.points(scale)
        left = EIGHTH // HALF * self.table.scoring.win(scale) - points
        to_come = np.arange(self.table.rounds)[::-1]
        scores: Ints = points.cumsum(axis=1) - points + left + self.table.scoring.draw(scale) * to_come
        return scores

    def scores(self, scale: Scale) -> Ints:
        return np.where(self.as_games, self.adjusted_totals(scale)[self.table.opponent], self.dummies(scale))

    def own_points(self, scale: Scale) -> Ints:
        """Return the points against opponents and dummies. A virtual opponent draws."""
        points = EIGHTH // HALF * self.table.points(scale)
        if self.table.policy.dummy is not Dummy.VIRTUAL:
            return points
        return np.where(self.as_games, points, self.table.scoring.draw(scale))

    @cached_property
    def cut_first(self) -> Bools:
        if not self.table.policy.voluntary_first:
            return np.zeros(self.table.shape, dtype=bool)
        return self.voluntary & ~self.as_games

    # --- text --------------------------------------------------------------------------------------

    def note(self, scale: Scale, row: int, at: int) -> str:
        if not self.as_games[row, at]:
            return phrase(
                "%(round)s: %(dummy)s", round=self._round_name(row, at), dummy=self._dummy(scale, row, at)
            )
        opponent = int(self.table.opponent[row, at])
        recorded = 4 * int(self.table.points(scale)[opponent].sum())
        counted = int(self.adjusted_totals(scale)[opponent])
        if recorded == counted:
            return ""
        parts = {"was": fraction_text(recorded, EIGHTH), "now": fraction_text(counted, EIGHTH)}
        if self.table.policy.opponents_unplayed_are_draws:
            return phrase("%(was)s counts as %(now)s: rounds without play are draws (2009)", **parts)
        if self.fore:
            return phrase("%(was)s counts as %(now)s: the last round is a draw (8.3)", **parts)
        return phrase("%(was)s counts as %(now)s: requested byes at the end are draws (16.3.2)", **parts)

    def _round_name(self, row: int, at: int) -> str:
        if self._with_opponent[row, at]:
            return FORFEIT_NAMES[int(self.table.outcome[row, at])]
        return ROUND_NAMES[RoundKind(int(self.table.state[row, at]))]

    def _dummy(self, scale: Scale, row: int, at: int) -> Phrase:
        score = fraction_text(int(self.dummies(scale)[row, at]), EIGHTH)
        if self.table.policy.dummy is Dummy.VIRTUAL:
            return phrase("a virtual opponent with %(score)s (2009)", score=score)
        own = fraction_text(int(self.own_totals(scale)[row]), EIGHTH)
        if self.table.policy.dummy is Dummy.OWN_SCORE:
            return phrase("a dummy with own score %(own)s (16.4)", own=own)
        cap = fraction_text(int(self.caps(scale)[row, at]), EIGHTH)
        article = "16.4.1" if self._with_opponent[row, at] else "16.4.2"
        return phrase(
            "a dummy with %(score)s (own score %(own)s, at most %(cap)s, %(article)s)",
            score=score,
            own=own,
            cap=cap,
            article=article,
        )
