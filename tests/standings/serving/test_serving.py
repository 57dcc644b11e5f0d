"""Page caching: compression, a single rendering at a time, recent versions, and the live poll."""

import gzip
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from threading import Event as Signal
from typing import Any
from unittest.mock import patch

import brotli
import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client
from isal.igzip import compress
from pytest_django import DjangoAssertNumQueries

from config.database.faults import WaitedTooLongError
from standings.caching import page_cache
from standings.caching.page_cache import Bytes, CachedResponse, Make, get_or_make
from tests.cast import create_team_event
from tests.clock import Clock
from tournaments.models import Competitor, Event, FormerSlug
from tournaments.operations.jobs import beat
from tournaments.operations.revision import present, revision_of

pytestmark = pytest.mark.django_db(transaction=True)

STANDINGS = "/events/two-teams/standings/"
POLL = "/events/two-teams/poll/"
TAKES_GZIP = {"accept-encoding": "br;q=0.5, gzip;q=0.8"}
TAKES_BROTLI = {"accept-encoding": "gzip, deflate, br, zstd"}


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(page_cache, "clock", clock)
    return clock


def made(version: str, text: str) -> Make:
    """Return a function that makes a page with this version and text."""
    return lambda: CachedResponse(version, HttpResponse(text))


def never() -> CachedResponse:
    raise AssertionError("this page is not to be made")


def as_kept(version: str, text: str) -> Bytes:
    """Return the result of `obtain` for a page with that text."""
    return Bytes(version, compress(text.encode(), page_cache.LEVEL, mtime=0))


def rename(number: int, name: str) -> None:
    Competitor.objects.filter(number=number).update(name=name)


@contextmanager
def being_made(version: str) -> Iterator[None]:
    """Simulate another thread that renders the page until the end of the block."""
    stop, started = Signal(), Signal()

    def page() -> CachedResponse:
        started.set()
        assert stop.wait(60)
        return CachedResponse(version, HttpResponse(f"of {version}"))

    with ThreadPoolExecutor(1) as threads:
        making = threads.submit(get_or_make, "page", version, page)
        assert started.wait(60)
        try:
            yield
        finally:
            stop.set()
        assert making.result(60) == as_kept(version, f"of {version}")


# --- codings ----------------------------------------------------------------------------------------------


def test_compressed_page_has_the_same_content_and_takes_a_single_query(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    plain = client.get(STANDINGS)
    with django_assert_num_queries(1):
        packed = client.get(STANDINGS, headers=TAKES_GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 2
    for page in (plain, packed):
        assert page.headers["Vary"] == "Accept-Encoding"
        assert not page.cookies


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("gzip;q=0", ""),
        ("zstd, br; q=0.000", ""),
        ("gzip; q=0.000, br", "br"),
        ("GZIP, deflate, BR", "br"),
        ("br;q=0.25,\tgzip;q=0.3", "gzip"),
        ("br;q=1.0, gzip;q=1", "br"),
        ("gzip;q=0.5, *", "br"),
        ("br;q=0, *;q=0.1", "gzip"),
        ("*;q=0", ""),
    ],
)
def test_reader_gets_the_preferred_coding(event: Event, client: Client, accepted: str, coding: str) -> None:
    read: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
    for _ in range(2):  # just rendered, and from the cache
        page = client.get(STANDINGS, headers={"accept-encoding": accepted})
        assert page.headers.get("Content-Encoding", "") == coding
        assert page.headers["Vary"] == "Accept-Encoding"
        assert b"Cup of Teams" in read[coding](page.content)


def test_page_is_compressed_once(event: Event, client: Client) -> None:
    with patch("standings.caching.page_cache.brotli.compress", wraps=brotli.compress) as compressing:
        pages = {client.get(STANDINGS, headers=TAKES_BROTLI).content for _ in range(3)}
        client.get(STANDINGS, headers=TAKES_GZIP)
        assert (len(pages), compressing.call_count) == (1, 1)
        rename(1, "Crimsons")
        later = client.get(STANDINGS, headers=TAKES_BROTLI).content
    assert b"Crimsons" in brotli.decompress(later)
    assert compressing.call_count == 2


@pytest.mark.parametrize("first", [{}, TAKES_GZIP, TAKES_BROTLI])
@pytest.mark.parametrize("second", [{}, TAKES_GZIP, TAKES_BROTLI])
def test_unchanged_in_either_coding(
    event: Event, client: Client, first: dict[str, str], second: dict[str, str]
) -> None:
    etag = client.get(STANDINGS, headers=first).headers["ETag"]
    unchanged = client.get(STANDINGS, headers=second | {"if-none-match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["Vary"] == "Accept-Encoding"
    rename(1, "Crimsons")
    assert client.get(STANDINGS, headers=second | {"if-none-match": etag}).status_code == 200


def test_headers_of_pages(event: Event, client: Client) -> None:
    page = client.get(STANDINGS)
    control = "public, max-age=0, s-maxage=1, stale-while-revalidate=1"
    assert page.headers["Cache-Control"] == control


def test_unknown_parameters_are_not_on_the_cached_page(event: Event, client: Client) -> None:
    assert b"secret" not in client.get(f"{STANDINGS}?utm=secret").content


# --- one making at a time ---------------------------------------------------------------------------------


def test_eight_readers_of_a_cold_page_make_it_once(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "FLIGHT", 60)  # rendering is slow on a busy machine
    together = Barrier(8)

    def read(_: int) -> bytes:
        try:
            together.wait(60)
            return Client().get(STANDINGS).content
        finally:
            connection.close()

    with (
        patch("standings.caching.page_cache._render", wraps=page_cache._render) as making,
        ThreadPoolExecutor(8) as threads,
    ):
        pages = set(threads.map(read, range(8)))
    assert making.call_count == 1
    assert len(pages) == 1


def test_last_bytes_are_served_while_newer_ones_are_made(clock: Clock) -> None:
    get_or_make("page", "1", made("1", "first"))
    clock.now += 1.4
    with being_made("2"):
        assert get_or_make("page", "2", never) == as_kept("1", "first")


def test_timeout_while_another_thread_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "FLIGHT", 0.2)
    with being_made("2"), pytest.raises(WaitedTooLongError):
        get_or_make("page", "2", never)


def test_timeout_while_another_process_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.add("making-page", True, 60)
    monkeypatch.setattr(page_cache, "FLIGHT", 0.1)
    with pytest.raises(WaitedTooLongError):
        get_or_make("page", "1", never)
    cache.delete("making-page")
    assert get_or_make("page", "1", made("1", "first")) == as_kept("1", "first")


@pytest.mark.parametrize("passed", [1.5, -1.0], ids=["too old", "clock set back"])
def test_request_without_a_recent_version_waits_for_the_new_one(clock: Clock, passed: float) -> None:
    get_or_make("page", "1", made("1", "first"))
    clock.now += passed
    with ThreadPoolExecutor(1) as threads:
        with being_made("2"):
            waiting = threads.submit(get_or_make, "page", "2", never)
            with pytest.raises(TimeoutError):
                waiting.result(0.1)
        assert waiting.result(10) == as_kept("2", "of 2")


def test_page_is_cached_under_the_version_that_it_shows(clock: Clock) -> None:
    assert get_or_make("page", "1", made("3", "third")) == as_kept("3", "third")
    assert get_or_make("page", "3", never) == as_kept("3", "third")


def test_first_change_shows_at_once_then_pages_render_once_a_second(clock: Clock) -> None:
    shown = []
    for version in range(1, 31):  # ten changes a second
        found = get_or_make("page", str(version), made(str(version), str(version)))
        assert isinstance(found, Bytes)
        shown.append(int(gzip.decompress(found.body)))
        clock.now += 0.1
    assert shown == [1] + 10 * [2] + 10 * [12] + 9 * [22]
    clock.now += 2
    for late in ("41", "42"):
        assert get_or_make("page", late, made(late, late)) == as_kept(late, late)


def test_last_bytes_have_the_etag_of_their_own_version(event: Event, client: Client, clock: Clock) -> None:
    client.get(STANDINGS)
    rename(1, "Scarlets")
    etag = client.get(STANDINGS).headers["ETag"]
    rename(1, "Vermilions")
    page = client.get(STANDINGS)
    assert b"Scarlets" in page.content
    assert page.headers["ETag"] == etag
    assert client.get(STANDINGS, headers={"if-none-match": etag}).status_code == 304
    clock.now += 1
    assert b"Vermilions" in client.get(STANDINGS, headers={"if-none-match": etag}).content


def test_other_process_that_makes_the_page_is_waited_for(clock: Clock) -> None:
    assert cache.add("making-page", True, 60)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(get_or_make, "page", "1", never)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        cache.set("page-page-gzip-1", as_kept("1", "theirs").body)
        cache.set("page-page-last", page_cache.LastVersion("1", clock.now, in_storm=False))
        cache.delete("making-page")
        assert waiting.result(10) == as_kept("1", "theirs")


def test_process_that_died_does_not_block_others_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.add("making-page", True, 0.1)
    assert get_or_make("page", "1", made("1", "ours")) == as_kept("1", "ours")


def test_errors_and_other_statuses_are_not_cached() -> None:
    gone = HttpResponse(status=410)
    assert get_or_make("page", "1", lambda: CachedResponse("1", gone)) is gone
    with pytest.raises(AssertionError):
        get_or_make("page", "1", never)
    assert get_or_make("page", "1", made("1", "now")) == as_kept("1", "now")


# --- the live poll ----------------------------------------------------------------------------------------


def test_unchanged_poll_is_204_and_takes_a_single_query(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stamp = present(event.pk).stamp
    with django_assert_num_queries(1):
        answer = client.get(f"{POLL}?revision={stamp}&page=standings")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Cache-Control"] == "public, max-age=0, s-maxage=1"


@pytest.mark.parametrize("part", ["standings", "standings/after/1", "rounds/1"])
def test_changed_poll_is_the_page_with_its_next_poll(
    event: Event, client: Client, part: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stamp = present(event.pk).stamp
    page = client.get(f"/events/two-teams/{part}/")
    assert f"{POLL}?revision={stamp}&amp;page={part}".encode() in page.content
    rename(1, "Crimsons")
    answer = client.get(f"{POLL}?revision={stamp}&page={part}")
    assert b"Crimsons" in answer.content
    assert f"revision={present(event.pk).stamp}&amp;page={part}".encode() in answer.content
    assert "stale-while-revalidate" not in answer.headers["Cache-Control"]
    assert "ETag" not in answer.headers
    assert answer.content == client.get(f"/events/two-teams/{part}/").content
    with django_assert_num_queries(1):  # it is cached now
        client.get(f"{POLL}?revision={stamp}&page={part}")


@pytest.mark.parametrize("revision", ["9" * 5_000, "9223372036854775808", "-1", "٣", "²", "x", "%00", ""])
def test_invalid_revision_gets_the_page(event: Event, client: Client, revision: str) -> None:
    answer = client.get(f"{POLL}?revision={revision}&page=standings")
    assert (answer.status_code, answer.content) == (200, client.get(STANDINGS).content)


def test_poll_preserves_the_sort_order(event: Event, client: Client) -> None:
    answer = client.get(f"{POLL}?revision=0&page=standings&sort=name&dir=desc")
    assert answer.content == client.get(f"{STANDINGS}?sort=name&dir=desc").content
    assert b'aria-sort="descending"' in answer.content


def test_last_version_that_the_client_has_is_204(event: Event, client: Client, clock: Clock) -> None:
    client.get(STANDINGS)
    rename(1, "Scarlets")
    client.get(STANDINGS)
    seen = present(event.pk)
    rename(1, "Vermilions")
    assert client.get(f"{POLL}?revision={seen.stamp}&page=standings").status_code == 204
    before = f"{seen.epoch}-{revision_of(event.pk) - 2}"
    assert b"Scarlets" in client.get(f"{POLL}?revision={before}&page=standings").content
    clock.now += 1
    assert b"Vermilions" in client.get(f"{POLL}?revision={seen.stamp}&page=standings").content


@pytest.mark.parametrize("part", ["", "standings", "rounds/1"])
def test_finished_event_does_not_poll(event: Event, client: Client, part: str) -> None:
    stamp = present(event.pk).stamp
    Event.objects.update(state=Event.State.FINAL)
    answer = client.get(f"{POLL}?revision={stamp}&page={part}")
    assert answer.status_code == 200
    assert re.search(rb'<div id="live" tabindex="-1"\s*>', answer.content)
    assert b"hx-get" not in answer.content
    assert b"live.js" not in answer.content


@pytest.mark.parametrize(
    "part", ["competitors", "poll", "changes", "nothing", "../two-teams/standings", "rounds/9", "/admin"]
)
def test_other_pages_do_not_live(event: Event, client: Client, part: str) -> None:
    assert client.get(f"{POLL}?revision=0&page={part}").status_code == 404


@pytest.mark.parametrize("number", ["", "x", "-1", "²", "9" * 40])
def test_unknown_revision_gets_the_page(event: Event, client: Client, number: str) -> None:
    assert client.get(POLL, {"revision": number, "page": "standings"}).status_code == 200


def test_poll_of_drafts_removed_moved_and_unknown_events(event: Event, client: Client) -> None:
    FormerSlug.objects.create(event=event, slug="old")
    moved = client.get("/events/old/poll/?revision=1&page=standings")
    assert moved.headers["Location"] == f"{POLL}?revision=1&page=standings"
    assert client.get("/events/nothing/poll/?revision=1&page=standings").status_code == 404
    Event.objects.update(state=Event.State.REMOVED)
    assert client.get(f"{POLL}?revision=1&page=standings").status_code == 410
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(f"{POLL}?revision=1&page=standings").status_code == 404
    assert client.post(POLL).status_code == 405


# --- health -----------------------------------------------------------------------------------------------


def test_process_answers_without_the_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer.headers["Cache-Control"]


def test_ready_with_database_and_cache(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # PostgreSQL also knows whether a commit waits for a synchronous replica.
    with django_assert_num_queries(3 if connection.vendor == "postgresql" else 2):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ok, no worker\n")
    beat("worker")
    assert client.get("/readyz").content == b"ok\n"


def test_not_ready_without_the_database(client: Client) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError("gone away")):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"no database\n")


def test_not_ready_without_the_cache(client: Client, settings: Any) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"no cache\n")
