"""Trials: what results, other acts or other rules would move, told before anything is stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from standings.engine import Standings
from tournaments.crosstable import entries_of, judge
from tournaments.event.rules import Rules
from tournaments.models import Event
from tournaments.recording.corrections import places_of
from tournaments.recording.entries import EntryOutcome, ResultEntry, enter, notes_of
from tournaments.recording.rules import normal
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

    @property
    def notes(self) -> list[str]:
        """Return what would not follow from the entries, each sentence once."""
        return notes_of(self.outcomes)


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


@dataclass(frozen=True, slots=True)
class ExplainedMove(MovedPlace):
    """A competitor whom other rules would move, and why, told by the one he passes or is passed by.

    `other` is that one, blank where there is none; `by` the code of the criterion that would part the two,
    "place" for a ruling, blank where they would share a place. `figures`: both texts, his own first.
    """

    other: str = ""
    by: str = ""
    figures: tuple[str, str] = ("", "")


def try_rules(event: Event, settings: Mapping[str, Any]) -> list[ExplainedMove]:
    """Return the places that other settings of the rules would move, the best first; nothing is stored.

    Six queries, eight of teams. LookupError where the settings name a criterion that is not there.
    """
    now = Rules.of(event)
    entries = entries_of(event)
    before = judge(event, entries)
    after = judge(event, entries, as_if=normal(now.with_settings(settings)))
    names = dict(event.competitors.values_list("number", "name"))
    return list(_explained(before, after, [names[number] for number in before.table.numbers.tolist()]))


def _explained(before: Standings, after: Standings, names: Sequence[str]) -> Iterable[ExplainedMove]:
    """Yield who stands elsewhere, in the new order; both standings are of one crosstable's rows."""
    was, now = before.place.tolist(), after.place.tolist()
    order: list[int] = after.order.tolist()
    for at, row in enumerate(order):
        if was[row] == now[row]:
            continue
        # One who falls is passed by those who come before him; one who rises passes those behind him.
        beside = order[:at][::-1] if now[row] > was[row] else order[at + 1 :]
        falls = now[row] > was[row]
        passed = (each for each in beside if _changed_sides(was[each], was[row], falls=falls))
        other = next(passed, None)
        if other is None:
            yield ExplainedMove(names[row], was[row] or None, now[row] or None)
            continue
        decision = after.decision_between(row, other)
        figures = decision.figures if decision else ("", "")
        if decision and decision.ahead != row:
            figures = figures[::-1]
        by = decision.by if decision else ""
        yield ExplainedMove(names[row], was[row] or None, now[row] or None, names[other], by, figures)


def _changed_sides(others: int, own: int, *, falls: bool) -> bool:
    """Say whether one who would now stand on the other side stood level or on this side before."""
    return others >= own if falls else 0 < others <= own
