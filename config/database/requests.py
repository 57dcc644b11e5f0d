"""A request has so much time, every query in it what is left of it, and its answer reaches who asked."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.database.deadlines import within

DESK = "/admin/"
"""Where organisers and arbiters work, whose files take longer than a reader's page."""

PIECE = 64 * 1024
"""Bytes."""


def middleware(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request its seconds: once they are over, its next query is refused with DatabaseBusyError."""

    def in_time(request: HttpRequest) -> HttpResponse:
        is_desk = request.path_info.startswith(DESK)
        with within(settings.DESK_SECONDS if is_desk else settings.READER_SECONDS):
            given = answer(request)
        if request.META.get("CONTENT_LENGTH"):
            _read_to_the_end(request)
        return given

    return in_time


def _read_to_the_end(request: HttpRequest) -> None:
    """Take in what is left of the body.

    The server breaks a connection whose body nobody has read, and an answer on its way is lost: a typed
    result that was refused without a look at it got no answer, or 502 from the proxy.
    """
    body = getattr(request, "_stream", None)
    with suppress(OSError, ValueError):  # the client has gone, or the stream was closed
        while body and body.read(PIECE):
            pass
