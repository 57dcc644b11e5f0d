"""Explanations: a value with the terms that it was computed from. No value is computed a second time here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from standings.engine.arrays import RoundKind
from standings.engine.ranking import CriterionColumn
from standings.engine.registry import Criterion
from standings.engine.terms import ANNULLED, Term
from standings.engine.texts import phrase


class InnerValue(NamedTuple):
    """A value that is a factor of a term: the code of its criterion, and the row that has it."""

    code: str
    row: int


class ExplainedTerm(NamedTuple):
    """A term. `counted`: at any level. `notes`: why it does not count at all levels (`lowest, cut`)."""

    term: Term
    counted: bool
    notes: tuple[str, ...]
    inner: InnerValue | None

    @property
    def note(self) -> str:
        return "; ".join(self.notes)


@dataclass(frozen=True)
class Explanation:
    """How a value was computed.

    `row`: of the crosstable. `text`: the cell. `levels`: the exact value in points, a figure per level, as
    set by an arbiter if `ruled`. `computed`: the value without rulings. `calculations`: as text, per
    level (`5 + 7 + 6 = 18`). If the criterion decides nothing, these are empty.
    """

    row: int
    criterion: Criterion
    text: str
    levels: tuple[Fraction, ...]
    ruled: bool
    lines: tuple[ExplainedTerm, ...]
    computed: tuple[Fraction, ...]
    calculations: tuple[str, ...]


def explain(values: CriterionColumn, row: int) -> Explanation:
    computed, terms = values.as_computed, values.terms(row)
    column, levels = computed.column, computed.decisive(row)
    depth = len(levels) or column.levels
    return Explanation(
        row=row,
        criterion=values.criterion,
        text=values.text(row),
        levels=tuple(values.levels(row)),
        ruled=row in values.ruled,
        lines=tuple(
            ExplainedTerm(
                term,
                counted=term.since < min(term.until, depth),
                notes=tuple(_term_notes(term, depth)),
                inner=_inner_value(term, values.criterion),
            )
            for term in terms
        ),
        computed=tuple(computed.levels(row)),
        calculations=tuple(column.calculation(row, level, terms) for level in levels),
    )


def _term_notes(term: Term, depth: int) -> Iterator[str]:
    if term.note:
        yield term.note
    if term.kind is RoundKind.ANNULLED and term.why != ANNULLED:
        yield ANNULLED
    if term.since >= term.until:
        yield term.why
    elif term.since >= depth:
        yield phrase("not reached")
    elif (term.since > 0 or term.until < depth) and term.why:
        yield phrase("%(why)s at step %(step)s", why=term.why, step=term.until + 1)
    elif term.since > 0 or term.until < depth:
        yield phrase("step %(step)s", step=term.until)


def _inner_value(term: Term, criterion: Criterion) -> InnerValue | None:
    # Annulled games do not count with any value of the opponent.
    if not term.inner or term.opponent < 0 or term.kind is RoundKind.ANNULLED:
        return None
    # Terms have complete codes of C.07; other codes follow the score of the criterion.
    in_scale = criterion.scale and not criterion.is_fide
    return InnerValue(f"{term.inner}@{criterion.scale}" if in_scale else term.inner, term.opponent)
