"""Corrections: what readers took for settled is changed with a reason and told to all (ADR 0018)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

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
from tournaments.recording.refusal import required
from tournaments.recording.turns import name_of


class Correction(NamedTuple):
    """Why a result is changed; blank for an entry that needs no reason."""

    reason: str


def needs_reason(round_: Round) -> bool:
    """Say whether changing a result that stands in this round is a correction; at most one query."""
    return choices.is_settled(round_.event.state, round_.state) or is_built_upon(round_.event, round_)


def is_built_upon(event: Event, round_: Round) -> bool:
    """Say whether a later round of a Swiss is paired, or a later round of a round robin has a result."""
    later = Pairing.objects.filter(round__event=event, round__number__gt=round_.number, second__isnull=False)
    kinds = later.order_by().values_list("kind", flat=True).distinct()
    return choices.is_built_upon(kinds, is_round_robin=event.is_round_robin)


def paired_before(event: Event, round_: Round, *, stood: bool) -> str:
    """Return which rounds of a Swiss were paired before a result of this round changed, in sentences.

    `stood` says whether there was a result, so that these rounds were paired from it. Blank if no round was.
    One query.
    """
    published, drafts = _rounds_paired_after(event, round_)
    if stood:
        return told_paired_from_old(published, drafts)
    texts = []
    if published:
        texts.append(_paired_without(len(published)) % {"rounds": _listed(published)})
    if drafts:
        texts.append(_drafted_without(len(drafts)) % {"rounds": _listed(drafts)})
    return " ".join(texts)


class PairedRounds(NamedTuple):
    """The numbers of rounds with pairings: those that readers see, and drafts."""

    published: list[int]
    drafts: list[int]


def _rounds_paired_after(event: Event, round_: Round) -> PairedRounds:
    """Return the rounds of a Swiss that are paired after a round; none of a round robin. One query."""
    if event.is_round_robin:
        return PairedRounds([], [])
    two = Pairing.objects.filter(round=OuterRef("pk"), second__isnull=False)
    later = Round.objects.filter(Exists(two), event=event, number__gt=round_.number)
    found = list(later.order_by("number").values_list("number", "state"))
    return PairedRounds(
        [number for number, state in found if state != Round.State.DRAFT],
        [number for number, state in found if state == Round.State.DRAFT],
    )


def told_paired_from_old(published: Sequence[int], drafts: Sequence[int]) -> str:
    """Return which rounds were paired from a result that is corrected, in sentences; blank if none was."""
    texts = []
    if published:
        texts.append(_paired_from_old(len(published)) % {"rounds": _listed(published)})
    if drafts:
        texts.append(_drafted_from_old(len(drafts)) % {"rounds": _listed(drafts)})
    return " ".join(texts)


def _listed(rounds: Sequence[int]) -> str:
    return ", ".join(map(str, rounds))


def _paired_from_old(rounds: int) -> str:
    return ngettext(
        "Round %(rounds)s was paired from the old result. Its pairings stay as they are.",
        "Rounds %(rounds)s were paired from the old result. Their pairings stay as they are.",
        rounds,
    )


def _paired_without(rounds: int) -> str:
    return ngettext(
        "Round %(rounds)s was paired without this result. Its pairings stay as they are.",
        "Rounds %(rounds)s were paired without this result. Their pairings stay as they are.",
        rounds,
    )


def _drafted_from_old(rounds: int) -> str:
    return ngettext(
        "The draft of round %(rounds)s was paired from the old result. Propose it again.",
        "The drafts of rounds %(rounds)s were paired from the old result. Propose them again.",
        rounds,
    )


def _drafted_without(rounds: int) -> str:
    return ngettext(
        "The draft of round %(rounds)s was paired without this result. Propose it again.",
        "The drafts of rounds %(rounds)s were paired without this result. Propose them again.",
        rounds,
    )


@contextmanager
def correcting(
    event: Event, pairing: Pairing, row: Pairing | Game, by: User, reason: str
) -> Iterator[Correction]:
    """Give the change of one result, if it is a correction, exactly one entry of the public log.

    Refused where it is one and has no reason. The places are those of the last round, as ruled.
    """
    if not _is_correction(event, pairing, row):
        yield Correction("")
        return
    reason = _reason(reason, pairing.round)
    # Both before the yield: the caller changes the row in place.
    was, before = log_text(event, pairing, row), places_of(event)
    stood = pairing.kind != Kind.PENDING
    yield Correction(reason)
    after = places_of(event)
    Change.objects.create(
        event=event,
        round=pairing.round.number,
        table=pairing.table,
        was=was,
        now=log_text(event, pairing, row),
        reason=reason,
        by=name_of(by),
        moved=[[number, before[number], place] for number, place in after.items() if before[number] != place],
        paired=_rounds_paired_after(event, pairing.round).published if stood else [],
    )


def places_of(event: Event, without: Override | None = None) -> dict[int, int | None]:
    """Return every competitor's place by number, as ruled, after the last paired round; three queries.

    `without` is an override to be left out.
    """
    standings = judge(event, without=without.number if without else None)
    places = zip(standings.table.numbers.tolist(), standings.place.tolist(), strict=True)
    return {number: place or None for number, place in places}


def log_text(event: Event, pairing: Pairing, row: Pairing | Game) -> str:
    """Return a result as the public log tells it; of a board together with the score of its match."""
    total = log_text_of_pairing(event, pairing)
    return (
        f"{total} (board {row.board}: {log_text_of_result(event, row)})" if isinstance(row, Game) else total
    )


def log_text_of_pairing(event: EventScoring, pairing: Pairing | document.PairingEntry) -> str:
    """Return the result of a pairing, with its match points where they do not follow."""
    if pairing.first_match_points is None:
        return log_text_of_result(event, pairing)
    points = score_text(pairing.first_match_points, pairing.second_match_points)
    return f"{log_text_of_result(event, pairing)} ({points} MP)"


def log_text_of_result(
    event: EventScoring, row: Pairing | Game | document.PairingEntry | document.GameEntry
) -> str:
    """Return a result, three points where there is none."""
    return recorded_text(event, row) or "…"


def _is_correction(event: Event, pairing: Pairing, row: Pairing | Game) -> bool:
    """Say whether it is one: in an open round, a result that was not there yet may come late."""
    if choices.is_settled(event.state, pairing.round.state):
        return True
    # A late first result corrects nothing, but a board that changes a settled total does.
    stood = {row.kind, pairing.kind} != {Kind.PENDING}
    return stood and is_built_upon(event, pairing.round)


def _reason(reason: str, round_: Round) -> str:
    why = _("Round %(round)s is settled: a correction needs a reason, and the public log will show it.")
    return required(reason, why % {"round": round_.number})
