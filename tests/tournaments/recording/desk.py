"""Helpers for tests of the desk."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event, Pairing, Round
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.pairings.rearranging import Seating, arrange, read_seen
from tournaments.recording.results.storing import SubmittedResult
from tournaments.stored import load


def round_of(event: Event, number: int) -> Round:
    return Round.objects.select_related("event").get(event=event, number=number)


def at(event: Event, number: int, table: int) -> Pairing:
    """Return the current pairing of a round at a table."""
    pairings = Pairing.objects.select_related("round__event", "first", "second")
    return pairings.get(round__event=event, round__number=number, table=table)


def add_pairing(round_: Round, seats: Seats, by: User, reason: str = "") -> Pairing:
    [row] = add_pairings(round_, [seats], by, reason)
    return row


def seat(round_: Round, tables: Mapping[int, tuple[int, int] | None], by: User, reason: str = "") -> None:
    """Seat two competitors or none at each of these tables, with current versions."""
    seen = Seating(round_.pairings.select_related("first", "second")).seen
    wanted = {table: Seats(*sides) if sides else None for table, sides in tables.items()}
    arrange(round_, wanted, read_seen(seen), by, reason)


def typed(pairing: Pairing, text: str, board: int | None = None, **facts: Any) -> SubmittedResult:
    """Return an entry with the current version."""
    seen = pairing.version
    if board is not None:
        seen = next((game.version for game in pairing.games.filter(board=board)), 0)
    return SubmittedResult(
        **{"id": uuid4(), "pairing": pairing.pk, "board": board, "text": text, "seen": seen, **facts}
    )


def file_of(event: Event) -> str:
    """Return the current event file of an event."""
    return write(load(Event.objects.values_list("slug", flat=True).get(pk=event.pk)))
