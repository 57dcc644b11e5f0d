"""The responses of the API: cached JSON, and problem details for errors."""

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

import brotli
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from config.trace.errorpage import PROBLEM_TYPE, problem
from standings.caching.cached_pages import ANY, VALUES, parameters_of, temporary_redirect
from tournaments.event.json_writer import pretty_json

JSON = "application/json"
DOCUMENT = "/api/openapi.json"

DETAILS = {
    404: "There is nothing at this address.",
    405: "This address is read by GET or HEAD and by nothing else.",
    410: "This event was removed.",
    503: "The data cannot be had at the moment. Please ask again.",
}
"""The default detail of each error status."""

PARAMETERS = {**VALUES, "page": "[1-9][0-9]{0,3}"}
"""The allowed values of each parameter. Unlike pages, the API accepts the number 1 for the first page."""

LINKS = re.compile(rb'^ "(previous|next)": "([^"]+)"', re.MULTILINE)
HEADING_BYTES = 4096
"""The links to other pages of a list are within so many bytes of its body."""

RELATIONS = {"previous": "prev", "next": "next"}

Page = Callable[..., HttpResponse]
View = Callable[..., HttpResponseBase]


class RefusedError(Exception):
    """Raise this for a request that cannot be answered, with a status and the detail for the client."""

    def __init__(self, status: int, detail: str, again: int | None = None) -> None:
        """`again`: the seconds after which the client may retry."""
        super().__init__(detail)
        self.status, self.detail, self.again = status, detail, again


class TemporaryRedirectError(Exception):
    """Raise this with an address to redirect there temporarily."""


def json_view(page: View) -> View:
    @csrf_exempt  # read-only: other methods are 405, not a missing CSRF token
    @wraps(page)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        detail = ""
        try:
            response = page(request, *args, **kwargs)
        except Http404:
            response = HttpResponse(status=404)
        except RefusedError as refused:
            response, detail = HttpResponse(status=refused.status), refused.detail
            if refused.again:
                response["Retry-After"], response["Cache-Control"] = str(refused.again), "no-store"
        status = response.status_code
        if isinstance(response, HttpResponse) and (detail or status in DETAILS):
            response.content = problem(status, detail or DETAILS[status])
            response["Content-Type"] = PROBLEM_TYPE
        elif isinstance(response, HttpResponse) and status == 200:
            response["Content-Type"] = JSON
            response["Link"] = ", ".join([f'<{DOCUMENT}>; rel="service-desc"', *_link_headers(response)])
        return response

    return answer


def _link_headers(response: HttpResponse) -> list[str]:
    # Only the body of a response is cached, possibly compressed.
    start = response.content[:HEADING_BYTES]
    if response.headers.get("Content-Encoding") == "br":
        start = brotli.Decompressor().process(start)
    elif response.headers.get("Content-Encoding") == "gzip":
        start = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(response.content, HEADING_BYTES)
    return [
        f'<{address.decode()}>; rel="{RELATIONS[name.decode()]}"' for name, address in LINKS.findall(start)
    ]


def endpoint(kept: Callable[[Page], Page], text: Callable[[Any], str] = pretty_json) -> Callable[..., View]:
    """Return a decorator for a view of the API; `kept`: the decorator that caches it like a page.

    Pages ignore invalid parameters; the API responds with an error.
    """

    def decorate(answer: Callable[..., Any]) -> View:
        @wraps(answer)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                found = answer(request, *args, **kwargs)
            except TemporaryRedirectError as leading:
                return temporary_redirect(str(leading))
            return HttpResponse(text(found) + "\n", content_type=JSON)

        kept_page = kept(page)

        @wraps(kept_page)
        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            refuse_invalid_parameters(request.GET, parameters_of(page))
            return kept_page(request, *args, **kwargs)

        return json_view(asked)

    return decorate


def refuse_invalid_parameters(given: Mapping[str, str], known: Sequence[str]) -> None:
    for name in known:
        value = given.get(name, "")
        if value and not re.fullmatch(PARAMETERS.get(name, ANY), value):
            if name == "page":
                raise RefusedError(404, "There is no such page. Pages count from 1.")
            raise RefusedError(400, f"“{name}” cannot be “{value[:60]}”. {DOCUMENT} tells what it may be.")
