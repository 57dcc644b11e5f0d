"""The one table of endpoints: the addresses and the document are both made of it."""

import re
from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from standings.api import views
from standings.api.documents import Told, document_of, index_of
from standings.serving.pages import static_page

PARTS = {"slug": "slug", "after": "int", "number": "int", "code": "str"}
"""What stands in an address, and how Django reads it."""

FILTERS = ("q", "discipline", "schedule", "entrants", "country", "year", "series", "page")


class Endpoint(NamedTuple):
    """An endpoint: its name, its address below `/api/`, what answers, and what is told of it."""

    name: str
    route: str
    view: Callable[..., HttpResponse]
    told: Told


@views.answered
@static_page
def index(request: HttpRequest) -> HttpResponse:
    """What there is."""
    return HttpResponse(index_of([each.told for each in ENDPOINTS], request.build_absolute_uri))


@views.answered
@static_page
def document(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    return HttpResponse(document_of([each.told for each in ENDPOINTS], request.build_absolute_uri("/")))


def _endpoint(
    name: str, route: str, view: Callable[..., HttpResponse], schema: str, asked: tuple[str, ...] = ()
) -> Endpoint:
    summary = (view.__doc__ or "").strip().split("\n")[0]
    return Endpoint(name, route, view, Told(f"/api/{route}", summary, schema, asked))


ENDPOINTS = (
    _endpoint("api", "", index, "Index"),
    _endpoint("api-document", "openapi.json", document, "Document"),
    _endpoint("api-events", "events/", views.events, "Events", FILTERS),
    _endpoint("api-event", "events/{slug}/", views.event, "EventAnswer"),
    _endpoint("api-standings", "events/{slug}/standings/", views.standings, "Standings"),
    _endpoint("api-standings-after", "events/{slug}/standings/after/{after}/", views.standings, "Standings"),
    _endpoint("api-round", "events/{slug}/rounds/{number}/", views.round_, "RoundAnswer"),
    _endpoint("api-competitors", "events/{slug}/competitors/", views.competitors, "Competitors"),
    _endpoint("api-competitor", "events/{slug}/competitors/{number}/", views.competitor, "CompetitorAnswer"),
    _endpoint(
        "api-explanation",
        "events/{slug}/competitors/{number}/{code}/",
        views.explanation,
        "Explanation",
        ("after",),
    ),
    _endpoint("api-check", "events/{slug}/check/", views.check, "Check"),
    _endpoint("api-criteria", "criteria/", views.criteria, "Criteria"),
)


def _route(route: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda part: f"<{PARTS[part[1]]}:{part[1]}>", f"api/{route}")


urlpatterns: list[URLPattern] = [
    *(path(_route(each.route), each.view, name=each.name) for each in ENDPOINTS),
    path("api/<path:other>", views.nothing),
]
"""The addresses, which have no language; what is none of them is told so as JSON too."""
