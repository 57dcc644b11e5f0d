"""No shared cache stores a response that may contain a name for more than two seconds (ADR 0036)."""

import re
from time import time

import pytest
from django.http import HttpResponse
from django.test import Client

from config.database.faults import DatabaseAwayError
from standings.caching import page_cache
from standings.caching.page_cache import Bytes, CachedResponse, get_or_make
from standings.management.commands.work import work_off
from tests.archives import zip_of
from tests.cast import create_team_event
from tests.linked import both_sides
from tests.routes import address_of, public_routes
from tests.test_outage import refused
from tournaments.models import Competitor, Event
from tournaments.operations.takedowns import withdraw

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = 2
"""A second while it is fresh, and a second while the proxy revalidates."""

NOTHING_RECORDED = {
    "/robots.txt",
    "/schema/event/1.json",
    "/event-file/examples/live.json",
    "/.well-known/security.txt",
}
"""Responses that may be cached longer: the same on every site, or from files of the owner."""

ASKED = {"/oembed/": "?url=http://testserver/events/two-teams/", "/find/": "?q=reds", "/suggest/": "?q=reds"}


def seconds_kept(control: str) -> int:
    """Return the maximum lifetime in a shared cache with these directives."""
    values = dict(re.findall(r"([\w-]+)(?:=(\d+))?", control))
    if {"no-store", "no-cache", "private"} & values.keys():
        return 0
    fresh = values.get("s-maxage", values.get("max-age"))
    assert fresh, control
    assert int(values.get("max-age", 0)) <= int(fresh), control  # else browsers keep it longer
    stale = (values.get(f"stale-{each}", "") or "0" for each in ("while-revalidate", "if-error"))
    return int(fresh) + max(map(int, stale))


def addresses() -> list[str]:
    """Return all public URLs with recorded data in both languages."""
    found = [address_of(route) for route in public_routes()]
    found += [f"/nl{each}" for each in found]
    return [each + ASKED.get(each.removeprefix("/nl"), "") for each in found if each not in NOTHING_RECORDED]


@pytest.fixture(autouse=True)
def event() -> None:
    both_sides(create_team_event())


@pytest.mark.exhaustive
def test_every_response_is_revalidated() -> None:
    client, longer, read, unread = Client(), [], 0, []
    client.get("/events/two-teams.zip")
    work_off()
    for address in addresses():
        answer = client.get(address)
        if answer.streaming:
            answer.getvalue()
        control = answer.get("Cache-Control", "")
        # Permanent redirects and errors reveal only the URL of an event.
        if answer.status_code not in {200, 202, 302}:
            unread.append(answer.status_code)
            continue
        read += 1
        if not control or seconds_kept(control) > LONGEST:
            longer.append((address, answer.status_code, control))

    assert longer == []
    assert set(unread) <= {301, 400, 404}
    assert read > 2 * len(unread)  # this event has no congress, categories, captains


def test_so_is_the_last_page_of_an_outage() -> None:
    client = Client()
    client.get("/events/two-teams/standings/")
    zip_of(client, "/events/two-teams.zip").close()
    with refused(DatabaseAwayError("gone")):
        for address in ("/events/two-teams/standings/", "/events/two-teams.zip"):
            answer = client.get(address)
            if answer.streaming:
                answer.close()

            assert answer.status_code == 200
            assert "Age" in answer
            assert seconds_kept(answer["Cache-Control"]) <= LONGEST


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("public, max-age=0, s-maxage=1, stale-while-revalidate=1", 2),
        ("public, max-age=0, s-maxage=1, stale-if-error=60", 61),
        ("max-age=300", 300),
        ("no-store", 0),
    ],
)
def test_how_long_is_read_of_the_directives(control: str, seconds: int) -> None:
    assert seconds_kept(control) == seconds


# --- what we keep ourselves -------------------------------------------------------------------------------


def test_bytes_of_before_a_withdrawal_are_not_served_while_newer_ones_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = time()
    monkeypatch.setattr(page_cache, "clock", lambda: now)

    def made(version: str) -> CachedResponse:
        return CachedResponse(version, HttpResponse(f"of {version}"))

    for version in ("1", "2"):  # changes pour in
        get_or_make("page", version, lambda version=version: made(version))  # type: ignore[misc]
    paced = get_or_make("page", "3", lambda: made("3"))
    assert isinstance(paced, Bytes)
    assert paced.version == "2"
    withdraw()
    found = get_or_make("page", "3", lambda: made("3"))

    assert isinstance(found, Bytes)
    assert found.version == "3"


def test_archive_of_a_live_event_is_rebuilt_after_a_withdrawal() -> None:
    client = Client()
    zip_of(client, "/events/two-teams.zip").close()
    before = etag_of_zip(client)
    Competitor.objects.filter(number=1).update(name="N.N.")
    assert etag_of_zip(client) == before
    withdraw(Event.objects.get(slug="two-teams").pk)

    assert client.get("/events/two-teams.zip").status_code == 202
    zip_of(client, "/events/two-teams.zip").close()
    assert etag_of_zip(client) != before


def etag_of_zip(client: Client) -> str:
    """Return the ETag of the stored archive."""
    answer = client.get("/events/two-teams.zip")
    answer.close()
    return answer["ETag"]
