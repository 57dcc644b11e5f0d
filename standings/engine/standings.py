"""Standings: who stands where, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.comparison import Comparison, Decision, compare_values
from standings.engine.crosstable import Crosstable
from standings.engine.explanation import Explanation, explain
from standings.engine.judged import Judged
from standings.engine.overrides import RankingOverride, changed_pairings, marks_of, order_and_places
from standings.engine.ranking import Ranking, Rulings, Step
from standings.engine.registry import Criterion, get
from standings.engine.systems import RankingSystem

BY_HAND, PUBLISHED = "place", "published"


class Row(NamedTuple):
    """One line of the table.

    `competitor`: row of the crosstable. `place`: None outside the competition and for annulled competitors.
    `sharing`: how many have the place, 0 without one. `decided_by`: code of the criterion that parted it from
    the line above, "place" where a ruling did, "published" if only the published ranking is known, None in
    the first line and where nothing did. `marks`: any of withdrawn, annulled, pending, unknown, pairing,
    value, place.
    """

    competitor: int
    place: int | None
    sharing: int
    outside: bool
    decided_by: str | None
    marks: tuple[str, ...]

    @property
    def shared(self) -> bool:
        """Say whether somebody else has the same place."""
        return self.sharing > 1


@dataclass(frozen=True, eq=False)
class Standings:
    """A crosstable judged under a system. Pickled as what it was made from, and judged again when first read.

    `table` and `system` are those of the rules in force, `first` those before any change of the rules, None
    where there is none. `criteria`: the codes that decide, in order. `overrides`: the rulings that touch
    these standings.
    """

    table: Crosstable
    system: RankingSystem
    criteria: tuple[str, ...]
    overrides: tuple[RankingOverride, ...] = ()
    first: tuple[Crosstable, RankingSystem] | None = None
    _columns: dict[str, Judged] = field(default_factory=dict, init=False, repr=False)
    _explained: dict[tuple[int, str], Explanation] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return what the standings were made from; everything else follows from it."""
        given = ("table", "system", "criteria", "overrides", "first")
        # Columns hold every term: judging again costs two milliseconds, keeping them the cache.
        return {name: getattr(self, name) for name in given} | {"_columns": {}, "_explained": {}}

    # --- who stands where ------------------------------------------------------------------------

    @property
    def has_places(self) -> bool:
        """Return whether there is anything to rank by: a paired round, or a published ranking."""
        return self.table.rounds > 0 or self.table.published is not None

    @property
    def order(self) -> Ints:
        """Return (n,) rows of the crosstable from first to last; who shares a place, in crosstable order."""
        return self._order_and_places[0]

    @property
    def place(self) -> Ints:
        """Return (n,) the place of each row of the crosstable, 0 for none."""
        return self._order_and_places[1]

    @cached_property
    def sharing(self) -> Ints:
        """Return (n,) how many have the same place, 0 without one."""
        return np.where(self.place > 0, np.bincount(self.place, minlength=1)[self.place], 0)

    def rows(self) -> Iterator[Row]:
        """Return the lines of the table from first to last."""
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
        """Say whether a criterion has no value for somebody with the place of this row."""
        sharing = self.place == self.place[row]
        return any((judged.column.unknown & sharing).any() for judged in self.judged)

    @cached_property
    def _by_hand(self) -> dict[int, int]:
        return {ruling.competitor: ruling.place for ruling in self.overrides if ruling.kind == "place"}

    @cached_property
    def _marks(self) -> dict[int, tuple[str, ...]]:
        return marks_of(self.table, self.overrides)

    # --- by what ---------------------------------------------------------------------------------

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Return the columns of the criteria, in the order in which they decide."""
        return self._judgement[0]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps that parted somebody, in order; rulings on places come after them."""
        return tuple(self._ranking.steps)

    def column(self, code: str) -> Judged:
        """Return the column of any criterion; of one that does not decide, as if it came last in the list.

        UnknownCriterionError where there is none.
        """
        if code not in self._columns:
            criterion = get(code)
            deciding = (judged for judged in self.judged if judged.criterion.code == criterion.code)
            self._columns[code] = next(deciding, None) or self._shown(criterion)
        return self._columns[code]

    def _shown(self, criterion: Criterion) -> Judged:
        judged = Ranking(self.table, self._ranking.group).judge(criterion, self._rulings(criterion.code))
        if judged.criterion.within_tie:
            return judged
        return replace(
            judged, used=np.ones_like(judged.used)
        )  # it parts nobody, so one level is enough to show

    @cached_property
    def _judgement(self) -> tuple[tuple[Judged, ...], Ranking]:
        published = self.table.published
        if published is not None:
            # Competitors without a published place stand last, but nothing parts them from the others.
            key = np.where(published.places > 0, published.places, published.places.max(initial=0) + 1)
            ranking = Ranking(self.table, np.searchsorted(np.sort(key), key))
            ranking.steps.append(Step(PUBLISHED, 0, ranking.group))
            return (), ranking
        ranking = Ranking(self.table)
        return tuple(ranking.judge(get(code), self._rulings(code)) for code in self.criteria), ranking

    @property
    def _ranking(self) -> Ranking:
        return self._judgement[1]

    def _rulings(self, code: str) -> Rulings:
        values = (ruling for ruling in self.overrides if ruling.kind == "value" and ruling.criterion == code)
        return {ruling.competitor: ruling.levels for ruling in values}

    # --- why -------------------------------------------------------------------------------------

    def explain(self, row: int, code: str) -> Explanation:
        """Explain the value of a row of the crosstable under any criterion.

        UnknownCriterionError where there is none.
        """
        if (row, code) not in self._explained:
            self._explained[row, code] = explain(self.column(code), row)
        return self._explained[row, code]

    def compare(self, a: int, b: int) -> Comparison:
        """Compare two rows of the crosstable: who stands ahead, by what, and when they met."""
        decision, step = self.parted_by(a, b), self._step(a, b)
        decisive = self.criteria.index(step.code) + 1 if step and self.criteria else len(self.criteria)
        criteria = tuple(compare_values(judged, a, b) for judged in self.judged)
        rounds = (np.flatnonzero(self.table.opponent[a] == b) + 1).tolist()
        ahead, behind = self._in_order(a, b)
        by = self._as_ruled(ahead, behind, step.code) if step else None
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

    def parted_by(self, a: int, b: int) -> Decision | None:
        """Return what put one of two rows ahead of the other; None where nothing did."""
        ahead, behind = self._in_order(a, b)
        step = self._step(a, b)
        by = self._as_ruled(ahead, behind, step.code if step else None)
        if by in {BY_HAND, PUBLISHED}:
            return Decision(by, 0, ahead, behind, (self._place_text(ahead), self._place_text(behind)))
        if by is None or step is None:
            return None
        shown = self.column(by).column.shown
        return Decision(by, step.level, ahead, behind, (shown(ahead, step.level), shown(behind, step.level)))

    @cached_property
    def decided_by(self) -> list[str | None]:
        """Return for each line the code that parted it from the line above, None where nothing did."""
        parted = (decision and decision[0] for decision in self.decided(self.order[:-1], self.order[1:]))
        return [None, *parted][: len(self.order)]

    def decided(self, ahead: Ints, behind: Ints) -> list[tuple[str, int] | None]:
        """Return for each two rows, the first of which stands ahead, the code and level that put it there.

        The code is "place" where a ruling did, "published" if only the published ranking is known; None
        stands where nothing did.
        """
        first = np.full(len(behind), -1)
        # Backwards, so that the first step that parted two rows is the one that remains.
        for at, step in reversed(list(enumerate(self.steps))):
            first[step.group[ahead] != step.group[behind]] = at
        first[self._unparted[ahead] | self._unparted[behind]] = -1
        steps = [*((step.code, step.level) for step in self.steps), None]  # the last one where nothing parted
        computed = [steps[at] for at in first.tolist()]
        if not self._by_hand:
            return computed
        codes = map(self._as_ruled, ahead.tolist(), behind.tolist(), (step and step[0] for step in computed))
        return [
            (BY_HAND, 0) if code == BY_HAND else step if code else None
            for code, step in zip(codes, computed, strict=True)
        ]

    def _step(self, a: int, b: int) -> Step | None:
        """Return the step that parted two rows as computed; nothing parts the annulled."""
        if self._unparted[[a, b]].any():
            return None
        return next((step for step in self.steps if step.group[a] != step.group[b]), None)

    @property
    def _unparted(self) -> Bools:
        """Return (n,) the annulled rows; if only the published ranking is known, those that it leaves out."""
        published = self.table.published
        return self.table.annulled if published is None else published.places == 0

    def _as_ruled(self, ahead: int, behind: int, as_computed: str | None) -> str | None:
        """Return what parted two rows as ruled: a ruling only where they stand otherwise than computed."""
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

    # --- what was changed by hand ----------------------------------------------------------------

    def place_mark(self, row: int) -> str:
        """Return the star of a place that was set by hand; nothing for others."""
        return "*" if row in self._by_hand else ""

    def after(self, rounds: int) -> Standings:
        """Return the standings after an earlier round, as ruled by what touches them."""
        table, system = self._first
        return rank(table.after(rounds), system, self.overrides)

    @cached_property
    def as_computed(self) -> Standings:
        """Return the standings without rulings; a pairing changed by hand keeps its result, unmarked."""
        return rank(*self._first) if self.overrides else self

    @property
    def _first(self) -> tuple[Crosstable, RankingSystem]:
        return self.first or (self.table, self.system)

    @cached_property
    def changed_columns(self) -> frozenset[str]:
        """Return the codes of the list whose values another list, or other rules of a frozen system, touched.

        So those that stand where the system has another one, and those with another value in any row.
        """
        if not self.has_other_rules:
            return frozenset()
        computed = self.as_computed
        unruled = rank(self.table, self.system.ordered_by(self.criteria))
        before = computed.criteria + ("",) * len(self.criteria)
        return frozenset(
            code
            for code, was in zip(self.criteria, before, strict=False)
            if code != was or _differ(unruled.column(code), computed.column(code))
        )

    @property
    def has_other_rules(self) -> bool:
        """Say whether an override changed the rules of a frozen system, or its list of criteria."""
        return any(ruling.kind in {"criteria", "rules"} and ruling.is_starred for ruling in self.overrides)

    @cached_property
    def changed_pairings(self) -> frozenset[tuple[int, int]]:
        """Return (row of the crosstable, round) of both sides of every pairing that was changed by hand."""
        return changed_pairings(self.table, self.overrides)


def _differ(one: Judged, other: Judged) -> bool:
    rows = range(len(one.used))
    return any(one.level_texts(row) != other.level_texts(row) for row in rows)


def rank(table: Crosstable, system: RankingSystem, overrides: Sequence[RankingOverride] = ()) -> Standings:
    """Return the standings after the last round of the table, as ruled; without overrides, as computed.

    `table` and `system` are those before any override. A score that the system fixes wins over the event's;
    a policy for unplayed rounds that the event has of its own wins over the system's. Rulings that touch only
    later standings are left out. UnknownCriterionError where the list names a criterion that is not there.
    If only the published ranking is known, there are no criteria and no rulings.
    """
    if table.published is not None:
        return Standings(
            table.derived(system_primary=system.primary, system_unplayed=system.unplayed), system, ()
        )
    touching = tuple(ruling for ruling in overrides if ruling.touches(table.rounds))
    in_force, by, codes = table, system, system.criteria
    for ruling in touching:
        if ruling.becomes:
            # The later rules judge the same results: only the rounds after the table must go.
            later, by = ruling.becomes
            in_force, codes = later.after(table.rounds), by.criteria
        elif ruling.kind == "criteria":
            codes = ruling.criteria
    criteria = tuple(get(code).code for code in codes)
    judged = in_force.derived(system_primary=by.primary, system_unplayed=by.unplayed)
    return Standings(judged, by, criteria, touching, None if in_force is table else (table, system))
