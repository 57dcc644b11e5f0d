"""The first three places of events, counted of their standings and stored, so that lists can sort by them.

A count is of a revision and of a build. A list that finds events behind counts some of them before it reads,
and says how many are left: what it shows is right, or said to be incomplete.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from standings.build import build
from standings.careers.participation import MEDALS, placed
from standings.catalogue.outcomes import Outcome, outcomes_of
from tournaments.event.choices import OVER
from tournaments.models import Competitor, Event, Medal, MedalCount, PersonLink, Revision, TeamLink
from tournaments.revision import with_versions

AT_A_TIME = 50
"""Events that one reading of a list counts; a chunk of standings is read at once."""


class Medals(NamedTuple):
    """How often somebody was first, second and third: as a competitor, and as a player of a team."""

    first: int = 0
    second: int = 0
    third: int = 0
    team_first: int = 0
    team_second: int = 0
    team_third: int = 0

    def added(self, place: int, *, with_team: bool) -> "Medals":
        """Return these with one more."""
        at = place - 1 + MEDALS * with_team
        return Medals(*(count + (each == at) for each, count in enumerate(self)))


def count_medals() -> int:
    """Count the medals of events behind, and return how many events are left; one query where none is.

    Else nine more, and those of standings that nobody has read yet.
    """
    behind = list(_behind()[: AT_A_TIME + 1])
    if not behind:
        return 0
    counted = _count(behind[:AT_A_TIME])
    return 0 if counted == len(behind) else _behind().count()


def _behind() -> QuerySet[Event]:
    """Return the events that are over, with somebody known over events, whose count is not of now."""
    linked = Q(Exists(PersonLink.objects.filter(event=OuterRef("pk"))))
    linked |= Q(Exists(TeamLink.objects.filter(event=OuterRef("pk"))))
    now = MedalCount.objects.filter(
        event=OuterRef("pk"), number=OuterRef("revision__number"), build=int(build(), 16)
    )
    events = with_versions(Event.objects.select_related("series"))
    return events.filter(linked, ~Exists(now), state__in=OVER).order_by("pk")


def _count(events: Sequence[Event]) -> int:
    """Store the medals of these events, and return of how many; one that was written meanwhile waits."""
    outcomes = outcomes_of(events[0].epoch, [each.pk for each in events])
    with transaction.atomic():
        skips = connection.features.has_select_for_update_skip_locked
        held = Revision.objects.select_for_update(skip_locked=skips).filter(event__in=events)
        now = dict(held.order_by("pk").values_list("event_id", "number"))
        same = [each for each in events if now.get(each.pk) == each.data_version and each.pk in outcomes]
        _store(same, outcomes)
    return len(same)


def _store(events: Sequence[Event], outcomes: dict[int, Outcome]) -> None:
    places = {
        (each.pk, number): place
        for each in events
        for number, (text, _country) in outcomes[each.pk].places.items()
        if 0 < (place := placed(text)) <= MEDALS
    }
    numbers = {number for _event, number in places}
    entered = Competitor.objects.filter(event__in=events, number__in=numbers).order_by()
    Medal.objects.filter(event__in=events).delete()
    Medal.objects.bulk_create(
        Medal(competitor_id=pk, event_id=event, place=places[event, number])
        for pk, event, number in entered.values_list("pk", "event_id", "number")
        if (event, number) in places
    )
    MedalCount.objects.bulk_create(
        (MedalCount(event=each, number=each.data_version or 0, build=int(build(), 16)) for each in events),
        update_conflicts=True,
        unique_fields=["event"],
        update_fields=["number", "build"],
    )


def won_by(links: QuerySet[PersonLink] | QuerySet[TeamLink]) -> QuerySet[PersonLink] | QuerySet[TeamLink]:
    """Return those of these links whose entry won a medal, each with `place` or `team_place`."""
    over = links.filter(event__state__in=OVER)
    own = F("competitor__medal__place")
    if links.model is TeamLink:
        return over.filter(competitor__medal__isnull=False).annotate(place=own)
    return over.filter(
        Q(competitor__medal__isnull=False) | Q(player__competitor__medal__isnull=False)
    ).annotate(place=own, team_place=F("player__competitor__medal__place"))


def medals_among(
    links: QuerySet[PersonLink] | QuerySet[TeamLink], owner: str, owners: Collection[int] | QuerySet[Any, Any]
) -> dict[int, Medals]:
    """Return the medals of these persons or teams who have any, by key; one query.

    `owner` is the column of the links with the keys; `owners` may be a query for keys.
    """
    won = won_by(links).filter(**{f"{owner}__in": owners}).order_by()
    has_players = links.model is PersonLink
    columns = (f"{owner}_id", "place", *(["team_place"] if has_players else []))
    found: dict[int, Medals] = defaultdict(Medals)
    for key, place, *of_team in won.values_list(*columns):
        with_team = place is None
        found[key] = found[key].added(of_team[0] if with_team else place, with_team=with_team)
    return dict(found)
