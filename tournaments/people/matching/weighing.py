"""Proposed links with current evidence, a page of them in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.db.models import prefetch_related_objects

from tournaments.models import LinkProposal, Person, PersonLink, Team, TeamLink
from tournaments.people.matching.candidates import owners_of
from tournaments.people.matching.entrants import Entrant, by_row, entrants_at
from tournaments.people.matching.evidence import Evidence, compare_entrants, portrait_of
from tournaments.people.models.team import Owner

Row = tuple[int | None, int | None]


class Weighed(NamedTuple):
    """A proposal with current evidence.

    `other`: an entry, a person or a team. `linked` and `other_linked`: owners of the two entries, if any;
    confirming then links or merges. `ours` and `theirs`: all entries that would belong to one person or
    team.
    """

    proposal: LinkProposal
    entrant: Entrant
    other: Entrant | Owner
    linked: Owner | None
    other_linked: Owner | None
    evidence: tuple[Evidence, ...]
    ours: tuple[Entrant, ...]
    theirs: tuple[Entrant, ...]


class _LoadedData(NamedTuple):
    """Data loaded for all proposals: entries by row, their owners, and the entries of these."""

    entrants: Mapping[Row, Entrant]
    owners: Mapping[Row, Owner]
    entries: Mapping[Owner, Sequence[Entrant]]


def evidence_of(proposal: LinkProposal) -> Weighed | None:
    """Return a proposal with its evidence, or None if an entry is gone. As many queries as for a hundred."""
    return next(iter(weigh_all([proposal])), None)


def weigh_all(proposals: Sequence[LinkProposal]) -> list[Weighed]:
    """Return the proposals with evidence, except those with a missing entry. A fixed number of queries.

    Their persons and teams must be loaded (`select_related`).
    """
    read = _load(proposals)
    return [
        _weigh(each, read)
        for each in proposals
        if all(row in read.entrants for row in _rows_of_proposal(each))
    ]


def seen_of(weighed: Weighed) -> str:
    """Return a checksum of evidence and owners, to detect changes since the display."""
    owners = [(each.pk, each.version) if each else None for each in (weighed.linked, weighed.other_linked)]
    known = "" if isinstance(weighed.other, Entrant) else f"{weighed.other.pk}.{weighed.other.version}"
    told = repr((weighed.proposal.one, weighed.proposal.other, owners, known, weighed.evidence))
    return sha256(told.encode()).hexdigest()[:20]


def _weigh(proposal: LinkProposal, read: _LoadedData) -> Weighed:
    row, *others = _rows_of_proposal(proposal)
    entrant, linked = read.entrants[row], read.owners.get(row)
    known = proposal.person or proposal.team
    other: Entrant | Owner = known or read.entrants[others[0]]
    other_linked = None if known else read.owners.get(others[0])
    owner = known or other_linked
    ours, theirs = _entries_of_side(entrant, linked, read), _entries_of_side(other, owner, read)
    evidence = compare_entrants(portrait_of(ours, linked), portrait_of(theirs, owner))
    return Weighed(proposal, entrant, other, linked, other_linked, evidence, ours, theirs)


def _entries_of_side(side: Entrant | Owner, owner: Owner | None, read: _LoadedData) -> tuple[Entrant, ...]:
    if owner:
        return tuple(read.entries[owner])
    return (side,) if isinstance(side, Entrant) else ()


def _rows_of_proposal(proposal: LinkProposal) -> list[Row]:
    first: Row = (proposal.competitor_id, proposal.player_id)
    second: Row = (proposal.other_competitor_id, proposal.other_player_id)
    return [first, second] if any(second) else [first]


def _load(proposals: Sequence[LinkProposal]) -> _LoadedData:
    rows = [row for each in proposals for row in _rows_of_proposal(each)]
    entrants = by_row(_entrants_at(rows))
    owners = owners_of(list(entrants.values()))
    persons = [each.person for each in proposals if each.person]
    teams = [each.team for each in proposals if each.team]
    prefetch_related_objects(persons, "names", "titles", "identifiers")
    prefetch_related_objects(teams, "names", "codes")
    return _LoadedData(entrants, owners, _entries_by_owner({*persons, *teams, *owners.values()}))


def _entries_by_owner(known: Iterable[Owner]) -> dict[Owner, list[Entrant]]:
    listed = list(known)
    persons = PersonLink.objects.filter(person__in=[each for each in listed if isinstance(each, Person)])
    teams = TeamLink.objects.filter(team__in=[each for each in listed if isinstance(each, Team)])
    rows: dict[tuple[bool, int], list[Row]] = defaultdict(list)
    for person, *row in persons.values_list("person", "competitor", "player"):
        rows[False, person].append((row[0], row[1]))
    for team, competitor in teams.exclude(competitor=None).values_list("team", "competitor"):
        rows[True, team].append((competitor, None))
    found = by_row(_entrants_at([row for of_one in rows.values() for row in of_one]))
    return {
        each: [found[row] for row in rows[isinstance(each, Team), each.pk] if row in found] for each in listed
    }


def _entrants_at(rows: Iterable[Row]) -> list[Entrant]:
    listed = list(rows)
    return entrants_at({one for one, _ in listed if one}, {other for _, other in listed if other})
