"""A report that comes back to its event from a program that skips comments, such as a pairing engine.

Records say less than the event has: its settings and rulings, an advantage, why somebody was not there. What
they do not contradict stays as it is; the settings stay in any case.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from tournaments.event.document import CompetitorEntry, Document, EventEntry, PairingEntry, RoundEntry
from tournaments.formats.trf.cells import code_alone
from tournaments.formats.trf.comments import is_absence
from tournaments.formats.trf.player_lines import CODE_WIDTH, NAME_WIDTH, codes_of

_REPORTED_FIELDS = ("code", "flag", "title", "rating", "fide_id", "sex", "born", "adjustments")
"""What a record of a player says besides his number and name; a blank says nothing."""


def returned(base: Document, reported: Document) -> Document:
    """Return the event of players with what its report says by now."""
    known = {each.number: each for each in base.competitors}
    rounds = {each.number: each for each in base.rounds}
    merged = (_round(base.event, rounds.get(each.number), each, known) for each in reported.rounds)
    return replace(
        base,
        event=replace(base.event, trf=reported.event.trf),
        competitors=tuple(_competitor(known.get(each.number), each) for each in reported.competitors),
        rounds=tuple(each for each in merged if each.pairings or each.number in rounds),
    )


def _competitor(known: CompetitorEntry | None, reported: CompetitorEntry) -> CompetitorEntry:
    if known is None or known.name[:NAME_WIDTH].rstrip() != reported.name:
        return reported
    values = {name: value for name in _REPORTED_FIELDS if (value := getattr(reported, name))}
    if known.code[:CODE_WIDTH] == reported.code:
        values = {name: value for name, value in values.items() if name not in {"code", "flag"}}
    return replace(known, **values)


def _round(
    event: EventEntry,
    known: RoundEntry | None,
    reported: RoundEntry,
    competitors: Mapping[int, CompetitorEntry],
) -> RoundEntry:
    before = {number: each for each in known.pairings for number in each.numbers} if known else {}
    pairings = [_pairing(event, before.get(each.first), each) for each in reported.pairings]
    there = [
        each
        for each in pairings
        if each.first in before or not _is_no_pairing(reported.number, each, competitors)
    ]
    tabled = tuple(sorted(_at_tables(there, before), key=lambda each: each.table))
    return replace(known or reported, pairings=tabled)


def _is_no_pairing(round_: int, reported: PairingEntry, competitors: Mapping[int, CompetitorEntry]) -> bool:
    """Say whether a cell stands for somebody whom the event has no pairing of: absent, or with a request."""
    asked = competitors[reported.first].requested_byes if reported.first in competitors else {}
    return reported.kind == "zero-bye" or (is_absence(reported) and str(round_) in asked)


def _pairing(event: EventEntry, known: PairingEntry | None, reported: PairingEntry) -> PairingEntry:
    """Return the pairing as it is stored where its record would be the same, else as the record has it."""
    if known is None or set(known.numbers) != set(reported.numbers):
        return reported
    if known.second is None or reported.second is None:
        is_same = code_alone(known.kind, known.note) == code_alone(reported.kind, reported.note)
        return known if is_same else reported
    says_more = reported.kind == "unknown" != known.kind  # we write nothing of a result that is not known
    if known.first == reported.first:  # no record has moves, and another result was reached by the same
        reported = replace(reported, moves=known.moves)
    is_same = known.first == reported.first and codes_of(event, known) == codes_of(event, reported)
    return known if is_same and not says_more else reported


def _at_tables(
    pairings: Sequence[PairingEntry], before: Mapping[int, PairingEntry]
) -> Iterator[PairingEntry]:
    """Yield the pairings, those of before at their tables, and the others at the next free ones."""
    table_of = {
        each.first: before[each.first].table
        for each in pairings
        if each.first in before and set(before[each.first].numbers) == set(each.numbers)
    }
    taken = set(table_of.values())
    free = (table for table in count(1) if table not in taken)
    for each in pairings:
        yield replace(each, table=table_of[each.first] if each.first in table_of else next(free))
