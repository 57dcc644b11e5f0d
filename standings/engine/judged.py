"""A criterion's column as a table shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from standings.engine.arrays import Ints
from standings.engine.registry import Criterion
from standings.engine.term import Term
from standings.engine.terms import Column


@dataclass(frozen=True, eq=False)
class Judged:
    """A criterion and its column; `used` (n,): how many levels each row needed, 0 where nobody was level."""

    criterion: Criterion
    column: Column
    used: Ints

    @cached_property
    def texts(self) -> list[str]:
        """(n) what the cells say, in the order of the crosstable; `*` on a value an arbiter replaced."""
        return self.column.texts(self.used)

    def text(self, row: int) -> str:
        """What one cell says."""
        return self.texts[row]

    def levels(self, row: int) -> list[Fraction]:
        """The exact value in points, a figure per level; empty where the criterion decides nothing."""
        return [self.column.value(row, level) for level in self.decisive(row)]

    def level_texts(self, row: int) -> list[str]:
        """The same as machine text: `["372.5"]`, `["13", "9", "5"]`, `["19687/9"]`, `["6/4"]`, `[]`."""
        return [self.column.exact(row, level) for level in self.decisive(row)]

    @property
    def as_computed(self) -> Judged:
        """The same without what an arbiter ruled."""
        return replace(self, column=self.column.with_rulings({}))

    def terms(self, row: int) -> list[Term]:
        """What the value is made of, in the order of the rounds."""
        return self.column.terms.of_row(row)

    @property
    def ruled(self) -> frozenset[int]:
        """The rows whose value an arbiter replaced."""
        return frozenset(self.column.rulings)

    def decisive(self, row: int) -> list[int]:
        """The levels that say something; within a tie only those the tie needed."""
        levels = int(self.used[row]) if self.criterion.within_tie else self.column.levels
        if row in self.column.rulings:
            levels = len(self.column.rulings[row])
        return [level for level in range(levels) if self.column.exact(row, level)]
