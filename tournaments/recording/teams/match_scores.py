"""The score of a match, computed from its boards."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Q

from tournaments.event.choices import SCORELESS, Kind
from tournaments.event.resultcodes import PairingResult
from tournaments.models import Event, Game, Pairing, Round
from tournaments.recording.locking import save

DECIDED = Q(second__isnull=False) & (
    ~Q(kind=Kind.PENDING) | Q(games__kind__in=(Kind.PLAYED, Kind.FORFEIT, Kind.UNKNOWN))
)
"""Pairings of two competitors with a result, at least on one board. May be repeated by board."""


def follow_boards(event: Event, pairing: Pairing, by: User, reason: str = "") -> None:
    """Store the sum of the boards as the score of the match, if it differs."""
    total = total_of(event, pairing, list(pairing.games.all()))
    if result_of(pairing) == total:
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
