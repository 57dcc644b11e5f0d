"""Pages kept as compressed bytes; one is made at a time, the last served meanwhile (ADR 0035)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gzip import decompress
from threading import Lock
from time import monotonic, sleep
from time import time as clock  # the same for all processes that share a cache; a test replaces it
from typing import NamedTuple

from django.core.cache import cache
from django.http import HttpResponse
from isal.igzip import compress

from config.database.bulkhead import wait_in_time
from config.trace.metrics import count_page, making
from tournaments.withdrawals import withdrawn_at

LEVEL = 2
"""A tenth of the time of zlib at level 6, a quarter more bytes: no page stays as it is for long."""

OLDEST = 1.5
"""Seconds after which last bytes are served no more: of the two that are promised, the rest is their way."""

PACE = 1.0
"""Seconds from one making of a page to the next, while changes pour in."""

STORM = 2.0
"""Changes pour in where a page was made again within that many seconds."""

FLIGHT = 10
"""Seconds that threads and other processes wait for one that makes a page and says nothing more."""

KEPT = 2 * 3600
"""Seconds for which a page is kept: it may be right to the last of them, and is shown in an outage then."""

PAUSE = 0.02

_LOCKS = [Lock() for _ in range(64)]
"""Pages share them by their names: two that meet wait for each other, which is slower and never wrong."""


class Bytes(NamedTuple):
    """A page as it was at a version; its body is compressed by gzip."""

    version: str
    body: bytes


class Last(NamedTuple):
    """The version a page was last made at, when that began, and whether it had just been made before."""

    version: str
    made: float
    in_storm: bool


class Made(NamedTuple):
    """A page that was made, and the version it shows, which may be later than the one that was asked for."""

    version: str
    page: HttpResponse
    seconds: int = KEPT
    """For which it is kept; 0 for not at all."""


class LastKnown(NamedTuple):
    """A page, unpacked, and when it was last known to be right, in seconds since 1970."""

    content: bytes
    moment: float


Make = Callable[[], Made]


def obtain(page: str, version: str, make: Make) -> Bytes | HttpResponse:
    """The page's bytes at that version, or its last ones while they are young and a newer one is not due.

    The answer of `make` itself where it is no page (a status other than 200). WaitedTooLongError where
    somebody else makes it and does not come to an end.
    """
    made = False

    def make_it() -> Made:
        nonlocal made
        made = True
        with making():
            return make()

    found = _kept(page, version) or _paced(page) or _in_turn(page, version, make_it)
    is_older = isinstance(found, Bytes) and found.version != version
    count_page("miss" if made else "stale" if is_older else "hit")
    return found


def last_known(page: str, version: str, moment: float) -> LastKnown | None:
    """Return the page at the version that it had at that moment, or as it was last made where that is later.

    As it was last made also where that version is not kept; None where nothing is.
    """
    last = _last(page)
    versions = [(moment, version), *([(last.made, last.version)] if last else [])]
    for at, known in sorted(versions, reverse=True):
        if found := _kept(page, known):
            return LastKnown(decompress(found.body), at)
    return None


def _in_turn(page: str, version: str, make: Make) -> Bytes | HttpResponse:
    """One thread makes the page; who comes meanwhile takes the last bytes, or waits where there are none."""
    lock = _LOCKS[hash(page) % len(_LOCKS)]
    waited = not lock.acquire(blocking=False)
    if waited:
        last = _young(page)
        if last:
            return last
        wait_in_time(lambda seconds: lock.acquire(timeout=seconds), FLIGHT)
    try:
        with _only_process(page) as alone:
            found = _kept(page, version) or (None if alone and not waited else _young(page))
            return found or _made(page, make)
    finally:
        lock.release()


@contextmanager
def _only_process(page: str) -> Iterator[bool]:
    """Holds the flag that says a process makes this page; False where another had it first.

    Nobody waits for it where there are young bytes to serve, and nobody for ever: the flag expires.
    """
    flag = f"making-{page}"
    held = alone = bool(cache.add(flag, True, FLIGHT))

    def wait(seconds: float) -> bool:
        nonlocal held
        end = monotonic() + seconds
        while not held and not _young(page) and monotonic() < end:
            sleep(PAUSE)
            held = bool(cache.add(flag, True, FLIGHT))
        return held or bool(_young(page))

    if not held:
        wait_in_time(wait, 2 * FLIGHT)  # another process may take the flag of one that never came back
    try:
        yield alone
    finally:
        if held:
            cache.delete(flag)


def _made(page: str, make: Make) -> Bytes | HttpResponse:
    """The page made now, and kept where it is to be."""
    moment = clock()  # before anything is read: the page shows at least what was committed until now
    version, response, seconds = make()
    if response.status_code != 200:
        return response
    body = compress(response.content, LEVEL, mtime=0)
    if not seconds:
        return Bytes(version, body)
    before = _last(page)
    cache.set(_key(page, "bytes", version), body, seconds)
    last = Last(version, moment, before is not None and _age(before) < STORM)
    cache.set(_key(page, "last"), last, seconds)
    if before and before.version != version:
        cache.delete(_key(page, "bytes", before.version))  # a live event has a new version with every result
    return Bytes(version, body)


def _kept(page: str, version: str) -> Bytes | None:
    body = cache.get(_key(page, "bytes", version))
    return None if body is None else Bytes(version, body)


def _paced(page: str) -> Bytes | None:
    """The last bytes where changes pour in and the next making is not due."""
    last = _last(page)
    return _not_withdrawn(page, last) if last and last.in_storm and _age(last) < PACE else None


def _young(page: str) -> Bytes | None:
    """The last bytes, unless they are too old to be served."""
    last = _last(page)
    return _not_withdrawn(page, last) if last and _age(last) < OLDEST else None


def _not_withdrawn(page: str, last: Last) -> Bytes | None:
    """The last bytes, unless rows of any event were taken off the pages since: a name may be in them."""
    return _kept(page, last.version) if withdrawn_at() < last.made else None


def _last(page: str) -> Last | None:
    found: Last | None = cache.get(_key(page, "last"))
    return found


def _age(last: Last) -> float:
    """Seconds since it was made; a clock that was set back makes it too old."""
    age = clock() - last.made
    return age if age >= 0 else OLDEST


def _key(page: str, *parts: str) -> str:
    return "-".join(("page", page, *parts))
