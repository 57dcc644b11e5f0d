"""A series: its editions, and the links between them."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.catalogue.editions import NeighbourEdition, beside
from standings.texts import system_name
from tests.cast import create_player_event, create_team_event
from tests.markup import markup_of
from tournaments.models import Competitor, Event, Override, Round, Series

pytestmark = pytest.mark.django_db(transaction=True)

LATER = '<a rel="next" href="/events/second/">'


def edition(slug: str, start: str, state: str = Event.State.FINAL) -> Event:
    event = create_player_event(slug)
    event.series, _ = Series.objects.get_or_create(slug="cup", defaults={"name": "Cup"})
    event.start, event.state, event.name, event.place = start, state, f"The {slug} Cup", "Łódź"
    event.save()
    return event


def text(client: Client, address: str) -> str:
    return markup_of(client.get(address))


def test_editions_latest_first_with_the_first_three(client: Client) -> None:
    edition("first", "1948")
    edition("second", "2022-05-01")
    edition("hidden", "2023", Event.State.DRAFT)
    page = text(client, "/series/cup/")
    assert page.index("The second Cup") < page.index("The first Cup")
    assert "The hidden Cup" not in page
    assert "<title>Cup · Crosstable</title>" in page
    assert '<time datetime="1948">1948</time>' in page
    assert '<b>1</b> <img class="flag" src="/static/flags/nl.svg"' in page
    assert '<a href="/events/second/competitors/1/">Ann</a>' in page
    assert f"Łódź · {system_name(Event(system='manual-round-robin'))} · after round 1</span>" in page


def test_edition_before_its_first_game(client: Client) -> None:
    Round.objects.filter(event=edition("first", "1948")).delete()
    assert "no games yet" in text(client, "/series/cup/")


def test_first_three_are_cached_and_updated(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = edition("first", "1948")
    edition("second", "2022")
    text(client, "/series/cup/")
    with django_assert_num_queries(1):
        text(client, "/series/cup/")
    Competitor.objects.filter(event=first, number=1).update(name="Anna")
    with django_assert_num_queries(9):  # one of the two is recomputed in a snapshot
        assert ">Anna</a>" in text(client, "/series/cup/")


def test_manual_change_has_a_star(client: Client) -> None:
    first = edition("first", "1948")
    ruling = {"event": first, "reason": "Ruled.", "by": "Ann"}
    Override.objects.create(number=1, kind="criteria", criteria=["wins"], **ruling)
    bea = Competitor.objects.get(event=first, number=2)
    Override.objects.create(number=2, kind="place", competitor=bea, place=1, **ruling)
    page = text(client, "/series/cup/")
    assert f"{system_name(first)}* · after round 1</span>" in page
    assert "<b>1*</b>" in page
    assert '* <a href="/events/first/changes/">manually changed</a>' in page
    Override.objects.create(number=3, kind="undo", undoes=Override.objects.get(number=1), **ruling)
    Override.objects.create(number=4, kind="undo", undoes=Override.objects.get(number=2), **ruling)
    assert "*" not in text(client, "/series/cup/").partition("<ol")[2]


@pytest.mark.parametrize("address", ["/series/nothing/", "/series/cup/", "/series/empty/"])
def test_series_without_a_public_event_is_not_found(client: Client, address: str) -> None:
    edition("first", "1948", Event.State.DRAFT)
    Series.objects.create(slug="empty", name="Empty")
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "address", ["", "standings/", "competitors/", "rounds/1/1/", "competitors/1/", "changes/"]
)
def test_previous_and_next_edition_on_every_page_of_an_event(client: Client, address: str) -> None:
    for slug, start in (("second", "2022"), ("first", "1948"), ("third", "2022")):
        edition(slug, start)
    first, second, third = (
        # At the end of the page: cards have others of their own.
        text(client, f"/events/{slug}/{address}").rpartition('<nav class="crumbs"')[2].partition("</nav>")[0]
        for slug in ("first", "second", "third")
    )
    assert LATER in first
    assert 'rel="prev"' not in first
    assert '<a rel="prev" href="/events/first/">' in second
    assert '<a rel="next" href="/events/third/">' in second
    assert '<a rel="prev" href="/events/second/">' in third
    assert 'rel="next"' not in third
    assert '<a href="/series/cup/">Cup</a>' in third


def test_draft_is_previewed_as_the_edition_after_the_last_one() -> None:
    edition("first", "1948")
    second = edition("second", "2022")
    hidden = edition("hidden", "2023", Event.State.DRAFT)
    shown = NeighbourEdition(second.pk, second.slug, second.name)
    assert beside(hidden) == {"previous_edition": shown, "next_edition": None}


def test_added_renamed_or_withdrawn_edition_updates_cached_pages_of_others(client: Client) -> None:
    edition("first", "1948")
    before = client.get("/events/first/").headers["ETag"]
    assert LATER not in text(client, "/events/first/")
    second = edition("second", "2022")
    page = client.get("/events/first/", headers={"if-none-match": before})
    assert page.status_code == 200
    assert LATER in page.content.decode()
    Event.objects.filter(pk=second.pk).update(name="Another Cup")
    assert "Another Cup" in text(client, "/events/first/")
    Event.objects.filter(pk=second.pk).update(state=Event.State.DRAFT)
    assert LATER not in text(client, "/events/first/")


def test_change_inside_another_edition_does_not_invalidate_the_page(client: Client) -> None:
    edition("first", "1948")
    second = edition("second", "2022")
    etag = client.get("/events/first/").headers["ETag"]
    Competitor.objects.filter(event=second).update(rating=2000)
    assert client.get("/events/first/", headers={"if-none-match": etag}).status_code == 304


def test_event_of_no_series_has_no_neighbours(client: Client) -> None:
    create_player_event("alone")
    create_player_event("other")
    create_team_event()
    page = text(client, "/events/alone/")
    assert 'rel="next"' not in page
    assert 'class="crumbs"' not in page


def test_the_list_of_series_has_editions_and_the_last_winner(client: Client) -> None:
    edition("first", "1948")
    edition("second", "2022-05-01")
    edition("third", "2024", Event.State.LIVE)
    edition("hidden", "2025", Event.State.DRAFT)
    Series.objects.create(slug="empty", name="Empty")
    page = text(client, "/series/")
    assert '<span class="years">1948–2024</span> <a class="name" href="/series/cup/">Cup</a>' in page
    assert '3 editions · latest: <a href="/events/second/">The second Cup</a>' in page
    assert '<a href="/events/second/competitors/1/">' in page
    assert "The hidden Cup" not in page
    assert "Empty" not in page
    assert "http://testserver/series/</loc>" in text(client, "/sitemap.xml")
    Event.objects.update(state=Event.State.DRAFT)
    assert "No event of a series is published yet." in text(client, "/series/")


def test_feed_of_added_events_has_the_newest_first(client: Client) -> None:
    for slug, start in (("second", "2022"), ("first", "1948"), ("hidden", "2025")):
        edition(slug, start)
    Event.objects.filter(slug="hidden").update(state=Event.State.DRAFT)
    feed = client.get("/added.atom")
    assert feed["Content-Type"] == "application/atom+xml; charset=utf-8"
    page = feed.content.decode()
    assert page.index("The first Cup") < page.index("The second Cup")
    assert "The hidden Cup" not in page
    by_date = client.get("/feed.atom").content.decode()
    assert by_date.index("The second Cup") < by_date.index("The first Cup")
