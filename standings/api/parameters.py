"""The path and query parameters of the API, as described in the OpenAPI document."""

from typing import Any, NamedTuple

from standings.api.schemas import COMPONENTS
from standings.engine import all_criteria
from tournaments.event.values import Schema

NUMBER: Schema = {"type": "integer", "minimum": 1}
TEXT: Schema = {"type": "string"}


class Parameter(NamedTuple):
    """A parameter: its description, schema and an example."""

    description: str
    schema: Schema
    example: Any


PARAMETERS: dict[str, Parameter] = {
    "slug": Parameter(
        "The event, as in its address; a former one answers 301.",
        {"$ref": COMPONENTS + "Slug"},
        "olympiad-2018-open",
    ),
    "key": Parameter(
        "The number of the person or team, which stays for ever; that of one who was merged answers 302.",
        NUMBER,
        1,
    ),
    "against": Parameter("The number of the other one.", NUMBER, 2),
    "title": Parameter("A title that is recorded of the person.", TEXT, "GM"),
    "slug of series": Parameter("The series, as in its address.", TEXT, "chess-olympiad"),
    "slug of congresses": Parameter("The congress, as in its address.", TEXT, "amsterdam-open-2026"),
    "after": Parameter("Up to and with this round.", NUMBER, 3),
    "after in the query": Parameter(
        "Up to and with this round; complete: the last round without open games, 404 before there is one.",
        {"anyOf": [NUMBER, {"type": "string", "const": "complete"}]},
        "complete",
    ),
    "number": Parameter("The number of the competitor in the event, or of the round.", NUMBER, 1),
    "code": Parameter(
        "The criterion; a scaled one also as code@game and code@match, one of FIDE's with hyphens: BH-C1.",
        TEXT,
        next(iter(all_criteria())).code,
    ),
    "q": Parameter(
        "Words of a name, place, year, series or competitor; case and accents make no difference.",
        TEXT,
        "olympiad",
    ),
    "discipline": Parameter("Such as chess or draughts-100.", TEXT, "chess"),
    "schedule": Parameter("swiss, round-robin or double-round-robin.", TEXT, "swiss"),
    "entrants": Parameter("teams or players.", TEXT, "teams"),
    "country": Parameter("The federation of the place.", TEXT, "GEO"),
    "year": Parameter("The year in which the event began.", TEXT, "2018"),
    "series": Parameter("The series, as in its address.", TEXT, "chess-olympiad"),
    "place": Parameter("The town, as the event has it.", TEXT, "Batumi"),
    "sort": Parameter(
        "Of people: name, code, title, events, gold, silver, bronze or team (medals with teams).",
        TEXT,
        "gold",
    ),
    "dir": Parameter("asc or desc; with sort.", TEXT, "desc"),
    "page": Parameter("The page of the list, from 1; one that is not there is not found.", NUMBER, 2),
    # The same maximum as in `standings.caching.cached_pages.VALUES`.
    "limit": Parameter("How many events a page has.", {**NUMBER, "maximum": 200, "default": 25}, 100),
    "modified_since": Parameter(
        "Only what was changed at this time or later, the oldest change first, with what was removed;"
        " a day, or a time, by UTC where it has no zone.",
        TEXT,
        "2026-11-01T00:00:00+00:00",
    ),
    "cursor": Parameter(
        "Where a page of what was modified begins; only ever out of `next`.", TEXT, "eyJhIjow"
    ),
}
"""By name; a path parameter with another meaning on some routes is `name of first-part`.

A parameter with other values in the query than in the path has an entry with ` in the query`.
"""


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
