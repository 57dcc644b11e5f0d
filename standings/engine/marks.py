"""What stands beside a row because of something out of the ordinary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from standings.engine.crosstable import Crosstable
from standings.engine.overrides import Override
from standings.engine.policies import Kind


def marks_of(table: Crosstable, overrides: Sequence[Override]) -> dict[int, tuple[str, ...]]:
    """By row: any of withdrawn, annulled, pending, unknown, pairing, value, place, in this order."""
    marks = defaultdict[int, tuple[str, ...]](tuple)
    for mark, rows in _marked(table, overrides):
        for row in rows:
            marks[row] += (mark,)
    return dict(marks)


def _marked(table: Crosstable, overrides: Sequence[Override]) -> Iterable[tuple[str, list[int]]]:
    yield "withdrawn", np.flatnonzero(table.withdrawn_after < table.rounds).tolist()
    yield "annulled", np.flatnonzero(table.annulled).tolist()
    yield "pending", np.flatnonzero((table.state == Kind.PENDING).any(axis=1)).tolist()
    yield "unknown", np.flatnonzero((table.state == Kind.UNKNOWN).any(axis=1)).tolist()
    yield "pairing", sorted({row for row, _ in changed_pairings(table, overrides)})
    yield "value", sorted({ruling.competitor for ruling in overrides if ruling.kind == "value"})
    yield "place", sorted({ruling.competitor for ruling in overrides if ruling.kind == "place"})


def changed_pairings(table: Crosstable, overrides: Sequence[Override]) -> frozenset[tuple[int, int]]:
    """(row of the crosstable, round) of both sides of every pairing that was changed by hand."""
    return frozenset(
        (row, ruling.round)
        for ruling in overrides
        if ruling.kind == "pairing"
        for row in np.flatnonzero(table.table_number[:, ruling.round - 1] == ruling.table).tolist()
    )
