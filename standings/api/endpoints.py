"""The one table of endpoints: the addresses, the index and the OpenAPI document are all made of it."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, get_type_hints

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from standings.api import views
from standings.api.answers import COMPONENTS, DocumentData, FaultData, IndexData, components, schema_name
from standings.engine import every
from standings.serving.pages import static_page
from tournaments.event.values import Schema

OPENAPI, VERSION = "3.1.0", "1"

DESCRIPTION = (
    "Events, standings, results and explanations of draughts and chess tournaments, to be read by anybody."
    " Names of criteria and texts are English. Figures that may be no whole numbers are exact: decimals"
    " as in the event file, or text. Every answer has an ETag; asking again with it costs next to nothing."
)

PARTS = {"slug": "slug", "after": "whole", "number": "whole", "code": "str"}
"""What stands in an address, and how Django reads it."""

NUMBER: Schema = {"type": "integer", "minimum": 1}
TEXT: Schema = {"type": "string"}

PARAMETERS: dict[str, tuple[str, Schema]] = {
    "slug": ("The event, as in its address; a former one answers 301.", {"$ref": COMPONENTS + "slug"}),
    "after": ("Up to and with this round.", NUMBER),
    "number": ("The number of the competitor in the event, or of the round.", NUMBER),
    "code": (
        "The criterion; a scaled one also as code@game and code@match, one of FIDE's with hyphens: BH-C1.",
        {**TEXT, "examples": [criterion.code for criterion in every()][:3]},
    ),
    "q": ("Words of a name, place, year, series or competitor; case and accents make no difference.", TEXT),
    "discipline": ("Such as chess or draughts-100.", TEXT),
    "schedule": ("swiss, round-robin or double-round-robin.", TEXT),
    "entrants": ("teams or players.", TEXT),
    "country": ("The federation of the place.", TEXT),
    "year": ("The year in which the event began.", TEXT),
    "series": ("The series, as in its address.", TEXT),
    "page": ("The page of the list, from 1; beyond the last one is the last.", NUMBER),
}


class Endpoint(NamedTuple):
    """An endpoint: its name and address below `/api/`, and what answers."""

    name: str
    route: str
    view: Callable[..., HttpResponse]

    @property
    def path(self) -> str:
        """Return its address."""
        return f"/api/{self.route}"

    @property
    def asked(self) -> tuple[str, ...]:
        """Return what may be asked behind the `?`."""
        known: tuple[str, ...] = getattr(self.view, "known_choices", ())
        return known

    @property
    def summary(self) -> str:
        """Return the first line of what its view says of itself."""
        return (self.view.__doc__ or "").strip().split("\n")[0]

    @property
    def answer(self) -> type[Any]:
        """Return the class of what it answers."""
        answer: type[Any] = get_type_hints(self.view)["return"]
        return answer


def _text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, indent=1)


@views.endpoint(static_page, _text)
def index(request: HttpRequest) -> IndexData:
    """What there is."""
    return IndexData(
        name="Crosstable",
        version=VERSION,
        document=request.build_absolute_uri("/api/openapi.json"),
        endpoints=[{"path": each.path, "summary": each.summary} for each in ENDPOINTS],
    )


@views.endpoint(static_page, _text)
def document(request: HttpRequest) -> DocumentData:
    """The OpenAPI document."""
    return DocumentData(
        openapi=OPENAPI,
        info={"title": "Crosstable", "version": VERSION, "description": DESCRIPTION},
        servers=[{"url": request.build_absolute_uri("/").rstrip("/")}],
        paths={each.path: {"get": _operation(each)} for each in ENDPOINTS},
        components={"schemas": schemas()},
    )


ENDPOINTS = (
    Endpoint("api", "", index),
    Endpoint("api-document", "openapi.json", document),
    Endpoint("api-events", "events/", views.events),
    Endpoint("api-event", "events/{slug}/", views.event),
    Endpoint("api-standings", "events/{slug}/standings/", views.standings),
    Endpoint("api-standings-after", "events/{slug}/standings/after/{after}/", views.standings),
    Endpoint("api-round", "events/{slug}/rounds/{number}/", views.round_),
    Endpoint("api-competitors", "events/{slug}/competitors/", views.competitors),
    Endpoint("api-competitor", "events/{slug}/competitors/{number}/", views.competitor),
    Endpoint("api-explanation", "events/{slug}/competitors/{number}/{code}/", views.explanation),
    Endpoint("api-check", "events/{slug}/check/", views.check),
    Endpoint("api-criteria", "criteria/", views.criteria),
)


def schemas() -> dict[str, Schema]:
    """Return every schema of the OpenAPI document by its name."""
    return components((*dict.fromkeys(each.answer for each in ENDPOINTS), FaultData))


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parts = re.findall(r"\{(\w+)\}", endpoint.path)
    faults = {"404": _response("There is nothing at this address.", FaultData)} if parts else {}
    if "slug" in parts:
        faults["410"] = _response("The event was removed.", FaultData)
    if parts or endpoint.asked:
        faults["503"] = _response("The data cannot be had at the moment.", FaultData)
    return {
        "operationId": re.sub(r"\W+", "_", endpoint.path).strip("_"),
        "summary": endpoint.summary,
        "parameters": [
            *(_parameter(name, "path", required=True) for name in parts),
            *(_parameter(name, "query", required=False) for name in endpoint.asked),
        ],
        "responses": {"200": _response(endpoint.summary, endpoint.answer), **faults},
    }


def _parameter(name: str, where: str, *, required: bool) -> dict[str, Any]:
    description, schema = PARAMETERS[name]
    return {
        "name": name,
        "in": where,
        "required": required,
        "description": description,
        "schema": schema,
    }


def _response(description: str, answer: type[Any]) -> dict[str, Any]:
    schema = {"$ref": COMPONENTS + schema_name(answer)}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _route(route: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda part: f"<{PARTS[part[1]]}:{part[1]}>", f"api/{route}")


urlpatterns: list[URLPattern] = [
    *(path(_route(each.route), each.view, name=each.name) for each in ENDPOINTS),
    path("api/<path:other>", views.nothing),
]
"""The addresses, which have no language; what is none of them is told so as JSON too."""
