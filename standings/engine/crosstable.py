"""The crosstable: results, and the terms that criteria are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from standings.engine.arrays import WITH_OPPONENT, Bools, Ints, RoundKind, is_any
from standings.engine.fide.games import Games, games_of, points_on_boards
from standings.engine.fide.unplayed import UnplayedRounds
from standings.engine.policies import ForfeitWin
from standings.engine.scoredrecord import ScoredRecord
from standings.engine.scoring import EIGHTH, HALF, SYMBOL, Scale
from standings.engine.term import Factor, TermSources
from standings.engine.terms import ANNULLED, Terms
from standings.engine.texts import phrase

BESIDE = phrase("given beside the results")


@dataclass(frozen=True, eq=False, kw_only=True)
class Crosstable(ScoredRecord):
    """The scored record as criteria see it: own terms, and the opponents' under the unplayed policy."""

    # --- the terms of one's own ------------------------------------------------------------------

    def own_games(self, scale: Scale | None) -> Games:
        """Return the own games as C.07 7 counts them, of teams the boards where game points are asked for."""
        return self.remember(("own games", scale), lambda table: games_of(table, scale))

    @cached_property
    def points_on_boards(self) -> Ints:
        """Return (n, rounds, boards) half-points; no boards where none are recorded."""
        return points_on_boards(self)

    @cached_property
    def _recorded(self) -> TermSources:
        """Return what stands behind own figures: the opponents as recorded."""
        nobody = np.zeros(self.shape, dtype=bool)
        return TermSources(
            self.names, self.opponent, np.arange(1, self.rounds + 1), self.state, virtual=nobody
        )

    @cached_property
    def _paired(self) -> Bools:
        return is_any(self.state, WITH_OPPONENT)

    def per_round(self, symbol: str, values: Ints, unit: int = 1, present: Bools | None = None) -> Terms:
        """Return a term per round, or per round `present`: (n, rounds) figures, `unit` parts to a point."""
        return Terms.of(
            Factor(symbol, values, unit), self._recorded, self.met if present is None else present
        )

    def repeated(self, symbol: str, values: Ints, unit: int, present: Bools, times: int) -> Terms:
        """Return `times` terms per round, (n, times x rounds), the rounds one after another each time."""
        recorded = self._recorded
        again = TermSources(
            self.names,
            np.tile(recorded.opponent, times),
            np.tile(recorded.rounds, times),
            np.tile(recorded.kind, times),
            virtual=np.tile(recorded.virtual, times),
        )
        return Terms.of(Factor(symbol, values, unit), again, present)

    def each_way(self, symbol: str, gained: Ints, lost: Ints) -> Terms:
        """Return two terms per round, one for what was gained and one, below 0, for what was lost."""
        values = np.stack([gained, -lost], axis=2).reshape(len(self.names), -1)
        return Terms.of(Factor(symbol, values), self._twice_recorded, values != 0)

    @cached_property
    def _twice_recorded(self) -> TermSources:
        def doubled(array: Ints | Bools) -> Any:
            return np.repeat(array, 2, axis=-1)

        recorded = self._recorded
        return TermSources(
            self.names,
            doubled(recorded.opponent),
            doubled(recorded.rounds),
            doubled(recorded.kind),
            virtual=doubled(recorded.virtual),
        )

    def once(self, symbol: str, values: Ints, unit: int = 1) -> Terms:
        """Return one term for the whole event: an (n,) figure of the competitor itself."""
        # Played: what is of the whole event has no opponent, and no round of which anything could be told.
        nobody = np.full((len(self.names), 1), -1)
        here = np.ones(nobody.shape, dtype=bool)
        event = TermSources(
            self.names, nobody, np.zeros(1, dtype=np.int64), np.full(nobody.shape, RoundKind.PLAYED), ~here
        )
        return Terms.of(Factor(symbol, values[:, None], unit), event, here)

    def by_board(self, *, is_numbered: bool = False) -> Terms:
        """Return the points on each board in all rounds, (n, boards); times the board's number if asked for.

        No terms where no board is recorded.
        """
        on_boards = self.points_on_boards.sum(axis=1)
        boards = np.arange(1, on_boards.shape[1] + 1)
        nobody = np.full(on_boards.shape, -1)
        event = TermSources(
            self.names,
            nobody,
            np.zeros_like(boards),
            np.full(on_boards.shape, RoundKind.PLAYED),
            virtual=nobody >= 0,
            note=lambda _row, at: phrase("board %(number)s", number=at + 1),
        )
        terms = Terms.of(Factor(SYMBOL[Scale.GAME], on_boards, HALF), event, nobody < 0)
        if not is_numbered:
            return terms
        numbers = Factor(phrase("board"), np.broadcast_to(boards, on_boards.shape))
        return replace(terms, factors=(numbers, *terms.factors))

    def results(self, scale: Scale | None = None) -> Terms:
        """Return the points of the rounds, without what was given beside them; half-points."""
        scale = scale or self.scale
        return self.per_round(SYMBOL[scale], self.points(scale), HALF, self.settled)

    def of_played(
        self,
        symbol: str,
        values: Ints,
        unit: int,
        code: str | None,
        note: Callable[[int, int], str] | None = None,
    ) -> Terms:
        """Return the (n,) figures of the opponents met over the board, values of the criterion `code`."""
        sources = replace(self._recorded, note=note) if note else self._recorded
        figures = np.where(self.over_the_board, values[self.opponent], 0)
        return Terms.of(Factor(symbol, figures, unit, code), sources, self.over_the_board)

    def scored(self, scale: Scale | None = None) -> Terms:
        """Return points as scored, byes and forfeits as awarded; half-points. Annulled ones do not count."""
        scale = scale or self.scale
        if self.bonus(scale).any() or self.final_bonus(scale).any():
            return self._scored_with_bonus(scale)
        if not self.annulled.any():
            return self.per_round(SYMBOL[scale], self.points(scale), HALF, self.settled)
        annulled = self.state == RoundKind.ANNULLED
        points = np.where(annulled, self.recorded(scale), self.points(scale))
        terms = self.per_round(SYMBOL[scale], points, HALF, self.settled | annulled)
        return terms.counting(~annulled, ANNULLED)

    def _scored_with_bonus(self, scale: Scale) -> Terms:
        """Return two terms per round, the result and what was given beside it; and one of the final score."""
        bonus, final = self.bonus(scale), self.final_bonus(scale)
        counted = self.settled & (self.state != RoundKind.ANNULLED)
        values = np.stack([self.points(scale) * counted, bonus], axis=2).reshape(len(self.names), -1)
        present = np.stack([counted, bonus != 0], axis=2).reshape(values.shape)
        sources = replace(self._twice_recorded, note=lambda _row, at: BESIDE if at % 2 else "")
        rounds = Terms.of(Factor(SYMBOL[scale], values, HALF), sources, present)
        at_last = self.once(SYMBOL[scale], final, HALF).where((final != 0)[:, None])
        return rounds.beside(at_last)

    def running_totals(self) -> Terms:
        """Return the total after each round; half-points."""
        every_round = np.ones(self.shape, dtype=bool)
        return self.per_round(phrase("after the round"), self.points().cumsum(axis=1), HALF, every_round)

    def opponent_ratings(self) -> Terms:
        """Return the rating of each opponent; a bye has none, whatever a policy makes of it (DrA 10)."""
        # Not `_look_up`: a bye against oneself has no rating, or a rated team would meet itself (DrA 10).
        ratings = np.where(self._paired, self.rating[self.opponent], 0)
        return self.per_round(phrase("rating"), ratings, present=self._entries)

    # --- the terms of opponents, under the unplayed policy ---------------------------------------

    @cached_property
    def _credited(self) -> TermSources:
        """Return what stands behind the figures of opponents: those that the policy credits."""
        rounds = np.arange(1, self.rounds + 1)
        return TermSources(self.names, self._credited_opponent, rounds, self.state, self._virtual)

    def _entries_of(self, factor: Factor) -> Terms:
        return Terms.of(factor, self._credited, self._entries)

    def own_points(self, scale: Scale | None = None) -> Terms:
        """Return own points against each opponent, as the policy credits them in tie-breaks; eighths."""
        scale = scale or self.scale
        if self.policy.dummy:
            return self._entries_of(Factor(SYMBOL[scale], self.unplayed_rounds.own_points(scale), EIGHTH))
        points = EIGHTH // HALF * self.points(scale)
        points = np.where(self._itself, self.scoring.drawn_eighths(scale), points)
        if self.policy.forfeit_win is ForfeitWin.THREE_QUARTERS and scale is Scale.GAME:
            # Three quarters are exact in eighths only; in half-points they would have to be rounded.
            points = np.where(self._won_by_forfeit, self.scoring.three_quarters_eighths(), points)
        return self._entries_of(Factor(SYMBOL[scale], points, EIGHTH))

    def opponent_scores(self, scale: Scale | None = None) -> Terms:
        """Return the final score of each opponent, as the policy credits it; eighths."""
        scale = scale or self.scale
        return self.remember(("opponent scores", scale), lambda table: table._opponent_scores(scale))

    def _opponent_scores(self, scale: Scale) -> Terms:
        if self.policy.dummy:
            rounds = self.unplayed_rounds
            credited = replace(self._credited, note=partial(rounds.note, scale))
            return Terms.of(Factor(SYMBOL[scale], rounds.scores(scale), EIGHTH), credited, self._entries)
        own = EIGHTH // HALF * self.totals(scale)
        # A bye against oneself: the own score as it is, not as the policy credits it to opponents.
        scores = np.where(self._itself, own[:, None], self._look_up(self._credited_totals(scale)))
        scores = np.where(self._virtual, self._virtual_scores(scale), scores)
        return self._entries_of(Factor(SYMBOL[scale], scores, EIGHTH))

    def of_opponents(self, symbol: str, values: Ints, unit: int, code: str) -> Terms:
        """Return each opponent's value under the criterion `code`; a bye against itself has the own value."""
        return self._entries_of(Factor(symbol, self._look_up(values), unit, code))

    # --- what the unplayed policy makes of the rounds --------------------------------------------

    @cached_property
    def unplayed_rounds(self) -> UnplayedRounds:
        """Return the rounds as C.07 takes them; only where the policy is an edition of it, in a Swiss."""
        return UnplayedRounds(self)

    def voluntary_dummies(self) -> Bools:
        """Return (n, rounds) the contributions that a cut takes first."""
        if self.policy.dummy:
            return self.unplayed_rounds.voluntary_dummies
        return np.zeros(self.shape, dtype=bool)

    @cached_property
    def _entries(self) -> Bools:
        return is_any(self.state, self.policy.entries)

    @cached_property
    def _itself(self) -> Bools:
        byes: Bools = self.state == RoundKind.BYE
        return byes & self.policy.bye_against_itself

    @cached_property
    def _won_by_forfeit(self) -> Bools:
        forfeits: Bools = self.state == RoundKind.FORFEIT
        return forfeits & (self.outcome > 0) & (not self.as_paired)

    @cached_property
    def _virtual(self) -> Bools:
        if self.policy.dummy:
            return ~self.unplayed_rounds.as_games
        return self._won_by_forfeit & (self.policy.forfeit_win is ForfeitWin.VIRTUAL)

    @cached_property
    def _credited_opponent(self) -> Ints:
        return np.where(self._itself, np.arange(len(self.names))[:, None], self.opponent)

    def _look_up(self, values: Ints) -> Ints:
        """Return (n, rounds) the (n,) figures of the opponents, 0 where there is none."""
        return np.where(self._paired | self._itself, values[self._credited_opponent], 0)

    def _credited_totals(self, scale: Scale) -> Ints:
        """Return (n,) eighths: the totals as they count in an opponent's tie-break."""
        points = EIGHTH // HALF * self.points(scale)
        if self.policy.opponents_gifts_are_draws:
            gifts = self._won_by_forfeit | (self.state == RoundKind.BYE)
            lost = (self.state == RoundKind.FORFEIT) & (self.outcome < 0)
            points = np.where(gifts, self.scoring.drawn_eighths(scale), np.where(lost, 0, points))
        if self.fore:
            points = np.where(self.is_fore_round & self._paired, self.scoring.draw(scale), points)
        totals: Ints = points.sum(axis=1)
        return totals

    def _virtual_scores(self, scale: Scale) -> Ints:
        """Return the scores of virtual opponents, (n, rounds) in eighths of a point.

        Each has the own score before the round, nothing for it, and a draw in each round to come.
        """
        points = EIGHTH // HALF * self.points(scale)
        to_come = np.arange(self.rounds)[::-1]
        scores: Ints = points.cumsum(axis=1) - points + self.scoring.drawn_eighths(scale) * to_come
        return scores
