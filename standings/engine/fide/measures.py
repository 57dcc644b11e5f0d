"""Measures of C.07: averages that an article rounds, or a page; and values that somebody may be without."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from standings.engine.arrays import Ints
from standings.engine.fide.ratingtables import rounded
from standings.engine.measures import BEST, NOTHING, Figure, Figures, Measure, cached, comparable
from standings.engine.terms import Terms
from standings.engine.texts import decimal_text, phrase, points_text, rounded_text


class Known(Measure):
    """The sum; more is better, and no value at all is last."""

    counts_terms = True

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) the sums."""
        return np.where(figures[1] > 0, figures[0], -BEST)

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return the sum, or a dash where there is nothing to add."""
        return points_text(top, unit) if bottom else NOTHING

    def exact(self, figure: Figure) -> str:
        """Return the sum, or nothing."""
        return super().exact(figure) if figure[1] else ""


class WholeAverage(Known):
    """The average, rounded half up to a whole number, as the article says; compared as rounded."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return the sums and the numbers of terms, 0 for no value."""
        return terms.sums(level), terms.counts(level)

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) the rounded averages."""
        return np.where(figures[1] > 0, halves_up(*figures), -BEST)

    def value(self, figure: Figure) -> Fraction:
        """Return the rounded average."""
        top, bottom, unit = figure
        return Fraction(rounded(top, max(bottom, 1) * unit))

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return the rounded average, or a dash where there is none."""
        return str(rounded(top, bottom * unit)) if bottom else NOTHING

    def exact(self, figure: Figure) -> str:
        """Return the rounded average, or nothing."""
        return str(rounded(figure[0], figure[1] * figure[2])) if figure[1] else ""

    def figure_of(self, value: Fraction, unit: int) -> Figure:
        """Return the figure of a ruling."""
        return int(value * unit), 1, unit

    def conclude(self, figure: Figure) -> str:
        """Return `9101 / 5 = 1820.20, rounded 1820`."""
        top, bottom, unit = figure
        if not bottom:
            return NOTHING
        exact = rounded_text(top, bottom * unit, 2)
        parts = {
            "sum": points_text(top, unit),
            "count": bottom,
            "exact": exact,
            "rounded": self.show(*figure),
        }
        return phrase("%(sum)s / %(count)s = %(exact)s, rounded %(rounded)s", **parts)


class MeanToHundredths(Known):
    """The average; compared exactly, shown to two decimals; none where there is nothing to divide by."""

    divides = True

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) integers in the order of the exact averages."""
        top, bottom = figures
        return np.where(bottom > 0, comparable(top, np.maximum(bottom, 1)), -BEST)

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return `51.83`."""
        return rounded_text(top, bottom * unit, 2) if bottom else NOTHING

    def exact(self, figure: Figure) -> str:
        """Return `311/6`, or nothing."""
        return str(Fraction(figure[0], figure[1] * figure[2])) if figure[1] else ""

    def conclude(self, figure: Figure) -> str:
        """Return `311 / 6 = 51.83`."""
        top, bottom, unit = figure
        return f"{points_text(top, unit)} / {bottom} = {self.show(*figure)}" if bottom else NOTHING


class MeanToThousandths(MeanToHundredths):
    """The same, shown to three decimals."""

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return `212.429`."""
        return rounded_text(top, bottom * unit, 3) if bottom else NOTHING


class Hundredths(Measure):
    """The sum; compared exactly, and shown to two decimals where it is no quarter of a point."""

    @staticmethod
    @cached
    def show(top: int, _bottom: int, unit: int) -> str:
        """Return `38½`, `38.83`."""
        return rounded_text(top, unit, 2) if 4 * top % unit else points_text(top, unit)

    def conclude(self, figure: Figure) -> str:
        """Return `233/6, shown 38.83`."""
        top, _, unit = figure
        if 4 * top % unit == 0:
            return self.show(*figure)
        return phrase(
            "%(exact)s, shown %(rounded)s", exact=decimal_text(top, unit), rounded=self.show(*figure)
        )


KNOWN, WHOLE_AVERAGE, HUNDREDTHS = Known(), WholeAverage(), Hundredths()
MEAN_TO_HUNDREDTHS, MEAN_TO_THOUSANDTHS = MeanToHundredths(), MeanToThousandths()


def halves_up(top: Ints, bottom: Ints) -> Ints:
    """Return (n,) the fractions rounded to whole numbers, halves up; 0 where the bottom is 0."""
    divisor = np.maximum(bottom, 1)
    return np.where(bottom > 0, (2 * top + divisor) // (2 * divisor), 0)
