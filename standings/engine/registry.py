"""The registry of criteria. A criterion is a function with metadata; its docstring begins with its rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from standings.engine.arrays import BoardInput, Bools
from standings.engine.crosstable import Crosstable
from standings.engine.fide.codes import LETTERS, Modifiers, ParsedCode, UnknownCriterionError, parse_code
from standings.engine.scoring import SYMBOL, Scale
from standings.engine.terms import Column

LARGEST_VALUE = 10_000_000  # larger than any value; keys stay within 64 bits

FINEST_PARTS = 8  # parts of a point: products of half-points are quarters, halved by some byes

MOST_TERMS = 999  # maximum divisor of an average; no event has as many rounds


class Family(StrEnum):
    """The inputs of a criterion. Pages group the criteria by family."""

    OWN = "own"
    OPPONENTS = "opponents"
    SONNEBORN = "sonneborn"
    RATINGS = "ratings"
    TIE = "tie"
    DURATION = "duration"
    BOARDS = "boards"


@dataclass(frozen=True, eq=False)
class Criterion:
    """A criterion.

    `scale`: the requested score, None for the primary score. `modifiers`: of a code of C.07, None for other
    criteria.

    `source`: reference of the rule. `repeats`: applied again inside the groups that it splits. `scaled`:
    depends on the primary score, so it can be requested as `@game` or `@match`. `fair_after`: the criterion
    that a list needs before it. `signed`: values may be negative. `divided`: values are quotients.
    `on_boards`: what it needs to know about the boards of matches, if it counts boards (for FIDE's criteria,
    if game points are requested). `on_colours`, `on_order`: it needs to know the colours, or the order of the
    rounds. `meaning`: a phrase for readers who do not know the rule; `%(points)s` is the score that it uses,
    `%(limit)s` the limit of Koya.

    For FIDE's criteria, `article`: of C.07. `kind`: A to D, by 4.3. `takes`: letters of the modifiers that it
    accepts. `since`: the edition that introduced it, blank for the first. `swiss`: for Swiss events only.
    `teams`: for teams only.
    """

    code: str
    name: str
    abbr: str
    source: str
    family: Family
    compute: Callable[..., Column]
    meaning: str = ""
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
    modifiers: Modifiers | None = None

    @property
    def within_tie(self) -> bool:
        """Return whether it is computed from a Tie instead of a Crosstable."""
        return self.family is Family.TIE

    @property
    def plain_code(self) -> str:
        """Return the code without score and modifiers, which has a page of its own."""
        if self.modifiers:
            return re.split("[:/]", self.code)[0]
        return self.code if self.scale is None else self.code.partition("@")[0]

    def code_in(self, scale: Scale) -> str:
        return f"{self.code}:{LETTERS[scale]}" if self.is_fide else f"{self.code}@{scale}"

    @property
    def address(self) -> str:
        """Return the code for URLs, without slashes; get_criterion() accepts it too."""
        return self.code.replace("/", "-")

    @property
    def is_fide(self) -> bool:
        return bool(self.article)

    @property
    def board_input(self) -> BoardInput | None:
        counts_matches = self.modifiers and not self.teams and self.modifiers.scale is not Scale.GAME
        return None if counts_matches else self.on_boards

    @property
    def needs_order(self) -> bool:
        # The modifier F depends on the last round.
        return self.on_order or (self.modifiers is not None and self.modifiers.fore)

    @property
    def needs_ratings(self) -> bool:
        # C.07 has its own rules for unrated competitors.
        return self.family is Family.RATINGS and not self.is_fide

    @property
    def rule(self) -> str:
        return (self.compute.__doc__ or "").strip().split("\n")[0]

    def can_give(self, value: Fraction) -> bool:
        if abs(value) > LARGEST_VALUE or (value < 0 and not self.signed):
            return False
        parts = value.denominator
        return parts <= MOST_TERMS if self.divided else FINEST_PARTS % parts == 0

    def __call__(self, subject: Any) -> Column:
        """Return the column of a Crosstable, which is cached, or of a Tie."""
        subject, args = subject.under(self.scale), (self.modifiers,) if self.modifiers else ()
        # Not cached for a tie, which depends on the criteria before this criterion.
        if self.within_tie:
            column: Column = self.compute(subject, *args)
            if subject.table.published is None:
                return column
            return replace(column, not_recorded=np.ones(subject.table.shape[0], dtype=bool))
        column = subject.remember((self.compute, *args), lambda table: self.compute(table, *args))
        lacking = self._without_inputs(subject)
        return column if lacking is None else replace(column, not_recorded=lacking)

    def _without_inputs(self, table: Crosstable) -> Bools | None:
        """Return (n,) a mask of the rows with an input that is not recorded, None if there are none."""
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
        return get_criterion, (self.code,)  # functions cannot be pickled


_CRITERIA: dict[str, Criterion] = {}
_FIDE: dict[str, Criterion] = {}  # criteria of C.07 by name in capitals


def criterion(
    code: str, *, aliases: Mapping[str, Mapping[str, str]] | None = None, **metadata: Any
) -> Callable[[Callable[..., Column]], Criterion]:
    """Register a function from a Crosstable, or from a Tie if the family is TIE, to a Column.

    With an article of C.07 the function also gets the Modifiers of the code.
    """

    def register(compute: Callable[..., Column]) -> Criterion:
        first = _register(code, compute, metadata)
        for alias, changed in (aliases or {}).items():
            _register(alias, compute, {**metadata, **changed})
        return first

    return register


def _register(code: str, compute: Callable[..., Column], fields: dict[str, Any]) -> Criterion:
    if article := fields.get("article"):
        fields = {"abbr": code, "source": f"C.07 {article}", **fields}
    new = Criterion(code=code, compute=compute, modifiers=Modifiers() if article else None, **fields)
    # Checked at import, so that pages and documents can rely on rule, source and meaning.
    if not (new.rule and new.source and new.meaning):
        raise TypeError(f"criterion {new.code} needs a docstring, a source and a meaning")
    if new.code in _CRITERIA:
        raise TypeError(f"criterion {new.code} is registered twice")
    _CRITERIA[new.code] = new
    if new.is_fide:
        _FIDE[new.code.upper()] = new
    return new


def all_criteria() -> tuple[Criterion, ...]:
    """Return all criteria in the order of registration, in the primary score."""
    return tuple(_CRITERIA.values())


@lru_cache(maxsize=256)
def get_criterion(code: str) -> Criterion:
    """Return the criterion of a code, such as `buchholz`, or `buchholz@game` to request a score.

    Codes of FIDE have modifiers: `BH:MP/C1`, or `BH:MP-C1` as printed in the Handbook (engine/fide/codes.py).
    Raise UnknownCriterionError, with the available codes, if there is none.
    """
    if code in _CRITERIA:
        return _CRITERIA[code]
    parsed = parse_code(code)
    if parsed and parsed.name in _FIDE:
        return _with_modifiers(_FIDE[parsed.name], code, parsed)
    base, _, scale = code.partition("@")
    if base not in _CRITERIA:
        raise UnknownCriterionError(f"There is no criterion {code!r}. There are: {', '.join(_CRITERIA)}.")
    found = _CRITERIA[base]
    if found.is_fide:
        raise UnknownCriterionError(
            f"There is no criterion {code!r}. FIDE's codes ask for a score by :MP or :GP."
        )
    if not found.scaled:
        scaled = ", ".join(
            criterion.code for criterion in all_criteria() if criterion.scaled and not criterion.is_fide
        )
        raise UnknownCriterionError(
            f"There is no criterion {code!r}: {found.code} has no score of its own. These have: {scaled}."
        )
    if scale not in list(Scale):
        raise UnknownCriterionError(f"There is no criterion {code!r}. A score is @{' or @'.join(Scale)}.")
    score = Scale(scale)
    name, abbr = f"{found.name} ({score} points)", f"{found.abbr} {SYMBOL[score]}"
    return replace(found, code=code, name=name, abbr=abbr, scale=score)


def _with_modifiers(found: Criterion, code: str, parsed: ParsedCode) -> Criterion:
    checked = parsed.checked(code, found.takes, is_scaled=found.scaled)
    written = checked.canonical(found.code)
    if written == found.code:
        return found
    if written != code:
        return get_criterion(written)
    modifiers = checked.modifiers()
    return replace(
        found,
        code=written,
        abbr=checked.canonical(found.abbr).replace("/", "-"),
        name=" ".join([found.name, *checked.names()]),
        scale=modifiers.scale,
        modifiers=modifiers,
    )
