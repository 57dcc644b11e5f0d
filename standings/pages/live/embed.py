"""Pages for frames on other sites, a table or the race chart, and oEmbed."""

import json
from collections.abc import Callable
from functools import wraps
from inspect import unwrap
from typing import Any
from urllib.parse import urlsplit

from csp.constants import SELF
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import validate_host
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.html import format_html

from standings.caching.cached_pages import (
    event_view,
    head_of,
    parameters_of,
    read_only,
    require_results,
    uses_parameters,
)
from standings.caching.outage_copies import BRIEFLY
from standings.charts.race import race_of
from standings.checking.trust import trust_statement
from standings.pages.events.round import round_
from standings.pages.events.tables import crosstable, standings
from standings.pages.frame import default_sheet, event_response
from standings.services import paired_rounds, places_after_each_round
from standings.serving.language import language_of
from tournaments.models import Event

SIZES = {
    "standings": (720, 640),
    "standings-after": (720, 640),
    "round": (720, 640),
    "crosstable": (960, 560),
    "race": (960, 480),
}
"""Default width and height of a frame in CSS pixels."""

LEAST, MOST = (240, 160), (1920, 2000)
"""Limits of the size that a site may request."""

FRAMED = {"frame-ancestors": ["*"], "base-uri": [SELF]}
"""Policies of these pages only: any site may frame them, and links lead to this site."""

Page = Callable[..., HttpResponse]


def framed(view: Page) -> Page:
    """Return the view of a page that other sites may frame; errors may not be framed."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        # 304 too: a browser updates the policies of its cached page from it.
        if response.status_code in (200, 304):
            response._csp_replace = FRAMED  # type: ignore[attr-defined]  # read by django-csp
            response.xframe_options_exempt = True  # as Django's own decorator does
            response["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    return answer


def embedded(view: Page) -> Page:
    """Return a view that shows only the page of an event."""
    page: Page = unwrap(view)

    @uses_parameters(*parameters_of(view))
    def alone(request: HttpRequest, event: Event, /, **parts: Any) -> HttpResponse:
        request.embedded = True  # type: ignore[attr-defined]  # read by event_response
        return page(request, event, **parts)

    return framed(event_view(alone))


@event_view
@uses_parameters("after", "picture")
def race(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    sheet = default_sheet(request, event)
    is_final = not sheet.query or sheet.standings.table.rounds == paired_rounds(event)
    context = {
        "race": race_of(sheet, places_after_each_round(event), everybody=True),
        "trust": trust_statement(sheet, is_final=is_final),
        # The site has no separate page of the race.
        "canonical": request.build_absolute_uri(reverse("event", args=[event.slug])),
    }
    return event_response(request, event, "race", context)


EMBEDDED = {
    "standings": embedded(standings),
    "standings-after": embedded(standings),
    "round": embedded(round_),
    "crosstable": embedded(crosstable),
    "race": embedded(race),
}
"""The views by content; the URL names have the prefix `embed-`."""

ROUTES = {name: name for name in EMBEDDED} | {
    "standings-after": "standings/after/<whole:after>",
    "round": "rounds/<whole:number>",
}
"""Routes below `embed/events/…/`."""


# --- oEmbed -----------------------------------------------------------------------------------------------

FRAMES = {
    "event": "standings",
    **{name: name for name in EMBEDDED if name != "race"},  # the race has no page of its own
    **{f"embed-{name}": name for name in EMBEDDED},
}
"""The embedded page for each page, by URL name."""


@read_only
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the frame for the page at `url`, at most of the requested size, as oembed.com specifies."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    address = request.GET.get("url", "")
    name, parts, language = _embedded_page(request, address)
    head = head_of(request, parts["slug"])
    if isinstance(head, HttpResponse):
        raise Http404
    event = Event.objects.get(pk=head.pk)
    width, height = (
        _frame_length(request.GET.get(f"max{side}", ""), *bounds)
        for side, bounds in zip(("width", "height"), zip(SIZES[name], LEAST, MOST, strict=True), strict=True)
    )
    with translation.override(language):
        answer = {
            "version": "1.0",
            "type": "rich",
            "provider_name": "Crosstable",
            "provider_url": request.build_absolute_uri("/"),
            "title": event.name,
            "cache_age": 1,  # the event's name may contain a person's
            "width": width,
            "height": height,
            "html": format_html(
                '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy"></iframe>',
                request.build_absolute_uri(reverse(f"embed-{name}", kwargs=parts)),
                event.name,
                width,
                height,
            ),
        }
    response = HttpResponse(json.dumps(answer), content_type="application/json")
    response["Cache-Control"] = BRIEFLY
    return response


def _embedded_page(request: HttpRequest, address: str) -> tuple[str, dict[str, Any], str]:
    """Return the embedded page for a URL of this site, the arguments of its route, and its language."""
    try:
        parts = urlsplit(address)
        language = language_of(parts.path)
        with translation.override(language):
            match = resolve(parts.path)
    except (ValueError, Resolver404) as wrong:
        raise Http404 from wrong
    if parts.scheme not in {"http", "https"} or not validate_host(parts.netloc, [request.get_host()]):
        raise Http404
    if match.url_name not in FRAMES:
        raise Http404
    return FRAMES[match.url_name], match.kwargs, language


def _frame_length(requested: str, usual: int, least: int, most: int) -> int:
    if not requested.isdecimal() or len(requested) > len(str(most)):
        return usual
    return max(min(int(requested), usual), least)
