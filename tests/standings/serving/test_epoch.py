"""In a new epoch, no earlier response or cached page counts as fresh, even at the same revision."""

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from standings.archive.builder import Origin
from standings.archive.site import Site
from standings.archive.store import archive_name, make_archive
from standings.caching.cached_pages import head_of
from standings.catalogue.listing import Listing
from standings.services import standings_of
from tests.cast import create_team_event
from tests.conftest import forget
from tests.routes import address_of, is_over_events, public_routes
from tests.snapshots import take_snapshot
from tournaments.models import Competitor, Event, Revision
from tournaments.operations.epoch import epoch_now, renew_epoch
from tournaments.operations.jobs import archive_job, ask
from tournaments.operations.revision import present, revision_of, site_revision

pytestmark = pytest.mark.django_db(transaction=True)

ORIGIN = Origin("http", "testserver")
NOT_RECORDED = {
    *(
        "/healthz",
        "/readyz",
        "/metrics",
        "/.well-known/security.txt",
        "/robots.txt",
        "/api/x",
        "/api/",
        "/api/openapi.json",
        "/api/criteria/",
    ),
    *(
        "/api-reference/",
        "/event-file/",
        "/event-file/examples/live.json",
        "/schema/event/1.json",
        "/validate/",
        "/layouts/",
    ),
    *("/criteria/", "/criteria/editions/", "/criteria/dsb/", "/imprint/", "/privacy/", "/following/"),
}
"""The responses that do not depend on the database or have no ETag."""

NOT_KEPT = {
    *("/events/two-teams/compare/", "/events/two-teams/poll/", "/events/two-teams/archive/"),
    *("/find/", "/suggest/", "/poll/", "/events/two-teams/report/", "/congresses/none/", "/oembed/"),
    *("/api/congresses/none/", "/api/events.ndjson", "/events/two-teams.pdn"),
}
"""The redirects, script endpoints, archives and pages of other events."""

RECORDED = sorted(
    {address for address in map(address_of, public_routes()) if not is_over_events(address)}
    - NOT_RECORDED
    - NOT_KEPT
)


@pytest.fixture
def event() -> Event:
    return create_team_event()


def restored(event: Event, name: str) -> None:
    """Rename the lost competitor at the revision at which it was served."""
    before, number = site_revision(), revision_of(event.pk)
    Competitor.objects.filter(event=event, number=1).update(name=name)
    # Triggers count no table without an event, and the table that prevents decreasing numbers adds one.
    Revision.objects.filter(event=event).delete()
    Revision.objects.create(event=event, number=number)
    assert site_revision() == before


@pytest.mark.exhaustive
def test_every_page_and_file_has_another_etag_in_another_epoch(
    event: Event, client: Client, subtests: pytest.Subtests
) -> None:
    make_archive(ask(archive_job(event.pk, ORIGIN.scheme, ORIGIN.host, public=True)), lambda *_: None)
    before = take_snapshot()
    for address in RECORDED:
        before.restore()
        forget()
        with subtests.test(address):
            has_another_etag_in_another_epoch(client, address)


def has_another_etag_in_another_epoch(client: Client, address: str) -> None:
    first = client.get(address)
    etag = first.headers["ETag"]
    first.close()
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304
    renew_epoch()
    again = client.get(address, headers={"if-none-match": etag})
    assert again.status_code == (202 if address.endswith(".zip") else 200)  # the archive is awaited
    assert again.headers.get("ETag") != etag
    again.close()


def test_no_key_of_the_cache_is_without_the_epoch(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []

    def noting(act: Callable[..., Any]) -> Callable[..., Any]:
        def noted(key: str, *given: Any, **options: Any) -> Any:
            keys.append(key)
            return act(key, *given, **options)

        return noted

    for name in ("set", "add"):
        monkeypatch.setattr(cache, name, noting(getattr(cache, name)))
    for address in RECORDED:
        client.get(address).close()
    epoch = epoch_now()
    assert len({*keys}) > len(RECORDED)
    # The count of pages, and entries for outages, whose values contain the epoch.
    others = ("seldom-", "last-answer-", "withdrawn-")
    assert [key for key in keys if epoch not in key and not key.startswith(others)] == []


def test_lost_results_at_the_same_revision_are_not_served(event: Event, client: Client) -> None:
    address = "/events/two-teams/standings/"
    Competitor.objects.filter(event=event, number=1).update(name="Lost")
    lost = client.get(address)
    assert b"Lost" in lost.content
    assert b"Lost" in client.get("/events/two-teams.csv").content
    assert Listing({"q": "lost"}).total == 1
    stamp = present(event.pk).stamp

    restored(event, "Found")
    assert b"Lost" in client.get(address).content, "the test restores too little to need an epoch"
    call_command("renew_epoch", stdout=StringIO())

    again = client.get(address, headers={"if-none-match": lost.headers["ETag"]})
    assert again.status_code == 200
    assert b"Found" in again.content
    assert b"Lost" not in again.content
    polled = client.get(f"/events/two-teams/poll/?revision={stamp}&page=standings")
    assert b"Found" in polled.content
    assert b"Found" in client.get("/events/two-teams.csv").content
    assert (Listing({"q": "lost"}).total, Listing({"q": "found"}).total) == (0, 1)


@pytest.mark.parametrize("behind", [0, 3])
def test_poll_from_another_epoch_gets_the_page_at_any_revision(
    event: Event, client: Client, behind: int
) -> None:
    """By number, a page of the lost future would be newer than the cached version."""
    seen = present(event.pk)
    ahead = f"{seen.epoch}-{(seen.data_version or 0) + 3 - behind}"
    renew_epoch()
    for _ in range(3):
        Competitor.objects.filter(event=event, number=2).update(title="GM")
        answer = client.get(f"/events/two-teams/poll/?revision={ahead}&page=standings")
        assert answer.status_code == 200


def test_page_opened_before_epochs_existed_gets_updates(event: Event, client: Client) -> None:
    number = present(event.pk).data_version
    answer = client.get(f"/events/two-teams/poll/?revision={number}&page=standings")
    assert answer.status_code == 200
    assert f"revision={present(event.pk).stamp}&amp;" in answer.content.decode()


def test_cached_standings_belong_to_an_epoch(event: Event) -> None:
    before = standings_of(present(event.pk))
    assert standings_of(present(event.pk)).table.rounds == before.table.rounds
    cached = {key for key in cache._cache if "standings-" in key}  # type: ignore[attr-defined]  # in memory
    renew_epoch()
    standings_of(present(event.pk))
    assert len({key for key in cache._cache if "standings-" in key} - cached) == 1  # type: ignore[attr-defined]  # in memory


def test_archives_have_other_names(event: Event, client: Client) -> None:
    request = client.get("/").wsgi_request

    def names() -> set[str]:
        head = head_of(request, "two-teams")
        site = Site(ORIGIN)
        parts = [part.key for part in (*site.own_parts()[1:], site.part_of(site.events[0], lambda *_: None))]
        return {archive_name(head, ORIGIN), *parts}  # type: ignore[arg-type]  # of one event only

    before = names()
    assert names() == before
    renew_epoch()
    assert not names() & before


def test_the_command_prints_the_new_epoch() -> None:
    before, said = epoch_now(), StringIO()
    call_command("renew_epoch", stdout=said)
    assert said.getvalue() == f"{epoch_now()}\n"
    assert re.fullmatch(r"[0-9a-f]{12}", epoch_now())
    assert epoch_now() != before


def test_a_migrated_database_has_an_epoch() -> None:
    assert epoch_now()
