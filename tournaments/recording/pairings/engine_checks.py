"""Check whether an engine pairs the published rounds of an event as they were paired (ADR 0023).

A check takes seconds, so the worker runs it and stores the result under a checksum of its input. The
results of the last round are not part of it, so a live event is checked once per round, not after each
result.
"""

from collections import defaultdict
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from django.utils import timezone

from tournaments.event.choices import SCORELESS, knows_colours, knows_round_order
from tournaments.event.document import Document, ProvisionalResult
from tournaments.event.pairingsettings import paired_from, with_provisional
from tournaments.interchange.formats.trf.returning import by_pairing_number
from tournaments.interchange.formats.trf.writing import write_records
from tournaments.interchange.public import public_document
from tournaments.models import Event, Job, PairingsCheck
from tournaments.models.pairing import public_pairings
from tournaments.operations import jobs
from tournaments.operations.snapshot import is_snapshot
from tournaments.pairing.engine import CheckedRound, EngineError, PairingTask, Progress
from tournaments.pairing.process import check_pairs, ignore_progress
from tournaments.recording.competitors.start_numbers import start_numbers
from tournaments.recording.pairings.drafts import game_scores, method_of
from tournaments.recording.teams.stand_ins import with_stand_ins

MOST_WAITING = 50
"""Limit of waiting checks, because a crawler requests one for each event."""

_SETTINGS = (
    *("entrants", "planned_rounds", "boards", "game_win", "game_draw", "game_loss", "game_results"),
    *("match_win", "match_draw", "match_loss", "bye_game", "bye_match", "primary", "system"),
    *("initial_colour", "acceleration", "accelerated_to", "forbidden_pairs", "team_colours", "trf"),
)
"""Fields of the event that affect pairings."""


def is_checkable(event: Event) -> bool:
    """Return whether the pairing rules are known (FIDE's Swiss in chess), colours and round order too."""
    is_known = knows_colours(event) and knows_round_order(event)
    return event.discipline == "chess" and not event.is_round_robin and is_known


def stored_check(event: Event, subject: str) -> PairingsCheck | None:
    """Return the stored check of pairings by checksum, or None if there is none yet.

    The check is requested if there is none, unless too many wait. A single query, and some more for a
    request.
    """
    found = PairingsCheck.objects.filter(event=event.pk, subject=subject).first()
    # An archive is created inside a snapshot, which must not write.
    if not found and not is_snapshot():
        kind = Job.Kind.PAIRINGS_CHECK
        job = Job(kind=kind, key=f"{kind}-{event.pk}", arguments={"event": event.pk})
        job.turn = jobs.Turn.BEFOREHAND
        with suppress(jobs.FullError):
            jobs.ask(job, most=MOST_WAITING)
    return found


def subject_of(event: Event) -> str:
    """Return the checksum of the data that the pairings follow from. Blank if nothing is paired.

    Two queries, three if pairing numbers differ from start numbers.
    """
    rows = list(
        public_pairings(event)
        .order_by("round__number", "pk")
        .values_list(
            *("round__number", "first__number", "second__number", "kind"),
            *("first_score", "second_score", "first_match_points", "second_match_points"),
            *("delayed", "round__provisional_results"),
        )
    )
    last = max((row[0] for row in rows if row[2] is not None), default=0)
    if not last:
        return ""
    counted_rows = [row[:8] if row[0] < last else row[:3] for row in rows if row[0] <= last]
    settings = [getattr(event, name) for name in _SETTINGS]
    people = list(event.competitors.order_by("number").values_list("number", "adjustments", "pairing_number"))
    facts: list[Any] = [settings, [each[:2] for each in people], counted_rows]
    if numbers := [each[2] for each in people if each[2]]:  # not in the checksums of earlier releases
        facts += [numbers, list(event.rounds.order_by("number").values_list("number", "pairing_numbers"))]
    if delayed := [(*row[:2], *row[8:]) for row in rows if row[8] or row[9]]:  # likewise
        facts += [event.delayed_points, delayed]
    return sha256(repr(tuple(facts)).encode()).hexdigest()


def check_document_pairings(
    event: Event, document: Document, tell: Progress = ignore_progress
) -> tuple[str, list[CheckedRound]]:
    """Return the version of the engine, and each round up to the last with two competitors in a pairing.

    Rounds that were paired by the same pairing numbers and provisional results are checked together. Raise
    EngineError.
    """
    last = max((number for number, pairing in document.pairings() if pairing.second is not None), default=0)
    groups: dict[str, list[int]] = defaultdict(list)
    for number in range(1, last + 1):
        groups[repr((document.pairing_numbers(number), paired_from(document, number)))].append(number)
    version, checked = "", list[CheckedRound]()
    for rounds in groups.values():
        version, found = check_pairs(_task_of_check(event, document, rounds[-1]), tell)
        checked += [each for each in found if each.round in rounds]
    return version, sorted(checked, key=lambda each: each.round)


def _task_of_check(event: Event, document: Document, last: int) -> PairingTask:
    numbers = document.pairing_numbers(last)
    # gacrux needs results of the last round, which do not affect its pairings.
    draws = (
        ProvisionalResult(round=last, table=each.table, points=event.game_draw)
        for number, each in document.pairings()
        if number == last and each.second is not None and each.kind in SCORELESS
    )
    document = with_provisional(document, [*paired_from(document, last), *draws])
    rounds = tuple(replace(each, state="closed") for each in document.rounds if each.number <= last)
    report = replace(document, event=replace(document.event, state="live"), rounds=rounds)
    return PairingTask(
        report=write_records(with_stand_ins(by_pairing_number(report, numbers))),
        round=last,
        method=method_of(event),
        colour=event.initial_colour[:1] or "w",
        game_scores=game_scores(event),
        start_numbers=start_numbers(numbers),
    )


def check_event(event: Event, tell: Progress = ignore_progress) -> PairingsCheck:
    """Check the published pairings of an event, and store the result."""
    found: dict[str, Any] = {"subject": subject_of(event), "at": timezone.now()}
    try:
        version, rounds = check_document_pairings(event, public_document(event), tell)
        found |= {"engine": version[:60], "rounds": [asdict(each) for each in rounds], "problem": ""}
    except EngineError as fault:
        found |= {"engine": "", "rounds": [], "problem": fault.reason}
    return PairingsCheck.objects.update_or_create(event=event, defaults=found)[0]


def run_check(job: Job, tell: Progress) -> dict[str, Any]:
    """Run the check of a job in the worker. A deleted event is skipped."""
    event = Event.objects.filter(pk=job.arguments["event"]).first()
    if event is None or not is_checkable(event):
        return {}
    check_event(event, tell)
    return {"event": event.pk}
