"""Measures of C.07: rounded averages and sums."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from standings.engine.arrays import Ints
from standings.engine.fide.ratingtables import rounded
from standings.engine.measures import (
    BEST,
    NO_VALUE,
    Figure,
    Figures,
    Measure,
    OptionalSum,
    cached,
    comparable,
)
from standings.engine.texts import decimal_text, fraction_text, phrase, rounded_text


class WholeAverage(OptionalSum):
    """The average, rounded half up to an integer as the article requires. ComparedValues after rounding."""

    divides = True

    def keys(self, figures: Figures) -> Ints:
        return np.where(figures[1] > 0, halves_up(*figures), -BEST)

    def value(self, figure: Figure) -> Fraction:
        top, bottom, unit = figure
        return Fraction(rounded(top, max(bottom, 1) * unit))

    @staticmethod
    @cached
    def text(top: int, bottom: int, unit: int) -> str:
        return str(rounded(top, bottom * unit)) if bottom else NO_VALUE

    def exact(self, figure: Figure) -> str:
        return str(rounded(figure[0], figure[1] * figure[2])) if figure[1] else ""

    def ruled_figure(self, value: Fraction, unit: int) -> Figure:
        return int(value * unit), 1, unit

    def result_text(self, figure: Figure) -> str:
        top, bottom, unit = figure
        if not bottom:
            return NO_VALUE
        return phrase(
            "%(sum)s / %(count)s = %(exact)s, rounded %(rounded)s",
            sum=fraction_text(top, unit),
            count=bottom,
            exact=rounded_text(top, bottom * unit, 2),
            rounded=self.text(*figure),
        )


class MeanToHundredths(OptionalSum):
    """The average. ComparedValues exactly (`311/6`), shown with two decimals (`51.83`)."""

    divides = True

    def keys(self, figures: Figures) -> Ints:
        top, bottom = figures
        return np.where(bottom > 0, comparable(top, np.maximum(bottom, 1)), -BEST)

    @staticmethod
    @cached
    def text(top: int, bottom: int, unit: int) -> str:
        return rounded_text(top, bottom * unit, 2) if bottom else NO_VALUE

    def exact(self, figure: Figure) -> str:
        return str(Fraction(figure[0], figure[1] * figure[2])) if figure[1] else ""

    def result_text(self, figure: Figure) -> str:
        top, bottom, unit = figure
        return f"{fraction_text(top, unit)} / {bottom} = {self.text(*figure)}" if bottom else NO_VALUE


class MeanToThousandths(MeanToHundredths):
    """The average. ComparedValues exactly, shown with three decimals (`212.429`)."""

    @staticmethod
    @cached
    def text(top: int, bottom: int, unit: int) -> str:
        return rounded_text(top, bottom * unit, 3) if bottom else NO_VALUE


class Hundredths(Measure):
    """The sum. ComparedValues exactly, shown in quarters (`38½`) or else with two decimals (`38.83`)."""

    @staticmethod
    @cached
    def text(top: int, _bottom: int, unit: int) -> str:
        return rounded_text(top, unit, 2) if 4 * top % unit else fraction_text(top, unit)

    def result_text(self, figure: Figure) -> str:
        top, _, unit = figure
        if 4 * top % unit == 0:
            return self.text(*figure)
        return phrase(
            "%(exact)s, shown %(rounded)s", exact=decimal_text(top, unit), rounded=self.text(*figure)
        )


WHOLE_AVERAGE, HUNDREDTHS = WholeAverage(), Hundredths()
MEAN_TO_HUNDREDTHS, MEAN_TO_THOUSANDTHS = MeanToHundredths(), MeanToThousandths()


def halves_up(top: Ints, bottom: Ints) -> Ints:
    """Return (n,) the fractions rounded half up to integers, 0 if the bottom is 0."""
    divisor = np.maximum(bottom, 1)
    return np.where(bottom > 0, (2 * top + divisor) // (2 * divisor), 0)
