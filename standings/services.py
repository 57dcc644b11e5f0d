"""Standings of recorded events, cached by the event's revision, which makes invalidation unnecessary."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from django.core.cache import cache
from django.db import transaction
from django.db.models import Max
from django.http import Http404

from standings.basis import last_complete_round
from standings.build import build
from standings.engine import Crosstable, Standings
from tournaments.crosstable import entries_of, judge, judge_rows, judged_rows_of_all
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event, Revision
from tournaments.models.pairing import public_pairings
from tournaments.operations.restore_guard import checked_epoch
from tournaments.operations.revision import present, revision_of
from tournaments.operations.snapshot import reads_what_is_committed
from tournaments.prizes.members import Members, members_of
from tournaments.prizes.prize_list import PrizeList, awards_of, prize_list

TRIES = 5
FINAL = str(None)
"""Cache key of the standings after the last paired round; other keys are round numbers."""

COMPLETE = "complete"
"""Value of `after` for the last complete round."""

MOST_AT_ONCE = 50
"""Events per batch: 50 olympiads have 200,000 boards, 40 MB."""

Found = TypeVar("Found")


class NoSuchRoundError(Http404):
    """The round has no pairings yet."""


class Ranked(NamedTuple):
    """The competitors of an event in the order of the crosstable's rows, and their standings."""

    entries: list[CompetitorInfo]
    standings: Standings


def ranked(event: Event, after: int | None = None) -> Ranked:
    """Return the competitors, and the standings as ruled after the last paired round or round `after`.

    Four queries, five for teams; none if they are cached, or one if the event has no `data_version`. Raise
    NoSuchRoundError if the round is not paired.
    """
    return cached_at_revision(f"{after}", event, partial(_uncached_ranking, after=after))


def standings_of(event: Event, after: int | None = None) -> Standings:
    return ranked(event, after).standings


def round_of_parameter(event: Event, after: str) -> int | None:
    """Return the round of the parameter `after`, or None for the last round and for invalid values.

    `complete` is the last round without open pairings. Raise NoSuchRoundError if no round is complete.
    """
    if after != COMPLETE:
        return int(after) if after.isdecimal() else None
    table = standings_of(event).table
    complete = last_complete_round(table)
    if not complete:
        raise NoSuchRoundError(f"{event} has no complete round")
    return complete if complete < table.rounds else None


def row_of(entries: Sequence[CompetitorInfo], number: int) -> int:
    """Return the row of the competitor with that start number; raise Http404 if there is none."""
    row = next((at for at, entry in enumerate(entries) if entry.number == number), None)
    if row is None:
        raise Http404
    return row


def default_round(event: Event, standings: Standings | None = None) -> int | None:
    """Return the round whose standings are the default for readers, or None for all results.

    Of a live event, it is the last complete round; before the first is complete, all results count.
    `standings` are those after the last round, if the caller has them.
    """
    if event.state != Event.State.LIVE or not event.knows_round_order:
        return None
    table = (standings or standings_of(event)).table
    complete = last_complete_round(table)
    return complete if 0 < complete < table.rounds else None


def paired_rounds(event: Event) -> int:
    """Return the number of the last round with a pairing, 0 if there is none; one query."""
    last = public_pairings(event).aggregate(Max("round__number"))
    return last["round__number__max"] or 0


def last_round_with_places(event: Event, table: Crosstable) -> int:
    """Return the last round after which there are places: of a live event, the last complete round."""
    return last_complete_round(table) if event.state == Event.State.LIVE else table.rounds


def places_after_each_round(event: Event) -> list[list[int]]:
    """Return, for each paired round, the place of each row of the crosstable after the round; 0 for none.

    While an event is live, there are no places after incomplete rounds. Return an empty list if the order of
    the rounds is unknown.
    """
    if not event.knows_round_order:
        return []

    def compute(event: Event) -> list[list[int]]:
        last = standings_of(event)
        placed = last_round_with_places(event, last.table)
        places = [last.after(number).place.tolist() for number in range(1, placed + 1)]
        return places + [[0] * len(last.table.names)] * (last.table.rounds - placed)

    return cached_at_revision("places", event, compute)


def category_members(event: Event) -> Members:
    """Return the members of the event's categories; one query, none if they are cached."""
    return cached_at_revision("categories", event, members_of) if event.categories else {}


def prizes_of(event: Event, found: Ranked) -> PrizeList:
    """Return the prize list for these standings; one query, two if the categories are not cached."""
    return prize_list(event, found.entries, found.standings, category_members(event), awards_of(event))


def _uncached_ranking(event: Event, after: int | None = None) -> Ranked:
    if after is None:
        entries = entries_of(event)
        return Ranked(entries, judge(event, entries))
    entries, standings = ranked(event)
    if not (0 < after <= standings.table.rounds and event.knows_round_order):
        raise NoSuchRoundError(f"{event} has no round {after}; {standings.table.rounds} are paired")
    return Ranked(entries, standings.after(after))


def cached_at_revision(what: str, event: Event, compute: Callable[[Event], Found]) -> Found:
    """Return the cached value for the event's revision, or compute it.

    An event with a `data_version` was read at that revision; another event is read again. The value is also
    stored on the event object, so that all parts of a page or an archive use the same value without copying.
    """
    if not reads_what_is_committed():  # after a rollback, the revision can mean another state
        return compute(present(event.pk))
    event = event if event.data_version else present(event.pk)
    return memoized_on_event(what, event, partial(_cached_value, what, compute=compute))


def memoized_on_event(what: str, event: Event, compute: Callable[[Event], Found]) -> Found:
    """Return the value stored on this event object, or compute and store it.

    The event must have its `data_version`.
    """
    at_hand: dict[tuple[str, str], Found] = event.__dict__.setdefault("_remembered", {})
    key = event.stamp, what
    if key not in at_hand:
        at_hand[key] = compute(event)
    return at_hand[key]


def _cached_value(what: str, event: Event, compute: Callable[[Event], Found]) -> Found:
    cached = cache.get(_cache_key(what, event))
    if cached is not None:
        return cast("Found", cached)
    event, found = _at_one_revision(event, compute)
    cache.set(_cache_key(what, event), found)
    return found


def cached_for_all(
    what: str, events: Sequence[Event], compute: Callable[[Event, Ranked], Found]
) -> dict[int, Found]:
    """Return values computed from the final standings of these events by primary key, cached as above.

    The events have their `data_version`. No query if all are cached, else five for each `MOST_AT_ONCE`
    events.
    """

    def one(event: Event) -> Found:
        return cached_at_revision(what, event, lambda event: compute(event, ranked(event)))

    if not reads_what_is_committed():
        return {event.pk: one(event) for event in events}
    found, missing = _cached_values(what, events)
    for at in range(0, len(missing), MOST_AT_ONCE):
        chunk = missing[at : at + MOST_AT_ONCE]
        standings, unranked = _cached_values(FINAL, chunk)
        rows = judged_rows_of_all(unranked) if unranked else {}
        for event in unranked:
            standings[event.pk] = Ranked([*rows[event.pk].entries], judge_rows(event, rows[event.pk]))
        now = dict(Revision.objects.filter(event__in=standings).values_list("event_id", "number"))
        for event in chunk:
            if event.data_version != now.get(event.pk):  # changed in the meantime
                found[event.pk] = one(event)
                continue
            found[event.pk] = compute(event, standings[event.pk])
            cache.set_many(
                {
                    _cache_key(FINAL, event): standings[event.pk],
                    _cache_key(what, event): found[event.pk],
                }
            )
    return found


def _cached_values(what: str, events: Sequence[Event]) -> tuple[dict[int, Any], list[Event]]:
    keys = {event.pk: _cache_key(what, event) for event in events}
    cached = cache.get_many(keys.values())
    found = {pk: cached[key] for pk, key in keys.items() if key in cached}
    return found, [event for event in events if event.pk not in found]


def _cache_key(what: str, event: Event) -> str:
    epoch = checked_epoch(event.epoch, {event.pk: (event.data_version or 0,)})
    return f"standings-{build()}-{event.pk}-{epoch}-{event.data_version}-{what}"


def _at_one_revision(event: Event, compute: Callable[[Event], Found]) -> tuple[Event, Found]:
    for _ in range(TRIES):
        found = compute(event)
        if event.data_version == revision_of(event.pk):
            return event, found
        event = present(event.pk)
    with transaction.atomic():  # there are many writes: block them during a computation
        Revision.objects.select_for_update().get(event_id=event.pk)
        event = present(event.pk)
        return event, compute(event)
