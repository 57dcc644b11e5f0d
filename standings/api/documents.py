"""What the API says of itself: the index, and the OpenAPI document."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from standings.api.schemas import NUMBER, TEXT, components, ref
from standings.engine import every
from tournaments.event.values import Schema

OPENAPI, VERSION = "3.1.0", "1"

DESCRIPTION = (
    "Events, standings, results and explanations of draughts and chess tournaments, to be read by anybody."
    " Names of criteria and texts are English. Figures that may be no whole numbers are exact: decimals"
    " as in the event file, or text. Every answer has an ETag; asking again with it costs next to nothing."
)

PARAMETERS: dict[str, tuple[str, Schema]] = {
    "slug": ("The event, as in its address; a former one answers 301.", ref("slug")),
    "after": ("Up to and with this round.", NUMBER),
    "number": ("The number of the competitor in the event, or of the round.", NUMBER),
    "code": (
        "The criterion; a scaled one also as code@game and code@match.",
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


class Told(NamedTuple):
    """What is told of an endpoint: its address, what it is, its schema, what may be asked behind the `?`."""

    path: str
    summary: str
    schema: str
    asked: tuple[str, ...]


def index_of(endpoints: Sequence[Told], absolute: Callable[[str], str]) -> str:
    """The list of the endpoints, as JSON."""
    listed = [{"path": each.path, "summary": each.summary} for each in endpoints]
    document = absolute("/api/openapi.json")
    return _text({"name": "Crosstable", "version": VERSION, "document": document, "endpoints": listed})


def document_of(endpoints: Sequence[Told], server: str) -> str:
    """The OpenAPI document, as JSON."""
    return _text(
        {
            "openapi": OPENAPI,
            "info": {"title": "Crosstable", "version": VERSION, "description": DESCRIPTION},
            "servers": [{"url": server.rstrip("/")}],
            "paths": {each.path: {"get": _operation(each)} for each in endpoints},
            "components": {"schemas": components()},
        }
    )


def _operation(told: Told) -> dict[str, Any]:
    parts = re.findall(r"\{(\w+)\}", told.path)
    faults = {"404": _answer("There is nothing at this address.", "Fault")} if parts else {}
    if "slug" in parts:
        faults["410"] = _answer("The event was removed.", "Fault")
    return {
        "operationId": re.sub(r"\W+", "_", told.path).strip("_"),
        "summary": told.summary,
        "parameters": [
            *(_parameter(name, "path", required=True) for name in parts),
            *(_parameter(name, "query", required=False) for name in told.asked),
        ],
        "responses": {"200": _answer(told.summary, told.schema), **faults},
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


def _answer(description: str, schema: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": ref(schema)}}}


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
