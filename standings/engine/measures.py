"""Measures: how the terms that count make a value, how values compare, and how a cell shows one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from standings.engine.arrays import Ints
from standings.engine.texts import counted_phrase, decimal_text, phrase, points_text, tenths_text

if TYPE_CHECKING:
    from standings.engine.terms import Column, Terms

Figures = tuple[Ints, Ints]  # (n,) tops and (n,) bottoms of a whole column
Figure = tuple[int, int, int]  # top, bottom and how many parts of the top make a point

MANY_ROWS = 500
"""From so many rows on, finding out which cells are alike takes less time than writing all of them."""

BEST = np.iinfo(np.int64).max
NOTHING = "–"
UNDECIDED = "·"
UNKNOWN = "?"
SEPARATOR = "·"

cached = lru_cache(maxsize=65536)  # many cells of a column say the same


class Measure:
    """The sum; more is better. Its top is the sum, its bottom the number of terms where that is asked for."""

    divides = False  # whether the value is top / bottom
    counts_terms = False  # whether anything asks from how many terms a figure comes
    parting_only = False  # whether a cell shows the level that parted, and nothing where none did

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return what the terms that count at a level come to."""
        sums = terms.sums(level)
        return sums, terms.counts(level) if self.counts_terms else np.ones_like(sums)

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) integers to compare, larger is better."""
        return figures[0]

    def figure_of(self, value: Fraction, unit: int) -> Figure:
        """Return the figure of a value given as a number: an arbiter's ruling."""
        if self.divides:
            return value.numerator * unit, value.denominator, unit
        return int(value * unit), 1, unit

    def value(self, figure: Figure) -> Fraction:
        """Return one figure in points, exactly; of a ratio with nothing lost, the number won."""
        top, bottom, unit = figure
        return Fraction(top, unit * (max(bottom, 1) if self.divides else 1))

    @staticmethod
    @cached
    def show(top: int, _bottom: int, unit: int) -> str:
        """Return one figure as a cell shows it."""
        return points_text(top, unit)

    def exact(self, figure: Figure) -> str:
        """Return one figure as a machine reads it, exactly; nothing where there is no value."""
        return decimal_text(figure[0], figure[2])

    def show_ruled(self, figure: Figure) -> str:
        """Return one figure that an arbiter set."""
        return self.show(*figure)

    def texts(self, column: Column, used: Ints) -> list[str]:
        """Return (n) the cells of a column: the first level, and further ones as far as `used` (n,) says."""
        cells = self._shown(column.figures(0), column.unit)
        for level in range(1, int(used.max(initial=1))):
            rows = np.flatnonzero(used > level)
            top, bottom = column.figures(level)
            texts = self._shown((top[rows], bottom[rows]), column.unit)
            for row, text in zip(rows.tolist(), texts, strict=True):
                cells[row] += SEPARATOR + text
        return cells

    def _shown(self, figures: Figures, unit: int) -> list[str]:
        """Return each figure as a cell shows it."""
        top, bottom = figures
        if len(top) < MANY_ROWS:
            return list(map(self.show, top.tolist(), bottom.tolist(), repeat(unit)))
        span = int(bottom.max(initial=0)) + 1
        # Many of many cells say the same: each text is written once, however many rows have it.
        different, where = np.unique(top * span + bottom, return_inverse=True)
        texts = map(self.show, (different // span).tolist(), (different % span).tolist(), repeat(unit))
        shown: list[str] = np.array([*texts, ""], dtype=object)[where].tolist()
        return shown

    def conclude(self, figure: Figure) -> str:
        """Return one figure as the last word of an explanation."""
        return self.show(*figure)

    def against(self, _row: int, _level: int) -> str:
        """Name whom a level is about, if it is about anybody."""
        return ""

    def working(self, _terms: Terms, _row: int, _level: int) -> str:
        """Return how the figure of a row was made, where it is not by adding its terms up."""
        return ""


class Signed(Measure):
    """The sum, shown with its sign; more is better."""

    @staticmethod
    @cached
    def show(top: int, _bottom: int, unit: int) -> str:
        """Return `+1`, `0`, `-2`."""
        return "+" * (top > 0) + points_text(top, unit)


class Fewest(Measure):
    """The sum; less is better, and nothing at all is last."""

    counts_terms = True

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) the sums, turned round."""
        return np.where(figures[1] > 0, -figures[0], -BEST)

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return the sum, or a dash where there is nothing to add."""
        return points_text(top, unit) if bottom else NOTHING

    def exact(self, figure: Figure) -> str:
        """Return the sum, or nothing."""
        return super().exact(figure) if figure[1] else ""


class Slowest(Fewest):
    """The sum; more is better, and nothing at all is best."""

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) the sums."""
        return np.where(figures[1] > 0, figures[0], BEST)


class Average(Measure):
    """The sum divided by the number of terms, at least 1; compared exactly, shown to one decimal."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return the sums and the numbers of terms."""
        return terms.sums(level), np.maximum(terms.counts(level), 1)

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) integers in the order of the exact averages."""
        return comparable(*figures)

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return `2187.4`."""
        return tenths_text(top, bottom * unit)

    def exact(self, figure: Figure) -> str:
        """Return `19687/9`."""
        return str(Fraction(figure[0], figure[1] * figure[2]))

    def conclude(self, figure: Figure) -> str:
        """Return `19687 / 9 = 2187.4`."""
        top, bottom, unit = figure
        return f"{points_text(top, unit)} / {bottom} = {self.show(*figure)}"


class Ratio(Measure):
    """The positive terms against the negative ones; nothing negative is infinite, nothing at all is one."""

    divides = True

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return the positive and the negative terms added up, both as positive figures."""
        positive, negative = (
            terms.counting(mask).sums(level) for mask in (terms.amount > 0, terms.amount < 0)
        )
        return positive, -negative

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) integers in the order of the exact ratios."""
        positive, negative = figures
        keys = comparable(np.where(positive + negative > 0, positive, 1), np.maximum(negative, 1))
        return np.where((negative == 0) & (positive > 0), BEST, keys)

    @staticmethod
    @cached
    def show(top: int, bottom: int, _unit: int) -> str:
        """Return `6/4`."""
        return f"{top}/{bottom}"

    def exact(self, figure: Figure) -> str:
        """Return `6/4`."""
        return self.show(*figure)

    def conclude(self, figure: Figure) -> str:
        """Return `6 won / 4 lost`."""
        return phrase("%(won)s won / %(lost)s lost", won=figure[0], lost=figure[1])


class PointsAndGames(Measure):
    """Points and games; where there were games but they decide nothing, undecided."""

    counts_terms = True

    @staticmethod
    @cached
    def show(top: int, bottom: int, unit: int) -> str:
        """Return `2/1`, or nothing."""
        return f"{points_text(top, unit)}/{bottom}" if bottom else ""

    def exact(self, figure: Figure) -> str:
        """Return the points, or nothing."""
        return super().exact(figure) if figure[1] else ""

    def show_ruled(self, figure: Figure) -> str:
        """Return the points alone: a ruling has no games."""
        return points_text(figure[0], figure[2])

    def conclude(self, figure: Figure) -> str:
        """Return `2 from 1 game`."""
        points, games = points_text(figure[0], figure[2]), figure[1]
        return counted_phrase(
            "%(points)s from %(count)s game", "%(points)s from %(count)s games", games, points=points
        )

    def texts(self, column: Column, used: Ints) -> list[str]:
        """Return `2/1`, `3/2·1/1` where it was applied again, `·` undecided, blank where nobody was level."""
        cells = [cell.strip(SEPARATOR) for cell in super().texts(column, used)]
        return [cell or blank for cell, blank in zip(cells, _undecided(column), strict=True)]


class AgainstPlace(Measure):
    """Points against whoever stands on each place walked down; `block(row, level)` names who that is."""

    parting_only = True

    def __init__(self, block: Callable[[int, int], str]) -> None:
        """Keep whom to ask for the names."""
        self.block = block

    def texts(self, column: Column, used: Ints) -> list[str]:
        """Return (n) the opponent that parted and the points against it, `·` where the walk parted nobody."""
        cells = _undecided(column)
        for row in np.flatnonzero(used).tolist():
            level = int(used[row]) - 1
            cells[row] = f"{self.block(row, level)} {self.show(*column.figure(row, level))}"
        return cells

    def against(self, row: int, level: int) -> str:
        """Return `Fox +1`: the first who stands there, and how many more."""
        return self.block(row, level)


def _undecided(column: Column) -> list[str]:
    """Return (n) `·` where there are terms, blank where there are none."""
    there = np.count_nonzero(column.terms.present, axis=1).tolist()
    return [UNDECIDED if games else "" for games in there]


SUM, SIGNED, FEWEST, SLOWEST = Measure(), Signed(), Fewest(), Slowest()
AVERAGE, RATIO, ENCOUNTER = Average(), Ratio(), PointsAndGames()


def comparable(top: Ints, bottom: Ints) -> Ints:
    """Return (n,) integers in the order of the fractions top / bottom.

    Different fractions with bottoms up to d lie at least 1/d² apart: floor(d² · fraction) keeps them apart.
    """
    # In integers: a float would have to be trusted not to round two different fractions to one.
    scale = int(bottom.max(initial=1)) ** 2
    return top * scale // bottom
