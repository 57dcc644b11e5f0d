"""Actions on the pairing screen, posted like a form that was just opened."""

from typing import Any

from tests.cast import Hall
from tests.tournaments.recording.desk import round_of
from tournaments.recording.pairings.rearranging import Seating


def seen_now(hall: Hall, number: int) -> str:
    """Return the version that a page of the round would post."""
    return Seating(round_of(hall.event, number).pairings.select_related("first", "second")).seen


def act_in(hall: Hall, number: int, act: str, *picked: int, seen: str = "", **values: Any) -> Any:
    """Post an action with the picked competitors."""
    seen = seen or seen_now(hall, number)
    return hall.post("round-pairings", number, act=act, seat=list(picked), seen=seen, **values)
