"""A playing hall: one event under way, and two arbiters who both work on it."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.desk.cast import browser_of, create_account
from tests.tournaments.recording.conftest import match_file, swiss_file
from tests.tournaments.recording.desk import stored_event
from tournaments.admin.permissions import Role
from tournaments.models import Event, Override, Pairing


@dataclass
class Hall:
    """The event, and whoever works on it, by name: anna and ben."""

    event: Event
    people: dict[str, User]
    browsers: dict[str, Client]

    def get(self, screen: str, *place: int, by: str = "anna") -> Any:
        """A screen as one of them gets it."""
        return self.browsers[by].get(self.address(screen, *place))

    def post(self, screen: str, *place: int, by: str = "anna", **values: Any) -> Any:
        """What a form of a screen answers; `_` in names stands for the dash."""
        form = {name.replace("_", "-"): value for name, value in values.items()}
        return self.browsers[by].post(self.address(screen, *place), form)

    def address(self, screen: str, *place: int) -> str:
        """The address of a screen of the event."""
        return reverse(f"admin:{screen}", args=[self.event.pk, *place])

    def seats(self, number: int) -> list[str]:
        """Who sits where in a round, by number: `1-3`, or `5 bye`."""
        rows = Pairing.objects.filter(round__event=self.event, round__number=number)
        rows = rows.select_related("first", "second").order_by("table")
        return [
            f"{row.first.number}-{row.second.number}" if row.second else f"{row.first.number} {row.kind}"
            for row in rows
        ]

    def overrides(self) -> list[tuple[str, int | None, int | None, str]]:
        """Kind, round, table and former seats of every override."""
        rows = Override.objects.filter(event=self.event).order_by("number")
        return list(rows.values_list("kind", "round", "table", "was"))


def open_hall(**settings: Any) -> Hall:
    """Four draughts players in a Swiss of four rounds: round 1 closed, round 2 with one game awaited."""
    return _hall(stored_event(_with(swiss_file(), settings)))


def open_round_robin(players: int, **settings: Any) -> Hall:
    """A round robin of so many players, with no round yet."""
    file = _with(swiss_file(), {"schedule": "round-robin", "system": "manual-round-robin", **settings})
    file["competitors"] = [{"number": each, "name": f"Player {each}"} for each in range(1, players + 1)]
    return _hall(stored_event({**file, "rounds": []}))


def open_match() -> Hall:
    """Two teams on three boards, and no board in."""
    return _hall(stored_event(match_file()))


def _with(file: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    return {**file, "event": {**file["event"], **settings}}


def _hall(event: Event) -> Hall:
    people = {name: create_account(name, Role.ARBITER) for name in ("anna", "ben")}
    event.arbiters.add(*people.values())
    return Hall(event, people, {name: browser_of(account) for name, account in people.items()})
