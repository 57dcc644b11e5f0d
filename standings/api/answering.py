"""How endpoints answer: JSON that is kept like a page, problems in one shape."""

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from config.trace.errorpage import PROBLEM_TYPE, problem
from standings.serving.pages import ANY, VALUES, known_choices
from standings.serving.peoplepages import shortly
from tournaments.event.layout import spread

JSON = "application/json"
DOCUMENT = "/api/openapi.json"

DETAILS = {
    404: "There is nothing at this address.",
    405: "This address is read by GET or HEAD and by nothing else.",
    410: "This event was removed.",
    503: "The data cannot be had at the moment. Please ask again.",
}
"""What is told of each status that an answer may have without words of its own."""

PARAMETERS = {**VALUES, "page": "[1-9][0-9]{0,3}"}
"""The values that each parameter takes; the first page may be asked for by its number here."""

LINKS = re.compile(rb'^ "(previous|next)": "([^"]+)"', re.MULTILINE)
HEADING_BYTES = 4096
"""The addresses of other pages of a list stand in the first lines of its body, within so many bytes."""

RELATIONS = {"previous": "prev", "next": "next"}

Page = Callable[..., HttpResponse]
View = Callable[..., HttpResponseBase]
Shape = TypeVar("Shape")


class RefusedError(Exception):
    """Raised where what is asked for cannot be answered: the status, and what to do about it."""

    def __init__(self, status: int, detail: str, again: int | None = None) -> None:
        """Take the status of the answer, its words, and after how many seconds to ask again."""
        super().__init__(detail)
        self.status, self.detail, self.again = status, detail, again


class LeadsOnError(Exception):
    """Raised where what is asked for is at another address now, and may be here again later."""

    def __init__(self, address: str) -> None:
        """Take the address."""
        super().__init__(address)
        self.address = address


def as_json(page: View) -> View:
    """Return the page as an answer of the API: JSON, its problems too."""

    @csrf_exempt  # it only reads: what is no GET is 405, not a token that is missing
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
            response["Link"] = ", ".join([f'<{DOCUMENT}>; rel="service-desc"', *_links(response)])
        return response

    return answer


def _links(response: HttpResponse) -> list[str]:
    """Return the links to other pages of a list, as the body tells them."""
    # Of a kept page there is the body alone, which may be compressed.
    start = response.content[:HEADING_BYTES]
    if response.headers.get("Content-Encoding") == "gzip":
        start = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(response.content, HEADING_BYTES)
    return [
        f'<{address.decode()}>; rel="{RELATIONS[name.decode()]}"' for name, address in LINKS.findall(start)
    ]


def endpoint(kept: Callable[[Page], Page], text: Callable[[Any], str] = spread) -> Callable[..., View]:
    """Return a decorator: the view that answers what a function returns, kept as pages are by `kept`.

    Unlike a page, which drops what it cannot read of an address, it refuses it.
    """

    def decorate(answer: Callable[..., Any]) -> View:
        @wraps(answer)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                found = answer(request, *args, **kwargs)
            except LeadsOnError as leading:
                return shortly(leading.address)
            return HttpResponse(text(found) + "\n", content_type=JSON)

        kept_page = kept(page)

        @wraps(kept_page)
        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            refuse_unreadable(request.GET, known_choices(page))
            return kept_page(request, *args, **kwargs)

        return as_json(asked)

    return decorate


def refuse_unreadable(given: Mapping[str, str], known: Sequence[str]) -> None:
    """Raise RefusedError where a parameter has a value that cannot be one of it."""
    for name in known:
        value = given.get(name, "")
        if value and not re.fullmatch(PARAMETERS.get(name, ANY), value):
            if name == "page":
                raise RefusedError(404, "There is no such page. Pages count from 1.")
            raise RefusedError(400, f"“{name}” cannot be “{value[:60]}”. {DOCUMENT} tells what it may be.")


def taken(shape: type[Shape], source: object, **given: Any) -> Shape:
    """Return an answer of the values given, and for its other keys of the source's attributes."""
    values = {key: given[key] if key in given else getattr(source, key) for key in get_type_hints(shape)}
    return cast("Shape", values)
