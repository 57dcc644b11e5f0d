"""Measures: how the terms of a value are combined, compared and formatted."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from standings.engine.arrays import Ints
from standings.engine.texts import counted_phrase, decimal_text, fraction_text, phrase, rounded_text

if TYPE_CHECKING:
    from standings.engine.terms import Column, Terms

Figures = tuple[Ints, Ints]  # (n,) tops and (n,) bottoms
Figure = tuple[int, int, int]  # top, bottom, and how many parts of the top make a point

MANY_ROWS = 500  # from here on, formatting each distinct figure once is faster than formatting all rows

BEST = np.iinfo(np.int64).max
NO_VALUE = "–"
UNDECIDED = "·"
UNKNOWN = "?"
SEPARATOR = "·"

cached = lru_cache(maxsize=65536)  # many cells have the same text


class Measure:
    """The sum; more is better.

    `figures` are (n,) tops and (n,) bottoms; the bottom is the number of terms if it matters, else 1. `keys`
    (n,) are integers in the order of the values; larger is better.
    """

    divides = False  # the value is top / bottom
    counts_terms = False  # the number of terms matters
    separating_only = False  # a cell is blank unless a level separated its row from another

    def figures(self, terms: Terms, level: int) -> Figures:
        sums = terms.sums(level)
        return sums, terms.counts(level) if self.counts_terms else np.ones_like(sums)

    def keys(self, figures: Figures) -> Ints:
        return figures[0]

    def ruled_figure(self, value: Fraction, unit: int) -> Figure:
        if self.divides:
            return value.numerator * unit, value.denominator, unit
        return int(value * unit), 1, unit

    def value(self, figure: Figure) -> Fraction:
        """Return a figure in points, exactly. A ratio without losses is the number of wins."""
        top, bottom, unit = figure
        return Fraction(top, unit * (max(bottom, 1) if self.divides else 1))

    @staticmethod
    @cached
    def text(top: int, _bottom: int, unit: int) -> str:
        return fraction_text(top, unit)

    def exact(self, figure: Figure) -> str:
        """Return a figure as exact text for machines, blank if there is no value."""
        return decimal_text(figure[0], figure[2])

    def ruled_text(self, figure: Figure) -> str:
        return self.text(*figure)

    def texts(self, column: Column, used: Ints) -> list[str]:
        """Return (n) cell texts: the first level, and further levels up to `used` (n,)."""
        cells = self._cell_texts(column.figures(0), column.unit)
        for level in range(1, int(used.max(initial=1))):
            rows = np.flatnonzero(used > level)
            top, bottom = column.figures(level)
            texts = self._cell_texts((top[rows], bottom[rows]), column.unit)
            for row, text in zip(rows.tolist(), texts, strict=True):
                cells[row] += SEPARATOR + text
        return cells

    def _cell_texts(self, figures: Figures, unit: int) -> list[str]:
        top, bottom = figures
        if len(top) < MANY_ROWS:
            return list(map(self.text, top.tolist(), bottom.tolist(), repeat(unit)))
        span = int(bottom.max(initial=0)) + 1
        distinct, index = np.unique(top * span + bottom, return_inverse=True)
        texts = map(self.text, (distinct // span).tolist(), (distinct % span).tolist(), repeat(unit))
        cells: list[str] = np.array([*texts, ""], dtype=object)[index].tolist()
        return cells

    def result_text(self, figure: Figure) -> str:
        return self.text(*figure)

    def opponent_text(self, _row: int, _level: int) -> str:
        return ""

    def working(self, _terms: Terms, _row: int, _level: int) -> str:
        """Return the calculation of a figure, blank if it is the sum of its terms."""
        return ""


class Signed(Measure):
    """The sum, shown with plus or minus: `+1`, `0`, `-2`. More is better."""

    @staticmethod
    @cached
    def text(top: int, _bottom: int, unit: int) -> str:
        return "+" * (top > 0) + fraction_text(top, unit)


class OptionalSum(Measure):
    """The sum; more is better. A value without terms is a dash and comes last."""

    counts_terms = True

    def keys(self, figures: Figures) -> Ints:
        return np.where(figures[1] > 0, figures[0], -BEST)

    @staticmethod
    @cached
    def text(top: int, bottom: int, unit: int) -> str:
        return fraction_text(top, unit) if bottom else NO_VALUE

    def exact(self, figure: Figure) -> str:
        return super().exact(figure) if figure[1] else ""


class Fewest(OptionalSum):
    """The sum; less is better. A value without terms is a dash and comes last."""

    def keys(self, figures: Figures) -> Ints:
        return np.where(figures[1] > 0, -figures[0], -BEST)


class Slowest(OptionalSum):
    """The sum; more is better. A value without terms is a dash and comes first."""

    def keys(self, figures: Figures) -> Ints:
        return np.where(figures[1] > 0, figures[0], BEST)


class Average(Measure):
    """The sum divided by the number of terms. ComparedValues exactly (`19687/9`), shown as `2187.4`."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        return terms.sums(level), np.maximum(terms.counts(level), 1)

    def keys(self, figures: Figures) -> Ints:
        return comparable(*figures)

    @staticmethod
    @cached
    def text(top: int, bottom: int, unit: int) -> str:
        return rounded_text(top, bottom * unit, 1)

    def exact(self, figure: Figure) -> str:
        return str(Fraction(figure[0], figure[1] * figure[2]))

    def result_text(self, figure: Figure) -> str:
        top, bottom, unit = figure
        return f"{fraction_text(top, unit)} / {bottom} = {self.text(*figure)}"


class Ratio(Measure):
    """Positive to negative terms, `6/4`. Without negative terms it is infinite, without any terms 1."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        positive, negative = (
            terms.counting(mask).sums(level) for mask in (terms.amount > 0, terms.amount < 0)
        )
        return positive, -negative

    def keys(self, figures: Figures) -> Ints:
        positive, negative = figures
        keys = comparable(np.where(positive + negative > 0, positive, 1), np.maximum(negative, 1))
        return np.where((negative == 0) & (positive > 0), BEST, keys)

    @staticmethod
    @cached
    def text(top: int, bottom: int, _unit: int) -> str:
        return f"{top}/{bottom}"

    def exact(self, figure: Figure) -> str:
        return self.text(*figure)

    def result_text(self, figure: Figure) -> str:
        return phrase("%(won)s won / %(lost)s lost", won=figure[0], lost=figure[1])


class PointsAndGames(Measure):
    """Points and number of games: `2/1`, repeated as `3/2·1/1`. Undecided (`·`) if no game counts."""

    counts_terms = True

    @staticmethod
    @cached
    def text(top: int, bottom: int, unit: int) -> str:
        return f"{fraction_text(top, unit)}/{bottom}" if bottom else ""

    def exact(self, figure: Figure) -> str:
        return super().exact(figure) if figure[1] else ""

    def ruled_text(self, figure: Figure) -> str:
        return fraction_text(figure[0], figure[2])

    def result_text(self, figure: Figure) -> str:
        points, games = fraction_text(figure[0], figure[2]), figure[1]
        return counted_phrase(
            "%(points)s from %(count)s game", "%(points)s from %(count)s games", games, points=points
        )

    def texts(self, column: Column, used: Ints) -> list[str]:
        cells = [cell.strip(SEPARATOR) for cell in super().texts(column, used)]
        return [cell or blank for cell, blank in zip(cells, _undecided(column), strict=True)]


class AgainstPlace(Measure):
    """Points against the competitors on each place, from the top down. The cell names the deciding place."""

    separating_only = True

    def __init__(self, opponent_at: Callable[[int, int], str]) -> None:
        self.opponent_at = opponent_at

    def texts(self, column: Column, used: Ints) -> list[str]:
        cells = _undecided(column)
        for row in np.flatnonzero(used).tolist():
            level = int(used[row]) - 1
            cells[row] = f"{self.opponent_at(row, level)} {self.text(*column.figure(row, level))}"
        return cells

    def opponent_text(self, row: int, level: int) -> str:
        return self.opponent_at(row, level)


def _undecided(column: Column) -> list[str]:
    games = np.count_nonzero(column.terms.present, axis=1).tolist()
    return [UNDECIDED if count else "" for count in games]


SUM, SIGNED, KNOWN, FEWEST, SLOWEST = Measure(), Signed(), OptionalSum(), Fewest(), Slowest()
AVERAGE, RATIO, ENCOUNTER = Average(), Ratio(), PointsAndGames()


def comparable(top: Ints, bottom: Ints) -> Ints:
    """Return (n,) integers in the order of the fractions top / bottom.

    Different fractions with bottoms up to d differ by at least 1/d², so floor(d² · fraction) differs too.
    """
    # In integers, because floats may round two different fractions to the same number.
    scale = int(bottom.max(initial=1)) ** 2
    return top * scale // bottom
