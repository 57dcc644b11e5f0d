"""The record as a crosstable: the engine's only feeder, from the database or from an event file.

Rounds that are drafts are left out: a bye in one of them counts from its publication on.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import starmap
from typing import Any, Literal, NamedTuple, cast

from django.db.models import Q, QuerySet

from standings.engine import SYSTEMS, Crosstable, Override, RankingSystem
from tournaments import models
from tournaments.arrays import Entry, EventRules, Meeting, crosstable
from tournaments.files import document
from tournaments.prepared import prepared


def system_of(event: EventRules) -> RankingSystem:
    """The event's ranking system; an open one with the event's own criteria."""
    system = SYSTEMS[event.system]
    return system if system.frozen or not event.criteria else system.ordered_by(tuple(event.criteria))


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
def _rulings(event: int) -> QuerySet[models.Override, Any]:
    return (
        models.Override.objects.filter(event=event)
        .order_by("number")
        .values_list(
            "number",
            "kind",
            "after",
            "round",
            "table",
            "competitor__number",
            "criterion",
            "levels",
            "place",
            "criteria",
            "undoes__number",
            "reason",
        )
    )


def entries_of(event: models.Event) -> list[Entry]:
    """The event's competitors by number; one query."""
    return list(starmap(Entry, _entries(event.pk)))


def crosstable_of(event: models.Event, entries: Sequence[Entry] | None = None) -> Crosstable:
    """The event's crosstable from the database: one query, and another where the entries are not given."""
    return crosstable(event, entries_of(event) if entries is None else entries, _meetings(event.pk))


def crosstable_of_document(read: document.Document) -> Crosstable:
    """The crosstable of an event file, without touching the database."""
    return crosstable(
        read.event,
        [
            Entry(each.number, *(getattr(each, name) for name in Entry._fields[1:]))
            for each in read.competitors
        ],
        [
            Meeting(number, *(getattr(pairing, name) for name in Meeting._fields[1:]))
            for number, pairing in read.without_drafts().pairings()
        ],
    )


class Ruling(NamedTuple):
    """What the judgement needs of an override; the competitor by number."""

    number: int
    kind: str
    after: int | None
    round: int | None
    table: int | None
    competitor: int | None
    criterion: str
    levels: Sequence[str]
    place: int | None
    criteria: Sequence[str]
    undoes: int | None
    reason: str


def overrides_of(event: models.Event, table: Crosstable) -> list[Override]:
    """The event's overrides that are not undone, from the database: one query."""
    return _in_force(list(starmap(Ruling, _rulings(event.pk))), table)


def overrides_of_document(read: document.Document, table: Crosstable) -> list[Override]:
    """The overrides of an event file that are not undone."""
    rulings = [Ruling(*(getattr(each, name) for name in Ruling._fields)) for each in read.overrides]
    return _in_force(rulings, table)


def _in_force(rulings: Sequence[Ruling], table: Crosstable) -> list[Override]:
    undone = {ruling.undoes for ruling in rulings}
    row = {number: at for at, number in enumerate(table.numbers.tolist())}
    return [
        Override(
            kind=cast("Literal['pairing', 'criteria', 'value', 'place']", ruling.kind),
            after=table.rounds if ruling.after is None else ruling.after,
            round=ruling.round or 0,
            table=ruling.table or 0,
            competitor=-1 if ruling.competitor is None else row[ruling.competitor],
            criterion=ruling.criterion,
            levels=tuple(Fraction(level) for level in ruling.levels),
            place=ruling.place or 0,
            criteria=tuple(ruling.criteria),
            reason=ruling.reason,
        )
        for ruling in rulings
        if ruling.kind != "undo" and ruling.number not in undone
    ]
