"""Answers that scripts of any site may read (CORS): data, to which nobody logs in."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

METHODS = "GET, HEAD, OPTIONS"

ASKED_WITH = "Accept, Accept-Language, Content-Type, If-Modified-Since, If-None-Match, Range, X-Request-ID"
"""The headers that a script may send beside those that need no leave."""

SHOWN_HEADERS = (
    "Content-Disposition, Content-Length, ETag, Last-Modified, Link, Location, Retry-After, X-Request-ID"
)
"""The headers that a script may read beside those that it always may."""

A_DAY = 24 * 60 * 60

View = Callable[..., HttpResponseBase]


def any_site_may_read(view: View) -> View:
    """Return the view with leave for scripts of any site to read what it answers, its refusals too.

    OPTIONS, by which a browser asks for that leave, is answered here and asks the view nothing.
    """

    @csrf_exempt  # it only reads: what is no GET is 405, not a token that is missing
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            return _leave()
        response = view(request, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = SHOWN_HEADERS
        if response.status_code == 405:
            response["Allow"] = METHODS
        return response

    return answer


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
