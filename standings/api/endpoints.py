"""The table of endpoints, from which URLs, index and OpenAPI document are made."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, get_type_hints

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, path, reverse
from pydantic_core import to_json

from config import __version__
from config.trace.errorpage import PROBLEM_TYPE
from standings.api import bulk, lists, people, record, views
from standings.api.responses import DOCUMENT, JSON, endpoint
from standings.api.schemas import COMPONENTS, EVENT_FILE, components, schema_name
from standings.api.site_schemas import DocumentData, EndpointData, IndexData, ProblemData
from standings.caching.cached_pages import parameters_of, rendered, static_page
from standings.downloads.views import schema_address
from standings.engine import all_criteria
from tournaments.api.endpoints import api as write_api
from tournaments.event.values import Schema

OPENAPI, VERSION = "3.1.0", "2"

DESCRIPTION = (
    "Events, standings, results and explanations of draughts and chess tournaments. Reading needs no"
    " account. Names of criteria and other texts are in English. Figures that can be fractions are exact:"
    " decimals as in the event file, or text. Every response has an ETag, for conditional requests."
)

TAGS = {
    "site": "The index of the API, lists, players and teams across events, and all event files in one file.",
    "event": "An event: its recorded data, and the standings, prizes and statistics computed from them.",
    "rules": "Criteria, ranking systems and policies.",
}

PARTS = {"slug": "<slug:slug>", "code": "<str:code>"}
PARTS |= {name: f"<whole:{name}>" for name in ("key", "against", "after", "number")}
"""The path parameters with Django's converters."""

REFUSALS = {
    "400": "The value of a parameter is invalid.",
    "404": "There is nothing at this address.",
    "410": "The event was removed.",
    "503": "The data are not available at the moment. Retry-After has the seconds until the next attempt.",
}
"""The error responses of endpoints by status."""

NUMBER: Schema = {"type": "integer", "minimum": 1}
TEXT: Schema = {"type": "string"}


class Parameter(NamedTuple):
    """A parameter: its description, schema and an example."""

    description: str
    schema: Schema
    example: Any


PARAMETERS: dict[str, Parameter] = {
    "slug": Parameter(
        "The slug of the event, as in its address. A former slug is redirected with 301.",
        {"$ref": COMPONENTS + "Slug"},
        "olympiad-2018-open",
    ),
    "key": Parameter(
        "The permanent number of the player or team. That of a merged one is redirected with 302.",
        NUMBER,
        1,
    ),
    "against": Parameter("The number of the opponent.", NUMBER, 2),
    "title": Parameter("A recorded title of the player, such as GM.", TEXT, "GM"),
    "slug of series": Parameter("The slug of the series.", TEXT, "chess-olympiad"),
    "slug of congresses": Parameter("The slug of the congress.", TEXT, "amsterdam-open-2026"),
    "after": Parameter("The last round that counts.", NUMBER, 3),
    "after in the query": Parameter(
        "The last round that counts; complete: the last round without open games, 404 if there is none.",
        {"anyOf": [NUMBER, {"type": "string", "const": "complete"}]},
        "complete",
    ),
    "number": Parameter("The number of the competitor in the event, or of the round.", NUMBER, 1),
    "code": Parameter(
        "The code of the criterion. With a scale: code@game or code@match. FIDE's codes have hyphens: BH-C1.",
        TEXT,
        next(iter(all_criteria())).code,
    ),
    "q": Parameter(
        "Words from a name, place, year, series or competitor. Case and accents are ignored.",
        TEXT,
        "olympiad",
    ),
    "discipline": Parameter("The discipline, such as chess or draughts-100.", TEXT, "chess"),
    "schedule": Parameter("The schedule: swiss, round-robin or double-round-robin.", TEXT, "swiss"),
    "entrants": Parameter("The kind of competitors: teams or players.", TEXT, "teams"),
    "country": Parameter("The federation code of the place.", TEXT, "GEO"),
    "year": Parameter("The year in which the event began.", TEXT, "2018"),
    "series": Parameter("The slug of the series.", TEXT, "chess-olympiad"),
    "place": Parameter("The place as recorded for the event.", TEXT, "Batumi"),
    "sort": Parameter(
        "The column to sort by: name, code, title, events, gold, silver, bronze or team (medals with teams).",
        TEXT,
        "gold",
    ),
    "dir": Parameter("The direction of sort: asc or desc.", TEXT, "desc"),
    "page": Parameter("The page of the list, from 1. 404 if there is no such page.", NUMBER, 2),
    # The same maximum as in `standings.caching.cached_pages.VALUES`.
    "limit": Parameter("The number of events per page.", {**NUMBER, "maximum": 200, "default": 25}, 100),
    "modified_since": Parameter(
        "Return only events changed or removed at this time or later, the oldest change first. A day or a"
        " time, in UTC if it has no zone.",
        TEXT,
        "2026-11-01T00:00:00+00:00",
    ),
    "cursor": Parameter(
        "The start of the next page of modified events. Use the address in `next`.", TEXT, "eyJhIjow"
    ),
}
"""By name; a path parameter with another meaning on some routes is `name of first-part`.

A parameter with other values in the query than in the path has an entry with ` in the query`.
"""


class Endpoint(NamedTuple):
    """An endpoint: its name, its route below `/api/`, and its view."""

    name: str
    route: str
    view: Callable[..., HttpResponseBase]
    tag: str = "event"

    @property
    def path(self) -> str:
        return f"/api/{self.route}"

    @property
    def summary(self) -> str:
        return (self.view.__doc__ or "").strip().split("\n")[0]

    @property
    def answer(self) -> type[Any]:
        answer: type[Any] = get_type_hints(self.view)["return"]
        return answer


def _json_text(answer: Any) -> str:
    return to_json(answer, indent=1).decode()


@endpoint(static_page, _json_text)
def index(request: HttpRequest) -> IndexData:
    """The addresses of all endpoints, files and feeds."""
    absolute = request.build_absolute_uri
    return IndexData(
        name="Crosstable",
        version=VERSION,
        document=absolute(DOCUMENT),
        bulk=absolute(reverse("api-bulk")),
        feed=absolute(reverse("feed")),
        added_feed=absolute(reverse("added-feed")),
        sitemap=absolute(reverse("sitemap")),
        endpoints=[
            *(EndpointData(path=each.path, summary=each.summary) for each in ENDPOINTS),
            EndpointData(path=reverse("api-bulk"), summary=bulk.SUMMARY),
            EndpointData(
                path=reverse("write-api:openapi-json"), summary="The OpenAPI document of the write API."
            ),
        ],
    )


@endpoint(static_page, _json_text)
def document(request: HttpRequest) -> DocumentData:
    """The OpenAPI document of the read API."""
    return DocumentData(
        openapi=OPENAPI,
        externalDocs={
            "description": "The JSON Schema of the event file. Responses use the same objects and keys.",
            "url": schema_address(request),
        },
        info={
            "title": "Crosstable",
            "version": VERSION,
            "description": DESCRIPTION,
            "x-program-version": __version__,
        },
        servers=[{"url": request.build_absolute_uri("/").rstrip("/")}],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        paths={
            **{each.path: {"get": _operation(each)} for each in ENDPOINTS},
            reverse("api-bulk"): {"get": _bulk_operation()},
            "/events/{slug}.json": {
                "get": {
                    "operationId": "event_file",
                    "tags": ["event"],
                    "summary": "The complete event as an event file, which can be imported.",
                    "parameters": [parameter("slug", "path")],
                    "responses": {"200": _response("The event file.", JSON, EVENT_FILE)},
                }
            },
        },
        components={"schemas": schemas()},
    )


@static_page
def reference(request: HttpRequest) -> HttpResponse:
    """List the operations of both APIs, and the objects of the write API."""
    # A template cannot look up “$ref”.
    text = json.dumps(write_api.get_openapi_schema()).replace(f'"$ref": "{COMPONENTS}', '"ref": "')
    written = json.loads(text)
    read = {each.path: {"get": _operation(each)} for each in ENDPOINTS}
    context = {"apis": [read, written["paths"]], "objects": written["components"]["schemas"]}
    return rendered(request, "standings/api.html", context)


ENDPOINTS = (
    Endpoint("api-index", "", index, "site"),
    Endpoint("api-document", "openapi.json", document, "site"),
    Endpoint("api-events", "events/", lists.events, "site"),
    Endpoint("api-event", "events/{slug}/", record.event),
    Endpoint("api-round", "events/{slug}/rounds/{number}/", record.round_),
    Endpoint("api-competitors", "events/{slug}/competitors/", record.competitors),
    Endpoint("api-changes", "events/{slug}/changes/", record.changes),
    Endpoint("api-published", "events/{slug}/published/", record.published),
    Endpoint("api-standings", "events/{slug}/standings/", views.standings),
    Endpoint("api-standings-after", "events/{slug}/standings/after/{after}/", views.standings_after),
    Endpoint("api-categories", "events/{slug}/categories/", views.categories),
    Endpoint("api-prizes", "events/{slug}/prizes/", views.prizes),
    Endpoint("api-statistics", "events/{slug}/statistics/", views.statistics),
    Endpoint("api-competitor", "events/{slug}/competitors/{number}/", views.competitor),
    Endpoint("api-explanation", "events/{slug}/competitors/{number}/{code}/", views.explanation),
    Endpoint("api-check", "events/{slug}/check/", views.check),
    Endpoint("api-series-list", "series/", lists.series_list, "site"),
    Endpoint("api-series", "series/{slug}/", lists.series, "site"),
    Endpoint("api-congress-list", "congresses/", lists.congress_list, "site"),
    Endpoint("api-congress", "congresses/{slug}/", lists.congress, "site"),
    Endpoint("api-people", "people/", people.persons, "site"),
    Endpoint("api-person", "people/{key}/", people.person, "site"),
    Endpoint("api-person-opponents", "people/{key}/against/", people.person_opponents, "site"),
    Endpoint("api-person-against", "people/{key}/against/{against}/", people.person_against, "site"),
    Endpoint("api-teams", "teams/", people.teams, "site"),
    Endpoint("api-team", "teams/{key}/", people.team, "site"),
    Endpoint("api-team-opponents", "teams/{key}/against/", people.team_opponents, "site"),
    Endpoint("api-team-against", "teams/{key}/against/{against}/", people.team_against, "site"),
    Endpoint("api-criteria", "criteria/", views.criteria, "rules"),
)


def schemas() -> dict[str, Schema]:
    return components((*dict.fromkeys(each.answer for each in ENDPOINTS), ProblemData))


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parts, asked = re.findall(r"\{(\w+)\}", endpoint.path), parameters_of(endpoint.view)
    refusals = [
        *(["400"] if asked else []),
        *(["404"] if parts or "page" in asked else []),
        *(["410"] if endpoint.path.startswith("/api/events/{slug}") else []),
        *(["503"] if parts or endpoint.tag == "site" else []),
    ]
    return {
        "operationId": endpoint.name.removeprefix("api-").replace("-", "_"),
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "parameters": [
            *(parameter(name, "path", endpoint.route.partition("/")[0]) for name in parts),
            *(parameter(name, "query") for name in asked),
        ],
        "responses": {
            "200": _response(endpoint.summary, JSON, schema_name(endpoint.answer)),
            **_refusal_responses(refusals),
        },
    }


def parameter(name: str, where: str, kind: str = "") -> dict[str, Any]:
    special = f"{name} in the query" if where == "query" else f"{name} of {kind}"
    found = PARAMETERS.get(special) or PARAMETERS[name]
    return {
        "name": name,
        "in": where,
        "required": where == "path",
        "description": found.description,
        "schema": found.schema,
        "example": found.example,
    }


def _bulk_operation() -> dict[str, Any]:
    return {
        "operationId": "bulk",
        "tags": ["site"],
        "summary": bulk.SUMMARY,
        "parameters": [parameter("modified_since", "query")],
        "responses": {
            # Without a content type: client generators have no class for NDJSON.
            "200": {"description": f"{bulk.SUMMARY} As {bulk.NDJSON}."},
            **_refusal_responses(["400", "503"]),
        },
    }


def _refusal_responses(statuses: list[str]) -> dict[str, Any]:
    return {each: _response(REFUSALS[each], PROBLEM_TYPE, schema_name(ProblemData)) for each in statuses}


def _response(description: str, content_type: str, schema: str) -> dict[str, Any]:
    return {"description": description, "content": {content_type: {"schema": {"$ref": COMPONENTS + schema}}}}


urlpatterns: list[URLPattern] = [
    *(path("api/" + each.route.format_map(PARTS), each.view, name=each.name) for each in ENDPOINTS),
    path("api/events.ndjson", bulk.bulk, name="api-bulk"),
    path("api/<path:other>", record.unknown_endpoint),
]
"""The URLs without language prefix. Unknown URLs return JSON too."""
