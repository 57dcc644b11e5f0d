"""Updates an event from a report of a program that drops comments, such as a pairing engine.

Records have less data than the event: no settings, rulings, advantage or reasons of absence. Data that they
do not contradict remains, and settings remain in any case.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from tournaments.event.document import CompetitorEntry, Document, EventEntry, PairingEntry, RoundEntry
from tournaments.interchange.formats.trf.cells import code_alone
from tournaments.interchange.formats.trf.comments import is_absence
from tournaments.interchange.formats.trf.player_lines import CODE_WIDTH, NAME_WIDTH, codes_of

_REPORTED_FIELDS = ("code", "flag", "title", "rating", "fide_id", "sex", "born", "adjustments")
"""The fields of a player's record in addition to number and name. Blank fields change nothing."""


def returned(base: Document, reported: Document) -> Document:
    """Return the event of players with the changes of its report."""
    known = {each.number: each for each in base.competitors}
    rounds = {each.number: each for each in base.rounds}
    merged = (_returned_round(base.event, rounds.get(each.number), each, known) for each in reported.rounds)
    return replace(
        base,
        event=replace(base.event, trf=reported.event.trf),
        competitors=tuple(
            _returned_competitor(known.get(each.number), each) for each in reported.competitors
        ),
        rounds=tuple(each for each in merged if each.pairings or each.number in rounds),
    )


def _returned_competitor(known: CompetitorEntry | None, reported: CompetitorEntry) -> CompetitorEntry:
    if known is None or known.name[:NAME_WIDTH].rstrip() != reported.name:
        return reported
    values = {name: value for name in _REPORTED_FIELDS if (value := getattr(reported, name))}
    if known.code[:CODE_WIDTH] == reported.code:
        values = {name: value for name, value in values.items() if name not in {"code", "flag"}}
    return replace(known, **values)


def _returned_round(
    event: EventEntry,
    known: RoundEntry | None,
    reported: RoundEntry,
    competitors: Mapping[int, CompetitorEntry],
) -> RoundEntry:
    before = {number: each for each in known.pairings for number in each.numbers} if known else {}
    pairings = [_returned_pairing(event, before.get(each.first), each) for each in reported.pairings]
    there = [
        each
        for each in pairings
        if each.first in before or not _is_no_pairing(reported.number, each, competitors)
    ]
    tabled = tuple(sorted(_at_tables(there, before), key=lambda each: each.table))
    return replace(known or reported, pairings=tabled)


def _is_no_pairing(round_: int, reported: PairingEntry, competitors: Mapping[int, CompetitorEntry]) -> bool:
    asked = competitors[reported.first].requested_byes if reported.first in competitors else {}
    return reported.kind == "zero-bye" or (is_absence(reported) and str(round_) in asked)


def _returned_pairing(event: EventEntry, known: PairingEntry | None, reported: PairingEntry) -> PairingEntry:
    """Return the stored pairing if its record would be equal, else the pairing of the record."""
    if known is None or set(known.numbers) != set(reported.numbers):
        return reported
    if known.second is None or reported.second is None:
        is_same = code_alone(known.kind, known.note) == code_alone(reported.kind, reported.note)
        return known if is_same else reported
    says_more = reported.kind == "unknown" != known.kind  # unknown results are not written
    # Records have no moves, and the same moves cannot lead to another result.
    if known.first == reported.first:
        reported = replace(reported, moves=known.moves)
    is_same = known.first == reported.first and codes_of(event, known) == codes_of(event, reported)
    return known if is_same and not says_more else reported


def _at_tables(
    pairings: Sequence[PairingEntry], before: Mapping[int, PairingEntry]
) -> Iterator[PairingEntry]:
    table_of = {
        each.first: before[each.first].table
        for each in pairings
        if each.first in before and set(before[each.first].numbers) == set(each.numbers)
    }
    taken = set(table_of.values())
    free = (table for table in count(1) if table not in taken)
    for each in pairings:
        yield replace(each, table=table_of[each.first] if each.first in table_of else next(free))
