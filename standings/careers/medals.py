"""The first three places of events, counted from their standings; and the refresh of the lists with medals.

Counts are valid for a revision and a build. Changes mark the tallies of the participants as outdated
(`tournaments.people.services.tallies`).
"""

from collections.abc import Callable, Collection, Sequence
from time import sleep
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet

from standings.build import build
from standings.careers.participation import place_number
from standings.catalogue.outcomes import Outcome, outcomes_of
from tournaments import models
from tournaments.event.choices import OVER, PUBLIC
from tournaments.operations.revision import with_versions
from tournaments.people.services.tallies import (
    LISTED_PERSONS,
    LISTED_TEAMS,
    MEDALS,
    ListedKind,
    tally,
)

AT_A_TIME = 50
"""The events whose standings are read per request of a list."""

MOST_LOOKED_AT = 500
"""The outdated events that are examined per request. Events without standings cost little."""


def count_medals() -> int:
    """Count the medals of outdated events and return the number of events left; two queries if none.

    Fifteen more if some are outdated, and those of standings that are not cached.
    """
    events = _outdated_events()
    if not events:
        return 0
    read = [each for each in events if _has_standings(each)][:AT_A_TIME]
    counted = _count_medals([each for each in events if not _has_standings(each)], read)
    if len(events) < MOST_LOOKED_AT:
        return len(events) - counted
    return models.Revision.objects.filter(_CHANGED | Q(event__medal_count__in=_of_other_builds())).count()


_CHANGED = Q(number__gt=F("counted"))


def _of_other_builds() -> QuerySet[models.MedalCount]:
    # `exclude` would not use the index, which these two ranges do.
    now = int(build(), 16)
    return models.MedalCount.objects.filter(Q(build__lt=now) | Q(build__gt=now))


def _outdated_events() -> list[models.Event]:
    changed = models.Revision.objects.filter(_CHANGED).order_by("pk").values_list("pk", flat=True)
    keys = list(changed[:MOST_LOOKED_AT])
    # Unordered: sorting would use another index than that of builds.
    others = _of_other_builds().exclude(pk__in=keys).values_list("pk", flat=True)
    keys += others[: MOST_LOOKED_AT - len(keys)] if len(keys) < MOST_LOOKED_AT else []
    if not keys:
        return []
    is_linked = Q(Exists(models.PersonLink.objects.filter(event=OuterRef("pk"))))
    is_linked |= Q(Exists(models.TeamLink.objects.filter(event=OuterRef("pk"))))
    events = with_versions(models.Event.objects.select_related("series").annotate(is_linked=is_linked))
    found = events.in_bulk(keys)
    return [found[key] for key in keys if key in found]


def _has_standings(event: Any) -> bool:
    """Return whether the event is over and has linked competitors. Others have no medals to count."""
    return event.state in OVER and event.is_linked


def _count_medals(others: Sequence[models.Event], over: Sequence[models.Event]) -> int:
    """Store the medals of finished events and clear those of the others; return the number of events.

    Events that are locked, or have a person that is locked, are skipped.
    """
    outcomes = outcomes_of(over[0].epoch, [each.pk for each in over]) if over else {}
    known = [*others, *(each for each in over if each.pk in outcomes)]
    with transaction.atomic():
        # Never wait: changes of persons lock persons first and then events; here the order is reversed.
        held = models.Revision.objects.select_for_update(skip_locked=_skips()).filter(event__in=known)
        now = dict(held.order_by("pk").values_list("event_id", "number"))
        same = {each.pk: each for each in known if now.get(each.pk) == each.data_version}
        places = _medal_places(same, outcomes)
        before: Places = {event: {} for event in same}
        stored = models.Medal.objects.filter(event__in=same)
        for pk, event, place in stored.values_list("pk", "event_id", "place"):
            before[event][pk] = place
        changed = _events_with_changed_medals(same, before, places)
        waiting = _mark_tallies(changed)
        models.Medal.objects.filter(event__in=[pk for pk in changed - waiting if before[pk]]).delete()
        _store_medals({pk: each for pk, each in same.items() if pk in changed - waiting}, places)
        counted = same.keys() - waiting
        models.Revision.objects.filter(event__in=counted).update(counted=F("number"))
    return len(counted)


def _skips() -> bool:
    return connection.features.has_select_for_update_skip_locked


Places = dict[int, dict[int, int]]
"""The medals by event: the place by the key of the competitor."""


def _medal_places(events: Collection[int], outcomes: dict[int, Outcome]) -> Places:
    placed_at = {
        (event, number): place
        for event in events
        if event in outcomes
        for number, (text, _country) in outcomes[event].places.items()
        if 0 < (place := place_number(text)) <= MEDALS
    }
    numbers = {number for _event, number in placed_at}
    entered = models.Competitor.objects.filter(event__in=events, number__in=numbers).order_by()
    places: Places = {event: {} for event in events}
    for pk, event, number in entered.values_list("pk", "event_id", "number") if placed_at else ():
        if (event, number) in placed_at:
            places[event][pk] = placed_at[event, number]
    return places


def _events_with_changed_medals(events: dict[int, models.Event], before: Places, places: Places) -> set[int]:
    counts = models.MedalCount.objects.filter(event__in=events).values_list("event_id", "is_public", "build")
    counted = {event: (is_public, number) for event, is_public, number in counts}
    now = int(build(), 16)
    return {
        event
        for event, each in events.items()
        if (before[event], counted.get(event)) != (places[event], (each.state in PUBLIC, now))
    }


def _mark_tallies(events: Collection[int]) -> set[int]:
    waiting: set[int] = set()
    kinds: tuple[tuple[type[Model], type[Model], str], ...] = (
        (models.PersonLink, models.PersonRevision, "person"),
        (models.TeamLink, models.TeamRevision, "team"),
    )
    for links, revisions, owner in kinds if events else ():
        linked = links._default_manager.filter(event__in=events)
        pairs = list(linked.values_list("event_id", f"{owner}_id"))
        if not pairs:
            continue
        rows = revisions._default_manager.select_for_update(skip_locked=_skips())
        held = rows.filter(**{f"{owner}__in": linked.values(owner)}).order_by("pk")
        free = set(held.values_list("pk", flat=True))
        waiting.update(event for event, key in pairs if key not in free)
        told = linked.exclude(event__in=waiting).values(owner)
        revisions._default_manager.filter(**{f"{owner}__in": told}).update(tallied=0)
    return waiting


def _store_medals(events: dict[int, models.Event], places: Places) -> None:
    models.Medal.objects.bulk_create(
        models.Medal(competitor_id=competitor, event_id=event, place=place)
        for event in events
        for competitor, place in places[event].items()
    )
    now = int(build(), 16)
    models.MedalCount.objects.bulk_create(
        (
            models.MedalCount(event=each, is_public=each.state in PUBLIC, build=now)
            for each in events.values()
        ),
        update_conflicts=True,
        unique_fields=["event"],
        update_fields=["is_public", "build"],
    )


def refresh_tallies(kind: ListedKind) -> int:
    """Update outdated tallies and return the number of rows left; three queries if none.

    Large updates are split over several requests. The list states that it is incomplete.
    """
    return count_medals() + tally(kind)


def refresh_all(tell: Callable[[int], None], patience: int = 30) -> int:
    """Update both lists completely; `tell` is called with the number of rows left.

    Return the rows left if other transactions lock them for `patience` seconds.
    """
    previous = -1
    while True:
        # Events first: counting their medals makes more tallies outdated.
        remaining = count_medals() or tally(LISTED_PERSONS) + tally(LISTED_TEAMS)
        if not remaining or not patience:
            return remaining
        tell(remaining)
        if remaining == previous:
            patience -= 1
            sleep(1)
        previous = remaining
