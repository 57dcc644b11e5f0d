"""The record as a crosstable: the rows of an event on their way to the engine.

Rounds that are drafts are left out: a bye in one of them counts from its publication on.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import QuerySet

from standings.engine import Crosstable, Standings
from tournaments import models
from tournaments.event.arrays import CrosstableBoard, CrosstableMeeting, Entry, crosstable
from tournaments.event.judging import OverrideRecord, judged
from tournaments.event.rules import Rules, has_starred
from tournaments.models.pairing import shown_pairings
from tournaments.models.records import records


def entries_of(event: models.Event) -> list[Entry]:
    """Return the event's competitors by number; one query."""
    competitors = models.Competitor.objects.filter(event=event).order_by("number")
    manual = {"manual": "manual_tiebreak__number", "manual_after": "manual_tiebreak__after"}
    return records(Entry, competitors, key="pk", **manual)


def crosstable_of(event: models.Event, entries: Sequence[Entry] | None = None) -> Crosstable:
    """Return the crosstable under the rules in force.

    One query, another for teams, and another without entries.
    """
    # A page that has the entries already saves their query.
    known = entries_of(event) if entries is None else entries
    return crosstable(Rules.of(event), known, _meetings_of(event), boards_of(event))


def boards_of(event: models.Event) -> list[CrosstableBoard]:
    """Return every board of every match; one query, none where players compete."""
    if not event.is_team:
        return []
    games = models.Game.objects.filter(pairing__round__event=event).order_by()
    return records(CrosstableBoard, games, round="pairing__round__number", table="pairing__table")


def judge(
    event: models.Event, entries: Sequence[Entry] | None = None, without: int | None = None
) -> Standings:
    """Return the standings of a recorded event as ruled, after the last round that is paired.

    `without` is the number of an override to be left out. Two queries, another for the boards of teams, and
    another where the entries are not given.
    """
    entries = entries_of(event) if entries is None else entries
    overrides = models.Override.objects.filter(event=event).order_by("number")
    rulings = records(OverrideRecord, overrides, competitor="competitor__number", undoes="undoes__number")
    # A change of the rules is judged under both rules, from one reading of the rows.
    played = partial(crosstable, entries=entries, meetings=_meetings_of(event), boards=boards_of(event))
    return judged(Rules.of(event), played, rulings, without)


def _meetings_of(event: models.Event) -> list[CrosstableMeeting]:
    pairings = shown_pairings(event)
    return records(
        CrosstableMeeting, pairings.order_by(), round="round__number", first="first_id", second="second_id"
    )


class RulesChange(NamedTuple):
    """An override as `has_starred` reads it, with the key of its event."""

    event: int
    number: int
    kind: str
    undoes: int | None
    criteria: Sequence[str]
    rules_from: Mapping[str, Any]
    rules_to: Mapping[str, Any]


def with_starred_rules(events: QuerySet[models.Event]) -> set[int]:
    """Return the keys of the events whose rules were changed under a frozen system; two queries at most."""
    changes: dict[int, list[RulesChange]] = defaultdict(list)
    recorded = models.Override.objects.filter(event__in=events)
    for change in records(RulesChange, recorded, undoes="undoes__number"):
        changes[change.event].append(change)
    changed = models.Event.objects.filter(pk__in=changes) if changes else ()
    return {event.pk for event in changed if has_starred(Rules.of(event), changes[event.pk])}
