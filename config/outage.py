"""Response 503 with Retry-After if the database or a queue is not available."""

import sys
from collections.abc import Callable
from typing import cast

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.template.loader import render_to_string
from django.utils import translation

from config.database.faults import (
    DatabaseAwayError,
    DatabaseNotReplicatedError,
    DatabaseNotWritableError,
    DeskClosedError,
    TooManyAtOnceError,
    UnavailableError,
)
from config.desk import DESK
from config.trace import errorpage
from config.trace.errorpage import API
from standings.api.responses import json_view
from standings.caching.outage_copies import BRIEFLY
from standings.serving.language import language_of
from tournaments.operations.processes.slots import saving_to_desk

Answer = Callable[[HttpRequest], HttpResponse]


class OutageMiddleware:
    """Returns 503 if a view raises UnavailableError, or if a request would save during an update."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return self.answer(request)
        with saving_to_desk() as is_open:
            return self.answer(request) if is_open else unavailable(request, DeskClosedError())

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return 503 for UnavailableError; Django handles all other exceptions."""
        return unavailable(request, error) if isinstance(error, UnavailableError) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle errors outside of views, such as those of a middleware that queries the database."""
    error = sys.exc_info()[1]
    if isinstance(error, UnavailableError):
        return unavailable(request, error)
    return errorpage.server_error(request)


def unavailable(request: HttpRequest, error: UnavailableError) -> HttpResponse:
    # A middleware may fail before the language is set.
    with translation.override(language_of(request.path_info)):
        if request.path_info.startswith(API):
            answer = cast("HttpResponse", json_view(lambda _: HttpResponse(status=503))(request))
        elif request.path_info.startswith(DESK):
            answer = HttpResponse(_desk_page(request, error), status=503)
        else:
            answer = HttpResponse(render_to_string("503.html"), status=503)
    answer["Retry-After"] = str(error.retry_after)
    if isinstance(error, TooManyAtOnceError) and request.method == "GET":
        answer["Refresh"] = str(error.retry_after)
    is_of_readers = request.method in ("GET", "HEAD") and not request.path_info.startswith(DESK)
    # One second for the proxy: it requests uncacheable responses one by one, so that all waiting clients
    # would queue.
    answer["Cache-Control"] = BRIEFLY if is_of_readers else "no-store"
    if isinstance(error, DatabaseAwayError) and request.headers.get("X-Last-Page") == "no":
        # The proxy then asks another server. A 503 would count as a failure of this one (deploy/nginx.conf).
        answer.status_code = 403
    # where Django looks; an outage is logged once, when it begins, and not as an error for every request
    answer._has_been_logged = True  # type: ignore[attr-defined]  # where Django looks
    return answer


def _desk_page(request: HttpRequest, error: UnavailableError) -> str:
    context = {
        "is_busy": not isinstance(error, DatabaseAwayError),
        "is_closed": isinstance(error, DeskClosedError),
        "are_too_many": isinstance(error, TooManyAtOnceError),
        "is_writable": not isinstance(error, (DatabaseNotWritableError, DatabaseNotReplicatedError)),
        "is_form": request.method == "POST",
        "address": request.get_full_path(),
        "fields": _fields_to_send_again(request),
    }
    # Rendered without the request, because the user and the messages are read from the database.
    return render_to_string("admin/503.html", context)


def _fields_to_send_again(request: HttpRequest) -> list[tuple[str, str]]:
    """Return name and value of all submitted fields; empty if a password or a file is among them.

    The page of the form cannot be rendered during the outage, so the response contains the input.
    """
    try:
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
        has_files = bool(request.FILES)
    except (UnreadablePostError, RequestDataTooBig, TooManyFieldsSent):
        return []
    is_secret = any("password" in name or "otp" in name for name, _value in fields)
    return [] if has_files or is_secret else fields
