"""Security headers on every response, and CORS: scripts of other sites may read public data.

Public data needs no login. Error responses are included.
"""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers

from config.trace.errorpage import API, WRITE_API
from standings.serving.language import language_of

METHODS = "GET, HEAD, OPTIONS"

ASKED_WITH = "Accept, Accept-Language, Content-Type, If-Modified-Since, If-None-Match, Range, X-Request-ID"
"""Request headers that scripts may send in addition to the safelisted ones."""

SHOWN_HEADERS = (
    "Age, Allow, Content-Disposition, Content-Length, ETag, Last-Modified, Link, Location, Retry-After,"
    " Warning, X-Request-ID"
)
"""Response headers that scripts may read in addition to the safelisted ones."""

A_DAY = 24 * 60 * 60

Answer = Callable[[HttpRequest], HttpResponse]


def cors_middleware(answer: Answer) -> Answer:
    """Allow scripts of any site to read responses of data URLs.

    Errors of views and middleware are included. The preflight request OPTIONS is answered here, without a
    view.
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
    """Return whether the URL is public data: a file of `config.urls`, a feed, or the API that reads."""
    path = request.path_info
    if f"{path}/".startswith(API):
        return not path.startswith(WRITE_API)
    match = request.resolver_match
    if match is None:  # a middleware responded before the URL was resolved
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
    response = HttpResponse(status=204)
    response["Allow"] = METHODS
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Allow-Methods"] = METHODS
    response["Access-Control-Allow-Headers"] = ASKED_WITH
    response["Access-Control-Max-Age"] = str(A_DAY)
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    patch_vary_headers(response, ["Access-Control-Request-Method", "Access-Control-Request-Headers"])
    return response


DEVICES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock",
    "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
"""Browser features that no page uses. Second factors need `publickey-credentials-…`."""

PERMISSIONS_POLICY = ", ".join(f"{device}=()" for device in DEVICES)


def security_middleware(answer: Answer) -> Answer:
    """Add the security headers.

    Other sites may embed data, but no pages, scripts or screens of the desk.
    """

    def with_policies(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        policy = "cross-origin" if is_data(request) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return with_policies
