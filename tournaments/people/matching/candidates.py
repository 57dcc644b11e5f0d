"""Persons, teams and entries with the same name as an entry, newest first, with weights."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import OuterRef, Q, Subquery

from tournaments.models import (
    EntryName,
    Event,
    LinkRefusal,
    Person,
    PersonLink,
    Team,
    TeamLink,
)
from tournaments.people.matching.entrants import Entrant, Row, by_row, entrants_at
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


def _owners_by_name(rows: Iterable[_NamesakeKeys]) -> dict[tuple[bool, str], list[Owner]]:
    wanted = {(row.is_team, row.key): row.owners for row in rows}
    persons = {key for (is_team, _), keys in wanted.items() if not is_team for key in keys}
    teams = {key for (is_team, _), keys in wanted.items() if is_team for key in keys}
    by_key: dict[tuple[bool, int], Owner] = {}
    people = Person.objects.filter(pk__in=persons, merged_into=None)
    for person in people.prefetch_related("names", "titles", "identifiers"):
        by_key[False, person.pk] = person
    for team in Team.objects.filter(pk__in=teams, merged_into=None).prefetch_related("names", "codes"):
        by_key[True, team.pk] = team
    return defaultdict(
        list,
        {
            (is_team, name): [
                owner for key in sorted(keys, reverse=True) if (owner := by_key.get((is_team, key)))
            ]
            for (is_team, name), keys in wanted.items()
        },
    )
