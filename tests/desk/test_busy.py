"""Another user locks the event: typed values remain, no data is stored, and a repeated request succeeds."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from config.database.faults import DatabaseBusyError, UnavailableError
from tests.cast import browser_of
from tests.desk.test_results import filled
from tests.tournaments.recording.desk import at, typed
from tournaments.models import Event, Receipt
from tournaments.recording.refusal import Busy, Refused
from tournaments.recording.results.submissions import BUSY, SAVED, enter

pytestmark = pytest.mark.django_db

KEPT_BY_ANOTHER = "Another person is saving here right now"


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


@contextmanager
def locked_after(entries: int) -> Iterator[None]:
    """Let this number of entries lock the event, then simulate a lock by another user."""
    free = iter(range(entries))

    def locked(rows: object) -> object:
        if next(free, None) is None:
            raise DatabaseBusyError("canceling statement due to lock timeout")
        return rows.first()  # type: ignore[attr-defined]  # a query

    with patch("tournaments.recording.locking.locked", side_effect=locked):
        yield


def test_form_keeps_typed_values_if_event_is_locked(client: Client, swiss: Event) -> None:
    address = reverse("admin:results", args=[swiss.pk, 2])
    posted = filled(client.get(address), t1="w")
    with locked_after(0):
        page = client.post(address, posted)
    assert page.status_code == 200
    assert KEPT_BY_ANOTHER in page.content.decode()
    assert not Receipt.objects.exists()
    again = client.post(address, filled(page))
    assert again.status_code == 302
    assert at(swiss, 2, 1).first_score is not None


def test_script_gets_503_and_repeated_entries_are_stored_once(
    client: Client, anna: User, swiss: Event
) -> None:
    address = reverse("admin:results-entries", args=[swiss.pk, 2])
    entries = [
        {"id": str(uuid4()), "pairing": at(swiss, 2, table).pk, "board": None, "text": "1-1", "seen": 1}
        for table in (1, 2)
    ]
    body = json.dumps({"user": anna.pk, "entries": [each | {"reason": "corrected"} for each in entries]})
    with locked_after(1):
        refused = client.post(address, body, "application/json")
    assert (refused.status_code, refused["Retry-After"]) == (503, "2")
    assert Receipt.objects.count() == 1
    outcomes = client.post(address, body, "application/json").json()["outcomes"]
    assert [(each["state"], each["repeated"]) for each in outcomes] == [(SAVED, True), (SAVED, False)]
    assert Receipt.objects.count() == 2


def test_later_entries_do_not_wait_after_a_timeout(anna: User, swiss: Event) -> None:
    entries = [typed(at(swiss, 2, 1), "1-1") for _ in range(3)]
    with locked_after(1) as _, patch("tournaments.recording.locking.place_to_save") as places:
        outcomes = enter(swiss, entries, anna)
    assert [each.state for each in outcomes] == [SAVED, BUSY, BUSY]
    assert places.call_count == 2


def test_busy_is_shown_in_forms_and_is_503_elsewhere() -> None:
    assert issubclass(Busy, Refused)
    assert issubclass(Busy, UnavailableError)
