"""Persons, teams and entries with the same name as an entry, and the links suggested for them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, Subquery

from tournaments.event.choices import PUBLIC
from tournaments.models import (
    EntryName,
    Event,
    LinkProposal,
    LinkRefusal,
    Person,
    PersonLink,
    PersonName,
    Team,
    TeamLink,
)
from tournaments.operations.revision import MOST_UNLINKED
from tournaments.people.matching.entrants import (
    Entrant,
    Row,
    by_row,
    entrants_at,
    entrants_of_links,
    side_of,
    sides,
)
from tournaments.people.matching.evidence import (
    Evidence,
    compare_entrants,
    contradicts,
    portrait,
    portrait_of,
    weight,
)
from tournaments.people.models.team import Owner

NEWEST = 3
"""Limit of namesakes compared, of entries and of persons, so that very common names cost no more."""

MOST_PERSONS = 2
"""Maximum number of suggested persons per entry."""

Owners = Mapping[Row, Owner]
"""Owners of entries by the keys of their rows."""


class Candidate(NamedTuple):
    """A possible owner or other entry, with the weight of its evidence."""

    other: Owner | Entrant
    weight: int


def candidates_of(event: Event, entrants: Sequence[Entrant]) -> dict[Entrant, list[Candidate]]:
    """Return the candidates for entries of an event, likeliest first, in a fixed number of queries.

    Persons and teams come before entries without owner. Contradicted candidates are left out.
    """
    if not entrants:
        return {}
    rows = _namesakes_by_name(event, entrants)
    entries = _entries_at({key for row in rows for key in row.entries})
    owners, named_owners = owners_of(entries), _owners_by_name(rows)
    named_entries: dict[tuple[bool, str], list[Entrant]] = defaultdict(list)
    for each in entries:
        named_entries[each.is_team, each.key].append(each)
    return {
        each: _weighed_candidates(
            each, named_entries[each.is_team, each.key], named_owners[each.is_team, each.key], owners
        )
        for each in entrants
    }


def namesakes_in_series(event: Event, teams: Sequence[Entrant]) -> dict[Entrant, tuple[Entrant, Team | None]]:
    """Return for each team the newest team of the same name in the event's series and section, with its
    owner.

    A fixed number of queries.
    """
    others = EntryName.objects.filter(key=OuterRef("key"), is_team=True, event__series=event.series_id)
    others = others.filter(event__section=event.section).exclude(event=event)
    names = EntryName.objects.filter(event=event, is_team=True, key__in={each.key for each in teams})
    found = names.annotate(newest=Subquery(others.order_by("-pk").values("pk")[:1])).values_list(
        "newest", flat=True
    )
    entries = _entries_at({key for key in found if key})
    owners, by_name = owners_of(entries), {each.key: each for each in entries}
    pairs = [(each, by_name[each.key]) for each in teams if each.key in by_name]
    return {
        each: (other, owner if isinstance(owner := owners.get(other.row), Team) else None)
        for each, other in pairs
    }


def refused_among(sides: Collection[str]) -> frozenset[tuple[str, str]]:
    """Return the refused pairs that contain one of these sides. A single query."""
    rows = LinkRefusal.standing.filter(Q(one__in=sides) | Q(other__in=sides))
    return frozenset(rows.values_list("one", "other"))


def _weighed_candidates(
    entrant: Entrant, entries: Iterable[Entrant], named: Iterable[Owner], owners: Mapping[Row, Owner]
) -> list[Candidate]:
    owned: dict[Owner, list[Entrant]] = {each: [] for each in named}
    free = []
    for each in entries:
        owner = owners.get(each.row)
        if owner is None:
            free.append(each)
        else:
            owned.setdefault(owner, []).append(each)
    ours = portrait(entrant)
    pairs: list[tuple[Owner | Entrant, tuple[Evidence, ...]]] = []
    pairs += [(holder, compare_entrants(ours, portrait_of(its, holder))) for holder, its in owned.items()]
    pairs += [(each, compare_entrants(ours, portrait(each))) for each in free]
    likely = [Candidate(other, weight(evidence)) for other, evidence in pairs if not contradicts(evidence)]
    return sorted(likely, key=lambda each: (isinstance(each.other, Entrant), -each.weight))


class _NamesakeKeys(NamedTuple):
    """The newest entries, and persons or teams, with a folded name, by primary key."""

    key: str
    is_team: bool
    entries: set[int]
    owners: set[int]


_NAMED = (
    "SELECT n.key, n.is_team, {wanted} FROM tournaments_entryname n"
    " WHERE n.event_id = %s AND n.key IN ({keys})"
)
_NEWEST_KEYS = (
    "(SELECT {joined} FROM (SELECT o.{column} AS at FROM {table} o"
    " WHERE o.key = n.key{more} ORDER BY o.id DESC LIMIT {most}) newest)"
)
_JOINED = {"sqlite": "group_concat(at)", "postgresql": "string_agg(at::text, ',')"}
_LIVING = " AND o.merged_into_id IS NULL"
_PERSONS = (("id", "tournaments_person", _LIVING), ("person_id", "tournaments_personname", ""))
_TEAMS = (("id", "tournaments_team", _LIVING), ("team_id", "tournaments_teamname", ""))


def _namesakes_by_name(event: Event, entrants: Sequence[Entrant]) -> list[_NamesakeKeys]:
    # Raw SQL, because every import runs it: Django takes longer to build the query than the database to
    # answer.
    others = ("id", "tournaments_entryname", " AND o.is_team = n.is_team AND o.event_id <> %s")
    persons = _PERSONS if any(not each.is_team for each in entrants) else ()
    teams = _TEAMS if any(each.is_team for each in entrants) else ()
    wanted = ", ".join(
        _NEWEST_KEYS.format(
            joined=_JOINED[connection.vendor], column=column, table=table, more=more, most=NEWEST
        )
        for column, table, more in (others, *persons, *teams)
    )
    keys = sorted({each.key for each in entrants})
    listed = ", ".join(["%s"] * len(keys))
    with connection.cursor() as cursor:
        cursor.execute(_NAMED.format(wanted=wanted, keys=listed), [event.pk, event.pk, *keys])
        rows = cursor.fetchall()
    return [
        _NamesakeKeys(
            key,
            bool(is_team),
            _listed_numbers(entries),
            _listed_numbers(*(owners[len(persons) :] if is_team else owners[: len(persons)])),
        )
        for key, is_team, entries, *owners in rows
    ]


def _listed_numbers(*listed: str | None) -> set[int]:
    return {int(number) for each in listed if each for number in each.split(",")}


def _entries_at(keys: Collection[int]) -> list[Entrant]:
    return entrants_at(EntryName.objects.filter(pk__in=keys).values_list("competitor", "player"))


def owners_of(entries: Sequence[Entrant]) -> dict[Row, Owner]:
    if not entries:
        return {}
    rows = by_row(entries)
    competitors, players = {one for one, _ in rows if one}, {other for _, other in rows if other}
    links = PersonLink.objects.filter(Q(competitor__in=competitors) | Q(player__in=players))
    of_persons = links.select_related("person").prefetch_related(
        "person__names", "person__titles", "person__identifiers"
    )
    teams = TeamLink.objects.filter(competitor__in=competitors).select_related("team")
    of_teams = teams.prefetch_related("team__names", "team__codes")
    owners: dict[Row, Owner] = {(each.competitor_id, each.player_id): each.person for each in of_persons}
    return owners | {(each.competitor_id, None): each.team for each in of_teams}


def owner_of(entrant: Entrant) -> Owner | None:
    return owners_of([entrant]).get(entrant.row)


def _owners_by_name(rows: Iterable[_NamesakeKeys]) -> dict[tuple[bool, str], list[Owner]]:
    person_keys = {key for row in rows if not row.is_team for key in row.owners}
    team_keys = {key for row in rows if row.is_team for key in row.owners}
    persons = Person.objects.filter(pk__in=person_keys, merged_into=None)
    teams = Team.objects.filter(pk__in=team_keys, merged_into=None)
    owners_by_key: dict[bool, Mapping[int, Owner]] = {
        False: persons.prefetch_related("names", "titles", "identifiers").in_bulk(),
        True: teams.prefetch_related("names", "codes").in_bulk(),
    }
    found: dict[tuple[bool, str], list[Owner]] = defaultdict(list)
    for row in rows:
        owners = owners_by_key[row.is_team]
        found[row.is_team, row.key] = [owners[key] for key in sorted(row.owners)[::-1] if key in owners]
    return found


# --- suggestions ------------------------------------------------------------------------------------------


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


# --- entries of a person ----------------------------------------------------------------------------------


class UnlinkedEntry(NamedTuple):
    """A possible entry of the person, with its event."""

    entrant: Entrant
    event: Event


def unlinked_entries(person_id: int) -> list[UnlinkedEntry]:
    """Return unlinked entries that may belong to a visible person, by start of the event.

    They have a name of the person, no contradiction and no refusal, and the person has no other entry in
    the event. A fixed number of queries. Valid for `person_page_stamp`.
    """
    person = Person.objects.prefetch_related("names", "titles", "identifiers").get(pk=person_id)
    keys = {person.key, *PersonName.objects.filter(person=person).values_list("key", flat=True)} - {""}
    linked = PersonLink.objects.filter(
        Q(competitor=OuterRef("competitor")) | Q(player=OuterRef("player")),
    )
    names = EntryName.objects.filter(~Exists(linked), key__in=keys, is_team=False, event__state__in=PUBLIC)
    found = list(names.select_related("event").order_by("-pk")[:MOST_UNLINKED])
    if not found:
        return []
    own = list(PersonLink.objects.filter(person=person))
    ours = portrait_of(entrants_of_links(own), person)
    refused = refused_among({side_of(person)})
    events = {each.event_id: each.event for each in found}
    for link in own:
        events.pop(link.event_id, None)
    likely = [
        UnlinkedEntry(each, events[each.event])
        for each in entrants_of_links(found)
        if each.event in events
        and sides(each.side, side_of(person)) not in refused
        and not contradicts(compare_entrants(ours, portrait(each)))
    ]
    return sorted(likely, key=lambda each: (each.event.start, each.event.pk, each.entrant.number))
