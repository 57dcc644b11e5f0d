"""The competitors that are still tied: the input of criteria that exist only within a tie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.scoring import Scale
from standings.engine.terms import Terms
from standings.engine.texts import phrase


@dataclass(frozen=True, eq=False)
class Tie:
    """All groups of tied competitors at once.

    `group` (n,): how many are ahead, so tied competitors have the same number. `among` (n,): the competitors
    to separate. `level` (n,): competitors who are tied with others; annulled competitors never are.
    """

    table: Crosstable
    group: Ints
    among: Bools

    def under(self, scale: Scale | None) -> Tie:
        return replace(self, table=self.table.under(scale))

    @cached_property
    def level(self) -> Bools:
        tied: Bools = np.bincount(self.group)[self.group] > 1
        return tied & self.among & ~self.table.annulled

    @cached_property
    def inside(self) -> Bools:
        return ~(self.table.outside | self.table.annulled)

    @cached_property
    def _same_group(self) -> Bools:
        same: Bools = self.group[self.table.opponent] == self.group[:, None]
        return same

    # --- direct encounter ------------------------------------------------------------------------

    def encounters(self) -> Terms:
        inside = self.inside[:, None] & self.inside[self.table.opponent]
        return self.table.results().where(self.table.met & self._same_group & inside & self.level[:, None])

    def met_equally_often(self) -> Bools:
        """Return (n,) whether all pairs of the own group met equally often, at least once."""
        n = len(self.group)
        row, at = np.nonzero(self.encounters().present)
        # Pairings appear on both sides, so a group in which all met has size · (size - 1) pairs.
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
        """Return the points against each place outside the own group, a level per place from the top."""
        return self.table.results().where(self._counted_games).split_into_levels(self._level_of_game)

    @cached_property
    def _counted_games(self) -> Bools:
        return self.table.met & ~self._same_group & self.inside[self.table.opponent] & self.level[:, None]

    @cached_property
    def _places(self) -> Ints:
        row, at = np.nonzero(self._counted_games)
        return np.unique(self.group[row] * len(self.group) + self.group[self.table.opponent[row, at]])

    @cached_property
    def _level_of_game(self) -> Ints:
        group = self.group[:, None] * len(self.group)
        place = np.searchsorted(self._places, group + self.group[self.table.opponent])
        return np.where(self._counted_games, place - np.searchsorted(self._places, group), -1)

    def names_at(self, row: int, level: int) -> str:
        group, place = np.divmod(self._places, len(self.group))
        places = place[group == self.group[row]]
        if level >= len(places):  # only a ruling can separate here
            return phrase("no player")
        there = np.flatnonzero((self.group == places[level]) & self.inside).tolist()
        return self.table.names[there[0]] + (f" +{len(there) - 1}" if len(there) > 1 else "")


def split_groups(group: Ints, key: Ints, rows: Ints) -> Ints:
    """Return (n,) the groups after splitting those of the given rows by key, larger keys first."""
    # lexsort sorts by its last key first.
    order = rows[np.lexsort((-key[rows], group[rows]))]
    out = group.copy()
    out[order] += _starts(group[order], key[order]) - _starts(group[order])
    return out


def _starts(*in_order: Ints) -> Ints:
    changes = np.zeros(len(in_order[0]), dtype=bool)
    for figures in in_order:
        changes[1:] |= figures[1:] != figures[:-1]
    return np.maximum.accumulate(np.arange(len(changes)) * changes)


def in_split_group(before: Ints, after: Ints) -> Bools:
    smaller: Bools = np.bincount(before)[before] > np.bincount(after)[after]
    return smaller
