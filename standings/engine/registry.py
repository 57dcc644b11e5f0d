"""Criteria by code: each a function with its metadata beside it; the docstring's first line is the rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypedDict, Unpack

import numpy as np

from standings.engine.arrays import BoardInput, Bools
from standings.engine.crosstable import Crosstable
from standings.engine.fide.codes import LETTERS, Asked, ReadCode, UnknownCriterionError, read_code
from standings.engine.scoring import SYMBOL, Scale
from standings.engine.terms import Column
from standings.engine.tie import Tie

LARGEST_VALUE = 10_000_000
"""More points than any criterion comes to; what is compared stays within 64 bits."""

FINEST_PARTS = 8
"""The finest parts of a point: products of half-points are quarters, and halves of those occur with byes."""

MOST_TERMS = 999
"""By how many terms an average may be divided: more rounds than any event has."""


class Family(StrEnum):
    """The results that a criterion is made of; pages list the criteria by it."""

    OWN = "own"
    OPPONENTS = "opponents"
    SONNEBORN = "sonneborn"
    RATINGS = "ratings"
    TIE = "tie"
    DURATION = "duration"
    BOARDS = "boards"


class CriterionFields(TypedDict, total=False):
    """The fields that a criterion is registered with, beside its code.

    `source`: where its rule stands. `repeats`: applied again inside the groups it splits. `scaled`: follows
    the primary score, so that it can be asked for `@game` or `@match`. `fair_after`: the criterion a list
    needs before it. `signed`: its values may be below 0. `divided`: they are quotients. `on_boards`: what it
    needs to know of the boards of matches, where it counts them (of FIDE's, where game points are asked for).
    `on_colours`: it needs to know who had White. `on_order`: it needs to know the order of the rounds.
    `meaning`: what its values are, as a phrase that a fan understands without the rule; `%(points)s` in it is
    the score that it follows, `%(limit)s` that of Koya.

    Of FIDE's: `article` of C.07, and `kind`, A to D, after 4.3; `takes`: the letters of the modifiers that
    the name takes; `since`: the edition that it came with, blank for older ones; `swiss`: made for a Swiss
    alone; `teams`: for teams alone.
    """

    name: str
    abbr: str
    source: str
    meaning: str
    family: Family
    repeats: bool
    scaled: bool
    fair_after: str
    signed: bool
    divided: bool
    on_boards: BoardInput
    on_colours: bool
    on_order: bool
    article: str
    kind: str
    takes: str
    since: str
    swiss: bool
    teams: bool


@dataclass(frozen=True, eq=False)
class Criterion:
    """One criterion.

    `within_tie`: computed of a Tie, not of a Crosstable. `scale`: the score it was asked for, None for the
    primary one. `asked`: what a code of C.07 asks, None for ours. The rest as in CriterionFields.
    """

    code: str
    name: str
    abbr: str
    source: str
    family: Family
    compute: Callable[..., Column]
    meaning: str = ""
    within_tie: bool = False
    repeats: bool = False
    scaled: bool = False
    fair_after: str = ""
    signed: bool = False
    divided: bool = False
    on_boards: BoardInput | None = None
    on_colours: bool = False
    on_order: bool = False
    article: str = ""
    kind: str = ""
    takes: str = ""
    since: str = ""
    swiss: bool = False
    teams: bool = False
    scale: Scale | None = None
    asked: Asked | None = None

    @property
    def plain_code(self) -> str:
        """Return the code without score and modifiers, which has a page of its own."""
        if self.asked:
            return re.split("[:/]", self.code)[0]
        return self.code if self.scale is None else self.code.partition("@")[0]

    def code_in(self, scale: Scale) -> str:
        """Return the code that asks for one of the two scores; of a criterion that is `scaled`."""
        return f"{self.code}:{LETTERS[scale]}" if self.is_fide else f"{self.code}@{scale}"

    @property
    def address(self) -> str:
        """Return the code as it stands in an address, without a slash; get() reads it back."""
        return self.code.replace("/", "-")

    @property
    def is_fide(self) -> bool:
        """Say whether it is one of C.07."""
        return bool(self.article)

    @property
    def board_input(self) -> BoardInput | None:
        """Return what it needs to know of the boards of matches, None if it counts no boards."""
        counts_matches = self.asked and not self.teams and self.asked.scale is not Scale.GAME
        return None if counts_matches else self.on_boards

    @property
    def needs_order(self) -> bool:
        """Return whether it needs the order of the rounds; the modifier F is about the last round."""
        return self.on_order or (self.asked is not None and self.asked.fore)

    @property
    def needs_ratings(self) -> bool:
        """Return whether it counts unrated competitors as 0; C.07 has rules of its own for them."""
        return self.family is Family.RATINGS and not self.is_fide

    @property
    def rule(self) -> str:
        """Return the rule in a sentence."""
        return (self.compute.__doc__ or "").strip().split("\n")[0]

    def can_give(self, value: Fraction) -> bool:
        """Say whether a value, in points, is one that it could come to in some event."""
        if abs(value) > LARGEST_VALUE or (value < 0 and not self.signed):
            return False
        parts = value.denominator
        return parts <= MOST_TERMS if self.divided else FINEST_PARTS % parts == 0

    def __call__(self, subject: Any) -> Column:
        """Return the column of a Crosstable, computed once; or of a Tie, if it exists only within one."""
        subject, given = subject.under(self.scale), (self.asked,) if self.asked else ()
        # Of a tie nothing is remembered: who is level changes with every criterion before it.
        if self.within_tie:
            column: Column = self.compute(subject, *given)
            is_known = subject.table.published is None
            return (
                column
                if is_known
                else replace(column, not_recorded=np.ones(subject.table.shape[0], dtype=bool))
            )
        column = subject.remember((self.compute, *given), lambda table: self.compute(table, *given))
        lacking = self._lacking(subject)
        return column if lacking is None else replace(column, not_recorded=lacking)

    def _lacking(self, table: Crosstable) -> Bools | None:
        """Return (n,) of whom an input is not recorded; None if it needs nothing beyond the results."""
        lacking: Bools | None = None
        if self.board_input:
            lacking = np.asarray(table.lacks_boards(self.board_input).any(axis=1))
        if self.on_colours:
            uncoloured = table.lacks_colours(on_boards=self.board_input is not None)
            lacking = uncoloured if lacking is None else lacking | uncoloured
        lacks_all = (
            table.published is not None,
            self.needs_order and not table.order_known,
            self.needs_ratings and not table.rating.any(),
        )
        if any(lacks_all):
            return np.ones(table.shape[0], dtype=bool)
        return lacking

    def __reduce__(self) -> tuple[Callable[[str], Criterion], tuple[str]]:
        """Pickle by the code: the function behind it is not data."""
        return get, (self.code,)


_CRITERIA: dict[str, Criterion] = {}
_FIDE: dict[str, Criterion] = {}  # those of C.07, by their names in capitals


def criterion(
    code: str, *, aliases: Mapping[str, CriterionFields] | None = None, **about: Unpack[CriterionFields]
) -> Callable[[Callable[[Crosstable], Column]], Criterion]:
    """Register a function of a crosstable under a code, and under further codes with names of their own."""

    def register(compute: Callable[[Crosstable], Column]) -> Criterion:
        made = _registered(Criterion(code=code, compute=compute, **about))
        for alias, changed in (aliases or {}).items():
            _registered(replace(made, code=alias, **changed))
        return made

    return register


def tie_criterion(
    code: str, **about: Unpack[CriterionFields]
) -> Callable[[Callable[[Tie], Column]], Criterion]:
    """Register a function of the competitors still level under a code."""

    def register(compute: Callable[[Tie], Column]) -> Criterion:
        return _registered(Criterion(code=code, compute=compute, within_tie=True, **about))

    return register


def fide_criterion(
    code: str, *, aliases: Mapping[str, CriterionFields] | None = None, **about: Unpack[CriterionFields]
) -> Callable[[Callable[[Crosstable, Asked], Column]], Criterion]:
    """Register a function of a crosstable, and of what a code asks, under a name of C.07 and further ones."""

    def register(compute: Callable[[Crosstable, Asked], Column]) -> Criterion:
        return _registered_fide(code, compute, about, aliases or {}, within_tie=False)

    return register


def fide_tie_criterion(
    code: str, *, aliases: Mapping[str, CriterionFields] | None = None, **about: Unpack[CriterionFields]
) -> Callable[[Callable[[Tie, Asked], Column]], Criterion]:
    """Register a function of the competitors still level, and of what a code asks, under names of C.07."""

    def register(compute: Callable[[Tie, Asked], Column]) -> Criterion:
        return _registered_fide(code, compute, about, aliases or {}, within_tie=True)

    return register


def _registered_fide(
    code: str,
    compute: Callable[[Any, Asked], Column],
    about: CriterionFields,
    aliases: Mapping[str, CriterionFields],
    *,
    within_tie: bool,
) -> Criterion:
    def register(named: str, fields: CriterionFields) -> Criterion:
        told: CriterionFields = {"abbr": named, "source": f"C.07 {fields['article']}", **fields}
        made = Criterion(code=named, compute=compute, within_tie=within_tie, asked=Asked(), **told)
        _FIDE[named.upper()] = _registered(made)
        return made

    first = register(code, about)
    for alias, changed in aliases.items():
        register(alias, {**about, **changed})
    return first


def _registered(made: Criterion) -> Criterion:
    # At import, so that no page, document or list can lack a rule, a source or words for a fan.
    if not (made.rule and made.source and made.meaning):
        raise TypeError(f"criterion {made.code} needs a docstring, a source and a meaning")
    if made.code in _CRITERIA:
        raise TypeError(f"criterion {made.code} is there twice")
    _CRITERIA[made.code] = made
    return made


def every() -> tuple[Criterion, ...]:
    """Return all criteria in the order of their registration, in the primary score."""
    return tuple(_CRITERIA.values())


@lru_cache(maxsize=256)
def get(code: str) -> Criterion:
    """Return the criterion of that code: `buchholz`, or `buchholz@game` to ask for one of the two scores.

    Of FIDE's the code says more: `BH:MP/C1`, or `BH:MP-C1` as the Handbook prints it (engine/fide/codes.py).
    UnknownCriterionError where there is none, with the codes there are.
    """
    if code in _CRITERIA:
        return _CRITERIA[code]
    read = read_code(code)
    if read and read.name in _FIDE:
        return _modified(_FIDE[read.name], code, read)
    base, _, scale = code.partition("@")
    if base not in _CRITERIA:
        raise UnknownCriterionError(f"There is no criterion {code!r}. There are: {', '.join(_CRITERIA)}.")
    return _in_scale(_CRITERIA[base], code, scale)


def _in_scale(found: Criterion, code: str, scale: str) -> Criterion:
    if found.is_fide:
        raise UnknownCriterionError(
            f"There is no criterion {code!r}. FIDE's codes ask for a score by :MP or :GP."
        )
    if not found.scaled:
        scaled = ", ".join(
            criterion.code for criterion in every() if criterion.scaled and not criterion.is_fide
        )
        raise UnknownCriterionError(
            f"There is no criterion {code!r}: {found.code} has no score of its own. These have: {scaled}."
        )
    if scale not in list(Scale):
        raise UnknownCriterionError(f"There is no criterion {code!r}. A score is @{' or @'.join(Scale)}.")
    asked = Scale(scale)
    name, abbr = f"{found.name} ({asked} points)", f"{found.abbr} {SYMBOL[asked]}"
    return replace(found, code=code, name=name, abbr=abbr, scale=asked)


def _modified(found: Criterion, code: str, read: ReadCode) -> Criterion:
    checked = read.checked(code, found.takes, is_scaled=found.scaled)
    written = checked.written(found.code)
    if written == found.code:
        return found
    if written != code:
        return get(written)
    asked = checked.asked()
    return replace(
        found,
        code=written,
        abbr=checked.written(found.abbr).replace("/", "-"),
        name=" ".join([found.name, *checked.names()]),
        scale=asked.scale,
        asked=asked,
    )
