"""What an arbiter ruled by hand: data that enters a ranking and leaves marks (docs/adr/0019)."""

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
    """One ruling; `after` is the first round whose standings it touches.

    pairing: `round` and `table`. criteria: the new list. value: `criterion` and `levels`, in points, of
    `competitor`, a row of the crosstable. place: `place` of `competitor`. rules: the crosstable of the same
    results, and the system, that they are judged by from then on in what it `becomes`; `is_starred` where
    the system before was a frozen one.
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
        """Say whether it is part of the standings after that round."""
        return max(self.after, self.round) <= rounds


def seat(group: Ints, ranked: Bools, by_hand: Mapping[int, int]) -> tuple[Ints, Ints]:
    """Return (n,) rows from first to last, and (n,) the place of each row, 0 for none.

    `group` (n,): how many stand ahead as computed; `ranked` (n,): who takes a place; `by_hand`: the places
    given to rows. Such a row stands on its place and shows it; the others keep their order in the places
    left.
    """
    order = np.argsort(group, kind="stable")
    if by_hand:
        return _seat_by_hand(order.tolist(), group, ranked, by_hand)
    return order, np.where(ranked, np.searchsorted(np.sort(group[ranked]), group) + 1, 0)


def _seat_by_hand(
    order: list[int], group: Ints, ranked: Bools, by_hand: Mapping[int, int]
) -> tuple[Ints, Ints]:
    others = [row for row in order if row not in by_hand]
    in_order = [row for row in others if ranked[row]]
    seats = range(1, len(in_order) + len(by_hand) + 1)
    stands = _stand_by_hand(by_hand, list(seats))
    stands |= zip(in_order, sorted({*seats} - {*stands.values()}), strict=True)
    first = {int(group[row]): stands[row] for row in reversed(in_order)}
    places = {row: first[int(group[row])] for row in in_order} | dict(by_hand)
    ahead_of = len(seats) + 1
    where = {row: 2 * at for row, at in stands.items()}
    for row in reversed(others):  # without a place: just ahead of whoever comes next as computed
        ahead_of = stands.get(row, ahead_of)
        where.setdefault(row, 2 * ahead_of - 1)
    rows = sorted(order, key=where.__getitem__)
    return np.array(rows), np.array([places.get(row, 0) for row in range(len(order))])


def _stand_by_hand(by_hand: Mapping[int, int], free: list[int]) -> dict[int, int]:
    """Seat the rows placed by hand: on the place given, or the next one free, or the last one."""
    stands = {}
    # From the top place down; of two rows on one place the second takes the next that is free.
    for row, place in sorted(by_hand.items(), key=lambda ruling: ruling[::-1]):
        stands[row] = next((at for at in free if at >= place), free[-1])
        free.remove(stands[row])
    return stands


def marks_of(table: Crosstable, overrides: Sequence[RankingOverride]) -> dict[int, tuple[str, ...]]:
    """Return the marks by row, in this order: withdrawn, annulled, pending … pairing, value, place."""
    marks = defaultdict[int, tuple[str, ...]](tuple)
    for mark, rows in _marked(table, overrides):
        for row in rows:
            marks[row] += (mark,)
    return dict(marks)


def _marked(table: Crosstable, overrides: Sequence[RankingOverride]) -> Iterable[tuple[str, list[int]]]:
    yield "withdrawn", np.flatnonzero(table.withdrawn_after < table.rounds).tolist()
    yield "annulled", np.flatnonzero(table.annulled).tolist()
    yield "pending", np.flatnonzero((table.state == RoundKind.PENDING).any(axis=1)).tolist()
    yield "unknown", np.flatnonzero((table.state == RoundKind.UNKNOWN).any(axis=1)).tolist()
    yield "pairing", sorted({row for row, _ in changed_pairings(table, overrides)})
    yield "value", sorted({ruling.competitor for ruling in overrides if ruling.kind == "value"})
    yield "place", sorted({ruling.competitor for ruling in overrides if ruling.kind == "place"})


def changed_pairings(table: Crosstable, overrides: Sequence[RankingOverride]) -> frozenset[tuple[int, int]]:
    """Return (row of the crosstable, round) of both sides of every pairing that was changed by hand."""
    return frozenset(
        (row, ruling.round)
        for ruling in overrides
        if ruling.kind == "pairing"
        for row in np.flatnonzero(table.table_number[:, ruling.round - 1] == ruling.table).tolist()
    )
