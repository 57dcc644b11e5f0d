"""The record as a crosstable: the rows of an event on their way to the engine.

Rounds that are drafts are left out: a bye in one of them counts from its publication on.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Left

from standings.engine import Crosstable, Standings
from tournaments import models
from tournaments.event.arrays import CrosstableBoard, CrosstableMeeting, Entry, crosstable
from tournaments.event.judging import OverrideRecord, change_of_rules, judged
from tournaments.event.rules import Rules, has_starred
from tournaments.event.unknown import knows_results
from tournaments.models.pairing import all_shown_pairings
from tournaments.models.records import RecordQuery, records

# Each of these is asked for every page that is made anew: putting them together then costs as much as asking.
ENTRIES = RecordQuery(
    Entry,
    models.Competitor.objects.order_by("number").annotate(birth_year=Left("born", 4)),
    key="pk",
    manual="manual_tiebreak__number",
    manual_after="manual_tiebreak__after",
)
MEETINGS = RecordQuery(
    CrosstableMeeting,
    all_shown_pairings().order_by(),
    round="round__number",
    first="first_id",
    second="second_id",
)
BOARDS = RecordQuery(
    CrosstableBoard, models.Game.objects.order_by(), round="pairing__round__number", table="pairing__table"
)
OVERRIDES = RecordQuery(
    OverrideRecord,
    models.Override.objects.order_by("number"),
    competitor="competitor__number",
    undoes="undoes__number",
)


def entries_of(event: models.Event) -> list[Entry]:
    """Return the event's competitors by number; one query."""
    return ENTRIES.where(event=event)


def crosstable_of(event: models.Event, entries: Sequence[Entry] | None = None) -> Crosstable:
    """Return the crosstable under the rules in force.

    One query, another for teams, another without entries, and another if the results are unknown.
    """
    # A page that has the entries already saves their query.
    known = entries_of(event) if entries is None else entries
    return crosstable(
        Rules.of(event),
        known,
        MEETINGS.where(round__event=event),
        boards_of(event),
        planned_rounds=event.planned_rounds,
        unknown=event.unknown,
        published=_published(event),
    )


def _published(event: models.Event) -> models.Published | None:
    """Return the published standings if they are the ranking; no query if the event knows its results."""
    return None if knows_results(event) else models.Published.objects.filter(event=event).first()


def boards_of(event: models.Event) -> list[CrosstableBoard]:
    """Return every board of every match; one query, none where players compete."""
    return BOARDS.where(pairing__round__event=event) if event.is_team else []


class JudgedRows(NamedTuple):
    """The rows of an event that its standings are made of."""

    entries: Sequence[Entry]
    meetings: Sequence[CrosstableMeeting]
    boards: Sequence[CrosstableBoard]
    rulings: Sequence[OverrideRecord]
    published: models.Published | None = None


def judged_rows(event: models.Event, entries: Sequence[Entry] | None = None) -> JudgedRows:
    """Return the rows of an event; two queries, another for teams, another without entries.

    If the results are unknown, another one for the published standings.
    """
    return JudgedRows(
        entries=entries_of(event) if entries is None else entries,
        rulings=OVERRIDES.where(event=event),
        meetings=MEETINGS.where(round__event=event),
        boards=boards_of(event),
        published=_published(event),
    )


def judged_rows_of_all(events: Sequence[models.Event]) -> dict[int, JudgedRows]:
    """Return the rows of several events by key; five queries at most, however many they are."""
    keys, of_teams = [event.pk for event in events], [event.pk for event in events if event.is_team]
    entries, rulings = ENTRIES.grouped("event", keys), OVERRIDES.grouped("event", keys)
    meetings = MEETINGS.grouped("round__event", keys)
    boards = BOARDS.grouped("pairing__round__event", of_teams) if of_teams else {}
    unplayed = [event.pk for event in events if not knows_results(event)]
    found = models.Published.objects.filter(event__in=unplayed) if unplayed else ()
    published = {each.event_id: each for each in found}
    return {
        pk: JudgedRows(entries[pk], meetings[pk], boards.get(pk, ()), rulings[pk], published.get(pk))
        for pk in keys
    }


def judge(
    event: models.Event,
    entries: Sequence[Entry] | None = None,
    without: int | None = None,
    as_if: Rules | None = None,
) -> Standings:
    """Return the standings of a recorded event as ruled, after the last round that is paired.

    `without` is the number of an override to be left out, `as_if` other rules, tried as if an override had
    brought them now. Two queries, another for the boards of teams, and another where the entries are not
    given.
    """
    return judge_rows(event, judged_rows(event, entries), without, as_if)


def judge_rows(
    event: models.Event, rows: JudgedRows, without: int | None = None, as_if: Rules | None = None
) -> Standings:
    """Return the standings that follow from these rows, as `judge` does; no query."""
    rulings = list(rows.rulings)
    # A change of the rules is judged under both rules, from one reading of the rows.
    played = partial(
        crosstable,
        entries=rows.entries,
        meetings=rows.meetings,
        boards=rows.boards,
        planned_rounds=event.planned_rounds,
        unknown=event.unknown,
        published=rows.published,
    )
    now = Rules.of(event)
    if as_if:
        rulings.append(change_of_rules(now, as_if, max((each.number for each in rulings), default=0) + 1))
    return judged(as_if or now, played, rulings, without)


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
