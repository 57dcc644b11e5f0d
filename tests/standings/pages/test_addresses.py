"""What every address of the site answers: to readers, to others, and after an event moved or went."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_team_event
from tournaments.models import Event, FormerSlug

pytestmark = pytest.mark.django_db(transaction=True)

OF_THE_EVENT = (
    *("/", "/standings/", "/standings/after/1/", "/rounds/1/", "/rounds/1/1/", "/crosstable/"),
    *("/competitors/", "/competitors/1/", "/competitors/1/dsb/", "/compare/1/2/", "/changes/", "/check/"),
    *(".json", ".csv", ".bib", "/poll/?revision=0&page=standings"),
)
OF_THE_SITE = (
    *("/", "/series/cup/", "/criteria/", "/criteria/dsb/", "/codes/"),
    *(
        "/feed.atom",
        "/sitemap.xml",
        "/robots.txt",
        "/api/",
        "/api/openapi.json",
        "/api/events/",
        "/api/criteria/",
    ),
)
ADDRESSES = [*(f"/events/two-teams{rest}" for rest in OF_THE_EVENT), *OF_THE_SITE]


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.mark.parametrize("address", ADDRESSES)
def test_is_read_and_nothing_else(event: Event, client: Client, address: str) -> None:
    page, head = client.get(address), client.head(address)
    assert (page.status_code, head.status_code) == (200, 200)
    assert head.headers["Content-Type"] == page.headers["Content-Type"]
    assert head.headers["Content-Length"] == page.headers["Content-Length"] == str(len(page.content))
    assert not head.content
    assert not page.cookies
    stranger = Client(enforce_csrf_checks=True)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        refused = stranger.generic(method, address)
        assert refused.status_code == 405
        assert {*refused.headers["Allow"].split(", ")} - {"OPTIONS"} == {"GET", "HEAD"}


@pytest.mark.parametrize("rest", OF_THE_EVENT)
def test_former_slug_leads_on(event: Event, client: Client, rest: str) -> None:
    FormerSlug.objects.create(event=event, slug="two")
    moved = client.get(f"/events/two{rest}")
    assert (moved.status_code, moved.headers["Location"]) == (301, f"/events/two-teams{rest}")
    for state, status in ((Event.State.REMOVED, 301), (Event.State.DRAFT, 404)):
        Event.objects.update(state=state)
        assert client.get(f"/events/two{rest}").status_code == status


@pytest.mark.parametrize("rest", OF_THE_EVENT)
def test_draft_is_not_found_and_removed_is_gone(event: Event, client: Client, rest: str) -> None:
    etag = client.get(f"/events/two-teams{rest}").headers.get("ETag", '"none"')
    for state, status in ((Event.State.DRAFT, 404), (Event.State.REMOVED, 410)):
        Event.objects.update(state=state)
        answer = client.get(f"/events/two-teams{rest}", headers={"if-none-match": etag})
        assert answer.status_code == status
        assert b"Reds" not in answer.content
        assert answer.headers["Content-Type"].startswith("text/html")
        assert "Content-Disposition" not in answer.headers


@pytest.mark.parametrize("address", [each for each in ADDRESSES if "poll" not in each])
def test_unknown_parameters_and_values_share_the_page(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries, address: str
) -> None:
    plain = client.get(address)
    static = address.startswith(("/criteria", "/robots", "/api/")) and address != "/api/events/"
    with django_assert_num_queries(0 if static else 1):
        # A page that is not there is refused by the API.
        page = {} if address == "/api/events/" else {"page": "0"}
        asked = client.get(address, {"utm": "x", "tab": "2", "sort": "luck", "as": "<b>", **page})
    assert asked.content == plain.content
    assert asked.headers["ETag"] == plain.headers["ETag"]
