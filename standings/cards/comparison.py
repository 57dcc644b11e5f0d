"""Why one competitor stands above another: criterion by criterion, and what they did against each other."""

from dataclasses import dataclass

from standings.cells import OwnRound, RoundCells, own_rounds, sign
from standings.columns import Sheet
from standings.engine import Comparison, get
from standings.entries import Entry


@dataclass(frozen=True)
class ComparedLine:
    """One criterion: both values, and whether it parted the two."""

    code: str
    name: str
    rule: str
    texts: tuple[str, str]
    decided: bool


@dataclass(frozen=True)
class Encounter:
    """One pairing of the two with each other, as the first of them sees it."""

    round: int
    table: int
    result: str
    words: str


@dataclass(frozen=True)
class ComparisonCard:
    """Two competitors side by side; `verdict` says in a sentence who is ahead and why."""

    first: Entry
    second: Entry
    lines: list[ComparedLine]
    encounters: list[Encounter]
    verdict: str


def comparison_card(sheet: Sheet, first: int, second: int) -> ComparisonCard:
    """The comparison of two rows of the crosstable."""
    compared = sheet.standings.compare(first, second)
    decided_by = compared.decision.by if compared.decision else ""
    words = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)
    return ComparisonCard(
        sheet.entries[first],
        sheet.entries[second],
        [
            ComparedLine(
                each.criterion.code,
                each.criterion.name,
                each.criterion.rule,
                each.texts,
                decided=each.criterion.code == decided_by,
            )
            for each in compared.criteria
        ],
        [
            _encounter(own_round, words)
            for own_round in own_rounds(sheet.standings.table, first)
            if own_round.opponent == second
        ],
        _verdict(sheet, compared),
    )


def _encounter(own_round: OwnRound, words: RoundCells) -> Encounter:
    return Encounter(own_round.round, own_round.table, sign(own_round.facts), words.words(own_round))


def _verdict(sheet: Sheet, compared: Comparison) -> str:
    if compared.ahead is None:
        return "They share a place: no criterion parts them."
    behind = compared.b if compared.ahead == compared.a else compared.a
    ahead = f"{sheet.entries[compared.ahead].name} stands above {sheet.entries[behind].name}"
    decision = compared.decision
    if decision is None:
        return f"{ahead}, whose results are annulled."
    if decision.by == "place":
        return f"{ahead} by a ruling on the place."
    criterion = get(decision.by)
    return f"{ahead} by {criterion.name}, {decision.figures[0]} to {decision.figures[1]}."
