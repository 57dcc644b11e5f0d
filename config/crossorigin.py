"""What other sites may read by their scripts (CORS): data, to which nobody logs in, and what refuses them."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers

from config.trace.errorpage import API
from standings.serving.language import language_of

METHODS = "GET, HEAD, OPTIONS"

ASKED_WITH = "Accept, Accept-Language, Content-Type, If-Modified-Since, If-None-Match, Range, X-Request-ID"
"""The headers that a script may send beside those that need no leave."""

SHOWN_HEADERS = (
    "Age, Allow, Content-Disposition, Content-Length, ETag, Last-Modified, Link, Location, Retry-After,"
    " Warning, X-Request-ID"
)
"""The headers that a script may read beside those that it always may."""

A_DAY = 24 * 60 * 60

Answer = Callable[[HttpRequest], HttpResponse]


def middleware(answer: Answer) -> Answer:
    """Return the answer with leave for scripts of any site to read it, where the address is one of data.

    Whatever refused it, a view or a middleware, is read too. OPTIONS, by which a browser asks for that leave,
    is answered here and asks no view.
    """

    def with_leave(request: HttpRequest) -> HttpResponse:
        if request.method == "OPTIONS" and is_data(request):
            return _leave()
        response = answer(request)
        if is_data(request):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = SHOWN_HEADERS
            if response.status_code == 405:
                response["Allow"] = METHODS
        return response

    return with_leave


def is_data(request: HttpRequest) -> bool:
    """Say whether an address is one of data: a file of `config.urls`, a feed, or anything below `/api/`."""
    path = request.path_info
    if f"{path}/".startswith(API):
        return True
    match = request.resolver_match
    if match is None:  # it was answered before anybody asked what stands there
        try:
            with translation.override(language_of(path)):
                match = resolve(path)
        except Resolver404:
            return False
    return match.url_name in _names_of_data()


@cache
def _names_of_data() -> frozenset[str]:
    from config.urls import feeds, files  # noqa: PLC0415 - addresses are read after the middleware

    return frozenset(str(each.name) for each in (*files, *feeds) if each.name)


def _leave() -> HttpResponse:
    """Return the answer to who asks how an address may be read."""
    response = HttpResponse(status=204)
    response["Allow"] = METHODS
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Allow-Methods"] = METHODS
    response["Access-Control-Allow-Headers"] = ASKED_WITH
    response["Access-Control-Max-Age"] = str(A_DAY)
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    patch_vary_headers(response, ["Access-Control-Request-Method", "Access-Control-Request-Headers"])
    return response
