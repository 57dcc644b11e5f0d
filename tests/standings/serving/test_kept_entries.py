"""The URLs that create cache entries: unknown parameters cannot fill the cache."""

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from standings.caching import page_cache
from tests.cast import create_player_event, create_team_event
from tests.linked import both_sides
from tournaments.models import Event, Series

pytestmark = pytest.mark.django_db(transaction=True)

STANDINGS = "/events/two-teams/standings/"


@pytest.fixture
def event() -> Event:
    event = create_team_event()
    Event.objects.filter(pk=event.pk).update(
        start="2026-05-01", country="NED", place="Amsterdam", series=Series.objects.get(slug="cup")
    )
    return event


def pages_kept() -> int:
    """Return the number of cached pages."""
    # The local memory cache of tests.
    return sum("-gzip-" in name for name in cache._cache)  # type: ignore[attr-defined]  # of this backend alone


def kept_by(client: Client, *addresses: str) -> int:
    """Return the number of pages that these requests cache."""
    before = pages_kept()
    for address in addresses:
        client.get(address).close()  # an archive is a file
    return pages_kept() - before


@pytest.mark.parametrize(
    "query",
    [
        "sort=BH",
        "sort=SB-C1-P",
        "sort=round-77",
        "sort=gold",
        "sort=name&sort=nothing",
        "dir=asc",
        "after=1",
        "q=1",
        "page=2",
        "sort=%00",
        "notation=1-0%0a",
    ],
)
def test_unknown_column_is_ignored_and_not_cached(event: Event, client: Client, query: str) -> None:
    plain = client.get(STANDINGS)

    assert kept_by(client, f"{STANDINGS}?{query}") == 0
    assert client.get(f"{STANDINGS}?{query}").content.count(b"<tr") == plain.content.count(b"<tr")


@pytest.mark.parametrize(
    "query",
    [
        "q=reds",
        "q=nobody",
        "country=XXX",
        "year=1999",
        "series=none",
        "place=Nowhere",
        "page=1",
        "page=2",
        "page=9999",
        "q=+",
    ],
)
@pytest.mark.parametrize("address", ["/", "/api/events/"])
def test_searches_and_filters_without_matches_are_not_cached(
    event: Event, client: Client, address: str, query: str
) -> None:
    client.get(address)

    assert kept_by(client, f"{address}?{query}") == 0


def test_repeated_search_is_304(event: Event, client: Client) -> None:
    found = client.get("/?q=reds", headers={"accept-encoding": "gzip"})

    assert found["Content-Encoding"] == "gzip"
    assert client.get("/?q=reds", headers={"if-none-match": found["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "query",
    [
        "after=1&after=1",
        "after=01",
        "after=0000001",
        "after=1&utm=5",
        "utm=1&after=1",
        "after=%31",
        "AFTER=1",
    ],
)
def test_other_spelling_of_a_choice_shares_the_cached_page(event: Event, client: Client, query: str) -> None:
    page = "/events/two-teams/competitors/1/dsb/"
    kept_by(client, page, f"{page}?after=1")

    assert kept_by(client, f"{page}?{query}") == 0


@pytest.mark.parametrize(
    "address",
    [
        "/events/two-teams/rounds/01/",
        "/events/two-teams/rounds/1/0001/",
        "/events/two-teams/standings/after/01/",
        "/events/two-teams/competitors/001/",
        "/events/two-teams/competitors/01/dsb/",
        "/events/two-teams/compare/01/2/",
        "/api/events/two-teams/rounds/01/",
        "/api/events/two-teams/competitors/01/",
        "/events/TWO-TEAMS/",
        "/EVENTS/two-teams/",
        "//events/two-teams/",
        "/events//two-teams/",
        "/events/two-teams/;x=1/",
        "/events/two-teams/%2e%2e/two-teams/",
        "/en/events/two-teams/",
    ],
)
def test_page_has_a_single_path(event: Event, client: Client, address: str) -> None:
    assert client.get(address).status_code in (301, 404)
    assert kept_by(client, address) == 0


@pytest.mark.parametrize(
    "host", ["TestServer", "testserver:8080", "testserver.", "a.wild.example", "B.wild.example"]
)
def test_other_spellings_of_a_host_are_in_the_bounded_cache(
    event: Event, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["testserver", ".wild.example"]
    monkeypatch.setattr(page_cache, "MOST", 0)
    client.get(STANDINGS)

    assert kept_by(client) == 0
    before = pages_kept()
    answer = client.get(STANDINGS, headers={"host": host})
    assert answer.status_code == 200
    assert pages_kept() == before


def test_cached_pages_with_choices_are_limited(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "MOST", 3)
    asked = [
        f"{STANDINGS}?sort={key}&dir={way}" for key in ("name", "won", "lost") for way in ("asc", "desc")
    ]

    assert kept_by(client, *asked) == 3
    assert client.get(asked[-1]).status_code == 200
    assert kept_by(client, "/events/two-teams/statistics/", f"{STANDINGS}?top=all") == 2


def test_comparisons_and_explanations_are_among_the_seldom(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_player_event()
    monkeypatch.setattr(page_cache, "MOST", 1)
    codes = ("bh", "sb", "bh-c1", "wins")
    base = "/events/two-players"

    assert kept_by(client, *(f"{base}/competitors/1/{code}/" for code in codes), f"{base}/compare/1/2/") <= 1


@pytest.mark.parametrize("before", ["", "/nl", "/api"])
@pytest.mark.parametrize("kind", ["people", "teams"])
def test_head_to_head_of_any_two_is_among_the_seldom(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch, before: str, kind: str
) -> None:
    both_sides(event)
    monkeypatch.setattr(page_cache, "MOST", 1)
    both = [f"{before}/{kind}/{one}/against/{other}/" for one, other in ((1, 2), (2, 1))]

    assert [client.get(each).status_code for each in both] == [200, 200]
    assert kept_by(client, *both) == 0
    assert pages_kept() == 1
