"""Proposed links with current evidence, a page of them in a fixed number of queries."""

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.db.models import prefetch_related_objects

from tournaments.models import LinkProposal, Person, PersonLink, Team, TeamLink
from tournaments.people.matching.candidates import owners_of
from tournaments.people.matching.entrants import (
    Entrant,
    Row,
    by_row,
    entrants_at,
    entrants_of_links,
    row_of_link,
)
from tournaments.people.matching.evidence import Evidence, compare_entrants, portrait_of
from tournaments.people.models.team import Owner


class Weighed(NamedTuple):
    """A suggestion with current evidence.

    `other`: an entry, a person or a team. `owner` and `other_owner`: the persons or teams of both sides, if
    any; confirming then links or merges. `ours` and `theirs`: all entries that would belong to one person or
    team.
    """

    suggestion: LinkProposal
    entrant: Entrant
    other: Entrant | Owner
    owner: Owner | None
    other_owner: Owner | None
    evidence: tuple[Evidence, ...]
    ours: tuple[Entrant, ...]
    theirs: tuple[Entrant, ...]


def weigh_suggestions(suggestions: Sequence[LinkProposal]) -> list[Weighed]:
    """Return the suggestions with evidence, except those with a missing entry. A fixed number of queries.

    Their persons and teams must be loaded (`select_related`).
    """
    entrants = by_row(entrants_at(row for each in suggestions for row in _rows_of_suggestion(each)))
    owners = owners_of(list(entrants.values()))
    persons = [each.person for each in suggestions if each.person]
    teams = [each.team for each in suggestions if each.team]
    prefetch_related_objects(persons, "names", "titles", "identifiers")
    prefetch_related_objects(teams, "names", "codes")
    entries = entries_by_owner({*persons, *teams, *owners.values()})
    weighed = []
    for each in suggestions:
        row, *others = _rows_of_suggestion(each)
        if not entrants.keys() >= {row, *others}:
            continue
        entrant, owner = entrants[row], owners.get(row)
        suggested = each.person or each.team
        other = suggested or entrants[others[0]]
        other_owner = suggested or owners.get(others[0])
        ours = tuple(entries[owner]) if owner else (entrant,)
        theirs = tuple(entries[other_owner]) if other_owner else (entrants[others[0]],)
        evidence = compare_entrants(portrait_of(ours, owner), portrait_of(theirs, other_owner))
        weighed.append(Weighed(each, entrant, other, owner, other_owner, evidence, ours, theirs))
    return weighed


def evidence_checksum(weighed: Weighed) -> str:
    """Return a checksum of evidence and owners, to detect changes since the display."""
    owners = [(each.pk, each.version) if each else None for each in (weighed.owner, weighed.other_owner)]
    text = repr((weighed.suggestion.one, weighed.suggestion.other, owners, weighed.evidence))
    return sha256(text.encode()).hexdigest()[:20]


def _rows_of_suggestion(suggestion: LinkProposal) -> list[Row]:
    first: Row = (suggestion.competitor_id, suggestion.player_id)
    second: Row = (suggestion.other_competitor_id, suggestion.other_player_id)
    return [first, second] if any(second) else [first]


def links_of(owners: Collection[Owner]) -> list[PersonLink | TeamLink]:
    """Return the links of persons and teams. At most two queries."""
    persons = PersonLink.objects.filter(person__in=[each for each in owners if isinstance(each, Person)])
    teams = TeamLink.objects.filter(team__in=[each for each in owners if isinstance(each, Team)])
    return [*persons.select_related("person"), *teams.select_related("team")]


def entries_by_owner(owners: Collection[Owner]) -> dict[Owner, list[Entrant]]:
    links = links_of(owners)
    found = by_row(entrants_of_links(links))
    entries: dict[Owner, list[Entrant]] = {each: [] for each in owners}
    for link in links:
        if entrant := found.get(row_of_link(link)):
            entries[link.owner].append(entrant)
    return entries
