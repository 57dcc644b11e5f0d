"""Acts on the pairing screen, as the form of a page that was just opened posts them."""

from typing import Any

from tests.cast import Hall
from tests.tournaments.recording.desk import round_of
from tournaments.recording.arranging import Seating


def seen_now(hall: Hall, number: int) -> str:
    """What a page of the round would bring back if it were opened now."""
    return Seating(round_of(hall.event, number).pairings.select_related("first", "second")).seen


def act_in(hall: Hall, number: int, act: str, *picked: int, seen: str = "", **values: Any) -> Any:
    """Do an act in a round, on whoever is picked, and return the answer."""
    seen = seen or seen_now(hall, number)
    return hall.post("round-pairings", number, act=act, seat=list(picked), seen=seen, **values)
