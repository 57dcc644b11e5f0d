"""The list of events for harvesters: pages, modified and removed events, series."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from standings.api import lists
from standings.caching import cached_pages
from tests.cast import create_event, create_player_event, create_team_event
from tournaments.models import Event, FormerSlug, Revision

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "/api/events/"
HOST = "http://testserver"


def read(client: Client, address: str) -> Any:
    answer = client.get(address.removeprefix(HOST))
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def walked(client: Client, address: str | None) -> Iterator[Any]:
    """Yield all pages from that URL on."""
    while address:
        page = read(client, address)
        yield page
        address = page["next"]


def slugs(page: Any) -> list[str]:
    """Return the slugs of a page, removed events with a minus."""
    return [each["slug"] for each in page["events"]] + [f"-{each['slug']}" for each in page["removed"]]


def create_several(number: int) -> list[Event]:
    """Create events, each modified a minute after the previous."""
    events = [create_event(f"event-{at}") for at in range(number)]
    begin = timezone.now().replace(microsecond=1) - timedelta(hours=1)
    for at, event in enumerate(events):
        Revision.objects.filter(event=event).update(changed_at=begin + timedelta(minutes=at))
    return events


def test_links_of_a_cached_list_are_in_the_headers_in_every_coding(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("standings.api.lists.PER_PAGE", 1)
    create_several(2)
    for coding in ("br", "gzip", "br", ""):
        answer = client.get(LIST, headers={"accept-encoding": coding})
        assert answer.headers.get("Content-Encoding", "") == coding
        assert f'<{HOST}{LIST}?page=2>; rel="next"' in answer["Link"]


def test_pages_are_linked_in_the_body_and_in_the_headers(client: Client) -> None:
    create_several(5)
    found = list(walked(client, f"{LIST}?limit=2"))
    assert [len(page["events"]) for page in found] == [2, 2, 1]
    assert {page["total"] for page in found} == {5}
    assert sorted(slug for page in found for slug in slugs(page)) == [f"event-{at}" for at in range(5)]
    for _ in ("made", "kept"):
        answer = client.get(f"{LIST}?limit=2&page=2", headers={"accept-encoding": "gzip"})
        assert f'<{HOST}{LIST}?page=3&limit=2>; rel="next"' in answer["Link"]
        assert f'<{HOST}{LIST}?limit=2>; rel="prev"' in answer["Link"]
        assert '</api/openapi.json>; rel="service-desc"' in answer["Link"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        *(("page=2", 404), ("page=0", 404), ("page=01", 404), ("page=one", 404), ("page=1", 200)),
        *(("limit=0", 400), ("limit=201", 400), ("limit=200", 200), ("limit=-1", 400), ("page=", 200)),
        *(("modified_since=soon", 400), ("modified_since=2026-13-01", 400), ("cursor=x", 400)),
        *(("modified_since=2026-11-01&page=2", 400), ("modified_since=9999-12-31T23:59:59-14:00", 400)),
        *(("modified_since=2026-11-01", 200), ("modified_since=2026-11-01T10:00:00+01:00", 200)),
        *(("modified_since=2026-11-01t10:00:00z", 200), ("modified_since=2026-11-01%2010:00", 200)),
        *(("modified_since=2026-11-01T25:00:00Z", 400), ("modified_since=1604275200", 400)),
        *(("modified_since=2026-11-01T10:00:00%2B99:00", 400), ("modified_since=%00", 400)),
        *(("cursor=bnVsbA", 400), ("cursor=%F0%9F%98%80", 400), ("nothing=known", 200)),
    ],
)
def test_invalid_requests_get_problem_details(client: Client, query: str, status: int) -> None:
    create_event("only")
    answer = client.get(f"{LIST}?{query}")
    assert answer.status_code == status, answer.content
    if status != 200:
        assert answer["Content-Type"] == "application/problem+json"
        data = json.loads(answer.content)
        assert list(data) == ["type", "title", "status", "detail"]
        assert data["status"] == status


def test_unknown_filter_value_matches_no_event(client: Client) -> None:
    create_team_event()
    for asked in ("country=XXX", "discipline=go", "year=1066", "series=none"):
        assert read(client, f"{LIST}?{asked}")["total"] == 0
        assert read(client, f"{LIST}?{asked}&modified_since=2020-01-01")["events"] == []


def test_modified_events_are_listed_once_in_order_of_change(client: Client) -> None:
    events = create_several(5)
    since = Revision.objects.get(event=events[1]).changed_at
    first, *others = walked(client, f"{LIST}?limit=2&modified_since={since:%Y-%m-%dT%H:%M:%S.%fZ}")
    assert [slug for page in (first, *others) for slug in slugs(page)] == [
        f"event-{at}" for at in (1, 2, 3, 4)
    ]
    assert {page["until"] for page in (first, *others)} == {first["until"]}, "of the beginning of the walk"
    assert (first["total"], first["page"], first["previous"]) == (None, None, None)
    modified = [each["modified"] for page in (first, *others) for each in page["events"]]
    assert modified == sorted(modified)


def test_an_event_that_changes_during_a_walk_hides_no_other(client: Client) -> None:
    events = create_several(4)
    first = read(client, f"{LIST}?limit=2&modified_since=2020-01-01")
    Event.objects.filter(pk=events[0].pk).update(name="Renamed")
    rest = [slug for page in walked(client, first["next"]) for slug in slugs(page)]
    assert rest == ["event-2", "event-3", "event-0"]


def test_events_that_changed_at_the_same_moment_are_all_listed(client: Client) -> None:
    events = create_several(5)
    Revision.objects.update(changed_at=Revision.objects.get(event=events[0]).changed_at)
    found = walked(client, f"{LIST}?limit=2&modified_since=2020-01-01")
    assert [slugs(page) for page in found] == [["event-0", "event-1"], ["event-2", "event-3"], ["event-4"]]


def test_an_answer_leads_to_the_next_harvest(client: Client) -> None:
    create_player_event()
    until = read(client, LIST)["until"]
    # Concurrent writes are listed again rather than missed.
    assert timezone.now() - datetime.fromisoformat(until) >= lists.OVERLAP
    again = read(client, f"{LIST}?modified_since={until}")
    assert slugs(again) == ["two-players"]
    assert read(client, f"{LIST}?modified_since=2999-01-01")["events"] == []
    assert again["epoch"]


def test_formerly_public_events_are_removed_and_drafts_are_not_listed(client: Client) -> None:
    removed, withdrawn, draft = (create_event(slug) for slug in ("removed", "withdrawn", "draft"))
    Event.objects.filter(pk=removed.pk).update(state=Event.State.REMOVED)
    Event.objects.filter(pk__in=[withdrawn.pk, draft.pk]).update(state=Event.State.DRAFT)
    Revision.objects.filter(event=draft).update(public_at=None)  # never anything else
    data = read(client, f"{LIST}?modified_since=2020-01-01")
    assert slugs(data) == ["-removed", "-withdrawn"]
    assert read(client, f"{LIST}?modified_since=2020-01-01&discipline=chess")["removed"] == data["removed"]
    assert (read(client, LIST)["events"], read(client, LIST)["removed"]) == ([], [])
    Event.objects.filter(pk=withdrawn.pk).update(state=Event.State.LIVE)
    assert slugs(read(client, f"{LIST}?modified_since=2020-01-01")) == ["withdrawn", "-removed"]


def test_event_has_its_former_addresses_and_times(client: Client) -> None:
    event = create_team_event()
    FormerSlug.objects.create(event=event, slug="two")
    (told,) = read(client, LIST)["events"]
    revision = Revision.objects.get(event=event)
    assert told["former_slugs"] == ["two"]
    assert told["modified"] == revision.changed_at.isoformat()
    assert told["added"] == revision.public_at.isoformat() if revision.public_at else None
    whole = read(client, told["address"])
    assert (whole["modified"], whole["added"]) == (told["modified"], told["added"])


@pytest.mark.parametrize("query", ["modified_since=2020-01-01", "modified_since=2020-01-01&q=event&limit=50"])
def test_harvest_has_a_fixed_number_of_queries_and_is_not_cached(
    client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
    monkeypatch: pytest.MonkeyPatch,
    query: str,
) -> None:
    create_several(30)
    read(client, f"{LIST}?q=event")  # the index of the search is made
    monkeypatch.setattr(cached_pages, "has_room", lambda: pytest.fail("it would be kept"))
    with django_assert_max_num_queries(8):
        answer = client.get(f"{LIST}?{query}")
    with django_assert_max_num_queries(1):
        again = client.get(f"{LIST}?{query}", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304


def test_series_and_congresses_contain_only_public_events(client: Client) -> None:
    event = create_team_event()
    Event.objects.filter(pk=event.pk).update(congress="Cup 2026", section="Open", start="2026-05-01")
    (cup,) = read(client, "/api/series/")["series"]
    assert (cup["slug"], cup["editions"], cup["last_year"], cup["is_over"]) == ("cup", 1, "2026", False)
    # The player with the bye has as many points as the winner.
    assert [each["name"] for each in cup["first"]] == ["Greens"]
    assert read(client, cup["address"])["editions"][0]["event"] == "two-teams"
    (congress,) = read(client, "/api/congresses/")["congresses"]
    assert (congress["slug"], congress["sections"]) == ("cup-2026", 1)
    assert slugs(read(client, congress["address"]) | {"events": [], "removed": []}) == []
    assert [each["slug"] for each in read(client, congress["address"])["sections"]] == ["two-teams"]
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    assert read(client, "/api/series/")["series"] == read(client, "/api/congresses/")["congresses"] == []
    assert client.get("/api/series/cup/").status_code == 404
    assert client.get("/api/congresses/cup-2026/").status_code == 404
