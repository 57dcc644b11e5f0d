"""The score of a match follows from its boards."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Q

from tournaments.event.choices import SCORELESS, Kind
from tournaments.event.resultcodes import PairingResult
from tournaments.models import Event, Game, Pairing, Round
from tournaments.recording.turns import save

DECIDED = Q(second__isnull=False) & (
    ~Q(kind=Kind.PENDING) | Q(games__kind__in=(Kind.PLAYED, Kind.FORFEIT, Kind.UNKNOWN))
)
"""The pairings in which two have a result, be it of one board; a row each for several boards."""


def follow_boards(event: Event, pairing: Pairing, by: User, reason: str = "") -> None:
    """Give the match the score that its boards add up to, if that is another one than it has."""
    total = total_of(event, pairing, list(pairing.games.all()))
    if (pairing.kind, pairing.first_score, pairing.second_score) == (
        total.kind,
        total.first_score,
        total.second_score,
    ):
        return
    pairing.kind, pairing.first_score, pairing.second_score = (
        total.kind,
        total.first_score,
        total.second_score,
    )
    pairing.first_match_points = pairing.second_match_points = (
        None  # those given were given for another score
    )
    save(pairing, by, reason)


def has_result(pairing: Pairing) -> bool:
    """Say whether two have a result here, be it of one board; at most one query."""
    if pairing.second_id is None:
        return False
    return pairing.kind != Kind.PENDING or has_boards(pairing)


def decided_in(round_: Round) -> set[int]:
    """Return the keys of a round's pairings in which two have a result, be it of one board; one query."""
    return set(round_.pairings.filter(DECIDED).values_list("pk", flat=True))


def has_boards(pairing: Pairing) -> bool:
    """Say whether a board of the match is recorded."""
    return pairing.games.exclude(kind=Kind.PENDING).exists()


def total_of(event: Event, pairing: Pairing, games: Sequence[Game]) -> PairingResult:
    """Return what the boards add up to: pending until all are in, unknown where one is.

    A match that has a score already is complete with the boards it has: sources leave out empty ones.
    """
    kinds = {game.kind for game in games}
    is_complete = pairing.kind != Kind.PENDING or len(games) >= (event.boards or 0)
    if Kind.PENDING in kinds or not is_complete:
        return PairingResult(Kind.PENDING)
    if kinds & {*SCORELESS}:
        return PairingResult(Kind.UNKNOWN)
    first = sum(game.first_score or 0 for game in games)
    second = sum(game.second_score or 0 for game in games)
    is_forfeit = kinds == {Kind.FORFEIT} and 0 in {first, second}
    return PairingResult(Kind.FORFEIT if is_forfeit else Kind.PLAYED, first, second)
