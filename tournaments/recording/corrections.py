"""Corrections: changes of settled results need a reason and are logged publicly (ADR 0018)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.crosstable import judge
from tournaments.event import choices, document
from tournaments.event.arrays import EventScoring
from tournaments.event.choices import Kind
from tournaments.event.numbers import score_text
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Change, Event, Game, Override, Pairing, Round
from tournaments.recording.locking import name_of_user
from tournaments.recording.refusal import required


def needs_reason(round_: Round) -> bool:
    """Return whether changing an existing result of this round is a correction. At most 1 query."""
    return choices.is_settled(round_.event.state, round_.state) or is_built_upon(round_.event, round_)


def is_built_upon(event: Event, round_: Round) -> bool:
    """Return whether a later round is paired (Swiss) or has a result (round robin)."""
    later = Pairing.objects.filter(round__event=event, round__number__gt=round_.number, second__isnull=False)
    kinds = later.order_by().values_list("kind", flat=True).distinct()
    return choices.later_rounds_depend(kinds, is_round_robin=event.is_round_robin)


def paired_before(event: Event, round_: Round, *, stood: bool) -> str:
    """Return sentences about rounds of a Swiss that were paired before a result of this round changed.

    `stood`: whether there was a result that these rounds were paired from. Blank if no round was paired.
    A single query.
    """
    return paired_before_text(*_rounds_paired_after(event, round_), stood=stood)


def _rounds_paired_after(event: Event, round_: Round) -> tuple[list[int], list[int]]:
    """Return the numbers of the later rounds of a Swiss with pairings: those published, and drafts."""
    if event.is_round_robin:
        return [], []
    two = Pairing.objects.filter(round=OuterRef("pk"), second__isnull=False)
    later = Round.objects.filter(Exists(two), event=event, number__gt=round_.number)
    found = list(later.order_by("number").values_list("number", "state"))
    return (
        [number for number, state in found if state != Round.State.DRAFT],
        [number for number, state in found if state == Round.State.DRAFT],
    )


def paired_before_text(published: Sequence[int], drafts: Sequence[int], *, stood: bool) -> str:
    """Return sentences about rounds that were paired from the old result, or without one if none `stood`."""
    of_published = ngettext(
        "Round %(rounds)s was paired from the old result. Its pairings stay as they are.",
        "Rounds %(rounds)s were paired from the old result. Their pairings stay as they are.",
        len(published),
    )
    of_drafts = ngettext(
        "The draft of round %(rounds)s was paired from the old result. Propose it again.",
        "The drafts of rounds %(rounds)s were paired from the old result. Propose them again.",
        len(drafts),
    )
    if not stood:
        of_published = ngettext(
            "Round %(rounds)s was paired without this result. Its pairings stay as they are.",
            "Rounds %(rounds)s were paired without this result. Their pairings stay as they are.",
            len(published),
        )
        of_drafts = ngettext(
            "The draft of round %(rounds)s was paired without this result. Propose it again.",
            "The drafts of rounds %(rounds)s were paired without this result. Propose them again.",
            len(drafts),
        )
    texts = (of_published, published), (of_drafts, drafts)
    return " ".join(text % {"rounds": ", ".join(map(str, rounds))} for text, rounds in texts if rounds)


@contextmanager
def correcting(event: Event, pairing: Pairing, row: Pairing | Game, by: User, reason: str) -> Iterator[str]:
    """Log the change of a result publicly if it is a correction. Yield the reason, blank if none is needed.

    Raise Refused for a correction without a reason. The logged places are those after the last round, with
    overrides.
    """
    if not _is_correction(event, pairing, row):
        yield ""
        return
    why = _("Round %(round)s is settled: a correction needs a reason, and the public log will show it.")
    reason = required(reason, why % {"round": pairing.round.number})
    # Both before the yield: the caller changes the row in place.
    was, before = log_text(event, pairing, row), places_by_number(event)
    had_result = pairing.kind != Kind.PENDING
    yield reason
    Change.objects.create(
        event=event,
        round=pairing.round.number,
        table=pairing.table,
        was=was,
        now=log_text(event, pairing, row),
        reason=reason,
        by=name_of_user(by),
        moved=moved_between(before, places_by_number(event)),
        paired=_rounds_paired_after(event, pairing.round)[0] if had_result else [],
    )


def places_by_number(event: Event, without: Override | None = None) -> dict[int, int | None]:
    """Return every competitor's place by number after the last paired round, with overrides. Three queries.

    `without`: an override to ignore.
    """
    standings = judge(event, without=without.number if without else None)
    places = zip(standings.table.numbers.tolist(), standings.place.tolist(), strict=True)
    return {number: place or None for number, place in places}


def moved_between(
    before: Mapping[int, int | None], after: Mapping[int, int | None]
) -> list[list[int | None]]:
    """Return the competitors with another place: number, place before and after. New ones are left out."""
    return [[each, before[each], place] for each, place in after.items() if before.get(each, place) != place]


def log_text(event: Event, pairing: Pairing, row: Pairing | Game) -> str:
    """Return a result as in the public log: for a board with the score of its match."""
    total = log_text_of_pairing(event, pairing)
    return (
        f"{total} (board {row.board}: {log_text_of_result(event, row)})" if isinstance(row, Game) else total
    )


def log_text_of_pairing(event: EventScoring, pairing: Pairing | document.PairingEntry) -> str:
    """Return the result of a pairing, with its match points if they do not follow from the score."""
    if pairing.first_match_points is None:
        return log_text_of_result(event, pairing)
    points = score_text(pairing.first_match_points, pairing.second_match_points)
    return f"{log_text_of_result(event, pairing)} ({points} MP)"


def log_text_of_result(
    event: EventScoring, row: Pairing | Game | document.PairingEntry | document.GameEntry
) -> str:
    return recorded_text(event, row) or "…"


def _is_correction(event: Event, pairing: Pairing, row: Pairing | Game) -> bool:
    if row.delayed and not event.is_over:  # the round was closed without this result
        return False
    if choices.is_settled(event.state, pairing.round.state):
        return True
    # A late first result corrects nothing, but a board that changes a settled total does.
    had_result = {row.kind, pairing.kind} != {Kind.PENDING}
    return had_result and is_built_upon(event, pairing.round)
