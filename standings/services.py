"""Standings of recorded events, kept under the event's revision: nothing to invalidate, nothing stale."""

from collections.abc import Callable
from typing import TypeVar, cast

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Max

from standings.engine import ENGINE_VERSION, Standings, rank
from tournaments.crosstable import crosstable_of, overrides_of, system_of
from tournaments.models import Event, Pairing, Revision
from tournaments.revision import revision_of

TRIES = 5
Found = TypeVar("Found")


class NoSuchRoundError(LookupError):
    """The event has not come to that round yet."""


def standings_of(event: Event, after: int | None = None) -> Standings:
    """The standings as ruled, after the last round that is paired or after an earlier one.

    Six queries, or one where they are kept under the event's revision. NoSuchRoundError beyond the last
    pairing.
    """
    return _kept(f"{after}", event.pk, lambda: _judged(event.pk, after))


def paired_rounds(event: Event) -> int:
    """The number of the last round that has a pairing, 0 before the first; one query."""
    last = Pairing.objects.filter(round__event=event).aggregate(Max("round__number"))
    return last["round__number__max"] or 0


def places_after_each_round(event: Event) -> list[list[int]]:
    """For each paired round, the place of each row of the crosstable after it; 0 for none."""

    def compute() -> list[list[int]]:
        last = _judged(event.pk, None)
        return [
            rank(last.table.after(number), last.system, last.overrides).place.tolist()
            for number in range(1, last.table.rounds + 1)
        ]

    return _kept("places", event.pk, compute)


def _judged(event_id: int, after: int | None) -> Standings:
    event = Event.objects.get(pk=event_id)
    table = crosstable_of(event)
    overrides = overrides_of(event, table)
    if after is None:
        return rank(table, system_of(event), overrides)
    if not 0 < after <= table.rounds:
        raise NoSuchRoundError(f"{event} has no round {after}; {table.rounds} are paired")
    return rank(table.after(after), system_of(event), overrides)


def _kept(what: str, event_id: int, compute: Callable[[], Found]) -> Found:
    """What was computed at the event's present revision, or what is computed now."""
    return kept_at(revision_of(event_id), what, event_id, compute)


def kept_at(revision: int, what: str, event_id: int, compute: Callable[[], Found]) -> Found:
    """The same for who has the event's present revision already: no query where it is kept."""
    if connection.in_atomic_block:  # not committed yet, so its revision may come to mean another state
        return compute()
    kept = cache.get(_key(what, event_id, revision))
    if kept is not None:
        return cast("Found", kept)
    revision, found = _at_one_revision(event_id, revision, compute)
    cache.set(_key(what, event_id, revision), found)
    return found


def _key(what: str, event_id: int, revision: int) -> str:
    return f"standings-{ENGINE_VERSION}-{event_id}-{revision}-{what}"


def _at_one_revision(event_id: int, revision: int, compute: Callable[[], Found]) -> tuple[int, Found]:
    """Computed from a record that nobody changed meanwhile, and its revision."""
    for _ in range(TRIES):
        found = compute()
        before, revision = revision, revision_of(event_id)
        if before == revision:
            return revision, found
    with transaction.atomic():  # a storm of writes: hold the next one back for the time of one computation
        locked = Revision.objects.select_for_update().get(event_id=event_id)
        return locked.number, compute()
