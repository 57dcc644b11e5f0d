"""Times are in the event's time zone with its name, or in UTC if it is unknown."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.cast import create_player_event
from tournaments.event.dates import clock_text, in_zone, moment_text
from tournaments.models import Change, Event

pytestmark = pytest.mark.django_db

SUMMER_NIGHT = datetime(2026, 7, 1, 22, 57, tzinfo=UTC)
CHANGES = "/events/two-players/changes/"


@pytest.fixture
def event() -> Event:
    """A draughts event with a correction made after midnight in Leiden, before midnight in UTC."""
    event = create_player_event()
    values = {"event": event, "reason": "Misread.", "by": "Anna", "at": SUMMER_NIGHT}
    Change.objects.create(round=1, table=1, was="2-0", now="1-1", **values)
    return event


def in_leiden() -> None:
    Event.objects.update(place="Leiden", country="NED", time_zone="Europe/Amsterdam")


@pytest.mark.parametrize(
    ("zone", "time", "whole"),
    [
        ("Europe/Amsterdam", "00:57 CEST", "2 July 2026, 00:57 CEST"),
        ("Asia/Tbilisi", "02:57 UTC+04", "2 July 2026, 02:57 UTC+04"),
        ("", "22:57 UTC", "1 July 2026, 22:57 UTC"),
        ("Not/A_Zone", "22:57 UTC", "1 July 2026, 22:57 UTC"),
    ],
)
def test_times_include_the_zone(zone: str, time: str, whole: str) -> None:
    with in_zone(zone):
        assert clock_text(SUMMER_NIGHT) == time
        assert moment_text(SUMMER_NIGHT) == whole


def test_change_log_is_in_local_time(client: Client, event: Event) -> None:
    assert "22:57 UTC</time>" in client.get(CHANGES).text
    in_leiden()
    page = client.get(CHANGES).text
    assert "2 July 2026" in page
    assert "57 CEST</time>" in page
    assert "UTC" not in page
    assert 'datetime="2026-07-02T00:57:00+02:00"' in page
    assert "57 CEST</time>" in client.get(f"/nl{CHANGES}").text


def test_zone_does_not_carry_over_to_the_next_request(client: Client, event: Event) -> None:
    create_player_event("elsewhere")
    other = Event.objects.get(slug="elsewhere")
    values = {"event": other, "reason": "Misread.", "by": "Anna", "at": SUMMER_NIGHT}
    Change.objects.create(round=1, table=1, was="2-0", now="1-1", **values)
    Event.objects.filter(slug="two-players").update(time_zone="Europe/Amsterdam")
    assert "57 CEST" in client.get(CHANGES).text
    assert "22:57 UTC" in client.get("/events/elsewhere/changes/").text
