"""The hall screen: its pages by state of the event, query parameters, and use without a script."""

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser, LexborNode

from standings.pages.live.screen import LINES
from tests.cast import create_player_event, create_team_event
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round

pytestmark = pytest.mark.django_db

SCREEN = "/events/two-teams/screen/"


def screen(client: Client, query: str = "", address: str = SCREEN) -> LexborHTMLParser:
    answer = client.get(address + query)
    assert answer.status_code == 200
    return LexborHTMLParser(answer.content.decode())


def titles(page: LexborHTMLParser) -> list[str]:
    return [each.attributes["data-title"] or "" for each in page.css("section")]


def first(page: LexborHTMLParser, css: str) -> LexborNode:
    found = page.css_first(css)
    assert found
    return found


@pytest.fixture
def event() -> Event:
    return create_team_event()


def pair_round_two(event: Event) -> None:
    second = Round.objects.get(event=event, number=2)
    teams = {team.number: team for team in Competitor.objects.filter(event=event)}
    Pairing.objects.create(round=second, table=1, first=teams[3], second=teams[1], kind=Kind.PENDING)
    Pairing.objects.create(round=second, table=2, first=teams[2], kind=Kind.BYE, first_score=4)


def test_complete_round_shows_results_and_standings(event: Event, client: Client) -> None:
    page = screen(client)
    assert titles(page) == ["round 1: results", "after round 1"]
    assert [each.text(strip=True) for each in page.css(".standings th.who span")] == [
        "Greens",
        "Reds",
        "Blues",
    ]
    assert first(page, "td.result").text(strip=True).replace(" ", "") == "1½:½"


def test_new_round_begins_with_its_pairings(event: Event, client: Client) -> None:
    pair_round_two(event)
    page = screen(client)
    assert titles(page) == [
        "round 2: pairings by table",
        "round 2: pairings by name",
        "after round 1",
    ]
    named = [" ".join(each.text(separator=" ").split()) for each in page.css(".names tbody tr")]
    assert named == ["Blues bye", "Greens 1 Reds", "Reds 1 Greens"]
    assert titles(screen(client, "?show=results")) == ["round 1: results"]


def test_past_event_shows_standings_only(event: Event, client: Client) -> None:
    Event.objects.update(state=Event.State.FINAL)
    page = screen(client)
    assert titles(page) == ["after round 1"]
    assert first(page, "#screen").attributes["data-often"] == "60"


def test_players_see_their_colour_in_words(client: Client) -> None:
    create_player_event()
    slug = Event.objects.get().slug
    page = screen(client, "?show=names", f"/events/{slug}/screen/")
    assert {each.text() for each in page.css(".names .no small")} == {"White", "Black"}


def test_event_without_rounds_shows_a_waiting_page(client: Client, event: Event) -> None:
    event.rounds.all().delete()
    assert "will be here once they are published" in first(screen(client), ".awaited").text()


def test_large_event_shows_leaders_unless_more_are_requested(event: Event, client: Client) -> None:
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Team {number}") for number in range(4, 204)
    )
    assert titles(screen(client, "?show=standings"))[0] == "the first 56 of 203, after round 1"
    assert len(titles(screen(client, "?show=standings"))) == 4
    assert len(titles(screen(client, "?show=standings&top=all"))) == -(-203 // LINES)
    shares = [titles(screen(client, f"?show=standings&top=all&part={part}of2")) for part in (1, 2)]
    assert [len(each) for each in shares] == [8, 7]


def test_unknown_choices_are_dropped(event: Event, client: Client) -> None:
    page = screen(client, "?show=standings,standings&top=7&part=9of9&seconds=0&page=x")
    assert len(page.css("section")) == 2
    assert first(page, "#screen").attributes["data-seconds"] == "10"


def test_pages_without_a_script_link_in_a_circle(event: Event, client: Client) -> None:
    one = client.get(f"{SCREEN}?seconds=5").content.decode()
    assert '<noscript><meta http-equiv="refresh" content="5; url=?seconds=5&amp;page=2"></noscript>' in one
    second = client.get(f"{SCREEN}?seconds=5&page=2").content.decode()
    assert 'content="5; url=?seconds=5"' in second
    assert "page 2 of 2" in second
    assert second.count("<section") == 1
    assert client.get(f"{SCREEN}?page=99").content.decode().count("<section") == 1


def test_draft_has_no_screen_and_posts_are_refused(client: Client, event: Event) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(SCREEN).status_code == 404
    assert client.post(SCREEN).status_code == 405


def test_names_are_escaped_and_long_names_are_smaller(event: Event, client: Client) -> None:
    Competitor.objects.filter(number=1).update(name="<b>" + "Schaakvereniging " * 4)
    page = screen(client)
    assert first(page, ".standings th.longer").text().startswith("<b>Schaakvereniging")
