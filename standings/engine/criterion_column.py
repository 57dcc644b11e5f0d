"""The column of a criterion in standings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from standings.engine.arrays import Ints
from standings.engine.registry import Criterion
from standings.engine.terms import Column, Term


@dataclass(frozen=True, eq=False)
class CriterionColumn:
    """A criterion and its column. `used` (n,): how many levels each row needed, 0 if it was not tied.

    `texts`: the cells in crosstable order, with `*` for rulings. `levels`: the exact value of a row in
    points, a figure per level, empty if the criterion decides nothing.
    """

    criterion: Criterion
    column: Column
    used: Ints

    @cached_property
    def texts(self) -> list[str]:
        return self.column.texts(self.used)

    def text(self, row: int) -> str:
        return self.texts[row]

    def levels(self, row: int) -> list[Fraction]:
        return [self.column.value(row, level) for level in self.decisive(row)]

    def level_texts(self, row: int) -> list[str]:
        """Return the value as text for machines, a figure per level: `["13", "9", "5"]`, `["19687/9"]`."""
        return [self.column.exact(row, level) for level in self.decisive(row)]

    @property
    def as_computed(self) -> CriterionColumn:
        return replace(self, column=self.column.with_rulings({}))

    def terms(self, row: int) -> list[Term]:
        return self.column.terms.of_row(row)

    @property
    def ruled(self) -> frozenset[int]:
        return frozenset(self.column.rulings)

    def decisive(self, row: int) -> list[int]:
        levels = int(self.used[row]) if self.criterion.within_tie else self.column.levels
        if row in self.column.rulings:
            levels = len(self.column.rulings[row])
        return [level for level in range(levels) if self.column.exact(row, level)]
