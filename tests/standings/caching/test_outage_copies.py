"""Outages of the database: the last page with its notice, else 503, never withdrawn data."""

import gzip
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from config.database.faults import DatabaseAwayError
from standings.caching import cached_pages, outage_copies, page_cache
from standings.pages.site.catalogue import event_list
from tests.archives import zip_of
from tests.cast import Desk, create_desk, create_team_event, match_file, stored_event
from tests.routes import page_addresses
from tournaments.models import Competitor, Event
from tournaments.operations import takedowns
from tournaments.recording.events.publication import publish

pytestmark = pytest.mark.django_db(transaction=True)

STANDINGS = "/events/two-teams/standings/"
NOON = 1_792_497_600.0  # 2026-10-20 12:00:00 UTC


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (page_cache, outage_copies, cached_pages, takedowns):
        monkeypatch.setattr(module, "clock", clock)
    return clock


@pytest.fixture
def event(clock: Clock) -> Event:
    return create_team_event()


@contextmanager
def away() -> Iterator[None]:
    """Make all queries fail within the block."""
    with patch.object(connection, "cursor", side_effect=DatabaseAwayError("the connection is closed")):
        yield


def text_of(content: bytes) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", content.decode()).split())


# --- the line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prefix", "words"),
    [("", "As of 12:00 UTC, not updated since."), ("/nl", "Stand van 12:00 UTC, sindsdien niet bijgewerkt.")],
)
def test_last_page_states_its_age(
    event: Event, client: Client, clock: Clock, prefix: str, words: str
) -> None:
    fresh = client.get(prefix + STANDINGS)
    clock.now += 120
    with away():
        last = client.get(prefix + STANDINGS)
    assert last.status_code == 200
    assert words in text_of(last.content)
    line = re.compile(rb'(?<=<p class="as-of" id="as-of" role="status">).*?(?=</p>)', re.DOTALL)
    assert line.sub(b"", last.content) == fresh.content


def test_every_page_has_a_place_for_the_line(event: Event, client: Client) -> None:
    for address in page_addresses(client):
        assert client.get(address).content.count(outage_copies.NOTICE + b"</p>") == 1, address


def test_last_page_never_matches_the_current_etag(event: Event, client: Client, clock: Clock) -> None:
    etag = client.get(STANDINGS)["ETag"]
    clock.now += 120
    with away():
        last = client.get(STANDINGS, headers={"if-none-match": etag})
    assert last.status_code == 200
    assert "ETag" not in last.headers
    assert (last["Age"], last["Warning"]) == ("120", '111 - "Revalidation Failed"')
    assert last["Cache-Control"] == "public, max-age=0, s-maxage=1"
    assert client.get(STANDINGS, headers={"if-none-match": etag}).status_code == 304


def test_line_is_in_compressed_pages_too(event: Event, client: Client) -> None:
    client.get(STANDINGS)
    with away():
        last = client.get(STANDINGS, headers={"accept-encoding": "gzip"})
    assert b"not updated since" in gzip.decompress(last.content)
    assert last["Vary"] == "Accept-Encoding"


def test_any_reader_of_the_event_renews_the_time_of_all_its_pages(
    event: Event, client: Client, clock: Clock
) -> None:
    client.get(STANDINGS)
    clock.now += 600
    client.get("/events/two-teams/")
    with away():
        assert "As of 12:10 UTC" in text_of(client.get(STANDINGS).content)


def test_page_that_changed_since_is_shown_as_of_its_making(
    event: Event, client: Client, clock: Clock
) -> None:
    client.get(STANDINGS)
    clock.now += 600
    Competitor.objects.filter(number=1).update(name="Crimsons")
    client.get("/events/two-teams/")
    with away():
        last = client.get(STANDINGS)
    assert "As of 12:00 UTC" in text_of(last.content)
    assert b"Crimsons" not in last.content


def test_database_lost_in_the_middle_of_making_a_page(event: Event, client: Client, clock: Clock) -> None:
    client.get(STANDINGS)
    clock.now += 60
    Competitor.objects.filter(number=1).update(name="Crimsons")
    with patch.object(cached_pages, "present", side_effect=DatabaseAwayError("server closed the connection")):
        assert "As of 12:00 UTC" in text_of(client.get(STANDINGS).content)
    assert b"Crimsons" in client.get(STANDINGS).content


@pytest.mark.parametrize("address", ["/", "/series/cup/", "/feed.atom", "/sitemap.xml", "/nl/"])
def test_site_pages_are_shown_too(event: Event, client: Client, address: str) -> None:
    fresh = client.get(address)
    with away():
        last = client.get(address)
    assert last.status_code == fresh.status_code == 200
    assert last["Content-Type"] == fresh["Content-Type"]
    assert (b"not updated since" in last.content or b"niet bijgewerkt" in last.content) == fresh[
        "Content-Type"
    ].startswith("text/html")


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json", "trf", "bib"])
def test_files_are_unchanged_and_state_their_age_in_headers(
    event: Event, client: Client, ending: str
) -> None:
    fresh = client.get(f"/events/two-teams.{ending}")
    with away():
        last = client.get(f"/events/two-teams.{ending}")
    assert last.content == fresh.content
    assert last["Content-Disposition"] == fresh["Content-Disposition"]
    assert "Age" in last.headers


def test_archive_has_the_last_known_version(event: Event, client: Client, clock: Clock) -> None:
    address = "/events/two-teams.zip"
    fresh = zip_of(client, address)
    content = fresh.getvalue()
    clock.now += 60
    with away():
        last = client.get(address)
        assert last.getvalue() == content
    assert "ETag" not in last.headers
    assert last["Age"] == "60"
    takedowns.withdraw(event.pk)
    assert refused(client, address)


def test_poll_is_refused_and_the_page_shows_the_notice(event: Event, client: Client) -> None:
    client.get(STANDINGS)
    Competitor.objects.filter(number=1).update(name="Crimsons")
    with patch.object(cached_pages, "present", side_effect=DatabaseAwayError("server closed the connection")):
        answer = client.get("/events/two-teams/poll/?revision=1&page=standings")
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers


# --- what is not shown ------------------------------------------------------------------------------------


def refused(client: Client, address: str) -> bool:
    """Return whether the URL is 503 during an outage."""
    with away():
        return client.get(address).status_code == 503


def test_page_that_is_not_cached_is_503(event: Event, client: Client) -> None:
    client.get(STANDINGS)
    assert refused(client, "/events/two-teams/competitors/")
    assert refused(client, "/events/nothing/")


def test_archive_of_the_site_is_not_made_of_last_pages(event: Event, client: Client) -> None:
    client.get("/")
    request = RequestFactory().get("/")
    request.archive = cached_pages.Archived()  # type: ignore[attr-defined]  # ours
    with away(), pytest.raises(DatabaseAwayError):
        event_list(request)


def test_page_is_shown_for_an_hour_at_most(event: Event, client: Client, clock: Clock) -> None:
    client.get(STANDINGS)
    clock.now += 3599
    with away():
        assert client.get(STANDINGS).status_code == 200
    clock.now += 1
    assert refused(client, STANDINGS)


@pytest.mark.parametrize("state", [Event.State.REMOVED, Event.State.DRAFT])
def test_removal_that_this_process_saw(event: Event, client: Client, clock: Clock, state: str) -> None:
    client.get(STANDINGS)
    clock.now += 60
    Event.objects.update(state=state)
    gone = client.get("/events/two-teams/competitors/")
    assert gone["Cache-Control"] == "public, max-age=0, s-maxage=1"  # takes the place of a proxy's copy
    assert refused(client, STANDINGS)


def test_removal_that_another_process_saw(event: Event, client: Client, clock: Clock) -> None:
    client.get(STANDINGS)
    here, kept = dict(outage_copies._LAST), {key: cache.get(key) for key in cache._cache}  # type: ignore[attr-defined]  # of locmem
    clock.now += 60
    Event.objects.update(state=Event.State.REMOVED)
    outage_copies._LAST.clear()
    outage_copies._HIDDEN.clear()
    client.get(STANDINGS)  # there
    cache.clear()
    outage_copies._LAST.clear()
    outage_copies._HIDDEN.clear()
    outage_copies._LAST.update(here)
    for key, value in kept.items():
        cache.set(key.removeprefix(":1:"), value)
    assert refused(client, STANDINGS)


def test_withdrawal_is_marked_for_the_processes_of_the_machine(
    event: Event, client: Client, clock: Clock, settings: Settings
) -> None:
    client.get(STANDINGS)
    client.get("/")
    clock.now += 60
    takedowns.withdraw(event.pk)
    cache.delete_many([f"withdrawn-{name}" for name in (event.pk, "anything")])
    assert refused(client, STANDINGS)
    assert refused(client, "/")
    clock.now += 10
    client.get("/events/two-teams/")
    with away():
        assert client.get(STANDINGS).status_code == 200
    clock.now += 4000
    takedowns.withdraw()
    assert {path.name for path in Path(settings.MARKS).iterdir()} == {"everything", "anything"}


def test_withdrawal_is_marked_for_machines_that_share_the_cache(
    event: Event, client: Client, clock: Clock, settings: Settings, tmp_path: Path
) -> None:
    client.get(STANDINGS)
    clock.now += 60
    takedowns.withdraw()
    settings.MARKS = tmp_path / "of another machine"
    assert refused(client, STANDINGS)


# --- the acts that leave a mark ---------------------------------------------------------------------------


@pytest.fixture
def desk(clock: Clock) -> Desk:
    return create_desk()


def renamed(desk: Desk) -> None:
    row = Competitor.objects.get(event=desk.event, number=1)
    form = {"number": 1, "name": "Crimsons", "code": row.code, "seen": row.version}
    form |= {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
    address = reverse("admin:tournaments_competitor_change", args=[row.pk])
    assert desk.browser("superuser").post(address, form).status_code == 302


def removed(desk: Desk) -> None:
    publish(desk.event, "removed", desk.people["organiser"], "By mistake.")


@pytest.mark.parametrize("act", [renamed, removed])
def test_act_that_takes_something_off_the_pages_is_marked(
    desk: Desk, clock: Clock, act: Callable[[Desk], None]
) -> None:
    clock.now += 60
    act(desk)
    assert takedowns.withdrawn_at(desk.event.pk) == takedowns.withdrawn_at() == clock.now
    assert takedowns.withdrawn_at(desk.other_event.pk) == 0


def test_import_over_an_event_is_marked(clock: Clock) -> None:
    data = match_file()
    event = stored_event(data)
    assert takedowns.withdrawn_at(event.pk) == 0
    clock.now += 60
    data["competitors"][0]["name"] = "Crimsons"
    stored_event(data)
    assert takedowns.withdrawn_at(event.pk) == clock.now


def test_removal_marks_the_neighbouring_editions(desk: Desk, clock: Clock) -> None:
    Event.objects.filter(pk=desk.other_event.pk).update(series=desk.event.series)
    removed(desk)
    assert takedowns.withdrawn_at(desk.other_event.pk) == clock.now


def test_mark_is_in_the_future_until_the_commit_is_confirmed(desk: Desk, clock: Clock) -> None:
    with transaction.atomic():
        takedowns.withdraw(desk.event.pk)
        assert takedowns.withdrawn_at(desk.event.pk) == clock.now + takedowns.COMMIT
    assert takedowns.withdrawn_at(desk.event.pk) == clock.now


def test_withdrawal_that_cannot_be_marked_is_reported_and_no_page_is_shown(
    event: Event, client: Client, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client.get(STANDINGS)
    settings.MARKS = tmp_path / "file" / "marks"
    (tmp_path / "file").touch()
    takedowns.withdraw(event.pk)
    assert "could not be marked" in caplog.text
    cache.delete_many([f"withdrawn-{name}" for name in (event.pk, "anything")])
    assert refused(client, STANDINGS)
