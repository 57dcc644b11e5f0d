"""Comparisons: why one row stands ahead of another."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from standings.engine.judged import Judged
from standings.engine.registry import Criterion


class Decision(NamedTuple):
    """Why one row of the crosstable stands ahead of another.

    `by`: code of the criterion, "place" for a ruling. `level`: which figure of a vector. `figures`: both
    texts.
    """

    by: str
    level: int
    ahead: int
    behind: int
    figures: tuple[str, str]


class Compared(NamedTuple):
    """Both values under one criterion: what the cells say, and exactly in points, a figure per level.

    `better`: the row with the better value, None where they are equal; of a criterion that looks at a tie it
    says something only where both are in it. `is_unknown`: one of them has no value, because its input is not
    recorded.
    """

    criterion: Criterion
    texts: tuple[str, str]
    levels: tuple[list[Fraction], list[Fraction]]
    better: int | None = None
    is_unknown: bool = False


class Comparison(NamedTuple):
    """Two rows of the crosstable side by side, `a` first in every pair.

    `ahead`: the row that stands ahead, None where they are level. `decision`: what put it there, None where
    they are level or one is annulled. `criteria`: in order, up to `parting`, the one that parts them but for
    rulings on places; all of them where none does. `later`: those after it, which decide nothing between the
    two. `by_hand`: whether a ruling put them where they stand. `rounds`: in which they were paired with each
    other.
    """

    a: int
    b: int
    ahead: int | None
    decision: Decision | None
    criteria: tuple[Compared, ...]
    later: tuple[Compared, ...]
    parting: str | None
    by_hand: bool
    rounds: tuple[int, ...]


def side_by_side(judged: Judged, a: int, b: int) -> Compared:
    """Return the values of two rows of the crosstable under one criterion."""
    texts, levels = (judged.text(a), judged.text(b)), (judged.levels(a), judged.levels(b))
    is_unknown = bool(judged.column.unknown[[a, b]].any())
    better = None if is_unknown else _better(judged, a, b)
    return Compared(judged.criterion, texts, levels, better, is_unknown)


def _better(judged: Judged, a: int, b: int) -> int | None:
    for level in range(judged.column.levels):
        keys = judged.column.keys(level)
        if keys[a] != keys[b]:
            return a if keys[a] > keys[b] else b
    return None
