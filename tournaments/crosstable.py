"""The record as a crosstable: the engine's only feeder, from the database or from an event file.

Rounds that are drafts are left out: a bye in one of them counts from its publication on.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import starmap
from typing import Any, Literal, NamedTuple, cast

from django.db.models import Q, QuerySet

from standings.engine import FMJD, SYSTEMS, Crosstable, Override, RankingSystem, Standings, rank
from tournaments import models
from tournaments.arrays import Board, Entry, Meeting, crosstable
from tournaments.files import document
from tournaments.prepared import prepared
from tournaments.rules import RULES, Rules, first_rules, has_starred, in_force, is_starred, rules_after_each


def system_of(event: models.Event | document.Event) -> RankingSystem:
    """The ranking system in force, with the event's own criteria where it has a list."""
    return Rules.of(event).ranking_system


def unplayed_by_draughts_rules(event: models.Event | document.Event) -> bool:
    """Whether unplayed rounds of a chess Swiss count by the rules of draughts, as nobody chose others."""
    is_open = event.discipline == "chess" and not event.is_round_robin and not event.unplayed
    system = SYSTEMS.get(event.system)
    return is_open and system is not None and system.unplayed is FMJD


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


def crosstable_of_document(read: document.Document) -> Crosstable:
    """The crosstable of an event file, without touching the database."""
    return crosstable(
        read.event, _entries_of_document(read), _meetings_of_document(read), _boards_of_document(read)
    )


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
    return _judged(Rules.of(event), played, rulings, without)


def judge_document(read: document.Document) -> Standings:
    """The standings of an event file as ruled, without touching the database."""
    rulings = [Ruling(*(getattr(each, name) for name in Ruling._fields)) for each in read.overrides]
    played = partial(
        crosstable,
        entries=_entries_of_document(read),
        meetings=_meetings_of_document(read),
        boards=_boards_of_document(read),
    )
    return _judged(Rules.of(read.event), played, rulings)


def with_starred_rules(events: QuerySet[models.Event]) -> set[int]:
    """The keys of the events whose rules were changed under a frozen system; two queries at most."""
    rulings: dict[int, list[Ruling]] = defaultdict(list)
    recorded = models.Override.objects.filter(event__in=events).values_list("event", *_OF_A_RULING)
    for event, *ruling in recorded:
        rulings[event].append(Ruling(*ruling))
    ruled = models.Event.objects.filter(pk__in=rulings) if rulings else ()
    return {event.pk for event in ruled if has_starred(Rules.of(event), rulings[event.pk])}


def _boards_of_document(read: document.Document) -> list[Board]:
    return [
        Board(number, pairing.table, *(getattr(game, name) for name in Board._fields[2:]))
        for number, pairing in read.pairings()
        for game in pairing.games
    ]


def _entries_of_document(read: document.Document) -> list[Entry]:
    return [
        Entry(each.number, *(getattr(each, name) for name in Entry._fields[1:])) for each in read.competitors
    ]


def _meetings_of_document(read: document.Document) -> list[Meeting]:
    return [
        Meeting(number, *(getattr(pairing, name) for name in Meeting._fields[1:]))
        for number, pairing in read.without_drafts().pairings()
    ]


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
    rules_from: Mapping[str, Any]
    rules_to: Mapping[str, Any]


def _judged(
    now: Rules,
    played: Callable[[Rules], Crosstable],
    rulings: Sequence[Ruling],
    without: int | None = None,
) -> Standings:
    """Ranked by the rules as they were first, from which the overrides lead to those in force.

    `played` is the crosstable under the rules that it is given.
    """
    first = first_rules(now, rulings)
    table = played(first)
    standing = [ruling for ruling in in_force(rulings) if ruling.number != without]
    changes = {ruling.number: (before, after) for ruling, before, after in rules_after_each(first, standing)}
    row = {number: at for at, number in enumerate(table.numbers.tolist())}
    overrides = []
    for ruling in standing:
        before, after = changes.get(ruling.number, (first, first))
        override = _override(ruling, table.rounds, row)
        if ruling.kind == RULES:
            given = (played(after), after.ranking_system)
            override = replace(override, becomes=given, is_starred=is_starred(before))
        overrides.append(override)
    return rank(table, first.ranking_system, overrides)


def _override(ruling: Ruling, rounds: int, row: Mapping[int, int]) -> Override:
    return Override(
        kind=cast("Literal['pairing', 'criteria', 'value', 'place', 'rules']", ruling.kind),
        after=rounds if ruling.after is None else ruling.after,
        round=ruling.round or 0,
        table=ruling.table or 0,
        competitor=-1 if ruling.competitor is None else row[ruling.competitor],
        criterion=ruling.criterion,
        levels=tuple(Fraction(level) for level in ruling.levels),
        place=ruling.place or 0,
        criteria=tuple(ruling.criteria),
        reason=ruling.reason,
    )
