"""Ranking: each criterion splits the groups of competitors that are still tied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.registry import Criterion
from standings.engine.terms import Column, Term
from standings.engine.tie import Tie, in_split_group, split_groups

Rulings = Mapping[int, tuple[Fraction, ...]]


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


@dataclass(frozen=True, eq=False)
class Step:
    """A level that separated competitors. `group` (n,): how many are ahead of each row after it."""

    code: str
    level: int
    group: Ints


class Ranking:
    """Groups of tied competitors. `group` (n,): how many are ahead. `steps`: the levels that split groups."""

    def __init__(self, table: Crosstable, group: Ints | None = None) -> None:
        self.table, self.steps = table, list[Step]()
        # At first all are tied, except that annulled competitors come last.
        last = np.count_nonzero(~table.annulled)
        self.group = np.where(table.annulled, last, 0) if group is None else group
        self._tied_cache = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)

    def apply(self, criterion: Criterion, rulings: Rulings) -> CriterionColumn:
        among = np.ones(len(self.group), dtype=bool)
        column = self._column(criterion, among).with_rulings(rulings)
        # How many levels each row needed, and the last level that separated it from another row.
        used = needed, separated = np.zeros((2, len(self.group)), dtype=np.int64)
        split = self._apply(criterion.code, column, 0, among, used)
        while criterion.repeats and split.any():
            applied, column = column.levels, column.append_level(self._column(criterion, split))
            split = self._apply(criterion.code, column, applied, split, used)
        levels = separated if column.measure.separating_only else needed
        return CriterionColumn(criterion, column, levels)

    def _column(self, criterion: Criterion, among: Bools) -> Column:
        return criterion(Tie(self.table, self.group, among) if criterion.within_tie else self.table)

    def _apply(self, code: str, column: Column, start: int, among: Bools, used: Ints) -> Bools:
        needed, separated = used
        before = self.group
        for level in range(start, column.levels):
            # Only rows that are still tied: a later level must not split what an earlier level has split.
            rows = self._tied_rows(among)
            # A group with an unknown value is not split.
            rows = rows[~np.isin(self.group[rows], self.group[rows[column.unknown[rows]]])]
            if not len(rows):
                break
            needed[rows] = level + 1
            group = split_groups(self.group, column.keys(level), rows)
            if (group != self.group).any():
                separated[in_split_group(self.group, group)] = level + 1
                self.group = group
                self.steps.append(Step(code, level, group))
        return (
            np.zeros(len(before), dtype=bool) if self.group is before else in_split_group(before, self.group)
        )

    def _tied_rows(self, among: Bools) -> Ints:
        group, level = self._tied_cache
        if group is not self.group:
            level = Tie(self.table, self.group, np.ones(len(self.group), dtype=bool)).level
            self._tied_cache = self.group, level
        return np.flatnonzero(level & among)
