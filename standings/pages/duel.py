"""The duel of two competitors: what their values under one criterion are made of, side by side by rounds."""

from dataclasses import dataclass
from fractions import Fraction

from standings.criteria.explanations import is_product, working_of
from standings.engine import ComparedValues, Comparison, CriterionColumn, Family, Term
from standings.tables.cells import rounds_of_competitor, tint
from standings.tables.sheet import StandingsSheet
from standings.words import CriterionWords, translated, value_of, words_of, written

ABOUT_OPPONENTS = (Family.OPPONENTS, Family.SONNEBORN)
TINTS = {"w": "won", "d": "drawn", "l": "lost"}
"""The classes of bars by those of cells."""


@dataclass(frozen=True)
class DuelBar:
    """One term of a value: whom it comes from, how its amount came about, and its bar.

    `label` is short, `name` whole; `address` is that of the match or game. `working` is blank where nothing
    is multiplied, `spoken` says it with units. `length` is in per cent of the longest, `rest` what it lacks;
    `css` tints by the result. `why`: what keeps it out of the sum; `note`: what more is to be said of it.
    """

    label: str
    name: str
    address: str
    working: str
    spoken: str
    amount: str
    length: str
    rest: str
    css: str
    why: str
    note: str


@dataclass(frozen=True)
class DuelLine:
    """What both have from one round; `round` is blank for what is of the whole event."""

    round: str
    first: list[DuelBar]
    second: list[DuelBar]


@dataclass(frozen=True)
class Duel:
    """Two values of one criterion, term by term, and what they come to.

    `step`: which figure of a value of several the lines make, from 1; 0 where there is one.
    """

    criterion: CriterionWords
    lines: list[DuelLine]
    sums: tuple[str, str]
    step: int

    @property
    def has_cuts(self) -> bool:
        """Say whether anything is left out of either sum."""
        return any(bar.why for line in self.lines for bar in (*line.first, *line.second))


def duel_of(sheet: StandingsSheet, comparison: Comparison) -> Duel:
    """Return the duel under the criterion that parts the two, or under the one that says most of them."""
    compared = _chosen(comparison)
    judged = sheet.standings.column(compared.criterion.code)
    level = _level(comparison, compared)
    first, second = (_Side(sheet, judged, row, level) for row in (comparison.a, comparison.b))
    longest = max((abs(term.amount) for term in (*first.terms, *second.terms)), default=Fraction(0))
    lines = [
        DuelLine(heading, first.bars(heading, longest), second.bars(heading, longest))
        for heading in _headings([*first.terms, *second.terms])
    ]
    is_one_of_several = judged.column.levels > 1
    sums = (first.sum, second.sum) if is_one_of_several else (first.value, second.value)
    return Duel(words_of(compared.criterion), lines, sums, level + 1 if is_one_of_several else 0)


def _chosen(comparison: Comparison) -> ComparedValues:
    """Return the criterion that parts the two; of those that do not, the last one that is about opponents."""
    if comparison.parting:
        return comparison.criteria[-1]
    about = (each for each in reversed(comparison.criteria) if each.criterion.family in ABOUT_OPPONENTS)
    return next(about, comparison.criteria[0])


def _level(comparison: Comparison, compared: ComparedValues) -> int:
    """Return which figure of a value of several is the first that differs; the first of all if none does."""
    decision = comparison.decision
    if decision and decision.by == compared.criterion.code:
        return decision.level
    pairs = enumerate(zip(*compared.levels, strict=False))
    return next((at for at, (first, second) in pairs if first != second), 0)


def _headings(terms: list[Term]) -> list[str]:
    """Return the headings of the lines: what is of the whole event, then the rounds."""
    found = {_heading(term): term.round for term in terms}
    return sorted(found, key=found.__getitem__)


def _heading(term: Term) -> str:
    # Of the whole event only the points on boards are several; their number stands in the note.
    return str(term.round) if term.round else translated(term.note)


class _Side:
    """One of the two: the terms of its value at one level, as bars."""

    def __init__(self, sheet: StandingsSheet, judged: CriterionColumn, row: int, level: int) -> None:
        self._sheet, self._judged, self._row, self._level = sheet, judged, row, level
        self._rounds = rounds_of_competitor(sheet.standings.table, row)
        # What belongs to another step has no reason why it does not count here.
        self.terms = [
            term for term in judged.terms(row) if term.counted(level) or (term.since <= level and term.why)
        ]

    @property
    def value(self) -> str:
        """Return the value as the standings show it."""
        return value_of(self._judged, self._row)

    @property
    def sum(self) -> str:
        """Return the figure of this level, of a value of several."""
        star = "*" if self._row in self._judged.ruled else ""
        figure = self._judged.column.figure_text(self._row, self._level)
        return f"{figure if self._judged.criterion.within_tie else written(figure)}{star}"

    def bars(self, heading: str, longest: Fraction) -> list[DuelBar]:
        """Return the bars of one line."""
        return [self._bar(term, longest) for term in self.terms if _heading(term) == heading]

    def _bar(self, term: Term, longest: Fraction) -> DuelBar:
        share = 100 * abs(term.amount) / longest if longest else Fraction(0)
        name = translated(term.against) if term.round else ""
        css, address = self._round(term.round)
        return DuelBar(
            label=self._code(term) or name,
            name=name,
            address=address,
            working="×".join(written(factor.text) for factor in term.factors) if is_product(term) else "",
            spoken=working_of(term),
            amount=written(term.text),
            length=_percent(share),
            rest=_percent(100 - share),
            css=css,
            why="" if term.counted(self._level) else translated(term.why),
            note=translated(term.note) if term.round else "",
        )

    def _code(self, term: Term) -> str:
        """Return the code of the opponent; nothing where there is none, or somebody stands in for it."""
        is_opponent = term.opponent >= 0 and term.opponent != self._row and not term.virtual
        return self._sheet.label(term.opponent) if is_opponent and self._sheet.codes_tell else ""

    def _round(self, number: int) -> tuple[str, str]:
        """Return the tint of a round and the address of its match or game, each blank if there is none."""
        if not number:
            return "", ""
        found = self._rounds[number - 1]
        address = f"{self._sheet.address}rounds/{number}/{found.table}/" if found.table else ""
        return TINTS.get(tint(found.result), ""), address


def _percent(share: Fraction) -> str:
    """Return a length as SVG takes it, whatever the language of the page."""
    return f"{float(share):.1f}%"
