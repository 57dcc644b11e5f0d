"""The crosstable: the results of an event, and the terms that criteria are computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from standings.engine.arrays import WITH_OPPONENT, Bools, Ints, RoundKind, is_any
from standings.engine.credited import CreditedScores
from standings.engine.fide.games import Games, points_on_boards, scored_games
from standings.engine.scoredrecord import ScoredRecord
from standings.engine.scoring import HALF, SYMBOL, Scale
from standings.engine.terms import ANNULLED, Factor, Terms, TermSources
from standings.engine.texts import phrase

BONUS = phrase("bonus or penalty points")


@dataclass(frozen=True, eq=False, kw_only=True)
class Crosstable(ScoredRecord):
    """The scored record as criteria use it: own terms, and terms of opponents under the unplayed policy."""

    # --- own results -----------------------------------------------------------------------------

    def own_games(self, scale: Scale | None) -> Games:
        return self.remember(("own games", scale), lambda table: scored_games(table, scale))

    @cached_property
    def points_on_boards(self) -> Ints:
        return points_on_boards(self)

    @cached_property
    def _sources(self) -> TermSources:
        rounds, virtual = np.arange(1, self.rounds + 1), np.zeros(self.shape, dtype=bool)
        return TermSources(self.names, self.opponent, rounds, self.state, virtual)

    def per_round(self, symbol: str, values: Ints, unit: int = 1, present: Bools | None = None) -> Terms:
        """Return a term per round, or per round in `present`. `unit` parts of `values` make a point."""
        return Terms.of(Factor(symbol, values, unit), self._sources, self.met if present is None else present)

    def repeated(self, symbol: str, values: Ints, unit: int, present: Bools, times: int) -> Terms:
        """Return `times` terms per round, (n, times x rounds), with all rounds before the next copy."""
        sources = self._changed_sources(lambda array: np.tile(array, times))
        return Terms.of(Factor(symbol, values, unit), sources, present)

    def each_way(self, symbol: str, gained: Ints, lost: Ints) -> Terms:
        values = np.stack([gained, -lost], axis=2).reshape(len(self.names), -1)
        return Terms.of(Factor(symbol, values), self._doubled_sources, values != 0)

    @cached_property
    def _doubled_sources(self) -> TermSources:
        return self._changed_sources(lambda array: np.repeat(array, 2, axis=-1))

    def _changed_sources(self, change: Callable[[Any], Any]) -> TermSources:
        own = self._sources
        arrays = map(change, (own.opponent, own.rounds, own.kind, own.virtual))
        return TermSources(self.names, *arrays)

    def once(self, symbol: str, values: Ints, unit: int = 1) -> Terms:
        """Return a single term for the whole event, from an (n,) value of each competitor."""
        return self._of_event(Factor(symbol, values[:, None], unit))

    def _of_event(self, factor: Factor, note: Callable[[int, int], str] = lambda _row, _at: "") -> Terms:
        shape, present = factor.values.shape, np.ones(factor.values.shape, dtype=bool)
        # PLAYED, because the other kinds add a text about the round.
        played = np.full(shape, RoundKind.PLAYED)
        no_round = np.zeros(shape[1], dtype=np.int64)
        sources = TermSources(self.names, np.full(shape, -1), no_round, played, ~present, note)
        return Terms.of(factor, sources, present)

    def by_board(self, *, is_numbered: bool = False) -> Terms:
        """Return the points on each board in all rounds, (n, boards), optionally times its number.

        There are no terms if no boards are recorded.
        """
        on_boards = self.points_on_boards.sum(axis=1)
        boards = np.arange(1, on_boards.shape[1] + 1)
        terms = self._of_event(
            Factor(SYMBOL[Scale.GAME], on_boards, HALF),
            note=lambda _row, at: phrase("board %(number)s", number=at + 1),
        )
        if not is_numbered:
            return terms
        numbers = Factor(phrase("board"), np.broadcast_to(boards, on_boards.shape))
        return replace(terms, factors=(numbers, *terms.factors))

    def results(self) -> Terms:
        return self.per_round(SYMBOL[self.scale], self.points(), HALF, self.settled)

    def of_played(
        self,
        symbol: str,
        values: Ints,
        unit: int,
        code: str | None,
        note: Callable[[int, int], str] | None = None,
    ) -> Terms:
        """Return the opponents' (n,) values under the criterion `code`, in games over the board."""
        sources = replace(self._sources, note=note) if note else self._sources
        figures = np.where(self.over_the_board, values[self.opponent], 0)
        return Terms.of(Factor(symbol, figures, unit, code), sources, self.over_the_board)

    def scored(self, scale: Scale | None = None) -> Terms:
        """Return all points with bonuses; half-points. Points of annulled rounds are cut."""
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
        bonus, final = self.bonus(scale), self.final_bonus(scale)
        counted = self.settled & (self.state != RoundKind.ANNULLED)
        values = np.stack([self.points(scale) * counted, bonus], axis=2).reshape(len(self.names), -1)
        present = np.stack([counted, bonus != 0], axis=2).reshape(values.shape)
        sources = replace(self._doubled_sources, note=lambda _row, at: BONUS if at % 2 else "")
        rounds = Terms.of(Factor(SYMBOL[scale], values, HALF), sources, present)
        at_last = self.once(SYMBOL[scale], final, HALF).where((final != 0)[:, None])
        return rounds.concatenate(at_last)

    def running_totals(self) -> Terms:
        every_round = np.ones(self.shape, dtype=bool)
        return self.per_round(phrase("after the round"), self.points().cumsum(axis=1), HALF, every_round)

    def opponent_ratings(self) -> Terms:
        """Return the rating of each opponent. A bye has none, under any policy (DrA 10)."""
        # Not `of_opponents`, which counts the own rating for a bye against itself.
        ratings = np.where(is_any(self.state, WITH_OPPONENT), self.rating[self.opponent], 0)
        return self.per_round(phrase("rating"), ratings, present=self.credited().present)

    # --- results of opponents, under the unplayed policy -----------------------------------------

    def credited(self, *, as_paired: bool = False, fore: bool = False) -> CreditedScores:
        key = "credited", as_paired, fore
        return self.remember(key, lambda table: CreditedScores(table, as_paired=as_paired, fore=fore))

    def own_points(self, scale: Scale | None = None) -> Terms:
        return self.credited().own_points(scale or self.scale)

    def opponent_scores(self, scale: Scale | None = None) -> Terms:
        return self.credited().opponent_scores(scale or self.scale)
