"""The score of a match, computed from its boards, and match points awarded by hand."""

import re
from collections.abc import Sequence
from dataclasses import replace

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.event.choices import SCORELESS, Kind
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import PairingResult, ResultError, parse_half_points
from tournaments.event.scores import own_match_points
from tournaments.models import Event, Game, Pairing, Round
from tournaments.recording.corrections import correcting
from tournaments.recording.locking import lock_event, lock_row, save
from tournaments.recording.refusal import Refused, required

DECIDED = Q(second__isnull=False) & (
    ~Q(kind=Kind.PENDING) | Q(games__kind__in=(Kind.PLAYED, Kind.FORFEIT, Kind.UNKNOWN))
)
"""Pairings of two competitors with a result, at least on one board. May be repeated by board."""


def follow_boards(event: Event, pairing: Pairing, by: User, reason: str = "") -> None:
    """Store the sum of the boards as the score of the match, if it differs."""
    total = total_of(event, pairing, list(pairing.games.all()))
    # An advantage in the match does not follow from the boards.
    if replace(result_of(pairing), advantage="", games_played=None) == total:
        return
    set_result(pairing, total)
    pairing.first_match_points = pairing.second_match_points = None  # the old ones belong to another score
    save(pairing, by, reason)


def result_of(row: Pairing | Game) -> PairingResult:
    return PairingResult(
        Kind(row.kind or Kind.PENDING),
        row.first_score,
        row.second_score,
        row.advantage,
        row.games_played,
        row.delayed,
    )


def set_result(row: Pairing | Game, result: PairingResult) -> None:
    row.kind, row.delayed = result.kind, result.delayed
    row.first_score, row.second_score = result.first_score, result.second_score
    row.advantage, row.games_played = result.advantage, result.games_played


def has_result(pairing: Pairing) -> bool:
    """Return whether two competitors have a result, at least on one board. At most 1 query."""
    if pairing.second_id is None:
        return False
    return pairing.kind != Kind.PENDING or has_boards(pairing)


def decided_in(round_: Round) -> set[int]:
    """Return the keys of a round's pairings with a result, at least on one board. A single query."""
    return set(round_.pairings.filter(DECIDED).values_list("pk", flat=True))


def has_boards(pairing: Pairing) -> bool:
    return pairing.games.exclude(kind=Kind.PENDING).exists()


def total_of(event: Event, pairing: Pairing, games: Sequence[Game]) -> PairingResult:
    """Return the sum of the boards: pending until all have results, unknown if one is unknown.

    A pending match is delayed if all its open boards are. A match that has a score already is complete with
    its stored boards, because sources omit empty ones.
    """
    kinds = {game.kind for game in games}
    is_complete = pairing.kind != Kind.PENDING or len(games) >= (event.boards or 0)
    if Kind.PENDING in kinds or not is_complete:
        open_boards = [game.delayed for game in games if game.kind == Kind.PENDING]
        is_delayed = is_complete and all(open_boards)
        return PairingResult(Kind.PENDING, delayed=open_boards[0] if is_delayed else "")
    if kinds & {*SCORELESS}:
        return PairingResult(Kind.UNKNOWN)
    first = sum(game.first_score or 0 for game in games)
    second = sum(game.second_score or 0 for game in games)
    is_forfeit = kinds == {Kind.FORFEIT} and 0 in {first, second}
    return PairingResult(Kind.FORFEIT if is_forfeit else Kind.PLAYED, first, second)


Points = tuple[int | None, int | None]

LONGEST = 20
_TWO = re.compile(r"(.+?)(?<!\s)\s*+[-‐‑‒–—:]\s*+(.+)", re.DOTALL)


def award_match_points(pairing: Pairing, text: str, seen: int, by: User, reason: str) -> Pairing:
    """Award typed match points, `2-0`, or `1` for a round off. Blank resets them to follow from the score.

    The reason is stored in the history, and in the log if the result was settled. Raise Refused without a
    reason, for a pairing of players, without a result, and for impossible points.
    """
    with lock_event(pairing.round.event) as event:
        row = lock_row(Pairing, pairing.pk, seen)
        points = _parse_match_points(text)
        if not event.is_team:
            raise Refused(_("Only a team event has match points."))
        if row.kind in SCORELESS:
            raise Refused(_("This match has no result yet. Type it first, then award its match points."))
        if points != (None, None) and (points[1] is None) != (row.second_id is None):
            raise Refused(_("Enter the match points of both teams, such as 2-0, or one number for a bye."))
        if any(each is not None and each > event.match_win for each in points):
            most = {"most": points_text(event.match_win)}
            raise Refused(_("A match gives at most %(most)s match points. Correct the figure.") % most)
        given = own_match_points(event, row.kind, (row.first_score, row.second_score), points)
        if given == (row.first_match_points, row.second_match_points):
            return row
        reason_text = required(reason)
        with correcting(event, row, row, by, reason_text):
            row.first_match_points, row.second_match_points = given
            save(row, by, reason_text)
    return row


def _parse_match_points(text: str) -> Points:
    stripped = text.strip()[:LONGEST]
    if not stripped:
        return None, None
    found = _TWO.fullmatch(stripped)
    try:
        return (
            (parse_half_points(found[1]), parse_half_points(found[2]))
            if found
            else (parse_half_points(stripped), None)
        )
    except ResultError as fault:
        raise Refused(str(fault)) from fault
