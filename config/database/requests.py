"""Deadlines of requests, shared by all their queries."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.database.deadlines import within

DESK = "/admin/"
"""Organisers and arbiters have a longer deadline, because their files take longer than a reader's page."""

PIECE = 64 * 1024
"""Bytes."""


def middleware(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request its deadline. Later queries raise DatabaseBusyError."""

    def in_time(request: HttpRequest) -> HttpResponse:
        is_desk = request.path_info.startswith(DESK)
        with within(settings.DESK_SECONDS if is_desk else settings.READER_SECONDS):
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
