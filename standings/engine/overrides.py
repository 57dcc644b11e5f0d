"""Decisions of arbiters that change a ranking (docs/adr/0019)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind
from standings.engine.crosstable import Crosstable
from standings.engine.systems import RankingSystem


@dataclass(frozen=True)
class RankingOverride:
    """An arbiter's decision; `after` is the first round whose standings it changes.

    pairing: `round` and `table`. criteria: the new list. value: `criterion` and `levels`, in points, of
    `competitor`, a row of the crosstable. place: `place` of `competitor`. rules: `becomes` is the crosstable
    of the same results, and the system, that apply from then on; `is_starred` if the system before was
    frozen.
    """

    kind: Literal["pairing", "criteria", "value", "place", "rules"]
    after: int = 0
    competitor: int = -1
    criterion: str = ""
    levels: tuple[Fraction, ...] = ()
    place: int = 0
    criteria: tuple[str, ...] = ()
    round: int = 0
    table: int = 0
    reason: str = ""
    becomes: tuple[Crosstable, RankingSystem] | None = None
    is_starred: bool = True

    def touches(self, rounds: int) -> bool:
        return max(self.after, self.round) <= rounds


def order_and_places(group: Ints, ranked: Bools, by_hand: Mapping[int, int]) -> tuple[Ints, Ints]:
    """Return (n,) rows from first to last, and (n,) the place of each row, 0 for none.

    `group` (n,): how many are ahead as computed. `ranked` (n,): which rows take a place. `by_hand`: ruled
    places by row. A row gets the place that was ruled, and the others keep their order on the remaining
    places.
    """
    order = np.argsort(group, kind="stable")
    if by_hand:
        return _order_with_rulings(order.tolist(), group, ranked, by_hand)
    return order, np.where(ranked, np.searchsorted(np.sort(group[ranked]), group) + 1, 0)


def _order_with_rulings(
    order: list[int], group: Ints, ranked: Bools, by_hand: Mapping[int, int]
) -> tuple[Ints, Ints]:
    others = [row for row in order if row not in by_hand]
    in_order = [row for row in others if ranked[row]]
    positions = range(1, len(in_order) + len(by_hand) + 1)
    free, position = list(positions), dict[int, int]()
    # From the top place down. The second of two rows with the same place takes the next free position.
    for row, place in sorted(by_hand.items(), key=lambda ruling: ruling[::-1]):
        position[row] = next((at for at in free if at >= place), free[-1])
        free.remove(position[row])
    position |= zip(in_order, free, strict=True)
    first = {int(group[row]): position[row] for row in reversed(in_order)}
    places = {row: first[int(group[row])] for row in in_order} | dict(by_hand)
    following = len(positions) + 1
    sort_key = {row: 2 * at for row, at in position.items()}
    for row in reversed(others):  # a row without a place goes just above the row that follows as computed
        following = position.get(row, following)
        sort_key.setdefault(row, 2 * following - 1)
    rows = sorted(order, key=sort_key.__getitem__)
    return np.array(rows), np.array([places.get(row, 0) for row in range(len(order))])


def override_marks(table: Crosstable, overrides: Sequence[RankingOverride]) -> dict[int, tuple[str, ...]]:
    """Return the marks by row, in the order withdrawn, annulled, pending, unknown, pairing, value, place."""
    rows_by_mark: dict[str, Iterable[int]] = {
        "withdrawn": np.flatnonzero(table.withdrawn_after < table.rounds).tolist(),
        "annulled": np.flatnonzero(table.annulled).tolist(),
        "pending": np.flatnonzero((table.state == RoundKind.PENDING).any(axis=1)).tolist(),
        "unknown": np.flatnonzero((table.state == RoundKind.UNKNOWN).any(axis=1)).tolist(),
        "pairing": {row for row, _ in changed_pairings(table, overrides)},
        "value": {ruling.competitor for ruling in overrides if ruling.kind == "value"},
        "place": {ruling.competitor for ruling in overrides if ruling.kind == "place"},
    }
    marks = defaultdict[int, tuple[str, ...]](tuple)
    for mark, rows in rows_by_mark.items():
        for row in rows:
            marks[row] += (mark,)
    return dict(marks)


def changed_pairings(table: Crosstable, overrides: Sequence[RankingOverride]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (row, ruling.round)
        for ruling in overrides
        if ruling.kind == "pairing"
        for row in np.flatnonzero(table.table_number[:, ruling.round - 1] == ruling.table).tolist()
    )
