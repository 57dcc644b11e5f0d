"""Tallies of persons and teams: stored figures by which the lists are sorted, updated after changes.

Lists are read from an index. Outdated tallies are updated by the next request. Triggers count the changes of
persons and links (`PersonRevision`), and changed medals (`standings.careers.medals`) mark them too; a tally
stores the number at which it was made (ADR 0038).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection, models, transaction
from django.db.models import Count, F, OuterRef, Q, QuerySet

from tournaments.event.choices import OVER, PUBLIC
from tournaments.models import (
    Person,
    PersonFederation,
    PersonLink,
    PersonRevision,
    PersonTally,
    PersonTitle,
    SearchKind,
    Team,
    TeamCode,
    TeamLink,
    TeamRevision,
    TeamTally,
)
from tournaments.pairing.startorder import RANKS, TITLES
from tournaments.people.models.tallies import SEPARATOR
from tournaments.people.models.team import Owner
from tournaments.search.folding import sort_key

MEDALS = 3
"""Places with a medal."""

AT_A_TIME = 500
"""The tallies that are updated per request of a list."""


class Medals(NamedTuple):
    """First, second and third places: as a competitor, and as a player of a team."""

    first: int = 0
    second: int = 0
    third: int = 0
    team_first: int = 0
    team_second: int = 0
    team_third: int = 0


def medals_among(
    links: QuerySet[PersonLink] | QuerySet[TeamLink], owner: str, owners: Collection[int]
) -> dict[int, Medals]:
    """Return the medals of persons or teams with an entry in a finished event, by key; one query.

    `owner`: the column of the links with the keys.
    """
    columns = ["competitor", "player__competitor"] if links.model is PersonLink else ["competitor"]
    counts = [
        Count("pk", filter=Q(**{f"{column}__medal__place": place}))
        for column in columns
        for place in range(1, MEDALS + 1)
    ]
    of_these = links.filter(event__state__in=OVER, **{f"{owner}__in": owners}).order_by()
    won = of_these.values_list(f"{owner}_id").annotate(**dict(zip(Medals._fields, counts, strict=False)))
    return {key: Medals(*medals) for key, *medals in won}


@dataclass(frozen=True)
class ListedKind:
    """The models and conditions of persons or teams in a list.

    `owner`: the name of the foreign key to the person or team.
    """

    model: type[Owner]
    conditions: Mapping[str, object]
    links: QuerySet[Any]
    owner: str
    codes: QuerySet[Any]
    searched: SearchKind
    revisions: type[models.Model]
    tallies: type[models.Model]
    titles: QuerySet[Any] | None = None

    @property
    def rows(self) -> QuerySet[Any]:
        """Return the persons or teams that can be listed if they have a public event."""
        return self.model._default_manager.filter(**self.conditions)

    @property
    def tallied(self) -> QuerySet[Any]:
        now = {f"{self.owner}__{name}": value for name, value in self.conditions.items()}
        return self.tallies._default_manager.filter(**now).select_related(self.owner)

    def of_each(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.filter(**{self.owner: OuterRef("pk")})

    def grouped(self, rows: QuerySet[Any], column: str, keys: Collection[int]) -> dict[int, list[Any]]:
        found: dict[int, list[Any]] = defaultdict(list)
        of_these = rows.filter(**{f"{self.owner}__in": keys})
        for key, value in of_these.values_list(f"{self.owner}_id", column):
            found[key].append(value)
        return found


LISTED_PERSONS = ListedKind(
    Person,
    {"merged_into": None, "hidden": False},
    PersonLink.objects.filter(event__state__in=PUBLIC).exclude(competitor=None, player=None),
    "person",
    PersonFederation.objects.order_by("since", "code"),
    SearchKind.PERSONS,
    PersonRevision,
    PersonTally,
    PersonTitle.objects.order_by("since", "title"),
)


LISTED_TEAMS = ListedKind(
    Team,
    {"merged_into": None},
    TeamLink.objects.filter(event__state__in=PUBLIC, competitor__isnull=False),
    "team",
    TeamCode.objects.order_by("since", "code"),
    SearchKind.TEAMS,
    TeamRevision,
    TeamTally,
)


def tally(kind: ListedKind) -> int:
    """Update some tallies and return the number left; one query if none.

    Else ten more, and one per hundred rows written.
    """
    outdated = kind.revisions._default_manager.filter(number__gt=F("tallied"))
    keys = list(outdated.order_by("pk").values_list("pk", flat=True)[: AT_A_TIME + 1])
    if not keys:
        return 0
    done = _update_tallies(kind, keys[:AT_A_TIME])
    return 0 if done == len(keys) else outdated.count()


@transaction.atomic
def _update_tallies(kind: ListedKind, keys: Collection[int]) -> int:
    """Update these tallies, except locked ones, and return their number.

    Concurrent changes wait for the lock of the revision and are found by the next update.
    """
    skips = connection.features.has_select_for_update_skip_locked
    revisions = kind.revisions._default_manager
    rows = revisions.select_for_update(skip_locked=skips).filter(pk__in=keys).order_by("pk")
    locked = list(rows.values_list("pk", flat=True))
    new_tallies = _new_tallies(kind, locked)
    tallies = kind.tallies._default_manager
    listed = {each.pk for each in new_tallies}
    if gone := [key for key in locked if key not in listed]:
        tallies.filter(pk__in=gone).delete()
    columns = [each.name for each in kind.tallies._meta.concrete_fields if not each.primary_key]
    tallies.bulk_create(new_tallies, update_conflicts=True, unique_fields=[kind.owner], update_fields=columns)
    revisions.filter(pk__in=locked).update(tallied=F("number"))
    return len(locked)


def _new_tallies(kind: ListedKind, keys: Collection[int]) -> list[Any]:
    """Return the new tallies of these persons or teams, if they are listed; five queries."""
    linked = kind.links.filter(**{f"{kind.owner}__in": keys}).order_by().values_list(f"{kind.owner}_id")
    events = dict(linked.annotate(all=Count("event", distinct=True)))
    owners = kind.rows.filter(pk__in=events.keys())
    codes = kind.grouped(kind.codes, "code", keys)
    titles = {} if kind.titles is None else kind.grouped(kind.titles, "title", keys)
    medals = medals_among(kind.links, kind.owner, keys)
    columns = {each.attname for each in kind.tallies._meta.concrete_fields}
    tallies = []
    for key, name in owners.values_list("pk", "name"):
        own_titles = titles.get(key, [])
        facts = {
            f"{kind.owner}_id": key,
            "name": sort_key(name)[:300],
            "codes": SEPARATOR.join(codes.get(key, ())),
            "has_no_code": not codes.get(key),
            "titles": SEPARATOR.join(own_titles),
            "title_rank": min((RANKS.get(each, len(TITLES)) for each in own_titles), default=len(TITLES)),
            "has_no_title": not own_titles,
            "events": events[key],
            **medals.get(key, Medals())._asdict(),
        }
        tallies.append(kind.tallies(**{column: facts[column] for column in columns}))
    return tallies
