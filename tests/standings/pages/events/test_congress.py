"""Sections of a congress: their page, and the links between them."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.pages.events.congress import congress_link
from tests.cast import create_player_event, create_team_event
from tests.markup import markup_of
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/congresses/festival-2026/"


@pytest.fixture
def sections() -> tuple[Event, Event]:
    """The Open and the Women of a festival; the Women are a round robin."""
    create_team_event("open")
    create_player_event("women")
    for slug, section in (("open", "Open"), ("women", "Women")):
        Event.objects.filter(slug=slug).update(congress="Festival 2026", section=section, start="2026")
    return Event.objects.get(slug="open"), Event.objects.get(slug="women")


def test_page_of_the_congress(sections: tuple[Event, Event], client: Client) -> None:
    page = markup_of(client.get(PAGE))
    assert "<h1>Festival 2026</h1>" in page
    assert "2 sections" in page
    assert page.index("/events/open/standings/") < page.index("/events/women/standings/")
    assert 'winner: <b><a href="/events/women/competitors/1/">' in page
    assert client.get("/congresses/other/").status_code == 404


def test_draft_is_not_a_section(sections: tuple[Event, Event], client: Client) -> None:
    Event.objects.filter(slug="women").update(state=Event.State.DRAFT)
    assert "1 section" in markup_of(client.get(PAGE))
    assert "Women" not in markup_of(client.get("/events/open/"))
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(PAGE).status_code == 404


@pytest.mark.parametrize(
    ("shown", "other"),
    [
        ("event", ""),
        ("standings", "standings/"),
        ("standings-after", "standings/"),
        ("competitor", "competitors/"),
        ("statistics", "statistics/"),
        ("crosstable", ""),  # the Open is a Swiss
        ("prizes", "prizes/"),
        ("compare", ""),
        ("error_report", ""),
    ],
)
def test_switch_links_to_the_same_kind_of_page(sections: tuple[Event, Event], shown: str, other: str) -> None:
    found = congress_link(sections[1], shown)
    assert found
    assert (found.name, found.address) == ("Festival 2026", PAGE)
    assert [(each.label, each.is_shown) for each in found.sections] == [("Open", False), ("Women", True)]
    assert found.sections[0].address == f"/events/open/{other}"


def test_every_page_has_the_switch_in_its_language(sections: tuple[Event, Event], client: Client) -> None:
    page = markup_of(client.get("/nl/events/open/standings/"))
    assert '<a href="/nl/congresses/festival-2026/">Festival 2026</a>' in page
    assert '<a href="/nl/events/women/standings/">Women</a>' in page
    assert '<a href="/nl/events/open/standings/" aria-current="true">Open</a>' in page


def test_event_without_a_congress_needs_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = create_player_event()
    with django_assert_num_queries(0):
        assert congress_link(event, "event") is None
    event.congress = "大会"
    with django_assert_num_queries(0):  # it has no slug
        assert congress_link(event, "event") is None


def test_new_section_appears_on_cached_pages_of_others(sections: tuple[Event, Event], client: Client) -> None:
    assert "Juniors" not in markup_of(client.get("/events/open/"))
    create_player_event("juniors")
    Event.objects.filter(slug="juniors").update(congress="Festival 2026", section="Juniors", start="2026")
    Round.objects.filter(event__slug="juniors").delete()
    assert "Juniors" in markup_of(client.get("/events/open/"))
    assert "/events/juniors/" in markup_of(client.get(PAGE))


def test_api_and_event_file_contain_the_congress(sections: tuple[Event, Event], client: Client) -> None:
    for address in ("/api/events/open/", "/events/open.json"):
        event = client.get(address).json()
        event = event.get("event", event)
        assert (event["congress"], event["section"]) == ("Festival 2026", "Open")
