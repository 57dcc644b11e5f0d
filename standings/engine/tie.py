"""The competitors still level: what criteria that exist only among them are computed from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.measures import AgainstPlace
from standings.engine.scoring import Scale
from standings.engine.terms import Terms
from standings.engine.texts import phrase


@dataclass(frozen=True, eq=False)
class Tie:
    """All groups of competitors still level, at once.

    `group` (n,): how many stand ahead, so equal for those still level. `among` (n,): who is to be parted.
    """

    table: Crosstable
    group: Ints
    among: Bools

    def under(self, scale: Scale | None) -> Tie:
        """Return the same tie with points meaning that score."""
        return replace(self, table=self.table.under(scale))

    @cached_property
    def level(self) -> Bools:
        """Return (n,) who shares his group with somebody; an annulled competitor never does."""
        company: Bools = np.bincount(self.group)[self.group] > 1
        return company & self.among & ~self.table.annulled

    @cached_property
    def inside(self) -> Bools:
        """Return (n,) who can be met: neither outside the competition nor annulled."""
        return ~(self.table.outside | self.table.annulled)

    @cached_property
    def _same(self) -> Bools:
        """Return (n, rounds) whether the opponent is of the own group."""
        same: Bools = self.group[self.table.opponent] == self.group[:, None]
        return same

    # --- direct encounter ------------------------------------------------------------------------

    def encounters(self) -> Terms:
        """Return the points in games of the own group; those with anybody outside are none."""
        inside = self.inside[:, None] & self.inside[self.table.opponent]
        return self.table.results().where(self.table.met & self._same & inside & self.level[:, None])

    def met_equally_often(self) -> Bools:
        """Return (n,) whether every pair of the competitor's group met equally often, at least once."""
        n = len(self.group)
        row, at = np.nonzero(self.encounters().present)
        # Both sides list a pairing, so a group in which all met has size · (size - 1) pairs.
        pairs, times = np.unique(row * n + self.table.opponent[row, at], return_counts=True)
        group = self.group[pairs // n]
        size, met = np.bincount(self.group[self.inside], minlength=n), np.bincount(group, minlength=n)
        most, least = np.zeros(n, dtype=np.int64), np.full(n, self.table.rounds + 1)
        np.maximum.at(most, group, times)
        np.minimum.at(least, group, times)
        equally: Bools = ((met == size * (size - 1)) & (most == least))[self.group]
        return equally

    # --- best opponents --------------------------------------------------------------------------

    def down_the_standings(self) -> Terms:
        """Return the points against those outside the own group, one level per place from the top."""
        return self.table.results().where(self._walked).step_by_step(self._step)

    def against_places(self) -> AgainstPlace:
        """Return the measure of that walk, which can name who stands on each place."""
        return AgainstPlace(self._names_at)

    @cached_property
    def _walked(self) -> Bools:
        """Return (n, rounds) games against somebody who stands on a place outside the own group."""
        return self.table.met & ~self._same & self.inside[self.table.opponent] & self.level[:, None]

    @cached_property
    def _places(self) -> Ints:
        """Return (k,) the places each group walks down, the groups in order; as group · n + place."""
        row, at = np.nonzero(self._walked)
        return np.unique(self.group[row] * len(self.group) + self.group[self.table.opponent[row, at]])

    @cached_property
    def _first(self) -> Ints:
        """Return (n,) where the places of the own group begin."""
        return np.searchsorted(self._places, self.group * len(self.group))

    @cached_property
    def _step(self) -> Ints:
        """Return (n, rounds) the level at which the group meets the opponent's place; -1 for never."""
        place = self.group[:, None] * len(self.group) + self.group[self.table.opponent]
        return np.where(self._walked, np.searchsorted(self._places, place) - self._first[:, None], -1)

    def _names_at(self, row: int, level: int) -> str:
        """Name who stands on the place that a row walks at that level: the first one, and how many more.

        Nobody beyond the last of these places, where only a ruling can part two.
        """
        group, place = np.divmod(self._places, len(self.group))
        walked = place[group == self.group[row]]
        if level >= len(walked):
            return phrase("nobody")
        there = np.flatnonzero((self.group == walked[level]) & self.inside).tolist()
        return self.table.names[there[0]] + (f" +{len(there) - 1}" if len(there) > 1 else "")


def split_groups(group: Ints, key: Ints, rows: Ints) -> Ints:
    """Return (n,) the groups, those of these rows split by key, larger first."""
    # The last key of lexsort leads: by group, and in it by key.
    order = rows[np.lexsort((-key[rows], group[rows]))]
    out = group.copy()
    out[order] += _starts(group[order], key[order]) - _starts(group[order])
    return out


def _starts(*in_order: Ints) -> Ints:
    """Return for each position where its run of equal figures began."""
    changes = np.zeros(len(in_order[0]), dtype=bool)
    for figures in in_order:
        changes[1:] |= figures[1:] != figures[:-1]
    return np.maximum.accumulate(np.arange(len(changes)) * changes)


def smaller(before: Ints, after: Ints) -> Bools:
    """Return (n,) whose group has become smaller."""
    became: Bools = np.bincount(before)[before] > np.bincount(after)[after]
    return became
