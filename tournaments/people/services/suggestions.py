"""Find likely links for entries, except refused ones."""

from collections.abc import Iterable, Mapping, Sequence

from tournaments.models import Event, LinkProposal, Person
from tournaments.people.matching.candidates import Candidate, candidates_of, refused_among
from tournaments.people.matching.entrants import Entrant, Row, side_of, sides
from tournaments.people.models.team import Owner

MOST_PERSONS = 2
"""Maximum number of suggested persons per entry."""

Owners = Mapping[Row, Owner]
"""Owners of entries by the keys of their rows."""


def suggestion_of(entrant: Entrant, other: Owner | Entrant, why: str, weight: int = 0) -> LinkProposal:
    """Return an unsaved suggestion that an entry is a person, a team, or the same as another entry."""
    row = {"event_id": entrant.event, "competitor_id": entrant.competitor, "player_id": entrant.player}
    if isinstance(other, Entrant):
        row |= {"other_competitor_id": other.competitor, "other_player_id": other.player}
    else:
        row["person_id" if isinstance(other, Person) else "team_id"] = other.pk
    one, theirs = sides(entrant.side, side_of(other))
    return LinkProposal(**row, why=why, weight=weight, one=one, other=theirs)


def suggest_links(
    event: Event, entrants: Sequence[Entrant], owners: Owners, decided: Iterable[LinkProposal] = ()
) -> list[LinkProposal]:
    """Return unsaved suggestions for entries of an event, in a fixed number of queries.

    For each entry these are the likeliest persons or teams, or else the likeliest other entry. Refusals of
    the entry and of its owner are respected. `decided`: suggestions for other reasons, which come first
    unless they are refused.
    """
    candidates, others = candidates_of(event, entrants), list(decided)
    if not (others or any(candidates.values())):
        return []
    named = {side for each in others for side in (each.one, each.other)}
    named |= {side for each, found in candidates.items() if found for side in _sides_with_owner(each, owners)}
    refused = refused_among(named)
    wanted = [each for each in others if not _suggestion_pairs(each, owners) & refused]
    for entrant, found in candidates.items():
        wanted += [
            suggestion_of(entrant, each.other, LinkProposal.Why.NAME, each.weight)
            for each in _likeliest(entrant, found, owners, refused)
        ]
    return wanted


def _likeliest(
    entrant: Entrant, candidates: Sequence[Candidate], owners: Owners, refused: frozenset[tuple[str, str]]
) -> list[Candidate]:
    own, own_sides = owners.get(entrant.row), _sides_with_owner(entrant, owners)
    free = [
        each
        for each in candidates
        if each.other != own and refused.isdisjoint(sides(side, side_of(each.other)) for side in own_sides)
    ]
    owners_found = [each for each in free if not isinstance(each.other, Entrant)]
    entries = [each for each in free if isinstance(each.other, Entrant)]
    return owners_found[:MOST_PERSONS] or entries[:1]


def _sides_with_owner(entrant: Entrant, owners: Owners) -> set[str]:
    own = owners.get(entrant.row)
    return {entrant.side} | ({side_of(own)} if own else set())


def _suggestion_pairs(suggestion: LinkProposal, owners: Owners) -> set[tuple[str, str]]:
    owner = owners.get((suggestion.competitor_id, suggestion.player_id))
    found = {(suggestion.one, suggestion.other)}
    if owner:
        is_first = suggestion.one.startswith(f"entry:{suggestion.event_id}:")
        found.add(sides(side_of(owner), suggestion.other if is_first else suggestion.one))
    return found
