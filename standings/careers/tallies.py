"""What the lists of persons and teams say of each: tallied when something of it has changed.

A list is read from an index, and so costs what it shows; what changed since is tallied by the next reading.
Triggers count every change of a person and of a link (`PersonRevision`), and medals tell theirs; a tally says
at which of these numbers it was made (ADR 0038).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from time import sleep
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Count, F, OuterRef, QuerySet

from standings.careers.medals import Medals, count_medals, medals_among
from tournaments.event.choices import PUBLIC
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
from tournaments.models.tally import SEPARATOR
from tournaments.pairing.startorder import TITLES

AT_A_TIME = 500
"""Persons or teams that one reading of a list tallies."""

RANKS = {title: rank for rank, group in enumerate(TITLES) for title in group}
"""The titles of chess and draughts, the highest first; any other comes after them."""


@dataclass(frozen=True)
class ListedKind:
    """Persons, or teams, as the list asks for them: those who meet `conditions`.

    `owner` is the column that leads to one.
    """

    model: type[models.Model]
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
        """Return those who may be listed, if they are in an event that readers find."""
        return self.model._default_manager.filter(**self.conditions)

    @property
    def tallied(self) -> QuerySet[Any]:
        """Return the tallies of those who may still be listed, with their persons or teams."""
        now = {f"{self.owner}__{name}": value for name, value in self.conditions.items()}
        return self.tallies._default_manager.filter(**now).select_related(self.owner)

    def of_each(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that hang on the person or team of the query around this one."""
        return rows.filter(**{self.owner: OuterRef("pk")})

    def grouped(self, rows: QuerySet[Any], column: str, keys: Collection[int]) -> dict[int, list[Any]]:
        """Return that column of the rows of these persons or teams, by key, in the order of the rows."""
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


def refresh(kind: ListedKind) -> int:
    """Tally those who changed, and return how many events, persons or teams are left; three queries if none.

    A reading does a part of much work: what was not done yet is said on the list.
    """
    return count_medals() + tally(kind)


def refresh_all(tell: Callable[[int], None], patience: int = 30) -> int:
    """Do all that is left of both lists; `tell` is called with how much that still is.

    Return what is left, where others were writing to the same for so many seconds.
    """
    before = -1
    while True:
        # All events first: each of them may have somebody tallied anew.
        left = count_medals() or tally(LISTED_PERSONS) + tally(LISTED_TEAMS)
        if not left or not patience:
            return left
        tell(left)
        if left == before:
            patience -= 1
            sleep(1)
        before = left


def tally(kind: ListedKind) -> int:
    """Tally some of those who changed, and return how many are left; one query where there are none.

    Else ten more, and one for each hundred or so who are written.
    """
    behind = kind.revisions._default_manager.filter(number__gt=F("tallied"))
    keys = list(behind.order_by("pk").values_list("pk", flat=True)[: AT_A_TIME + 1])
    if not keys:
        return 0
    done = _tally(kind, keys[:AT_A_TIME])
    return 0 if done == len(keys) else behind.count()


@transaction.atomic
def _tally(kind: ListedKind, keys: Collection[int]) -> int:
    """Tally these, but those who are being changed, and return how many that were.

    What is written to them meanwhile waits for the row of the revision, and is found behind again.
    """
    skips = connection.features.has_select_for_update_skip_locked
    revisions = kind.revisions._default_manager
    rows = revisions.select_for_update(skip_locked=skips).filter(pk__in=keys).order_by("pk")
    held = list(rows.values_list("pk", flat=True))
    made = _made(kind, held)
    tallies = kind.tallies._default_manager
    listed = {each.pk for each in made}
    if gone := [key for key in held if key not in listed]:
        tallies.filter(pk__in=gone).delete()
    columns = [each.name for each in kind.tallies._meta.concrete_fields if not each.primary_key]
    tallies.bulk_create(made, update_conflicts=True, unique_fields=[kind.owner], update_fields=columns)
    revisions.filter(pk__in=held).update(tallied=F("number"))
    return len(held)


def _made(kind: ListedKind, keys: Collection[int]) -> list[Any]:
    """Return the tallies of those of these persons or teams who are listed; five queries."""
    linked = kind.links.filter(**{f"{kind.owner}__in": keys}).order_by().values_list(f"{kind.owner}_id")
    events = dict(linked.annotate(all=Count("event", distinct=True)))
    known = kind.rows.filter(pk__in=events.keys())
    codes = kind.grouped(kind.codes, "code", keys)
    titles = {} if kind.titles is None else kind.grouped(kind.titles, "title", keys)
    medals = medals_among(kind.links, kind.owner, keys)
    made = []
    for key, name in known.values_list("pk", "name"):
        won = medals.get(key, Medals())
        of_all = {
            f"{kind.owner}_id": key,
            "name": name,
            "codes": SEPARATOR.join(codes.get(key, ())),
            "has_no_code": not codes.get(key),
            "events": events[key],
            **dict(zip(("first", "second", "third"), won[:3], strict=True)),
        }
        of_persons = {} if kind.titles is None else _of_person(titles.get(key, []), won)
        made.append(kind.tallies(**of_all, **of_persons))
    return made


def _of_person(titles: list[str], won: Medals) -> dict[str, object]:
    return {
        "titles": SEPARATOR.join(titles),
        "title_rank": min((RANKS.get(each, len(TITLES)) for each in titles), default=len(TITLES)),
        "has_no_title": not titles,
        **dict(zip(("team_first", "team_second", "team_third"), won[3:], strict=True)),
    }
