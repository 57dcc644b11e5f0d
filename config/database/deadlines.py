"""Deadlines of queries and of requests, which are shared by all queries of a request."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import local
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.database.faults import SpentError

MOMENT = 1.0
"""Seconds that any thread may wait; only a few threads may wait longer."""

ENDING = 2.0
"""Seconds for a rollback or a commit if the request has no time left."""

_process = {"serves": False}
_thread = local()


def serve() -> None:
    """Apply the deadlines of requests in this process. Commands have longer ones."""
    _process["serves"] = True


def serves() -> bool:
    return _process["serves"]


def of_process(name: str) -> float:
    """Return the value of a deadline setting for this kind of process; 0 means no limit."""
    found: float = (settings.SERVED_DEADLINES if serves() else settings.COMMAND_DEADLINES)[name]
    return found


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limit the block to `seconds`, or to the rest of an outer block; 0 means no limit."""
    outer: float | None = getattr(_thread, "end", None)
    ends = [end for end in (outer, monotonic() + seconds if seconds else None) if end is not None]
    _thread.end = min(ends, default=None)
    try:
        yield
    finally:
        _thread.end = outer


def time_left() -> float | None:
    """Return the seconds left for this thread, which may be negative, or None if there is no limit."""
    end: float | None = getattr(_thread, "end", None)
    return None if end is None else end - monotonic()


def time_for(seconds: float, *, is_ending: bool = False) -> float | None:
    """Return the seconds that a query may take: at most `seconds` and the time left, or None if unlimited.

    Raise SpentError if no time is left, unless the query ends a transaction.
    """
    left = time_left()
    if left is None:
        return seconds or None
    if is_ending:
        left = max(left, ENDING)
    elif left <= 0:
        raise SpentError("the time of this request is spent")
    return min(left, seconds or left)


WRITERS = ("/admin/", "/api/write/")
"""Organisers and arbiters have a longer deadline, because their files take longer than a reader's page."""

PIECE = 64 * 1024
"""Bytes."""


def middleware(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request its deadline. Later queries raise DatabaseBusyError."""

    def in_time(request: HttpRequest) -> HttpResponse:
        is_writer = request.path_info.startswith(WRITERS)
        with within(settings.DESK_SECONDS if is_writer else settings.READER_SECONDS):
            given = answer(request)
        if request.META.get("CONTENT_LENGTH"):
            _read_to_the_end(request)
        return given

    return in_time


def _read_to_the_end(request: HttpRequest) -> None:
    """Read the rest of the body.

    The server closes a connection if its body is unread, and the response is lost: a form that was refused
    without reading it got no response, or 502 from the proxy.
    """
    body = getattr(request, "_stream", None)
    with suppress(OSError, ValueError):  # the client is gone, or the stream is closed
        while body and body.read(PIECE):
            pass
