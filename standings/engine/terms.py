"""Terms: what values are made of, and what of it counts. Column: terms with their measure.

There is no value without its terms: a figure in a table is folded from the arrays that an explanation prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import lcm, prod

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind
from standings.engine.measures import SEPARATOR, SUM, UNKNOWN, Figure, Figures, Measure
from standings.engine.term import Cut, Factor, Term, TermSources
from standings.engine.texts import phrase, points_text

MOST = np.iinfo(np.int64).max
LOWEST, HIGHEST, ANNULLED = phrase("lowest, cut"), phrase("highest, cut"), phrase("annulled")
NOT_COUNTED = phrase("not counted")
LEAST, MOST_SIGNIFICANT = phrase("least significant, cut (14)"), phrase("most significant, cut (14)")
VOLUNTARY = phrase("voluntary unplayed round, cut first (16.5)")


@dataclass(frozen=True, eq=False)
class Terms:
    """(n competitors, m terms): which are `present`; they count where `since <= level < until`.

    `cuts`: what applies_to which of them from counting, and why.
    """

    factors: tuple[Factor, ...]
    sources: TermSources
    present: Bools
    until: Ints
    since: Ints | int = 0
    levels: int = 1
    cuts: tuple[Cut, ...] = ()

    @classmethod
    def of(cls, factor: Factor, sources: TermSources, present: Bools) -> Terms:
        """Return terms of one figure each, all of them counting."""
        return cls((factor,), sources, present, present.astype(np.int64))

    @cached_property
    def amount(self) -> Ints:
        """Return (n, m) the products of the factors, `unit` parts to a point."""
        return reduce(np.multiply, (factor.values for factor in self.factors))

    @property
    def unit(self) -> int:
        """Return how many parts make a point."""
        return prod(factor.unit for factor in self.factors)

    def __mul__(self, other: Terms) -> Terms:
        """Multiply each term by the other's of the same round; the working keeps both."""
        return replace(self, factors=self.factors + other.factors).where(other.present)

    # --- what counts -----------------------------------------------------------------------------

    def where(self, exists: Bools) -> Terms:
        """Drop all terms but these."""
        return replace(self, present=self.present & exists, until=self.until * exists)

    def counting(self, mask: Bools, why: str = NOT_COUNTED) -> Terms:
        """Let only these terms count; `why` the others do not, for the explanation."""
        return self._cut(why, self.until * mask)

    def without_lowest(self, by: Terms | None = None) -> Terms:
        """Cut the lowest term, or the one lowest in `by`, then in itself; of equal ones the earliest."""
        # What does not count is given more than any amount, so that it is never the one that is cut.
        return self._without(np.where(self.counted(), self._order(by), MOST), np.argmin, LOWEST)

    def without_highest(self) -> Terms:
        """Cut the highest term; of equal ones the earliest."""
        return self._without(np.where(self.counted(), self._order(), -MOST), np.argmax, HIGHEST)

    def least_cut(self, times: int, voluntary: Bools, by: Terms | None = None) -> Terms:
        """Cut the least significant terms, as C.07 14 and 16.5 do.

        It is the one lowest in `by`, then in itself; but the lowest of the `voluntary` ones (n, m) where that
        is no lower, of equal ones the one lowest in `by`. Of further equal ones the earliest; each further
        cut begins again.
        """
        order, until, first = self._order(by), self.until.copy(), np.zeros_like(voluntary)
        rows = np.arange(len(until))
        # Few have voluntary rounds, and only with them there is anything to weigh.
        some = np.flatnonzero(voluntary.any(axis=1))
        order_of_first = order[some] if by is None else by._order(self)[some]
        for _ in range(min(times, until.shape[1])):
            counts = until > self.since
            goes = np.where(counts, order, MOST).argmin(axis=1)
            if len(some):
                of_first = np.where((counts & voluntary)[some], order_of_first, MOST)
                lowest = of_first.argmin(axis=1)
                is_first = (of_first[np.arange(len(some)), lowest] < MOST) & (
                    self.amount[some, lowest] >= self.amount[some, goes[some]]
                )
                goes[some[is_first]] = lowest[is_first]
                first[some[is_first], lowest[is_first]] = True
            until[rows, goes] = 0
        terms = self._cut(VOLUNTARY, np.where(first, 0, self.until)) if first.any() else self
        return terms._cut(LEAST, until)

    def most_cut(self, times: int, by: Terms | None = None) -> Terms:
        """Cut the most significant terms: those highest in `by`, then in themselves."""
        order, until = self._order(by), self.until.copy()
        for _ in range(min(times, until.shape[1])):
            highest = np.where(until > self.since, order, -MOST).argmax(axis=1, keepdims=True)
            np.put_along_axis(until, highest, 0, axis=1)
        return self._cut(MOST_SIGNIFICANT, until)

    def ladder(self) -> Terms:
        """Return a vector: without the lowest, without the two lowest, and so on; at the end zeros."""
        counted = self.counted()
        # Stable: of equal terms the earliest goes first, as rule books cut them.
        order = np.where(counted, self._order(), MOST).argsort(axis=1, kind="stable")
        cut_at, levels = np.empty_like(order), max(order.shape[1] - 1, 1)
        np.put_along_axis(cut_at, order, np.arange(order.shape[1])[None], axis=1)
        until = cut_at * counted
        cut = Cut(LOWEST, counted, until, levels)
        return replace(self, until=until, levels=levels, cuts=(*self.cuts, cut))

    def without_last_ones(self) -> Terms:
        """Return a vector: without the last term, without the last two, and so on."""
        terms = self.until.shape[1]
        until = np.arange(terms)[::-1] * self.counted()
        cut = Cut(phrase("left out"), self.counted(), until, max(terms - 1, 1))
        return replace(self, until=until, levels=max(terms - 1, 1), cuts=(*self.cuts, cut))

    def divided_by(self, divisor: int) -> Terms:
        """Return the terms in parts that are so many times finer: each divided by that number."""
        first, *others = self.factors
        return replace(self, factors=(replace(first, unit=first.unit * divisor), *others))

    def beside(self, others: Terms) -> Terms:
        """Return these terms and then the others, in parts fine enough for both; of one level, uncut."""
        unit = lcm(self.unit, others.unit)
        both = self, others
        amounts = np.concatenate([each.amount * (unit // each.unit) for each in both], axis=1)
        own = self.until.shape[1]

        def note(row: int, at: int) -> str:
            return self.sources.note(row, at) if at < own else others.sources.note(row, at - own)

        sources = TermSources(
            self.sources.names,
            np.concatenate([each.sources.opponent for each in both], axis=1),
            np.concatenate([each.sources.rounds for each in both]),
            np.concatenate([each.sources.kind for each in both], axis=1),
            virtual=np.concatenate([each.sources.virtual for each in both], axis=1),
            note=note,
        )
        present = np.concatenate([each.present for each in both], axis=1)
        return Terms.of(Factor(phrase("points"), amounts, unit), sources, present)

    def step_by_step(self, step: Ints) -> Terms:
        """Return a vector: the terms of step 0, then those of step 1, and so on; `step` is (n, m)."""
        levels = max(int(step.max(initial=0)) + 1, 1)
        return replace(self, since=step, until=(step + 1) * self.counted(), levels=levels)

    def then(self, later: Terms) -> Terms:
        """Add a level at which only the later terms count: some of those that counted last."""
        parted = Cut(phrase("no longer level"), self.counted(self.levels - 1), later.until)
        until, cuts = self.until + later.counted(), (*self.cuts, parted)
        return replace(self, until=until, levels=self.levels + 1, cuts=cuts)

    def _cut(self, why: str, until: Ints) -> Terms:
        return replace(self, until=until, cuts=(*self.cuts, Cut(why, self.until, until)))

    def _order(self, by: Terms | None = None) -> Ints:
        amount = self.amount
        if by is None:
            return amount
        # Wider than any difference of amounts: they decide only where `by` is equal.
        span = int(amount.max(initial=0)) - int(amount.min(initial=0)) + 1
        order: Ints = by.amount * span + amount
        return order

    def _without(self, order: Ints, pick: Callable[..., Ints], why: str) -> Terms:
        until = self.until.copy()
        if until.size:
            np.put_along_axis(until, pick(order, axis=1, keepdims=True), 0, axis=1)
        return self._cut(why, until)

    def counted(self, level: int = 0) -> Bools:
        """Return (n, m) what counts at that level."""
        if level == 0 and isinstance(self.since, int):
            return self._counted_first
        counted: Bools = (self.since <= level) & (level < self.until)
        return counted

    @cached_property
    def _counted_first(self) -> Bools:
        """Return (n, m) what counts at the first level, asked for by everything that a value is made of."""
        counted: Bools = self.until > 0
        return counted

    # --- what it comes to ------------------------------------------------------------------------

    def sums(self, level: int = 0) -> Ints:
        """Return (n,) the amounts that count at that level, added up."""
        sums: Ints = np.einsum("nm,nm->n", self.amount, self.counted(level))
        return sums

    def counts(self, level: int = 0) -> Ints:
        """Return (n,) how many count at that level."""
        counts: Ints = np.count_nonzero(self.counted(level), axis=1)
        return counts

    def total(self, measure: Measure = SUM) -> Column:
        """Return the values: what counts, added up or otherwise measured."""
        return Column(self, measure)

    def of_row(self, row: int) -> list[Term]:
        """Return the lines of one competitor's explanation, in the order of the rounds."""
        return [self._term(row, at) for at in np.flatnonzero(self.present[row]).tolist()]

    def _term(self, row: int, at: int) -> Term:
        amount = int(self.amount[row, at])
        return Term(
            round=int(self.sources.rounds[at]),
            opponent=int(self.sources.opponent[row, at]),
            against=self.sources.against(row, at),
            kind=RoundKind(int(self.sources.kind[row, at])),
            virtual=bool(self.sources.virtual[row, at]),
            amount=Fraction(amount, self.unit),
            text=points_text(amount, self.unit),
            factors=tuple(factor.text(row, at) for factor in self.factors),
            since=int(np.broadcast_to(self.since, self.until.shape)[row, at]),
            until=int(self.until[row, at]),
            inner=next((factor.code for factor in self.factors if factor.code), None),
            why=next((cut.why for cut in self.cuts if cut.applies_to(row, at)), ""),
            note=self.sources.note(row, at),
        )


@dataclass(frozen=True, eq=False)
class Column:
    """The values of a criterion: terms, their measure, and by row what an arbiter ruled, in points.

    `not_recorded` (n,): who has no value, because not everything that it is made of is recorded.
    """

    terms: Terms
    measure: Measure
    rulings: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)
    not_recorded: Bools | None = None
    _figures: dict[int, Figures] = field(default_factory=dict, init=False, repr=False)

    @property
    def levels(self) -> int:
        """Return how many figures a value has: 1, or the length of the vector."""
        return self.terms.levels

    @cached_property
    def unit(self) -> int:
        """Return how many parts of a figure make a point; a ruling may need finer ones than the terms."""
        # A quotient keeps its bottom apart, so a ruling of it needs no finer parts.
        if self.measure.divides:
            return self.terms.unit
        finest = (value.denominator for levels in self.rulings.values() for value in levels)
        return lcm(self.terms.unit, *finest)

    def figures(self, level: int = 0) -> Figures:
        """Return (n,) top and (n,) bottom of the values at that level; computed when first asked for."""
        if level not in self._figures:
            top, bottom = self.measure.figures(self.terms, level)
            top = top * (self.unit // self.terms.unit)
            for row, levels in self.rulings.items():
                value = levels[level] if level < len(levels) else Fraction(0)
                top[row], bottom[row], _ = self.measure.figure_of(value, self.unit)
            self._figures[level] = top, bottom
        return self._figures[level]

    @cached_property
    def unknown(self) -> Bools:
        """Return (n,) who has no value, neither recorded nor ruled."""
        unknown = np.zeros(len(self.terms.present), dtype=bool)
        if self.not_recorded is not None:
            unknown |= self.not_recorded
            unknown[list(self.rulings)] = False
        return unknown

    def keys(self, level: int = 0) -> Ints:
        """Return (n,) integers to compare at that level, larger is better."""
        return self.measure.keys(self.figures(level))

    def figure(self, row: int, level: int = 0) -> Figure:
        """Return one figure: top, bottom and unit."""
        top, bottom = self.figures(level)
        return int(top[row]), int(bottom[row]), self.unit

    def value(self, row: int, level: int = 0) -> Fraction:
        """Return one figure in points, exactly; of a ratio with nothing lost, the number won."""
        return self.measure.value(self.figure(row, level))

    def exact(self, row: int, level: int = 0) -> str:
        """Return one figure as exact machine text, `372.5`; empty where there is nothing to compare."""
        return "" if self.unknown[row] else self.measure.exact(self.figure(row, level))

    def shown(self, row: int, level: int = 0) -> str:
        """Return one figure as a reader writes it."""
        return UNKNOWN if self.unknown[row] else self.measure.show(*self.figure(row, level))

    def fold(self, row: int, level: int, terms: list[Term]) -> str:
        """Return how the terms of a row make its figure: `5 + 7 + 6 = 18`."""
        if working := self.measure.working(self.terms, row, level):
            return working
        amounts = [term.text for term in terms if term.counted(level)]
        figure, name = self.measure.conclude(self.figure(row, level)), self.measure.against(row, level)
        ends = phrase("%(figure)s against %(name)s", figure=figure, name=name) if name else figure
        if len(amounts) < 2 or self.measure.divides:
            return ends
        added = " + ".join(amounts).replace("+ -", "- ")  # `1 - 1`, and not `1 + -1`
        return phrase("%(sum)s = %(figure)s", sum=added, figure=ends)

    def texts(self, used: Ints) -> list[str]:
        """Return the texts of all cells; `used` (n,): how many levels to show; `*` marks a ruling."""
        cells = self.measure.texts(self, used)
        for row in np.flatnonzero(self.unknown).tolist():
            cells[row] = UNKNOWN
        for row, levels in self.rulings.items():
            ruled = (self.measure.show_ruled(self.measure.figure_of(value, self.unit)) for value in levels)
            cells[row] = SEPARATOR.join(ruled) + "*"
        return cells

    def with_rulings(self, rulings: Mapping[int, tuple[Fraction, ...]]) -> Column:
        """Replace the values of these rows by an arbiter's; the terms stay as computed."""
        return replace(self, rulings=rulings) if rulings or self.rulings else self

    def then(self, later: Column) -> Column:
        """Return the same criterion applied again inside the groups still level: one level more."""
        return replace(self, terms=self.terms.then(later.terms))
