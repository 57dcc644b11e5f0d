"""Terms, the amounts that values are computed from; and columns, which are terms with a measure.

Values are computed from the same arrays that explanations print, so that both always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import lcm, prod
from typing import NamedTuple

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind
from standings.engine.measures import SEPARATOR, SUM, UNKNOWN, Figure, Figures, Measure
from standings.engine.texts import fraction_text, phrase

MAX_KEY = np.iinfo(np.int64).max
LOWEST, HIGHEST, ANNULLED = phrase("lowest, cut"), phrase("highest, cut"), phrase("annulled")
NOT_COUNTED = phrase("not counted")
LEAST, MOST_SIGNIFICANT = phrase("least significant, cut (14)"), phrase("most significant, cut (14)")
VOLUNTARY = phrase("voluntary unplayed round, cut first (16.5)")
NO_OPPONENT_TEXTS = {
    RoundKind.BYE: phrase("bye"),
    RoundKind.HALF_BYE: phrase("half-bye"),
    RoundKind.ZERO_BYE: phrase("zero-bye"),
    RoundKind.ABSENT: phrase("absent"),
    RoundKind.ANNULLED: phrase("annulled"),
}


class FactorText(NamedTuple):
    """A factor of an amount as text, with its symbol: `13` and `MP`."""

    text: str
    symbol: str


@dataclass(frozen=True)
class Term:
    """An amount in a value. It counts at the levels `since <= level < until`.

    `round`: 0 if it is about the event. `opponent`: row of the crosstable, the competitor's own row for a bye
    that counts against itself, -1 without an opponent; `against`: the opponent as text. `virtual`: a virtual
    opponent replaces the real opponent. `amount`: in points; `text`: the same for readers; `factors`: the
    factors of the amount; `inner`: code of a criterion that has a factor as its value. `note`: a remark that
    cites the article of the rules. `why`: the reason for not counting (`lowest, cut`), blank if the term
    counts.
    """

    round: int
    opponent: int
    against: str
    kind: RoundKind
    virtual: bool
    amount: Fraction
    text: str
    factors: tuple[FactorText, ...]
    since: int
    until: int
    inner: str | None
    why: str = ""
    note: str = ""

    @property
    def working(self) -> str:
        return " × ".join(f"{factor.text} {factor.symbol}" for factor in self.factors)

    def counted(self, level: int = 0) -> bool:
        return self.since <= level < self.until


@dataclass(frozen=True, eq=False)
class TermSources:
    """Where terms come from. All arrays are (n, m), except `rounds` (m,).

    `opponent`: row of the opponent, or -1. `rounds`: number of the round, 0 for terms of the event. `kind`: a
    RoundKind. `virtual`: a virtual opponent replaces the real opponent. `note`: returns the note of a term,
    given its row and column.
    """

    names: tuple[str, ...]
    opponent: Ints
    rounds: Ints
    kind: Ints
    virtual: Bools
    note: Callable[[int, int], str] = lambda _row, _at: ""

    def against(self, row: int, at: int) -> str:
        """Return the opponent as text, or the reason for having no opponent, or the own name."""
        opponent = int(self.opponent[row, at])
        if not self.rounds[at]:
            return self.names[row]
        if opponent == row:
            return phrase("itself")
        if opponent < 0 and self.virtual[row, at]:
            return phrase("dummy")
        if opponent < 0:
            return NO_OPPONENT_TEXTS[RoundKind(int(self.kind[row, at]))]
        name = self.names[opponent]
        return phrase("virtual opponent for %(name)s", name=name) if self.virtual[row, at] else name


class Cut(NamedTuple):
    """The reason why some terms do not count.

    `counted` (n, m): the terms that counted before. `until` (n, m): the levels below which they count now;
    terms with `until < levels` are cut.
    """

    why: str
    counted: Ints | Bools
    until: Ints
    levels: int = 1


@dataclass(frozen=True, eq=False)
class Factor:
    """The values of a factor, (n, m).

    `symbol`: as printed in the rule book. `unit`: parts of a point. `code`: the criterion that they are
    values of.
    """

    symbol: str
    values: Ints
    unit: int = 1
    code: str | None = None

    def text(self, row: int, at: int) -> FactorText:
        return FactorText(fraction_text(int(self.values[row, at]), self.unit), self.symbol)


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of n competitors, (n, m). Those `present` count at the levels `since <= level < until`.

    `cuts`: which terms do not count, and why.
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
        return cls((factor,), sources, present, present.astype(np.int64))

    @cached_property
    def amount(self) -> Ints:
        return reduce(np.multiply, (factor.values for factor in self.factors))

    @property
    def unit(self) -> int:
        return prod(factor.unit for factor in self.factors)

    def __mul__(self, other: Terms) -> Terms:
        """Multiply each term by the term of the same round. The product keeps the factors of both."""
        return replace(self, factors=self.factors + other.factors).where(other.present)

    # --- what counts -----------------------------------------------------------------------------

    def where(self, exists: Bools) -> Terms:
        return replace(self, present=self.present & exists, until=self.until * exists)

    def counting(self, mask: Bools, why: str = NOT_COUNTED) -> Terms:
        """Count the terms in the mask only. `why` explains the others."""
        return self._cut(why, self.until * mask)

    def without_lowest(self, by: Terms | None = None) -> Terms:
        """Cut the term lowest in `by`, then in itself; of equal terms the earliest."""
        return self.cut_least_significant(1, np.zeros_like(self.present), by, LOWEST)

    def without_highest(self) -> Terms:
        return self.cut_most_significant(1, why=HIGHEST)

    def cut_least_significant(
        self, times: int, voluntary: Bools, by: Terms | None = None, why: str = LEAST
    ) -> Terms:
        """Cut the least significant terms, by C.07 14 and 16.5.

        Each cut takes the term lowest in `by`, then in itself. If the lowest of the `voluntary` terms (n, m),
        then in `by`, is not lower than that term, it is cut instead. Of further equal terms the earliest is
        cut.
        """
        order, until, first = self._cut_order(by), self.until.copy(), np.zeros_like(voluntary)
        rows = np.arange(len(until))
        # Few competitors have voluntary unplayed rounds; the comparison is limited to their rows.
        affected = np.flatnonzero(voluntary.any(axis=1))
        order_of_first = order[affected] if by is None else by._cut_order(self)[affected]
        for _ in range(min(times, until.shape[1])):
            counts = until > self.since
            # Terms that do not count get the largest key, so that they are never cut.
            to_cut = np.where(counts, order, MAX_KEY).argmin(axis=1)
            if len(affected):
                of_first = np.where((counts & voluntary)[affected], order_of_first, MAX_KEY)
                lowest = of_first.argmin(axis=1)
                is_first = (of_first[np.arange(len(affected)), lowest] < MAX_KEY) & (
                    self.amount[affected, lowest] >= self.amount[affected, to_cut[affected]]
                )
                to_cut[affected[is_first]] = lowest[is_first]
                first[affected[is_first], lowest[is_first]] = True
            until[rows, to_cut] = 0
        terms = self._cut(VOLUNTARY, np.where(first, 0, self.until)) if first.any() else self
        return terms._cut(why, until)

    def cut_most_significant(self, times: int, by: Terms | None = None, why: str = MOST_SIGNIFICANT) -> Terms:
        order, until = self._cut_order(by), self.until.copy()
        for _ in range(min(times, until.shape[1])):
            highest = np.where(until > self.since, order, -MAX_KEY).argmax(axis=1, keepdims=True)
            np.put_along_axis(until, highest, 0, axis=1)
        return self._cut(why, until)

    def successive_cuts(self) -> Terms:
        """Return a vector: without the lowest term, without the two lowest, and so on, down to 0."""
        counted = self.counted()
        # Stable, because the rule books cut the earliest of equal terms.
        order = np.where(counted, self._cut_order(), MAX_KEY).argsort(axis=1, kind="stable")
        cut_at, levels = np.empty_like(order), max(order.shape[1] - 1, 1)
        np.put_along_axis(cut_at, order, np.arange(order.shape[1])[None], axis=1)
        until = cut_at * counted
        cut = Cut(LOWEST, counted, until, levels)
        return replace(self, until=until, levels=levels, cuts=(*self.cuts, cut))

    def successive_last_cuts(self) -> Terms:
        """Return a vector: without the last term, without the last two, and so on."""
        terms = self.until.shape[1]
        until = np.arange(terms)[::-1] * self.counted()
        cut = Cut(phrase("left out"), self.counted(), until, max(terms - 1, 1))
        return replace(self, until=until, levels=max(terms - 1, 1), cuts=(*self.cuts, cut))

    def divided_by(self, divisor: int) -> Terms:
        """Divide each term exactly, with a finer unit."""
        first, *others = self.factors
        return replace(self, factors=(replace(first, unit=first.unit * divisor), *others))

    def concatenate(self, others: Terms) -> Terms:
        """Append other terms, in a unit fine enough for both. The result has a single level and no cuts."""
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

    def split_into_levels(self, step: Ints) -> Terms:
        """Return a vector: the terms of step 0, then those of step 1, and so on; `step` is (n, m)."""
        levels = max(int(step.max(initial=0)) + 1, 1)
        return replace(self, since=step, until=(step + 1) * self.counted(), levels=levels)

    def append_level(self, later: Terms) -> Terms:
        """Add a level at which only terms of `later` count: a part of those that counted last."""
        separated = Cut(phrase("no longer level"), self.counted(self.levels - 1), later.until)
        until, cuts = self.until + later.counted(), (*self.cuts, separated)
        return replace(self, until=until, levels=self.levels + 1, cuts=cuts)

    def _cut(self, why: str, until: Ints) -> Terms:
        return replace(self, until=until, cuts=(*self.cuts, Cut(why, self.until, until)))

    def _cut_order(self, by: Terms | None = None) -> Ints:
        amount = self.amount
        if by is None:
            return amount
        # Wider than any difference of amounts, so that amounts decide only if `by` is equal.
        span = int(amount.max(initial=0)) - int(amount.min(initial=0)) + 1
        order: Ints = by.amount * span + amount
        return order

    def counted(self, level: int = 0) -> Bools:
        if level == 0 and isinstance(self.since, int):
            return self._counted_at_first_level
        counted: Bools = (self.since <= level) & (level < self.until)
        return counted

    @cached_property
    def _counted_at_first_level(self) -> Bools:
        counted: Bools = self.until > 0
        return counted

    # --- what it comes to ------------------------------------------------------------------------

    def sums(self, level: int = 0) -> Ints:
        sums: Ints = np.einsum("nm,nm->n", self.amount, self.counted(level))
        return sums

    def counts(self, level: int = 0) -> Ints:
        counts: Ints = np.count_nonzero(self.counted(level), axis=1)
        return counts

    def total(self, measure: Measure = SUM) -> Column:
        return Column(self, measure)

    def of_row(self, row: int) -> list[Term]:
        return [self._term(row, at) for at in np.flatnonzero(self.present[row]).tolist()]

    def _term(self, row: int, at: int) -> Term:
        amount = int(self.amount[row, at])
        cuts = (cut for cut in self.cuts if cut.counted[row, at] and cut.until[row, at] < cut.levels)
        return Term(
            round=int(self.sources.rounds[at]),
            opponent=int(self.sources.opponent[row, at]),
            against=self.sources.against(row, at),
            kind=RoundKind(int(self.sources.kind[row, at])),
            virtual=bool(self.sources.virtual[row, at]),
            amount=Fraction(amount, self.unit),
            text=fraction_text(amount, self.unit),
            factors=tuple(factor.text(row, at) for factor in self.factors),
            since=int(np.broadcast_to(self.since, self.until.shape)[row, at]),
            until=int(self.until[row, at]),
            inner=next((factor.code for factor in self.factors if factor.code), None),
            why=next((cut.why for cut in cuts), ""),
            note=self.sources.note(row, at),
        )


@dataclass(frozen=True, eq=False)
class Column:
    """The values of a criterion: terms, their measure, and `rulings` by row (in points, set by an arbiter).

    `not_recorded` (n,): rows without a value, because an input is not recorded. `levels`: the length of
    vectors, 1 for other values. `figures` and `keys` are as in Measure.
    """

    terms: Terms
    measure: Measure
    rulings: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)
    not_recorded: Bools | None = None
    _figures: dict[int, Figures] = field(default_factory=dict, init=False, repr=False)

    @property
    def levels(self) -> int:
        return self.terms.levels

    @cached_property
    def unit(self) -> int:
        """Return how many parts make a point; a ruling may need finer parts than the terms."""
        # The bottom of a quotient is separate, so a ruling needs no finer parts.
        if self.measure.divides:
            return self.terms.unit
        finest = (value.denominator for levels in self.rulings.values() for value in levels)
        return lcm(self.terms.unit, *finest)

    def figures(self, level: int = 0) -> Figures:
        if level not in self._figures:
            top, bottom = self.measure.figures(self.terms, level)
            top = top * (self.unit // self.terms.unit)
            for row, levels in self.rulings.items():
                value = levels[level] if level < len(levels) else Fraction(0)
                top[row], bottom[row], _ = self.measure.ruled_figure(value, self.unit)
            self._figures[level] = top, bottom
        return self._figures[level]

    @cached_property
    def unknown(self) -> Bools:
        unknown = np.zeros(len(self.terms.present), dtype=bool)
        if self.not_recorded is not None:
            unknown |= self.not_recorded
            unknown[list(self.rulings)] = False
        return unknown

    def keys(self, level: int = 0) -> Ints:
        return self.measure.keys(self.figures(level))

    def figure(self, row: int, level: int = 0) -> Figure:
        top, bottom = self.figures(level)
        return int(top[row]), int(bottom[row]), self.unit

    def value(self, row: int, level: int = 0) -> Fraction:
        return self.measure.value(self.figure(row, level))

    def exact(self, row: int, level: int = 0) -> str:
        """Return a figure as exact text for machines, `372.5`; blank if there is no value."""
        return "" if self.unknown[row] else self.measure.exact(self.figure(row, level))

    def figure_text(self, row: int, level: int = 0) -> str:
        return UNKNOWN if self.unknown[row] else self.measure.text(*self.figure(row, level))

    def calculation(self, row: int, level: int, terms: list[Term]) -> str:
        """Return the calculation of a figure from its terms: `5 + 7 + 6 = 18`."""
        if working := self.measure.working(self.terms, row, level):
            return working
        amounts = [term.text for term in terms if term.counted(level)]
        figure = self.measure.result_text(self.figure(row, level))
        name = self.measure.opponent_text(row, level)
        if name:
            figure = phrase("%(figure)s against %(name)s", figure=figure, name=name)
        if len(amounts) < 2 or self.measure.divides:
            return figure
        added = " + ".join(amounts).replace("+ -", "- ")  # `1 - 1` instead of `1 + -1`
        return phrase("%(sum)s = %(figure)s", sum=added, figure=figure)

    def texts(self, used: Ints) -> list[str]:
        """Return the cell texts with `used` (n,) levels each; `*` marks a ruling."""
        cells = self.measure.texts(self, used)
        for row in np.flatnonzero(self.unknown).tolist():
            cells[row] = UNKNOWN
        for row, levels in self.rulings.items():
            ruled = (self.measure.ruled_text(self.measure.ruled_figure(value, self.unit)) for value in levels)
            cells[row] = SEPARATOR.join(ruled) + "*"
        return cells

    def with_rulings(self, rulings: Mapping[int, tuple[Fraction, ...]]) -> Column:
        return replace(self, rulings=rulings) if rulings or self.rulings else self

    def append_level(self, later: Column) -> Column:
        """Append the criterion applied again inside the groups that are still tied, as a further level."""
        return replace(self, terms=self.terms.append_level(later.terms))
