"""Live page of an event, and summaries of followed competitors."""

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.cast import create_team_event
from tests.conftest import forget
from tournaments.event.choices import Kind
from tournaments.event.dates import moment_text
from tournaments.models import Event, FormerSlug, Pairing, Revision, Round
from tournaments.models.versioned import past_of

pytestmark = pytest.mark.django_db

EVENT = "/events/two-teams/"


@pytest.fixture
def event() -> Event:
    """A live event: Reds won a match of round 1 and play Greens in round 2."""
    event = create_team_event()
    second = Round.objects.get(event=event, number=2)
    reds, greens = (event.competitors.get(name=name) for name in ("Reds", "Greens"))
    Pairing.objects.create(round=second, table=1, first=reds, second=greens)
    return event


def page_of(client: Client, address: str = "live/") -> LexborHTMLParser:
    return LexborHTMLParser(client.get(f"{EVENT}{address}").content.decode())


def listed(page: LexborHTMLParser) -> list[str]:
    return [" ".join(each.text().split()) for each in page.css(".happened .recorded")]


def test_live_page_shows_latest_results_and_open_pairings(event: Event, client: Client) -> None:
    assert listed(page_of(client)) == ["Reds – Greens", "Reds 1½ : ½ Blues"]
    match = Pairing.objects.get(round__number=2)
    match.kind, match.first_score, match.second_score = Kind.PLAYED, 2, 2
    match.save()
    page = page_of(client)
    assert listed(page) == ["Reds 1 : 1 Greens", "Reds 1½ : ½ Blues"]
    assert "No result is awaited" in page.text()


def test_time_of_a_result_is_that_of_its_first_record(event: Event, client: Client) -> None:
    match = Pairing.objects.get(round__number=1, table=1)
    first = past_of(Pairing).objects.get(id=match.pk).history_date
    match.note = "Played early"
    match.save()
    time = page_of(client).css_first(".happened time")
    assert time
    assert time.attributes["datetime"] == first.isoformat()


def test_live_page_of_a_past_event_links_to_its_standings(event: Event, client: Client) -> None:
    Event.objects.update(state=Event.State.FINAL)
    page = page_of(client)
    assert "This event is over." in page.text()
    assert page.css_first(f"#live a[href='{EVENT}standings/']")
    assert not page.css_first("nav.tabs a[href$='/live/']")


def test_followed_team_has_a_summary(event: Event, client: Client) -> None:
    data = client.get(f"{EVENT}followed/1/").json()
    assert data == {
        "event": {"text": "Cup of Teams", "address": f"{EVENT}standings/"},
        "competitor": {"text": "Reds", "address": f"{EVENT}competitors/1/"},
        "place": "place 2 after round 1",
        "last": {"text": "Round 1: against Blues, won 1½-½", "address": f"{EVENT}rounds/1/1/"},
        "next": {"text": "Round 2 · Match 1: against Greens", "address": f"{EVENT}rounds/2/1/"},
        "is_live": True,
    }
    assert client.get(f"/nl{EVENT}followed/1/").json()["place"].startswith("plaats 2")


def test_missing_competitor_is_404_and_removed_event_410(event: Event, client: Client) -> None:
    assert client.get(f"{EVENT}followed/9/").status_code == 404
    FormerSlug.objects.create(event=event, slug="old")
    assert client.get("/events/old/followed/1/").headers["Location"] == f"{EVENT}followed/1/"
    Event.objects.update(state=Event.State.REMOVED)
    assert client.get(f"{EVENT}followed/1/").status_code == 410


@pytest.mark.django_db(transaction=True)
def test_home_polls_while_an_event_is_live(event: Event, client: Client) -> None:
    polled = LexborHTMLParser(client.get("/").content.decode()).css_first("#live")
    assert polled
    address = polled.attributes["hx-get"]
    assert address
    assert client.get(address).status_code == 204
    Pairing.objects.filter(round__number=1, table=1).update(note="Changed")
    answer = client.get(address)
    assert answer.status_code == 200
    assert "ETag" not in answer.headers
    Event.objects.update(state=Event.State.FINAL)
    forget()  # else the stale list is served during the update
    assert not LexborHTMLParser(client.get("/").content.decode()).css_first("[hx-get]")


def test_readers_of_a_lent_event_see_since_when_its_home_is_silent(event: Event, client: Client) -> None:
    assert page_of(client).css_first("#from-home") is None
    Event.objects.update(home="Laptop of Eva")
    changed_at = Revision.objects.get(event=event).changed_at
    for address in ("live/", "", "rounds/2/"):
        page = page_of(client, address)
        note = page.css_first("#live #from-home")
        assert note
        assert note.attributes["data-arrived"] == changed_at.isoformat()
        assert moment_text(changed_at) in " ".join(note.text().split())
        assert "Laptop of Eva" not in (page.html or "")
    Event.objects.update(state="final")
    assert page_of(client, "").css_first("#from-home") is None
