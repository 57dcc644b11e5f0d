"""Measures: how the terms that count make a value, how values compare, and how a cell shows one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from standings.engine.arrays import Ints
from standings.engine.figures import decimal_text, points_text, tenths_text

if TYPE_CHECKING:
    from standings.engine.terms import Column, Terms

Figures = tuple[Ints, Ints]  # (n,) tops and (n,) bottoms of a whole column
Figure = tuple[int, int, int]  # top, bottom and how many parts of the top make a point

BEST = np.iinfo(np.int64).max
NOTHING = "–"
UNDECIDED = "·"
SEPARATOR = "·"


class Measure:
    """The sum; more is better. Its top is the sum, its bottom the number of terms it comes from."""

    divides = False  # whether the value is top / bottom
    parting_only = False  # whether a cell shows the level that parted, and nothing where none did

    def figures(self, terms: Terms, level: int) -> Figures:
        """What the terms that count at a level come to."""
        return terms.sums(level), terms.counts(level)

    def keys(self, figures: Figures) -> Ints:
        """(n,) integers to compare, larger is better."""
        return figures[0]

    def figure_of(self, value: Fraction, unit: int) -> Figure:
        """The figure of a value given as a number: an arbiter's ruling."""
        if self.divides:
            return value.numerator * unit, value.denominator, unit
        return int(value * unit), 1, unit

    def show(self, figure: Figure) -> str:
        """One figure as a cell shows it."""
        return points_text(figure[0], figure[2])

    def exact(self, figure: Figure) -> str:
        """One figure as a machine reads it, exactly; nothing where there is no value."""
        return decimal_text(figure[0], figure[2])

    def show_ruled(self, figure: Figure) -> str:
        """One figure that an arbiter set."""
        return self.show(figure)

    def texts(self, column: Column, used: Ints) -> list[str]:
        """(n) the cells of a column: the first level, and further ones as far as `used` (n,) says."""
        top, bottom = column.figures(0)
        cells = [self.show(figure) for figure in zip(top.tolist(), bottom.tolist(), repeat(column.unit))]
        for level in range(1, int(used.max(initial=1))):
            for row in np.flatnonzero(used > level).tolist():
                cells[row] += SEPARATOR + self.show(column.figure(row, level))
        return cells


class Signed(Measure):
    """The sum, shown with its sign; more is better."""

    def show(self, figure: Figure) -> str:
        """`+1`, `0`, `-2`."""
        return "+" * (figure[0] > 0) + super().show(figure)


class Fewest(Measure):
    """The sum; less is better, and nothing at all is last."""

    def keys(self, figures: Figures) -> Ints:
        """(n,) the sums, turned round."""
        return np.where(figures[1] > 0, -figures[0], -BEST)

    def show(self, figure: Figure) -> str:
        """The sum, or a dash where there is nothing to add."""
        return super().show(figure) if figure[1] else NOTHING

    def exact(self, figure: Figure) -> str:
        """The sum, or nothing."""
        return super().exact(figure) if figure[1] else ""


class Slowest(Fewest):
    """The sum; more is better, and nothing at all is best."""

    def keys(self, figures: Figures) -> Ints:
        """(n,) the sums."""
        return np.where(figures[1] > 0, figures[0], BEST)


class Average(Measure):
    """The sum divided by the number of terms, at least 1; compared exactly, shown to one decimal."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        """The sums and the numbers of terms."""
        return terms.sums(level), np.maximum(terms.counts(level), 1)

    def keys(self, figures: Figures) -> Ints:
        """(n,) integers in the order of the exact averages."""
        return comparable(*figures)

    def show(self, figure: Figure) -> str:
        """`2187.4`."""
        return tenths_text(figure[0], figure[1] * figure[2])

    def exact(self, figure: Figure) -> str:
        """`19687/9`."""
        return str(Fraction(figure[0], figure[1] * figure[2]))


class Ratio(Measure):
    """Positive against negative terms; none negative is infinite, none at all is one."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        """The numbers of positive and of negative terms."""
        positive = terms.counting(terms.amount > 0).counts(level)
        return positive, terms.counting(terms.amount < 0).counts(level)

    def keys(self, figures: Figures) -> Ints:
        """(n,) integers in the order of the exact ratios."""
        positive, negative = figures
        keys = comparable(np.where(positive + negative > 0, positive, 1), np.maximum(negative, 1))
        return np.where((negative == 0) & (positive > 0), BEST, keys)

    def show(self, figure: Figure) -> str:
        """`6/4`."""
        return f"{figure[0]}/{figure[1]}"

    def exact(self, figure: Figure) -> str:
        """`6/4`."""
        return self.show(figure)


class Encounter(Measure):
    """Points and games; where there were games but they decide nothing, undecided."""

    def show(self, figure: Figure) -> str:
        """`2/1`, or nothing."""
        return f"{super().show(figure)}/{figure[1]}" if figure[1] else ""

    def exact(self, figure: Figure) -> str:
        """The points, or nothing."""
        return super().exact(figure) if figure[1] else ""

    def show_ruled(self, figure: Figure) -> str:
        """The points alone: a ruling has no games."""
        return super().show(figure)

    def texts(self, column: Column, used: Ints) -> list[str]:
        """(n) `2/1`, `3/2·1/1` where it was applied again, `·` undecided, blank where nobody was level."""
        cells = [cell.strip(SEPARATOR) for cell in super().texts(column, used)]
        return [cell or blank for cell, blank in zip(cells, _undecided(column), strict=True)]


class AgainstPlace(Measure):
    """Points against whoever stands on each place walked down; `block(row, level)` names who that is."""

    parting_only = True

    def __init__(self, block: Callable[[int, int], str]) -> None:
        """Keep whom to ask for the names."""
        self.block = block

    def texts(self, column: Column, used: Ints) -> list[str]:
        """(n) the opponent that parted and the points against it, `·` where the walk parted nobody."""
        cells = _undecided(column)
        for row in np.flatnonzero(used).tolist():
            level = int(used[row]) - 1
            cells[row] = f"{self.block(row, level)} {self.show(column.figure(row, level))}"
        return cells


def _undecided(column: Column) -> list[str]:
    """(n) `·` where there are terms, blank where there are none."""
    there = np.count_nonzero(column.terms.present, axis=1).tolist()
    return [UNDECIDED if games else "" for games in there]


SUM, SIGNED, FEWEST, SLOWEST = Measure(), Signed(), Fewest(), Slowest()
AVERAGE, RATIO, ENCOUNTER = Average(), Ratio(), Encounter()


def comparable(top: Ints, bottom: Ints) -> Ints:
    """(n,) integers in the order of the fractions top / bottom.

    Different fractions with bottoms up to d lie at least 1/d² apart: floor(d² · fraction) keeps them apart.
    """
    scale = int(bottom.max(initial=1)) ** 2
    return top * scale // bottom
