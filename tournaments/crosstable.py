"""The record as a crosstable: the rows of an event on their way to the engine.

Rounds that are drafts are left out: a bye in one of them counts from its publication on.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import starmap
from typing import Any

from django.db.models import Q, QuerySet

from standings.engine import Crosstable, Standings
from tournaments import models
from tournaments.event.arrays import Entry, crosstable
from tournaments.event.judging import Ruling, judged
from tournaments.event.rules import Rules, has_starred
from tournaments.prepared import prepared


@prepared
def _entries(event: int) -> QuerySet[models.Competitor, Any]:
    return (
        models.Competitor.objects.filter(event=event)
        .order_by("number")
        .values_list(
            "pk",
            "number",
            "name",
            "rating",
            "rating_class",
            "outside",
            "withdrawn_after",
            "manual_tiebreak__number",
            "manual_tiebreak__after",
            "code",
            "flag",
            "title",
        )
    )


@prepared
def _meetings(event: int) -> QuerySet[models.Pairing, Any]:
    return (
        models.Pairing.objects.filter(~Q(round__state=models.Round.State.DRAFT), round__event=event)
        .order_by()
        .values_list(
            "round__number",
            "table",
            "first_id",
            "second_id",
            "kind",
            "first_score",
            "second_score",
            "first_match_points",
            "second_match_points",
            "advantage",
            "games_played",
        )
    )


@prepared
def _boards(event: int) -> QuerySet[models.Game, Any]:
    return (
        models.Game.objects.filter(pairing__round__event=event)
        .order_by()
        .values_list(
            "pairing__round__number",
            "pairing__table",
            "kind",
            "first_score",
            "second_score",
            "advantage",
            "games_played",
        )
    )


_OF_A_RULING = (
    "number", "kind", "after", "round", "table", "competitor__number", "criterion", "levels", "place",
    "criteria", "undoes__number", "reason", "rules_from", "rules_to",
)  # fmt: skip
"""What `Ruling` is made of, in its order."""


@prepared
def _rulings(event: int) -> QuerySet[models.Override, Any]:
    return models.Override.objects.filter(event=event).order_by("number").values_list(*_OF_A_RULING)


def entries_of(event: models.Event) -> list[Entry]:
    """The event's competitors by number; one query."""
    return list(starmap(Entry, _entries(event.pk)))


def crosstable_of(event: models.Event, entries: Sequence[Entry] | None = None) -> Crosstable:
    """The crosstable under the rules in force: one query, another for teams, and another without entries."""
    known = entries_of(event) if entries is None else entries
    return crosstable(event, known, _meetings(event.pk), boards_of_teams(event))


def boards_of_teams(event: models.Event) -> Sequence[tuple[Any, ...]]:
    """Every board of every match, as `Board` names it; one query, none where players compete."""
    return _boards(event.pk) if event.is_team else ()


def judge(
    event: models.Event, entries: Sequence[Entry] | None = None, without: int | None = None
) -> Standings:
    """The standings of a recorded event as ruled, after the last round that is paired.

    `without` is the number of an override to be left out. Two queries, another for the boards of teams, and
    another where the entries are not given.
    """
    entries = entries_of(event) if entries is None else entries
    rulings = list(starmap(Ruling, _rulings(event.pk)))
    played = partial(crosstable, entries=entries, meetings=_meetings(event.pk), boards=boards_of_teams(event))
    return judged(Rules.of(event), played, rulings, without)


def with_starred_rules(events: QuerySet[models.Event]) -> set[int]:
    """The keys of the events whose rules were changed under a frozen system; two queries at most."""
    rulings: dict[int, list[Ruling]] = defaultdict(list)
    recorded = models.Override.objects.filter(event__in=events).values_list("event", *_OF_A_RULING)
    for event, *ruling in recorded:
        rulings[event].append(Ruling(*ruling))
    ruled = models.Event.objects.filter(pk__in=rulings) if rulings else ()
    return {event.pk for event in ruled if has_starred(Rules.of(event), rulings[event.pk])}
