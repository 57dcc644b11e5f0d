"""What results would move, tried out: everything is entered, looked at, and taken back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.models import Event
from tournaments.recording.corrections import places_of
from tournaments.recording.entries import EntryOutcome, ResultEntry, enter
from tournaments.recording.turns import in_turn

UNTOLD = "…"


@dataclass(frozen=True, slots=True)
class MovedPlace:
    """A competitor whom results would move; a place is None where there is none."""

    name: str
    was: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class EntryTrial:
    """The outcomes that entries would have, and the places that they would move, the best place first."""

    outcomes: list[EntryOutcome]
    moved: list[MovedPlace]


def try_out(event: Event, entries: Sequence[ResultEntry], by: User) -> EntryTrial:
    """Enter the results as if every reason were given, and take all back: nothing is stored."""
    with in_turn(event) as now:
        before = places_of(now)
        outcomes = enter(
            now, [replace(each, id=uuid4(), reason=each.reason.strip() or UNTOLD) for each in entries], by
        )
        after = places_of(now)
        transaction.set_rollback(True)
    return EntryTrial(outcomes, _moved(event, before, after))


def moved_by(event: Event, act: Callable[[], object]) -> list[MovedPlace]:
    """Return the places that an act of this package would move, the best first; nothing is stored.

    Raises what the act raises: Refused, Conflict.
    """
    with in_turn(event) as now:
        before = places_of(now)
        act()
        after = places_of(Event.objects.get(pk=now.pk))
        transaction.set_rollback(True)
    return _moved(event, before, after)


def _moved(event: Event, before: dict[int, int | None], after: dict[int, int | None]) -> list[MovedPlace]:
    changed = {number for number, place in after.items() if place != before[number]}
    names = event.competitors.filter(number__in=changed).values_list("number", "name")
    moved = [MovedPlace(name, before[number], after[number]) for number, name in names]
    return sorted(moved, key=lambda each: (each.now is None, each.now or 0))
