"""Absences and requested byes in a round. They need a record because engines pair players with a blank."""

from collections.abc import Iterator
from typing import NamedTuple

from tournaments.event.choices import OVER, is_settled
from tournaments.event.document import CompetitorEntry, Document, PairingEntry
from tournaments.interchange.formats.trf.cells import CODE_ALONE


class Absence(NamedTuple):
    """A round of a competitor without a pairing in the event. `code`: H or Z."""

    round: int
    number: int
    code: str


def absences(document: Document) -> Iterator[Absence]:
    """Yield the absences in the rounds so far, and in the next round."""
    last = max((each.number for each in document.rounds if _has_games(each.pairings)), default=0)
    for each in document.rounds:
        is_past = each.number < last or is_settled(document.event.state, each.state)
        if is_past and each.state != "draft" and _has_games(each.pairings):
            paired = {number for pairing in each.pairings for number in pairing.numbers}
            yield from (
                Absence(each.number, one.number, "Z")
                for one in document.competitors
                if one.number not in paired
            )
    event = document.event
    if event.state not in OVER and not event.is_round_robin and last < event.planned_rounds:
        number = last + 1
        paired = {
            each.first for round_ in document.rounds if round_.number == number for each in round_.pairings
        }
        for competitor in document.competitors:
            code = _code_asked_for(competitor, number)
            if code and competitor.number not in paired:
                yield Absence(number, competitor.number, code)


def _has_games(pairings: tuple[PairingEntry, ...]) -> bool:
    return any(each.second is not None for each in pairings)


def _code_asked_for(competitor: CompetitorEntry, number: int) -> str:
    if competitor.withdrawn_after is not None and competitor.withdrawn_after < number:
        return "Z"
    return CODE_ALONE.get(competitor.requested_byes.get(str(number), ""), "")
