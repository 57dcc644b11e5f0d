"""Fixtures: an event whose players send their results."""

import pytest
from django.test import RequestFactory

from tests.cast import stored_event, swiss_file
from tests.tournaments.recording.desk import at
from tournaments.event.choices import PlayersEntry
from tournaments.hall.links import entry_address
from tournaments.models import Event


class Slips:
    """The URLs on the slips of an event."""

    def __init__(self, event: Event) -> None:
        self.event = event

    def __call__(self, side: str | None = "first", number: int = 2, table: int = 1, board: int = 0) -> str:
        request = RequestFactory().get("/")
        address = entry_address(request, at(self.event, number, table), board or None, side)
        return address.removeprefix("http://testserver")


@pytest.fixture
def swiss(db: None) -> Event:
    """Return four draughts players; both sides must agree, and a game of round 2 has no result yet."""
    event = stored_event(swiss_file())
    event.players_entry = PlayersEntry.BOTH
    event.save()
    return event


@pytest.fixture
def slip(swiss: Event) -> Slips:
    return Slips(swiss)
