"""Two competitors' values by one criterion, term by term and by rounds."""

from dataclasses import dataclass
from fractions import Fraction

from standings.criteria.explanations import is_product, working_of
from standings.engine import ComparedValues, Comparison, CriterionColumn, Family, Term
from standings.tables.cells import rounds_of_competitor, tint
from standings.tables.sheet import StandingsSheet
from standings.texts import CriterionTexts, criterion_texts, translated, value_of
from tournaments.texts import localized

ABOUT_OPPONENTS = (Family.OPPONENTS, Family.SONNEBORN)
TINTS = {"w": "won", "d": "drawn", "l": "lost"}
"""CSS classes of bars by the classes of cells."""


@dataclass(frozen=True)
class DuelBar:
    """A term of a value, with its bar.

    `label`: the short name of the opponent. `address`: URL of the match or game. `working`: the product,
    empty if nothing is multiplied. `spoken`: the same with units. `length`: per cent of the longest bar.
    `rest`: 100 minus that. `css`: tint by result. `why`: the reason why the sum leaves it out. `note`: a
    remark.
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
class DuelRow:
    """The terms of both from one round; `round` is empty for terms of the entire event."""

    round: str
    first: list[DuelBar]
    second: list[DuelBar]


@dataclass(frozen=True)
class Duel:
    """Two values by one criterion, term by term.

    `step`: the number of the figure that the lines add up to, 0 if the value has one figure.
    """

    criterion: CriterionTexts
    lines: list[DuelRow]
    sums: tuple[str, str]
    step: int

    @property
    def has_cuts(self) -> bool:
        return any(bar.why for line in self.lines for bar in (*line.first, *line.second))


def duel_of(sheet: StandingsSheet, comparison: Comparison) -> Duel:
    """Return the duel by the criterion that separates the two, else by the last one about opponents."""
    if comparison.parting:
        compared = comparison.criteria[-1]
    else:
        about = (
            values for values in reversed(comparison.criteria) if values.criterion.family in ABOUT_OPPONENTS
        )
        compared = next(about, comparison.criteria[0])
    column = sheet.standings.column(compared.criterion.code)
    level = _first_different_level(comparison, compared)
    first, second = (_Side(sheet, column, row, level) for row in (comparison.a, comparison.b))
    longest = max((abs(term.amount) for term in (*first.terms, *second.terms)), default=Fraction(0))
    # Terms of the entire event, then those of each round.
    rounds = {_heading(term): term.round for term in (*first.terms, *second.terms)}
    lines = [
        DuelRow(heading, first.bars(heading, longest), second.bars(heading, longest))
        for heading in sorted(rounds, key=rounds.__getitem__)
    ]
    is_one_of_several = column.column.levels > 1
    sums = (first.sum, second.sum) if is_one_of_several else (first.value, second.value)
    return Duel(criterion_texts(compared.criterion), lines, sums, level + 1 if is_one_of_several else 0)


def _first_different_level(comparison: Comparison, compared: ComparedValues) -> int:
    """Return the index of the first figure that differs, 0 if none does."""
    decision = comparison.decision
    if decision and decision.by == compared.criterion.code:
        return decision.level
    pairs = enumerate(zip(*compared.levels, strict=False))
    return next((at for at, (first, second) in pairs if first != second), 0)


def _heading(term: Term) -> str:
    # Of the terms of the entire event only board points are several; the note has the board.
    return str(term.round) if term.round else translated(term.note)


class _Side:
    """The terms of one competitor's value at one level, as bars."""

    def __init__(self, sheet: StandingsSheet, column: CriterionColumn, row: int, level: int) -> None:
        self._sheet, self._column, self._row, self._level = sheet, column, row, level
        self._rounds = rounds_of_competitor(sheet.standings.table, row)
        # A term of another step has no reason why it is left out.
        self.terms = [
            term for term in column.terms(row) if term.counted(level) or (term.since <= level and term.why)
        ]

    @property
    def value(self) -> str:
        return value_of(self._column, self._row)

    @property
    def sum(self) -> str:
        star = "*" if self._row in self._column.ruled else ""
        figure = self._column.column.figure_text(self._row, self._level)
        return f"{figure if self._column.criterion.within_tie else localized(figure)}{star}"

    def bars(self, heading: str, longest: Fraction) -> list[DuelBar]:
        return [self._bar(term, longest) for term in self.terms if _heading(term) == heading]

    def _bar(self, term: Term, longest: Fraction) -> DuelBar:
        share = 100 * abs(term.amount) / longest if longest else Fraction(0)
        name = translated(term.against) if term.round else ""
        css, address = self._round(term.round)
        return DuelBar(
            label=self._code(term) or name,
            name=name,
            address=address,
            working="×".join(localized(factor.text) for factor in term.factors) if is_product(term) else "",
            spoken=working_of(term),
            amount=localized(term.text),
            length=_percent(share),
            rest=_percent(100 - share),
            css=css,
            why="" if term.counted(self._level) else translated(term.why),
            note=translated(term.note) if term.round else "",
        )

    def _code(self, term: Term) -> str:
        is_opponent = term.opponent >= 0 and term.opponent != self._row and not term.virtual
        return self._sheet.label(term.opponent) if is_opponent and self._sheet.codes_tell else ""

    def _round(self, number: int) -> tuple[str, str]:
        """Return the tint of a round and the URL of its match or game, both empty if there is none."""
        if not number:
            return "", ""
        competitor_round = self._rounds[number - 1]
        address = (
            f"{self._sheet.address}rounds/{number}/{competitor_round.table}/"
            if competitor_round.table
            else ""
        )
        return TINTS.get(tint(competitor_round.result), ""), address


def _percent(share: Fraction) -> str:
    """Return a length for SVG, with a decimal point in every language."""
    return f"{float(share):.1f}%"
