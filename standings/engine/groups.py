"""Groups of competitors still level: `group` (n,) is how many stand ahead, so equal for those level."""

from __future__ import annotations

import numpy as np

from standings.engine.arrays import Bools, Ints


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
