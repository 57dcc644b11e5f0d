"""The cache of compressed pages. While a page is rendered, its last version is served (ADR 0035)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gzip import decompress
from threading import Lock
from time import monotonic, sleep
from time import time as clock  # a shared clock for all processes with the same cache; tests replace it
from typing import NamedTuple, ParamSpec, TypeVar

import brotli
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from isal.igzip import compress

from config.database.bulkhead import wait_in_time
from config.trace.metrics import count_page, making
from tournaments.operations.takedowns import withdrawn_at

LEVEL = 2
"""Takes a tenth of the time of zlib's level 6 for 25 % more bytes. Most pages change soon."""

BROTLI = {"quality": 6, "lgwin": 20}
"""40 % fewer bytes than gzip, in ten times its time. Quality 5 has 3 % more bytes. A larger window takes
5 to 15 % more time for no fewer bytes."""

OLDEST = 1.5
"""The maximum age in seconds of a stale page. Two seconds are promised; the rest is for the network."""

PACE = 1.0
"""The minimum number of seconds between two renderings during frequent changes."""

STORM = 2.0
"""Changes are frequent if a page is rendered again within so many seconds."""

FLIGHT = 10
"""The timeout in seconds for another thread or process that renders the page."""

LIFETIME = 2 * 3600
"""The lifetime of a page in seconds. An outage can show it until the end."""

PAUSE = 0.02

MOST = 500
"""The pages of URLs in any number that are cached within `SPAN`. Others are rendered for each request.

Parameters, pairs of two thousand competitors and wildcard hosts give an unlimited number of URLs. A crawler
would fill the cache, which has room for some thousands of pages.
"""

SPAN = 300
"""The lifetime of such a page in seconds."""

P = ParamSpec("P")
Shown = TypeVar("Shown")

_LOCKS = [Lock() for _ in range(64)]
"""Shared by the hash of the page. A collision only makes a request wait for another page."""


class Bytes(NamedTuple):
    """A version of a page. `coding`: how it is compressed, `gzip` or `br`."""

    version: str
    body: bytes
    coding: str = "gzip"


class LastVersion(NamedTuple):
    """The last rendered version of a page, its start time, and whether changes were frequent."""

    version: str
    made: float
    in_storm: bool


class CachedResponse(NamedTuple):
    """A rendered page. `version` may be later than the requested version."""

    version: str
    page: HttpResponse
    seconds: int = LIFETIME
    """The lifetime in the cache; 0 if the page must not be cached."""


class StalePage(NamedTuple):
    """An uncompressed page, and when it was last known to be current (Unix time)."""

    content: bytes
    moment: float


Make = Callable[[], CachedResponse]


def bounded_cache(page: Callable[P, Shown]) -> Callable[P, Shown]:
    """Mark a page that has too many URLs to cache all of them."""
    page.is_seldom = True  # type: ignore[attr-defined]  # ours
    return page


def has_room() -> bool:
    name = f"seldom-{int(clock() // SPAN)}"
    cache.add(name, 0, 2 * SPAN)
    try:
        return cache.incr(name) <= MOST
    except ValueError:  # evicted between the two calls
        return False


def is_usual_host(request: HttpRequest) -> bool:
    """Return whether the host is listed in `ALLOWED_HOSTS` and has the port of the server."""
    host, _, port = request.get_host().rpartition(":")
    if not port.isdecimal():  # no port: it is the host, or the end of an IPv6 address
        return request.get_host() in settings.ALLOWED_HOSTS
    return host in settings.ALLOWED_HOSTS and port == request.get_port()


def get_or_make(page: str, version: str, make: Make, coding: str = "gzip") -> Bytes | HttpResponse:
    """Return the page at that version, or its last version if that is recent or changes are frequent.

    Pages that must not be cached are never compressed by Brotli.
    Return the response of `make` if its status is not 200. Raise WaitedTooLongError if another thread or
    process renders the page and does not finish.
    """
    rendered = False

    def render() -> CachedResponse:
        nonlocal rendered
        rendered = True
        with making():
            return make()

    # If changes are frequent, the last version is shown until the next rendering is due.
    paced = _cached(page, version, coding) or _recent_version(page, PACE, in_storm=True)
    found = paced or _render_once(page, version, render)
    is_older = isinstance(found, Bytes) and found.version != version
    count_page("miss" if rendered else "stale" if is_older else "hit")
    if isinstance(found, HttpResponse) or found.coding == coding:
        return found
    return _cached(page, found.version, coding) or found


def stale_page(page: str, version: str, moment: float) -> StalePage | None:
    """Return the version of that moment, or the last rendered version if it is later or the only one.

    None if no version is cached.
    """
    last = _last(page)
    versions = [(moment, version), *([(last.made, last.version)] if last else [])]
    for at, known in sorted(versions, reverse=True):
        if found := _cached(page, known):
            return StalePage(decompress(found.body), at)
    return None


def _render_once(page: str, version: str, make: Make) -> Bytes | HttpResponse:
    """Render the page in one thread. Other threads return its last version, or wait if there is none."""
    lock = _LOCKS[hash(page) % len(_LOCKS)]
    waited = not lock.acquire(blocking=False)
    if waited:
        last = _recent_version(page)
        if last:
            return last
        wait_in_time(lambda seconds: lock.acquire(timeout=seconds), FLIGHT)
    try:
        with _process_lock(page) as was_free:
            found = _cached(page, version) or (None if was_free and not waited else _recent_version(page))
            return found or _render(page, make)
    finally:
        lock.release()


@contextmanager
def _process_lock(page: str) -> Iterator[bool]:
    """Acquire the render flag of the page; yield False if another process had it first.

    A process waits only if there is no recent version. The flag expires if its owner dies.
    """
    flag = f"making-{page}"
    is_owner = was_free = bool(cache.add(flag, True, FLIGHT))

    def wait(seconds: float) -> bool:
        nonlocal is_owner
        end = monotonic() + seconds
        while not is_owner and not _recent_version(page) and monotonic() < end:
            sleep(PAUSE)
            is_owner = bool(cache.add(flag, True, FLIGHT))
        return is_owner or bool(_recent_version(page))

    if not is_owner:
        wait_in_time(wait, 2 * FLIGHT)  # another process may take over an expired flag
    try:
        yield was_free
    finally:
        if is_owner:
            cache.delete(flag)


def _render(page: str, make: Make) -> Bytes | HttpResponse:
    started = clock()  # before any query: everything committed until now is on the page
    version, response, seconds = make()
    if response.status_code != 200:
        return response
    body = compress(response.content, LEVEL, mtime=0)
    if not seconds:
        return Bytes(version, body)
    previous = _last(page)
    cache.set(_key(page, "gzip", version), body, seconds)
    cache.set(_key(page, "br", version), brotli.compress(response.content, **BROTLI), seconds)
    last = LastVersion(version, started, previous is not None and _age(previous) < STORM)
    cache.set(_key(page, "last"), last, seconds)
    if previous and previous.version != version:
        # Each result creates a new version.
        cache.delete_many(_key(page, coding, previous.version) for coding in ("gzip", "br"))
    return Bytes(version, body)


def _cached(page: str, version: str, coding: str = "gzip") -> Bytes | None:
    body = cache.get(_key(page, coding, version))
    return None if body is None else Bytes(version, body, coding)


def _recent_version(page: str, oldest: float = OLDEST, *, in_storm: bool = False) -> Bytes | None:
    last = _last(page)
    if last is None or _age(last) >= oldest or (in_storm and not last.in_storm):
        return None
    # If rows were withdrawn since, it may show a name that is hidden now.
    return _cached(page, last.version) if withdrawn_at() < last.made else None


def _last(page: str) -> LastVersion | None:
    found: LastVersion | None = cache.get(_key(page, "last"))
    return found


def _age(last: LastVersion) -> float:
    """Return the age in seconds; OLDEST if the clock was set back."""
    age = clock() - last.made
    return age if age >= 0 else OLDEST


def _key(page: str, *parts: str) -> str:
    return "-".join(("page", page, *parts))
