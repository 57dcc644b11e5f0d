"""An event is lent to a token, changed only by its files, and given back."""

from typing import Any

import pytest
from django.test import Client

from tests.cast import Desk
from tests.tournaments.api.test_access import desk, token_for
from tournaments.accounts.models import ApiToken
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event
from tournaments.operations.revision import revision_of

__all__ = ["desk"]  # the fixture

HOME = "/api/write/events/two-teams/home"


def send(secret: str, method: str) -> Any:
    return Client().generic(method, HOME, headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def secret(desk: Desk) -> str:
    return token_for(desk.people["organiser"], ApiToken.Action.HOME, events=[desk.event])[1]


def test_event_is_lent_with_its_file_and_given_back(desk: Desk, secret: str) -> None:
    before = send(secret, "GET").json()
    revision = before.pop("revision")
    assert revision == revision_of(desk.event.pk)
    assert before == {"event": "two-teams", "home": "", "is_yours": False}
    lent = send(secret, "PUT").json()
    assert read(lent.pop("file")).document
    assert lent.pop("revision") > revision
    assert lent == {"event": "two-teams", "home": "laptop", "is_yours": True}
    assert send(secret, "DELETE").json()["home"] == ""
    assert not Event.objects.get(pk=desk.event.pk).home


def test_event_is_lent_to_one_token_at_a_time(desk: Desk, secret: str) -> None:
    Event.objects.filter(pk=desk.event.pk).update(home="Laptop of hall 2")
    assert send(secret, "GET").json()["is_yours"] is False
    for method in ("PUT", "DELETE"):
        answer = send(secret, method)
        assert answer.status_code == 409
        assert "Laptop of hall 2" in answer.json()["detail"]


def test_only_organisers_borrow(desk: Desk) -> None:
    secret = token_for(desk.people["arbiter"], ApiToken.Action.HOME)[1]
    assert send(secret, "PUT").status_code == 403
    assert not Event.objects.get(pk=desk.event.pk).home
