"""Ranking: each criterion splits the groups of competitors still level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.judged import Judged
from standings.engine.registry import Criterion
from standings.engine.terms import Column
from standings.engine.tie import Tie, smaller, split_groups

Rulings = Mapping[int, tuple[Fraction, ...]]


@dataclass(frozen=True, eq=False)
class Step:
    """One level of one criterion that parted somebody; `group` (n,): how many stand ahead after it."""

    code: str
    level: int
    group: Ints


class Ranking:
    """The groups still level: `group` (n,) is how many stand ahead of each, `steps` how it came about."""

    def __init__(self, table: Crosstable, group: Ints | None = None) -> None:
        """Begin with everybody level, but the annulled behind all others; or with the groups given."""
        self.table, self.steps = table, list[Step]()
        behind = np.count_nonzero(~table.annulled)
        self.group = np.where(table.annulled, behind, 0) if group is None else group
        self._known = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)

    def judge(self, criterion: Criterion, rulings: Rulings) -> Judged:
        """Split the groups by a criterion and return its column; one that repeats goes on inside them."""
        among = np.ones(len(self.group), dtype=bool)
        column = self._column(criterion, among).with_rulings(rulings)
        use = LevelsUsed(len(self.group))
        split = self._apply(criterion.code, column, 0, among, use)
        while criterion.repeats and split.any():
            applied, column = column.levels, column.then(self._column(criterion, split))
            split = self._apply(criterion.code, column, applied, split, use)
        return Judged(criterion, column, use.parted if column.measure.parting_only else use.needed)

    def _column(self, criterion: Criterion, among: Bools) -> Column:
        return criterion(Tie(self.table, self.group, among) if criterion.within_tie else self.table)

    def _apply(self, code: str, column: Column, start: int, among: Bools, use: LevelsUsed) -> Bools:
        """Split by the levels from `start` on; (n,) who is in a group that was split."""
        before = self.group
        for level in range(start, column.levels):
            # Only who is still level: a later level must not part again whom an earlier one has parted.
            rows = self._level_rows(among)
            # Nobody is parted from somebody whose value is not known.
            rows = rows[~np.isin(self.group[rows], self.group[rows[column.unknown[rows]]])]
            if not len(rows):
                break
            use.needed[rows] = level + 1
            group = split_groups(self.group, column.keys(level), rows)
            if (group != self.group).any():
                use.parted[smaller(self.group, group)] = level + 1
                self.group = group
                self.steps.append(Step(code, level, group))
        return np.zeros(len(before), dtype=bool) if self.group is before else smaller(before, self.group)

    def _level_rows(self, among: Bools) -> Ints:
        """Return who of these is still level; remembered while the groups stay as they are."""
        group, level = self._known
        if group is not self.group:
            level = Tie(self.table, self.group, np.ones(len(self.group), dtype=bool)).level
            self._known = self.group, level
        return np.flatnonzero(level & among)


class LevelsUsed:
    """(n,) how many levels of a column each row needed, and up to which one it was parted from somebody."""

    def __init__(self, n: int) -> None:
        """Begin with none."""
        self.needed, self.parted = np.zeros((2, n), dtype=np.int64)
