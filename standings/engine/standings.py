"""Standings: places, and the reasons for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.explanation import Explanation, explain
from standings.engine.overrides import RankingOverride, changed_pairings, order_and_places, override_marks
from standings.engine.ranking import CriterionColumn, Ranking, Rulings, Step
from standings.engine.registry import Criterion, get_criterion
from standings.engine.systems import RankingSystem

BY_HAND, PUBLISHED = "place", "published"


class Row(NamedTuple):
    """A row of the standings.

    `competitor`: row of the crosstable. `place`: None outside the competition and for annulled competitors.
    `sharing`: how many competitors have the place, 0 without a place. `decided_by`: code of the criterion
    that separates it from the row above, "place" for a ruling, "published" if only the published ranking is
    known, None in the first row and if nothing separates them. `marks`: withdrawn, annulled, pending,
    unknown, pairing, value, place.
    """

    competitor: int
    place: int | None
    sharing: int
    outside: bool
    decided_by: str | None
    marks: tuple[str, ...]

    @property
    def shared(self) -> bool:
        return self.sharing > 1


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


@dataclass(frozen=True, eq=False)
class Standings:
    """A crosstable ranked under a system.

    `table` and `system` are under the rules in force; `first` is the same before the rules were changed, None
    if they were not. `criteria`: codes in order. `overrides`: the rulings that affect these standings.
    `order` (n,): rows of the crosstable from first to last. `place` (n,): by row of the crosstable, 0 for
    none. `sharing` (n,): how many competitors have the same place.
    """

    table: Crosstable
    system: RankingSystem
    criteria: tuple[str, ...]
    overrides: tuple[RankingOverride, ...] = ()
    first: tuple[Crosstable, RankingSystem] | None = None
    _columns: dict[str, CriterionColumn] = field(default_factory=dict, init=False, repr=False)
    _explained: dict[tuple[int, str], Explanation] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        given = ("table", "system", "criteria", "overrides", "first")
        # Columns contain all terms. Ranking again takes two milliseconds; storing them would fill the cache.
        return {name: getattr(self, name) for name in given} | {"_columns": {}, "_explained": {}}

    # --- places ----------------------------------------------------------------------------------

    @property
    def has_places(self) -> bool:
        return self.table.rounds > 0 or self.table.published is not None

    @property
    def order(self) -> Ints:
        return self._order_and_places[0]

    @property
    def place(self) -> Ints:
        return self._order_and_places[1]

    @cached_property
    def sharing(self) -> Ints:
        return np.where(self.place > 0, np.bincount(self.place, minlength=1)[self.place], 0)

    def rows(self) -> Iterator[Row]:
        rows = self.order.tolist()
        places = [place or None for place in self.place[self.order].tolist()]
        sharing, outside = (array[self.order].tolist() for array in (self.sharing, self.table.outside))
        marks = map(self._marks.get, rows, repeat(()))
        return map(Row, rows, places, sharing, outside, self.decided_by, marks)

    @cached_property
    def _order_and_places(self) -> tuple[Ints, Ints]:
        published = self.table.published
        if published is not None:
            return np.argsort(self._ranking.group, kind="stable"), published.places
        return order_and_places(
            self._ranking.group, ~(self.table.outside | self.table.annulled), self._by_hand
        )

    def lacks_values(self, row: int) -> bool:
        sharing = self.place == self.place[row]
        return any((column.column.unknown & sharing).any() for column in self.columns)

    @cached_property
    def _by_hand(self) -> dict[int, int]:
        return {ruling.competitor: ruling.place for ruling in self.overrides if ruling.kind == "place"}

    @cached_property
    def _marks(self) -> dict[int, tuple[str, ...]]:
        return override_marks(self.table, self.overrides)

    # --- criteria --------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[CriterionColumn, ...]:
        return self._columns_and_ranking[0]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the levels that separated competitors, in order. Rulings on places are not included."""
        return tuple(self._ranking.steps)

    def column(self, code: str) -> CriterionColumn:
        """Return the column of any criterion; as if it were last if it is not in the list.

        Raise UnknownCriterionError for an unknown code.
        """
        if code not in self._columns:
            criterion = get_criterion(code)
            deciding = (column for column in self.columns if column.criterion.code == criterion.code)
            self._columns[code] = next(deciding, None) or self._column_after_all(criterion)
        return self._columns[code]

    def _column_after_all(self, criterion: Criterion) -> CriterionColumn:
        ranking = Ranking(self.table, self._ranking.group)
        column = ranking.apply(criterion, self._rulings(criterion.code))
        # It separates no rows, so the first level is enough.
        return column if criterion.within_tie else replace(column, used=np.ones_like(column.used))

    @cached_property
    def _columns_and_ranking(self) -> tuple[tuple[CriterionColumn, ...], Ranking]:
        published = self.table.published
        if published is not None:
            # Competitors without a published place come last, but are not separated from the others.
            key = np.where(published.places > 0, published.places, published.places.max(initial=0) + 1)
            ranking = Ranking(self.table, np.searchsorted(np.sort(key), key))
            ranking.steps.append(Step(PUBLISHED, 0, ranking.group))
            return (), ranking
        ranking = Ranking(self.table)
        return tuple(
            ranking.apply(get_criterion(code), self._rulings(code)) for code in self.criteria
        ), ranking

    @property
    def _ranking(self) -> Ranking:
        return self._columns_and_ranking[1]

    def _rulings(self, code: str) -> Rulings:
        values = (ruling for ruling in self.overrides if ruling.kind == "value" and ruling.criterion == code)
        return {ruling.competitor: ruling.levels for ruling in values}

    # --- reasons ---------------------------------------------------------------------------------

    def explain(self, row: int, code: str) -> Explanation:
        if (row, code) not in self._explained:
            self._explained[row, code] = explain(self.column(code), row)
        return self._explained[row, code]

    def compare(self, a: int, b: int) -> Comparison:
        decision, step = self.decision_between(a, b), self._step(a, b)
        decisive = self.criteria.index(step.code) + 1 if step and self.criteria else len(self.criteria)
        criteria = tuple(compare_values(column, a, b) for column in self.columns)
        rounds = (np.flatnonzero(self.table.opponent[a] == b) + 1).tolist()
        ahead, behind = self._in_order(a, b)
        by = self._deciding_code(ahead, behind, step.code) if step else None
        return Comparison(
            a=a,
            b=b,
            ahead=self._ahead(a, b, decision),
            decision=decision,
            criteria=criteria[:decisive],
            later=criteria[decisive:],
            parting=step.code if step else None,
            by_hand=bool(step and by != step.code) or bool(decision and decision.by == BY_HAND),
            rounds=tuple(rounds),
        )

    def decision_between(self, a: int, b: int) -> Decision | None:
        """Return the reason why a row is ahead of the other, None if they are level."""
        ahead, behind = self._in_order(a, b)
        step = self._step(a, b)
        by = self._deciding_code(ahead, behind, step.code if step else None)
        if by in {BY_HAND, PUBLISHED}:
            return Decision(by, 0, ahead, behind, (self._place_text(ahead), self._place_text(behind)))
        if by is None or step is None:
            return None
        column, level = self.column(by).column, step.level
        figures = column.figure_text(ahead, level), column.figure_text(behind, level)
        return Decision(by, level, ahead, behind, figures)

    @cached_property
    def decided_by(self) -> list[str | None]:
        separating = (decision and decision[0] for decision in self.decided(self.order[:-1], self.order[1:]))
        return [None, *separating][: len(self.order)]

    def decided(self, ahead: Ints, behind: Ints) -> list[tuple[str, int] | None]:
        """Return the deciding code and level for pairs of rows, the first of each pair being ahead.

        The code is "place" for a ruling, and "published" if only the published ranking is known. A pair of
        level rows has None.
        """
        first = np.full(len(behind), -1)
        # Backwards, so that the first step that separates two rows is written last.
        for at, step in reversed(list(enumerate(self.steps))):
            first[step.group[ahead] != step.group[behind]] = at
        first[self._never_separated[ahead] | self._never_separated[behind]] = -1
        steps = [*((step.code, step.level) for step in self.steps), None]  # index -1: not separated
        computed = [steps[at] for at in first.tolist()]
        if not self._by_hand:
            return computed
        codes = map(
            self._deciding_code, ahead.tolist(), behind.tolist(), (step and step[0] for step in computed)
        )
        return [
            (BY_HAND, 0) if code == BY_HAND else step if code else None
            for code, step in zip(codes, computed, strict=True)
        ]

    def _step(self, a: int, b: int) -> Step | None:
        if self._never_separated[[a, b]].any():
            return None
        return next((step for step in self.steps if step.group[a] != step.group[b]), None)

    @property
    def _never_separated(self) -> Bools:
        published = self.table.published
        return self.table.annulled if published is None else published.places == 0

    def _deciding_code(self, ahead: int, behind: int, as_computed: str | None) -> str | None:
        """Return the deciding code; a ruling decides only if the order differs from the computed order."""
        if not self._by_hand:
            return as_computed
        if self.place[ahead] == self.place[behind] > 0:
            return None
        if self._ranking.group[ahead] < self._ranking.group[behind]:
            return as_computed
        return BY_HAND if {ahead, behind} & self._by_hand.keys() else None

    def _ahead(self, a: int, b: int, decision: Decision | None) -> int | None:
        if decision:
            return decision.ahead
        if self.table.published is not None:
            return None
        level = self._ranking.group[a] == self._ranking.group[b] or self.place[a] == self.place[b] > 0
        return None if level else self._in_order(a, b)[0]

    def _in_order(self, a: int, b: int) -> list[int]:
        return sorted((a, b), key=self._position.__getitem__)

    @cached_property
    def _position(self) -> dict[int, int]:
        return {row: at for at, row in enumerate(self.order.tolist())}

    def _place_text(self, row: int) -> str:
        return str(self.place[row] or "-")

    # --- rulings ---------------------------------------------------------------------------------

    def place_mark(self, row: int) -> str:
        return "*" if row in self._by_hand else ""

    def after(self, rounds: int) -> Standings:
        table, system = self._first
        return rank(table.after(rounds), system, self.overrides)

    @cached_property
    def as_computed(self) -> Standings:
        """Return the standings without rulings. A pairing changed by hand keeps its result, unmarked."""
        return rank(*self._first) if self.overrides else self

    @property
    def _first(self) -> tuple[Crosstable, RankingSystem]:
        return self.first or (self.table, self.system)

    @cached_property
    def changed_columns(self) -> frozenset[str]:
        """Return the codes of criteria that other rules of a frozen system, or another list, changed.

        They are at the position of another criterion, or have another value in any row.
        """
        if not self.has_other_rules:
            return frozenset()
        computed = self.as_computed
        unruled = rank(self.table, self.system.ordered_by(self.criteria))
        before = computed.criteria + ("",) * len(self.criteria)

        def differs(code: str) -> bool:
            new, old = unruled.column(code), computed.column(code)
            return any(new.level_texts(row) != old.level_texts(row) for row in range(len(new.used)))

        return frozenset(
            code
            for code, previous in zip(self.criteria, before, strict=False)
            if code != previous or differs(code)
        )

    @property
    def has_other_rules(self) -> bool:
        return any(ruling.kind in {"criteria", "rules"} and ruling.is_starred for ruling in self.overrides)

    @cached_property
    def changed_pairings(self) -> frozenset[tuple[int, int]]:
        return changed_pairings(self.table, self.overrides)


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


def rank(table: Crosstable, system: RankingSystem, overrides: Sequence[RankingOverride] = ()) -> Standings:
    """Return the standings after the last round of the table, with the rulings that affect them.

    `table` and `system` are those before any override. The score that the system fixes takes precedence over
    the event's; the event's policy for unplayed rounds takes precedence over the system's. If only the
    published ranking is known, there are no criteria and no rulings. Raise UnknownCriterionError for an
    unknown code in the list.
    """
    if table.published is not None:
        return Standings(
            table.derived(system_primary=system.primary, system_unplayed=system.unplayed), system, ()
        )
    affecting = tuple(ruling for ruling in overrides if ruling.touches(table.rounds))
    in_force, system_in_force, codes = table, system, system.criteria
    for ruling in affecting:
        if ruling.becomes:
            # The new crosstable has all rounds of the same results.
            later, system_in_force = ruling.becomes
            in_force, codes = later.after(table.rounds), system_in_force.criteria
        elif ruling.kind == "criteria":
            codes = ruling.criteria
    criteria = tuple(get_criterion(code).code for code in codes)
    ranked = in_force.derived(
        system_primary=system_in_force.primary, system_unplayed=system_in_force.unplayed
    )
    first = None if in_force is table else (table, system)
    return Standings(ranked, system_in_force, criteria, affecting, first)
