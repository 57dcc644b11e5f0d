"""Feeds of an event and a competitor, and the calendar of rounds."""

from datetime import UTC, date, datetime

import pytest
from django.test import Client
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries
from selectolax.lexbor import LexborHTMLParser

from tests.cast import create_team_event
from tournaments.models import Event, Pairing, Round
from tournaments.models.versioned import past_of

pytestmark = pytest.mark.django_db

EVENT = "/events/two-teams/"


@pytest.fixture
def event() -> Event:
    return create_team_event()


def entries_of(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(EVENT + address)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    entries = LexborHTMLParser(answer.content.decode()).css("entry")
    return [{str(each.tag): each.text() for each in entry.iter()} for entry in entries]


def test_feed_of_an_event_has_its_rounds(event: Event, client: Client) -> None:
    entry = entries_of(client, "feed.atom")[0]
    latest = past_of(Pairing).objects.latest("history_date").history_date
    assert entry["title"] == "Round 1: all results are in"
    assert entry["id"] == "http://testserver/events/two-teams/rounds/1/"
    assert entry["updated"][:19] == latest.isoformat()[:19]
    Pairing.objects.filter(table=1).update(kind="pending", first_score=None, second_score=None)
    assert entries_of(client, "feed.atom")[0]["title"] == "Round 1: 0 of 1 in"


def test_feed_of_a_competitor_has_its_results(event: Event, client: Client) -> None:
    (entry,) = entries_of(client, "competitors/1/feed.atom")
    assert entry["title"] == "Round 1: against Blues, won 1½-½"
    assert entry["summary"] == "then place 2"
    assert entry["id"].endswith("/rounds/1/1/")
    assert client.get(f"{EVENT}competitors/9/feed.atom").status_code == 404


def test_calendar_has_rounds_with_a_known_day(event: Event, client: Client) -> None:
    answer = client.get(f"/nl{EVENT}rounds.ics")
    assert answer.headers["Content-Type"].startswith("text/calendar")
    (round_,) = Calendar.from_ical(answer.content.decode()).walk("VEVENT")
    assert str(round_["summary"]) == "Cup of Teams, ronde 1"
    assert (round_.decoded("dtstart"), round_.decoded("dtend")) == (date(2026, 5, 1), date(2026, 5, 2))
    assert str(round_["url"]) == "http://testserver/nl/events/two-teams/rounds/1/"
    assert answer.content == client.get(f"/nl{EVENT}rounds.ics").content
    Round.objects.update(date="2026")
    Event.objects.update(start="2026-05-01", end="2026-05-03")
    (whole,) = Calendar.from_ical(client.get(f"{EVENT}rounds.ics").content.decode()).walk("VEVENT")
    assert whole.decoded("dtend") == date(2026, 5, 4)
    Event.objects.update(start="2026", end="")
    assert client.get(f"{EVENT}rounds.ics").status_code == 404


def test_calendar_has_rounds_that_are_not_paired_yet(event: Event, client: Client) -> None:
    Round.objects.filter(number=2).update(date="2026-05-02")
    Round.objects.create(event=event, number=3, date="2026-05-03", time="14:00", state="draft")
    Event.objects.update(start="")
    assert f"{EVENT}rounds.ics" in client.get(EVENT).content.decode()
    entries = Calendar.from_ical(client.get(f"{EVENT}rounds.ics").content.decode()).walk("VEVENT")
    assert [str(each["url"]).removeprefix("http://testserver") for each in entries] == [
        f"{EVENT}rounds/1/", f"{EVENT}rounds/", f"{EVENT}rounds/",
    ]  # fmt: skip
    assert str(entries[2]["uid"]) == f"{EVENT}rounds/3/@testserver"
    assert entries[2].decoded("dtstart") == datetime(2026, 5, 3, 14)  # noqa: DTZ001  floating time
    Event.objects.update(state="final")
    final = Calendar.from_ical(client.get(f"{EVENT}rounds.ics").content.decode()).walk("VEVENT")
    assert len(final) == 2


@pytest.mark.parametrize(
    ("zone", "starts"),
    [
        ("Europe/Amsterdam", datetime(2026, 5, 1, 12, tzinfo=UTC)),
        ("America/New_York", datetime(2026, 5, 1, 18, tzinfo=UTC)),
        ("", datetime(2026, 5, 1, 14)),  # noqa: DTZ001  floating time
        ("Nowhere", datetime(2026, 5, 1, 14)),  # noqa: DTZ001  stored without validation
    ],
)
def test_calendar_has_known_times(event: Event, client: Client, zone: str, starts: datetime) -> None:
    Event.objects.update(time_zone=zone)
    Round.objects.filter(number=1).update(time="14:00")
    answer = client.get(f"{EVENT}rounds.ics").content.decode()
    (round_,) = Calendar.from_ical(answer).walk("VEVENT")
    assert round_.decoded("dtstart") == starts
    assert starts.strftime("DTSTART:%Y%m%dT%H%M%S" + ("Z" if starts.tzinfo else "\r\n")) in answer
    assert "dtend" not in round_


def test_pages_link_to_their_feeds(event: Event, client: Client) -> None:
    Event.objects.update(start="2026-05-01")
    card = client.get(f"{EVENT}competitors/1/").content.decode()
    for address in ("feed.atom", "competitors/1/feed.atom"):
        assert f'href="{EVENT}{address}" type="application/atom+xml"' in card
    assert f'href="{EVENT}rounds.ics"' in client.get(EVENT).content.decode()


def test_calendar_of_several_events_has_the_rounds_of_public_ones(event: Event, client: Client) -> None:
    create_team_event("next-cup")
    draft = create_team_event("draft-cup")
    Event.objects.filter(pk=draft.pk).update(state=Event.State.DRAFT)
    answer = client.get("/rounds.ics?events=two-teams,next-cup,draft-cup,none")
    assert answer["Content-Type"].startswith("text/calendar")
    entries = Calendar.from_ical(answer.content.decode()).walk("VEVENT")
    assert [str(each["uid"]).partition("@")[0] for each in entries] == [
        "/events/next-cup/rounds/1/", f"{EVENT}rounds/1/",
    ]  # fmt: skip
    assert not Calendar.from_ical(client.get("/rounds.ics").content.decode()).walk("VEVENT")


def test_calendar_of_more_events_needs_no_more_queries(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    create_team_event("next-cup")
    for slugs in ("two-teams", "two-teams,next-cup"):
        with django_assert_num_queries(3):  # the revision of the site, events, rounds
            client.get(f"/rounds.ics?events={slugs}")
