"""Updates an event from a report of a program that drops comments, such as a pairing engine.

Records have less data than the event: no settings, rulings, advantage or reasons of absence. Data that they
do not contradict remains, and settings remain in any case.

Such programs number competitors by their pairing numbers, so reports for them are written and recognised by
these. The event keeps its start numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from tournaments.event.choices import knows_results
from tournaments.event.document import CompetitorEntry, Document, EventEntry, PairingEntry, RoundEntry
from tournaments.event.pairingsettings import forbidden_group
from tournaments.interchange.formats.trf.cells import code_alone
from tournaments.interchange.formats.trf.comments import is_absence
from tournaments.interchange.formats.trf.player_lines import CODE_WIDTH, NAME_WIDTH, codes_of
from tournaments.interchange.formats.trf.preserved import renumbered_lines

_REPORTED_FIELDS = ("code", "flag", "title", "rating", "fide_id", "sex", "born", "adjustments")
"""The fields of a player's record in addition to number and name. Blank fields change nothing."""


# --- pairing numbers --------------------------------------------------------------------------------------


def by_pairing_number(document: Document, numbers: Mapping[int, int]) -> Document:
    """Return the document for another program: pairing numbers as start numbers, no overrides and logs."""
    document = replace(document, overrides=(), changes=(), acknowledged=(), published=None)
    event = document.event
    forbidden = [
        forbidden_group(
            [numbers[each] for each in group["competitors"]], group["first_round"], group["last_round"]
        )
        for group in event.forbidden_pairs
    ]
    accelerated_to = numbers.get(event.accelerated_to or 0, event.accelerated_to)
    event = replace(event, accelerated_to=accelerated_to, forbidden_pairs=tuple(forbidden))
    return renumbered(replace(document, event=event), numbers)


def renumbered(document: Document, numbers: Mapping[int, int]) -> Document:
    """Return the document with new numbers in records and preserved lines, but not in the settings."""

    def new(number: int) -> int:
        return numbers.get(number, number)

    trf = renumbered_lines(document.event.trf, numbers, is_team=document.event.is_team)
    competitors = [
        replace(each, number=new(each.number), pairing_number=None) for each in document.competitors
    ]
    rounds = [
        replace(
            of,
            pairings=tuple(
                replace(each, first=new(each.first), second=each.second and new(each.second))
                for each in of.pairings
            ),
            pairing_numbers={},
        )
        for of in document.rounds
    ]
    published = document.published
    if published:
        published = replace(published, order=[[new(number) for number in place] for place in published.order])
    return replace(
        document,
        event=replace(document.event, trf=tuple(trf)),
        competitors=tuple(sorted(competitors, key=lambda each: each.number)),
        rounds=tuple(rounds),
        published=published,
    )


def reported_by_pairing_number(base: Document, reported: Document) -> dict[int, int]:
    """Return the start numbers by pairing number if the names of a report are in this order, else {}.

    An event without results may have other numbers than its report, so names decide.
    """
    names = {each.number: each.name for each in reported.competitors}
    if not (knows_results(base.event) or base.rounds):
        known = {each.name[:NAME_WIDTH].rstrip(): each.number for each in base.competitors}
        free = count(max([0, *known.values(), *names]) + 1)
        numbers = {number: known[name] if name in known else next(free) for number, name in names.items()}
        return numbers if any(number != new for number, new in numbers.items()) else {}
    moved = [each for each in base.competitors if each.paired_as != each.number]
    by_start, by_pairing = (
        sum(names.get(number) == each.name[:NAME_WIDTH].rstrip() for each, number in numbered)
        for numbered in (
            [(each, each.number) for each in moved],
            [(each, each.paired_as) for each in moved],
        )
    )
    if by_pairing <= by_start:
        return {}
    taken = {each.number for each in base.competitors}
    # New competitors with the start number of another get the next free numbers.
    late = taken & (names.keys() - {each.paired_as for each in base.competitors})
    free = count(max(taken | names.keys()) + 1)
    return {each.paired_as: each.number for each in moved} | dict(zip(sorted(late), free, strict=False))


def with_pairing_numbers(base: Document, reported: Document, start_numbers: Mapping[int, int]) -> Document:
    """Return a report by start number with the pairing numbers of the event, of today and of its rounds."""
    numbers: dict[int, int | None] = {number: paired_as for paired_as, number in start_numbers.items()}
    numbers |= {each.number: each.pairing_number for each in base.competitors}
    of_rounds = {each.number: each.pairing_numbers for each in base.rounds}
    competitors = [replace(each, pairing_number=numbers.get(each.number)) for each in reported.competitors]
    rounds = [replace(each, pairing_numbers=of_rounds.get(each.number, {})) for each in reported.rounds]
    return replace(reported, competitors=tuple(competitors), rounds=tuple(rounds))


# --- records of the event ---------------------------------------------------------------------------------


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
