"""Explanations: a value laid out in the terms it was folded from. Nothing is computed here a second time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from standings.engine.arrays import RoundKind
from standings.engine.judged import Judged
from standings.engine.registry import Criterion
from standings.engine.term import Term
from standings.engine.terms import ANNULLED
from standings.engine.texts import phrase


class InnerValue(NamedTuple):
    """A value that stands in a line as a factor: the code of its criterion and whose it is."""

    code: str
    row: int


class ExplainedTerm(NamedTuple):
    """One term. `counted`: at any level; `notes`: in words why not, or not throughout (`lowest, cut`)."""

    term: Term
    counted: bool
    notes: tuple[str, ...]
    inner: InnerValue | None

    @property
    def note(self) -> str:
        """Return the notes in one."""
        return "; ".join(self.notes)


@dataclass(frozen=True)
class Explanation:
    """How a value came about.

    `row`: of the crosstable. `text`: what the cell says. `levels`: the exact value in points, a figure per
    level; as an arbiter ruled it if `ruled`. `computed`: what the lines come to; `folds`: how, a text per
    level (`5 + 7 + 6 = 18`). Where the criterion decides nothing, there is no level and no fold.
    """

    row: int
    criterion: Criterion
    text: str
    levels: tuple[Fraction, ...]
    ruled: bool
    lines: tuple[ExplainedTerm, ...]
    computed: tuple[Fraction, ...]
    folds: tuple[str, ...]


def explain(judged: Judged, row: int) -> Explanation:
    """Explain the value of a row of the crosstable."""
    computed, terms = judged.as_computed, judged.terms(row)
    column, levels = computed.column, computed.decisive(row)
    depth = len(levels) or column.levels
    return Explanation(
        row=row,
        criterion=judged.criterion,
        text=judged.text(row),
        levels=tuple(judged.levels(row)),
        ruled=row in judged.ruled,
        lines=tuple(_line(term, depth, judged.criterion) for term in terms),
        computed=tuple(computed.levels(row)),
        folds=tuple(column.fold(row, level, terms) for level in levels),
    )


def _line(term: Term, depth: int, criterion: Criterion) -> ExplainedTerm:
    counted = term.since < min(term.until, depth)
    return ExplainedTerm(term, counted, tuple(_notes(term, depth)), _inner(term, criterion))


def _notes(term: Term, depth: int) -> Iterator[str]:
    """Yield what is to be said of a term, that it was annulled, and why not all `depth` levels count it."""
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


def _inner(term: Term, criterion: Criterion) -> InnerValue | None:
    """Return the value that is a factor; the opponent of an annulled game has none."""
    if not term.inner or term.opponent < 0 or term.kind is RoundKind.ANNULLED:
        return None
    # A code of C.07 that stands in a term is whole; ours follows the score that was asked for.
    in_scale = criterion.scale and not criterion.is_fide
    return InnerValue(f"{term.inner}@{criterion.scale}" if in_scale else term.inner, term.opponent)
