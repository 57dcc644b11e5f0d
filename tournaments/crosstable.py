"""Reads the rows of an event from the database and converts them to the engine's crosstable.

Draft rounds are left out: a bye in one of them counts after its publication.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Left

from standings.engine import Crosstable, Standings
from tournaments import models
from tournaments.event.arrays import CompetitorInfo, CrosstableBoard, CrosstableMeeting, build_crosstable
from tournaments.event.choices import knows_results
from tournaments.event.judging import OverrideRecord, change_of_rules, judged
from tournaments.event.rules import Rules, has_starred
from tournaments.models.pairing import all_public_pairings
from tournaments.models.rows import RecordQuery, load_records

# Built once: every uncached page needs these queries, and building one takes as long as running it.
ENTRIES = RecordQuery(
    CompetitorInfo,
    models.Competitor.objects.order_by("number").annotate(birth_year=Left("born", 4)),
    key="pk",
    manual="manual_tiebreak__number",
    manual_after="manual_tiebreak__after",
)
MEETINGS = RecordQuery(
    CrosstableMeeting,
    all_public_pairings().order_by(),
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


def entries_of(event: models.Event) -> list[CompetitorInfo]:
    """Return the event's competitors by number; one query."""
    return ENTRIES.where(event=event)


def crosstable_of(event: models.Event, entries: Sequence[CompetitorInfo] | None = None) -> Crosstable:
    """Return the crosstable under the rules in force.

    One query, plus one each for teams, missing `entries` and unknown results.
    """
    # Saves the query if the page has the entries already.
    known = entries_of(event) if entries is None else entries
    return build_crosstable(
        Rules.of(event),
        known,
        MEETINGS.where(round__event=event),
        boards_of(event),
        planned_rounds=event.planned_rounds,
        unknown=event.unknown,
        published=_published(event),
    )


def _published(event: models.Event) -> models.Published | None:
    """Return the published standings if they are the ranking; no query if the event's results are known."""
    return None if knows_results(event) else models.Published.objects.filter(event=event).first()


def boards_of(event: models.Event) -> list[CrosstableBoard]:
    """Return every board of every match; one query, none for individual events."""
    return BOARDS.where(pairing__round__event=event) if event.is_team else []


class JudgedRows(NamedTuple):
    """The rows of an event from which its standings are computed."""

    entries: Sequence[CompetitorInfo]
    meetings: Sequence[CrosstableMeeting]
    boards: Sequence[CrosstableBoard]
    rulings: Sequence[OverrideRecord]
    published: models.Published | None = None


def judged_rows(event: models.Event, entries: Sequence[CompetitorInfo] | None = None) -> JudgedRows:
    """Return the rows of an event; two queries, plus one each for teams, missing `entries`, and published
    standings if the results are unknown.
    """
    return JudgedRows(
        entries=entries_of(event) if entries is None else entries,
        rulings=OVERRIDES.where(event=event),
        meetings=MEETINGS.where(round__event=event),
        boards=boards_of(event),
        published=_published(event),
    )


def judged_rows_of_all(events: Sequence[models.Event]) -> dict[int, JudgedRows]:
    """Return the rows of several events by primary key; at most five queries in total."""
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
    entries: Sequence[CompetitorInfo] | None = None,
    without: int | None = None,
    as_if: Rules | None = None,
) -> Standings:
    """Return the standings of a recorded event as ruled, after the last paired round.

    `without` is the number of an override to ignore. `as_if` are other rules, applied as if an override had
    just set them. Two queries, plus one each for teams and missing `entries`.
    """
    return judge_rows(event, judged_rows(event, entries), without, as_if)


def judge_rows(
    event: models.Event, rows: JudgedRows, without: int | None = None, as_if: Rules | None = None
) -> Standings:
    """Return the standings computed from these rows, as `judge` does; no query."""
    rulings = list(rows.rulings)
    # A change of rules is computed under both rules, from the same rows.
    played = partial(
        build_crosstable,
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
    """An override as read by `has_starred`, with the key of its event."""

    event: int
    number: int
    kind: str
    undoes: int | None
    criteria: Sequence[str]
    rules_from: Mapping[str, Any]
    rules_to: Mapping[str, Any]


def with_starred_rules(events: QuerySet[models.Event]) -> set[int]:
    """Return the keys of events with changed rules under a frozen system; at most two queries."""
    changes: dict[int, list[RulesChange]] = defaultdict(list)
    recorded = models.Override.objects.filter(event__in=events)
    for change in load_records(RulesChange, recorded, undoes="undoes__number"):
        changes[change.event].append(change)
    changed = models.Event.objects.filter(pk__in=changes) if changes else ()
    return {event.pk for event in changed if has_starred(Rules.of(event), changes[event.pk])}
