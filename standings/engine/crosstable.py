"""The crosstable: results, and the terms that criteria are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from standings.engine.arrays import WITH_OPPONENT, Bools, Ints, RoundKind, is_any
from standings.engine.entries import Entries
from standings.engine.fide.games import Games, games_of, points_on_boards
from standings.engine.scoredrecord import ScoredRecord
from standings.engine.scoring import HALF, SYMBOL, Scale
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
        """Return (n, rounds, boards) half-points; no boards among players."""
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
        return rounds.concatenate(at_last)

    def running_totals(self) -> Terms:
        """Return the total after each round; half-points."""
        every_round = np.ones(self.shape, dtype=bool)
        return self.per_round(phrase("after the round"), self.points().cumsum(axis=1), HALF, every_round)

    def opponent_ratings(self) -> Terms:
        """Return the rating of each opponent; a bye has none, whatever a policy makes of it (DrA 10)."""
        # Not `of_opponents`: a bye against oneself has no rating, or a rated team would meet itself (DrA 10).
        ratings = np.where(self._paired, self.rating[self.opponent], 0)
        return self.per_round(phrase("rating"), ratings, present=self.entries().present)

    # --- the terms of opponents, under the unplayed policy ---------------------------------------

    def entries(self, *, as_paired: bool = False, fore: bool = False) -> Entries:
        """Return the opponents' figures as the policy credits them, and as a code of C.07 asks."""
        key = "entries", as_paired, fore
        return self.remember(key, lambda table: Entries(table, as_paired=as_paired, fore=fore))

    def own_points(self, scale: Scale | None = None) -> Terms:
        """Return own points against each opponent, as the policy credits them in tie-breaks; eighths."""
        return self.entries().own_points(scale or self.scale)

    def opponent_scores(self, scale: Scale | None = None) -> Terms:
        """Return the final score of each opponent, as the policy credits it; eighths."""
        return self.entries().opponent_scores(scale or self.scale)

    def of_opponents(self, symbol: str, values: Ints, unit: int, code: str) -> Terms:
        """Return each opponent's value under the criterion `code`; a bye against itself has the own value."""
        return self.entries().of_opponents(symbol, values, unit, code)
