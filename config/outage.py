"""The answer where the database, or a turn, cannot be had now: 503 in words, and when to ask again."""

import sys
from collections.abc import Callable
from typing import cast

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.template.loader import render_to_string
from django.utils import translation

from config.database.faults import DatabaseAwayError, DatabaseNotWritableError, UnavailableError
from config.desk import DESK
from config.trace import errorpage
from config.trace.errorpage import API
from standings.api.answering import as_json
from standings.serving.language import language_of
from standings.serving.outage import BRIEFLY

Answer = Callable[[HttpRequest], HttpResponse]


class OutageMiddleware:
    """Answers a page whose making was refused."""

    def __init__(self, answer: Answer) -> None:
        """Take what is called for each request."""
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer as it is."""
        return self.answer(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return 503 for what a view could not have; every other error is left to Django."""
        return unavailable(request, error) if isinstance(error, UnavailableError) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error that no view raised, such as one of a middleware that asks the database."""
    error = sys.exc_info()[1]
    if isinstance(error, UnavailableError):
        return unavailable(request, error)
    return errorpage.server_error(request)


def unavailable(request: HttpRequest, error: UnavailableError) -> HttpResponse:
    """Return 503 for readers, programs or the desk."""
    # A middleware fails before the language is set.
    with translation.override(language_of(request.path_info)):
        if request.path_info.startswith(API):
            answer = cast("HttpResponse", as_json(lambda _: HttpResponse(status=503))(request))
        elif request.path_info.startswith(DESK):
            answer = HttpResponse(_desk_page(request, error), status=503)
        else:
            answer = HttpResponse(render_to_string("503.html"), status=503)
    answer["Retry-After"] = str(error.retry_after)
    is_of_readers = request.method in ("GET", "HEAD") and not request.path_info.startswith(DESK)
    # A second for the proxy: what it may not keep it asks for one by one, and all who wait stand in a row.
    answer["Cache-Control"] = BRIEFLY if is_of_readers else "no-store"
    # An outage is logged once, where it begins, and not as an error of each request.
    answer._has_been_logged = True  # type: ignore[attr-defined]  # where Django looks
    return answer


def _desk_page(request: HttpRequest, error: UnavailableError) -> str:
    context = {
        "is_busy": not isinstance(error, DatabaseAwayError),
        "is_writable": not isinstance(error, DatabaseNotWritableError),
        "is_form": request.method == "POST",
        "address": request.get_full_path(),
        "fields": _fields_to_send_again(request),
    }
    # Without the request: who is logged in, and the messages for him, stand in the database.
    return render_to_string("admin/503.html", context)


def _fields_to_send_again(request: HttpRequest) -> list[tuple[str, str]]:
    """Return name and value of each field that was sent; none where a password or a file was among them.

    The way back leads to the form as the server makes it, and that cannot be had now; so the answer itself
    holds what was typed.
    """
    try:
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
        has_files = bool(request.FILES)
    except (UnreadablePostError, RequestDataTooBig, TooManyFieldsSent):
        return []
    is_secret = any("password" in name or "otp" in name for name, _value in fields)
    return [] if has_files or is_secret else fields
