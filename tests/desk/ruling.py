"""What a test of the rulings says in a line: an event and its arbiter, and forms that ask before they act."""

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.desk.cast import browser_of, create_account
from tests.tournaments.recording.conftest import swiss_file
from tests.tournaments.recording.desk import stored_event
from tournaments.admin.permissions import Role
from tournaments.models import Event


@dataclass
class Ruled:
    """An event, and the browser of its arbiter."""

    event: Event
    browser: Client

    def get(self, name: str, *args: object) -> Any:
        """A screen of the event."""
        return self.browser.get(self.address(name, *args))

    def post(self, name: str, *args: object, **fields: object) -> Any:
        """A form of the event."""
        return self.browser.post(self.address(name, *args), fields)

    def confirm(self, name: str, *args: object, **fields: object) -> Any:
        """A form that asks first: what it asked, after it was answered with yes."""
        asked = self.post(name, *args, **fields)
        assert asked.context["answer"].token, asked.content.decode()
        done = self.post(name, *args, **fields, confirmed=asked.context["answer"].token)
        assert done.status_code == 302, done.context["answer"].fault
        return asked

    def address(self, name: str, *args: object) -> str:
        return reverse(f"admin:{name}", args=[self.event.pk, *args])

    def page(self, path: str = "") -> str:
        """A public page."""
        return Client().get(f"/events/{self.event.slug}/{path}").content.decode()


def create_ruled(data: dict[str, Any] | None = None) -> Ruled:
    """Four players under a frozen draughts system, or the event of a file, with Mia as its arbiter."""
    event, mia = stored_event(data or swiss_file()), create_account("mia", Role.ARBITER)
    event.arbiters.add(mia)
    return Ruled(event, browser_of(mia))


def open_file() -> dict[str, Any]:
    """The same four players under an open system, all level after one round of draws."""
    data = swiss_file()
    data["event"] |= {"system": "manual-swiss"}
    data["rounds"] = [
        {"number": 1, "pairings": [
            {"table": 1, "first": 1, "second": 2, "score": [1, 1]},
            {"table": 2, "first": 3, "second": 4, "score": [2, 0]},
        ]},
    ]  # fmt: skip
    return data
