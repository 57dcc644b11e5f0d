"""Preview the place changes of results, other writes or other rules."""

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
from tournaments.recording.corrections import places_by_number
from tournaments.recording.events.rules import normal
from tournaments.recording.locking import lock_event
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import SubmissionOutcome, enter

PLACEHOLDER_REASON = "…"


@dataclass(frozen=True, slots=True)
class MovedPlace:
    """A competitor whom results would move. A place is None if there is none."""

    name: str
    was: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class ResultPreview:
    """Outcomes and place changes of entries, best place first."""

    outcomes: list[SubmissionOutcome]
    moved: list[MovedPlace]


def preview_results(event: Event, entries: Sequence[SubmittedResult], by: User) -> ResultPreview:
    """Store the results as if all reasons were given, and roll back."""
    trials = [replace(each, id=uuid4(), reason=each.reason.strip() or PLACEHOLDER_REASON) for each in entries]
    outcomes: list[SubmissionOutcome] = []
    moved = place_changes(event, lambda: outcomes.extend(enter(event, trials, by)))
    return ResultPreview(outcomes, moved)


def place_changes(event: Event, act: Callable[[], object]) -> list[MovedPlace]:
    """Return the place changes of a function of this package, best place first. Everything is rolled back.

    Raise Refused and Conflict as the function does.
    """
    with lock_event(event) as now:
        before = places_by_number(now)
        act()
        after = places_by_number(Event.objects.get(pk=now.pk))
        transaction.set_rollback(True)
    changed = {number for number, place in after.items() if place != before[number]}
    names = event.competitors.filter(number__in=changed).values_list("number", "name")
    moved = [MovedPlace(name, before[number], after[number]) for number, name in names]
    return sorted(moved, key=lambda each: (each.now is None, each.now or 0))


@dataclass(frozen=True, slots=True)
class ExplainedMove(MovedPlace):
    """A competitor whom other rules would move, with the other competitor who explains the move.

    `other`: the competitor passed or passing, or blank. `by`: code of the criterion that separates both,
    "place" for an override, blank if they share a place. `figures`: the values of both, own first.
    """

    other: str = ""
    by: str = ""
    figures: tuple[str, str] = ("", "")


def try_rules(event: Event, settings: Mapping[str, Any]) -> list[ExplainedMove]:
    """Return the place changes of other rules, best place first. No data are stored.

    Six queries, eight for teams. Raise LookupError for an unknown criterion.
    """
    now = Rules.of(event)
    entries = entries_of(event)
    before = judge(event, entries)
    after = judge(event, entries, as_if=normal(now.with_settings(settings)))
    names = dict(event.competitors.values_list("number", "name"))
    return list(_explained(before, after, [names[number] for number in before.table.numbers.tolist()]))


def _explained(before: Standings, after: Standings, names: Sequence[str]) -> Iterable[ExplainedMove]:
    was, now = before.place.tolist(), after.place.tolist()
    order: list[int] = after.order.tolist()
    for at, row in enumerate(order):
        if was[row] == now[row]:
            continue
        # A falling competitor is passed by those now ahead; a rising one passes those now behind.
        if now[row] > was[row]:
            passed_rows = (each for each in order[:at][::-1] if was[each] >= was[row])
        else:
            passed_rows = (each for each in order[at + 1 :] if 0 < was[each] <= was[row])
        other = next(passed_rows, None)
        decision = None if other is None else after.decision_between(row, other)
        figures = decision.figures if decision else ("", "")
        if decision and decision.ahead != row:
            figures = figures[::-1]
        by = decision.by if decision else ""
        name = "" if other is None else names[other]
        yield ExplainedMove(names[row], was[row] or None, now[row] or None, name, by, figures)
