"""Ratings under C.07 10, by the tables of B.02: performances, and averages of the opponents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.fide.measures import Known, halves_up
from standings.engine.fide.ratingtables import DIFFERENCES, FIRST_DIFFERENCES, score_probability
from standings.engine.measures import NO_VALUE, Figures
from standings.engine.terms import Column, Terms
from standings.engine.texts import phrase, points_text, rounded_text

DP = np.array([*(-dp for dp in DIFFERENCES[:0:-1]), *DIFFERENCES])
"""The rating difference of each fractional score from 0 to 100 hundredths (B.02 8.1.1)."""

FULL_SCALE = 800
"""Beyond this difference the table says no more."""

SURE = FIRST_DIFFERENCES[-1]
"""The difference from which on a win is expected."""


EXPECTED = np.array([score_probability(difference) for difference in range(-SURE, SURE + 1)])
"""The hundredths of a point expected at each difference from -SURE on; beyond both ends it stays the same."""


def expected_hundredths(differences: Ints) -> Ints:
    """Return the hundredths of a point expected against an opponent rated so much lower, without a cut."""
    expected: Ints = EXPECTED.take(differences + SURE, mode="clip")
    return expected


@dataclass(frozen=True, eq=False)
class RatedGames:
    """The games over the board that art. 10 looks at, (n, rounds). Where somebody is unrated and the event
    does not say how, nothing counts for anybody.
    """

    table: Crosstable

    @cached_property
    def _known(self) -> Ints:
        """Return (n,) ratings, those of the unrated as the event says; 0 for none."""
        return np.where(self.table.rating > 0, self.table.rating, self.table.unrated or 0)

    @cached_property
    def _unrated(self) -> Bools:
        unrated: Bools = self.table.rating == 0
        return unrated

    @cached_property
    def left_out(self) -> bool:
        """Say whether these criteria are left out for everybody."""
        return bool(self._unrated.any()) and self.table.unrated is None

    @cached_property
    def counted(self) -> Bools:
        """Return which games count."""
        rated = self._known[self.table.opponent] > 0
        return self.table.over_the_board & rated & (not self.left_out)

    @cached_property
    def half_points(self) -> Ints:
        """Return what each game gave on the scale 1-½-0, in half-points."""
        return (self.table.outcome + 1) * self.counted

    def ratings(self) -> Terms:
        """Return the rating of each opponent."""
        terms = self.table.of_played(phrase("rating"), self._known, 1, None, note=self._note)
        return terms.counting(self.counted, self._why)

    def cut(self, low: int, high: int) -> Terms:
        """Return the ratings without so many of the lowest, then of the highest."""
        terms, nobody = self.ratings(), np.zeros(self.table.shape, dtype=bool)
        terms = terms.cut_least_significant(low, nobody) if low else terms
        return terms.cut_most_significant(high) if high else terms

    def own(self) -> Terms:
        """Return the own ratings."""
        there = (self._known > 0)[:, None] & (not self.left_out)
        return self.table.once(phrase("rating"), self._known).counting(there, self._why)

    def of_opponents(self, code: str, column: Column) -> Terms:
        """Return the value of each opponent in that column; who has none does not count."""
        values, known = halves_up(*column.figures()), column.figures()[1] > 0
        terms = self.table.of_played(code, values, 1, code)
        why = self._why if self.left_out else phrase("not counted: has no value")
        return terms.counting(known[self.table.opponent], why)

    @property
    def _why(self) -> str:
        if self.left_out:
            unrated = int(np.count_nonzero(self._unrated))
            return phrase("not counted: of the competitors %(count)s have no rating (10)", count=unrated)
        return phrase("not counted: has no rating")

    def _note(self, row: int, at: int) -> str:
        opponent = int(self.table.opponent[row, at])
        scored = points_text(int(self.table.outcome[row, at]) + 1, 2)
        if self._unrated[opponent] and self.table.unrated:
            return phrase("scored %(points)s; unrated, counts as the event says", points=scored)
        return phrase("scored %(points)s", points=scored)


class OfGames(Known):
    """A rating that follows from the ratings of the opponents and the points against them."""

    def __init__(self, games: RatedGames) -> None:
        """Keep the games."""
        self.games = games

    def scored(self, terms: Terms) -> Ints:
        """Return (n,) half-points of the games that count."""
        points: Ints = np.einsum("nm,nm->n", self.games.half_points, terms.counted())
        return points


class Performance(OfGames):
    """The average rating of the opponents, rounded, and dp of the share of points, rounded to hundredths."""

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return the performances, and 1 where there is one."""
        count = terms.counts(level)
        average = halves_up(terms.sums(level), count)
        there: Ints = np.asarray(count > 0, dtype=np.int64)
        performance: Ints = average + DP[self._hundredths(terms, count)]
        return there * performance, there

    def _hundredths(self, terms: Terms, count: Ints) -> Ints:
        return halves_up(100 * self.scored(terms), 2 * count)

    def working(self, terms: Terms, row: int, level: int) -> str:
        """Return `1820 + 149 for 0.70: 1969`."""
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
    """The lowest whole rating that expects at least the score; for none the lowest opponent's less 800."""

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return the performances, and 1 where there is one."""
        counted, scored = terms.counted(level), self.scored(terms)
        ratings = terms.amount
        far = int(np.abs(ratings).max(initial=0)) + FULL_SCALE
        lowest = np.where(counted, ratings, far).min(axis=1, initial=far)
        highest = np.where(counted, ratings, -far).max(axis=1, initial=-far)
        # Nobody expects a point 800 below all opponents, and who is 736 above all of them expects every one.
        low, high = lowest - FULL_SCALE - 1, highest + SURE
        # What does not count is so far above everybody that nothing is expected of it.
        above = np.where(counted, ratings, 2 * far)
        while (high - low > 1).any():
            middle = (low + high) // 2
            enough = expected_hundredths(middle[:, None] - above).sum(axis=1) >= 50 * scored
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        there = np.minimum(np.count_nonzero(counted, axis=1), 1)
        performance: Ints = np.where(scored == 0, lowest - FULL_SCALE, high)
        return there * performance, there

    def working(self, terms: Terms, row: int, level: int) -> str:
        """Return what the rating expects, and what the one below it does."""
        top, bottom = self.figures(terms, level)
        if not bottom[row]:
            return NO_VALUE
        scored, value = points_text(int(self.scored(terms)[row]), 2), int(top[row])
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
