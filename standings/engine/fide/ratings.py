"""Ratings by C.07 10 and the tables of B.02: performances, and averages of the opponents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.fide.measures import halves_up
from standings.engine.fide.ratingtables import DIFFERENCES, FIRST_DIFFERENCES, score_probability
from standings.engine.measures import NO_VALUE, Figures, OptionalSum
from standings.engine.terms import Column, Terms
from standings.engine.texts import fraction_text, phrase, rounded_text

DP = np.array([*(-dp for dp in DIFFERENCES[:0:-1]), *DIFFERENCES])
"""The rating difference of each fractional score from 0 to 100 hundredths (B.02 8.1.1)."""

FULL_SCALE = 800  # the largest difference in the table

SURE = FIRST_DIFFERENCES[-1]  # from this difference on, a win is expected

EXPECTED = np.array([score_probability(difference) for difference in range(-SURE, SURE + 1)])
"""The expected hundredths of a point at each difference from -SURE to SURE; constant beyond."""


def expected_hundredths(differences: Ints) -> Ints:
    """Return the expected hundredths of a point for differences to the opponents' ratings, without a cut."""
    expected: Ints = EXPECTED.take(differences + SURE, mode="clip")
    return expected


@dataclass(frozen=True, eq=False)
class RatedGames:
    """Games over the board for C.07 10, (n, rounds).

    If a competitor is unrated and the event has no rule for it, no game counts for any competitor.
    """

    table: Crosstable

    @cached_property
    def _ratings(self) -> Ints:
        return np.where(self.table.rating > 0, self.table.rating, self.table.unrated or 0)

    @cached_property
    def _unrated(self) -> Bools:
        unrated: Bools = self.table.rating == 0
        return unrated

    @cached_property
    def left_out(self) -> bool:
        return bool(self._unrated.any()) and self.table.unrated is None

    @cached_property
    def counted(self) -> Bools:
        rated = self._ratings[self.table.opponent] > 0
        return self.table.over_the_board & rated & (not self.left_out)

    @cached_property
    def half_points(self) -> Ints:
        return (self.table.outcome + 1) * self.counted

    def ratings(self) -> Terms:
        terms = self.table.of_played(phrase("rating"), self._ratings, 1, None, note=self._score_note)
        return terms.counting(self.counted, self._why_not_counted)

    def own(self) -> Terms:
        has_value = (self._ratings > 0)[:, None] & (not self.left_out)
        return self.table.once(phrase("rating"), self._ratings).counting(has_value, self._why_not_counted)

    def of_opponents(self, code: str, column: Column) -> Terms:
        values, has_value = halves_up(*column.figures()), column.figures()[1] > 0
        terms = self.table.of_played(code, values, 1, code)
        why = self._why_not_counted if self.left_out else phrase("not counted: has no value")
        return terms.counting(has_value[self.table.opponent], why)

    @property
    def _why_not_counted(self) -> str:
        if self.left_out:
            unrated = int(np.count_nonzero(self._unrated))
            return phrase("not counted: competitors without a rating: %(count)s (10)", count=unrated)
        return phrase("not counted: has no rating")

    def _score_note(self, row: int, at: int) -> str:
        opponent = int(self.table.opponent[row, at])
        scored = fraction_text(int(self.table.outcome[row, at]) + 1, 2)
        if self._unrated[opponent] and self.table.unrated:
            return phrase("scored %(points)s; unrated, counts as set by the event", points=scored)
        return phrase("scored %(points)s", points=scored)


class OfGames(OptionalSum):
    def __init__(self, games: RatedGames) -> None:
        self.games = games

    def scored(self, terms: Terms) -> Ints:
        points: Ints = np.einsum("nm,nm->n", self.games.half_points, terms.counted())
        return points


class Performance(OfGames):
    """The average rating of the opponents, rounded, and dp of the share of points, rounded to hundredths."""

    def figures(self, terms: Terms, level: int) -> Figures:
        count = terms.counts(level)
        average = halves_up(terms.sums(level), count)
        has_value: Ints = np.asarray(count > 0, dtype=np.int64)
        performance: Ints = average + DP[self._hundredths(terms, count)]
        return has_value * performance, has_value

    def _hundredths(self, terms: Terms, count: Ints) -> Ints:
        return halves_up(100 * self.scored(terms), 2 * count)

    def working(self, terms: Terms, row: int, level: int) -> str:
        count = terms.counts(level)
        if not count[row]:
            return NO_VALUE
        hundredths = int(self._hundredths(terms, count)[row])
        average, dp = int(halves_up(terms.sums(level), count)[row]), int(DP[hundredths])
        return phrase(
            "%(average)s %(sign)s %(dp)s for %(share)s (B.02 8.1.1) = %(value)s",
            average=average,
            sign="-" if dp < 0 else "+",
            dp=abs(dp),
            share=f"{hundredths // 100}.{hundredths % 100:02d}",
            value=average + dp,
        )


class PerfectPerformance(OfGames):
    """The lowest rating that expects at least the score; without points, the lowest opponent less 800."""

    def figures(self, terms: Terms, level: int) -> Figures:
        counted, scored = terms.counted(level), self.scored(terms)
        ratings = terms.amount
        beyond_all = int(np.abs(ratings).max(initial=0)) + FULL_SCALE
        lowest = np.where(counted, ratings, beyond_all).min(axis=1, initial=beyond_all)
        highest = np.where(counted, ratings, -beyond_all).max(axis=1, initial=-beyond_all)
        # The result is between the lowest rating less 800 and the highest plus 736.
        low, high = lowest - FULL_SCALE - 1, highest + SURE
        # Games that do not count get a rating so high that the expected score is 0.
        above = np.where(counted, ratings, 2 * beyond_all)
        while (high - low > 1).any():
            middle = (low + high) // 2
            enough = expected_hundredths(middle[:, None] - above).sum(axis=1) >= 50 * scored
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        has_value = np.minimum(np.count_nonzero(counted, axis=1), 1)
        performance: Ints = np.where(scored == 0, lowest - FULL_SCALE, high)
        return has_value * performance, has_value

    def working(self, terms: Terms, row: int, level: int) -> str:
        top, bottom = self.figures(terms, level)
        if not bottom[row]:
            return NO_VALUE
        scored, value = fraction_text(int(self.scored(terms)[row]), 2), int(top[row])
        if scored == "0":
            return phrase("no points: 800 below the lowest opponent (10.3) = %(value)s", value=value)
        ratings = terms.amount[row, terms.counted(level)[row]]
        here, below = (
            rounded_text(int(expected_hundredths(own - ratings).sum()), 100, 2) for own in (value, value - 1)
        )
        return phrase(
            "%(value)s expects %(here)s of %(points)s points, %(less)s only %(below)s (B.02 8.1.2)",
            value=value,
            here=here,
            points=scored,
            less=value - 1,
            below=below,
        )
