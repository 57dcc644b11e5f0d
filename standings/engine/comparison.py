"""Comparison of two rows: why the row with the better place is ahead."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from standings.engine.criterion_column import CriterionColumn
from standings.engine.registry import Criterion


class Decision(NamedTuple):
    """Why a row of the crosstable is ahead of another.

    `by`: code of the criterion, "place" for a ruling. `level`: index of the deciding figure in a vector.
    `figures`: the figures of both rows as text.
    """

    by: str
    level: int
    ahead: int
    behind: int
    figures: tuple[str, str]


class ComparedValues(NamedTuple):
    """The values of both rows under a criterion: cell texts, and exact figures in points for each level.

    `better`: the row with the better value, None if they are equal. For criteria within a tie it is
    meaningful only if both rows are tied. `is_unknown`: one of them has no value, because its input is not
    recorded.
    """

    criterion: Criterion
    texts: tuple[str, str]
    levels: tuple[list[Fraction], list[Fraction]]
    better: int | None = None
    is_unknown: bool = False


class Comparison(NamedTuple):
    """A comparison of two rows of the crosstable; `a` is first in every pair.

    `ahead`: the row that is ahead, None if they are level. `decision`: the reason, None if they are level or
    if either is annulled. `criteria`: the list up to `parting`, the criterion that separates the rows without
    rulings on places; the complete list if no criterion does. `later`: the remaining criteria. `by_hand`: a
    ruling decided the order. `rounds`: the rounds in which they met.
    """

    a: int
    b: int
    ahead: int | None
    decision: Decision | None
    criteria: tuple[ComparedValues, ...]
    later: tuple[ComparedValues, ...]
    parting: str | None
    by_hand: bool
    rounds: tuple[int, ...]


def compare_values(values: CriterionColumn, a: int, b: int) -> ComparedValues:
    column, better = values.column, None
    is_unknown = bool(column.unknown[[a, b]].any())
    if not is_unknown:
        keys = map(column.keys, range(column.levels))
        differing = next((level for level in keys if level[a] != level[b]), None)
        if differing is not None:
            better = a if differing[a] > differing[b] else b
    texts, levels = (values.text(a), values.text(b)), (values.levels(a), values.levels(b))
    return ComparedValues(values.criterion, texts, levels, better, is_unknown)
