"""The JSON Schema of the event file and the table of its keys in docs/event-file.md, made of the document.

`python -m tournaments.formats.json.schema` writes them; a test holds the files to the declaration.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tournaments.event.declaring import SchemaGenerator, adapter_of
from tournaments.event.document import Document
from tournaments.event.layout import laid_out, printed
from tournaments.event.values import Schema

SCHEMA = Path(__file__).with_name("event.schema.json")
PAGE = Path(__file__).parents[3] / "docs" / "event-file.md"
DEFINITIONS = "#/$defs/"

_START, _END = "<!-- keys: made by tournaments.formats.json.schema -->\n", "<!-- end of keys -->\n"
_DESCRIPTION = (
    "One event. Scores are points, whole or half. What the schema cannot say (who plays whom, which scores a"
    " scoring gives) is checked at import: docs/event-file.md."
)


def definitions(below: str = DEFINITIONS) -> dict[str, Schema]:
    """Return the schema of every object and named value; `below` is what references to them begin with."""
    found: dict[str, Schema] = {}
    whole = adapter_of(Document).json_schema(schema_generator=SchemaGenerator)
    del whole["title"]
    found["document"] = lifted(whole, found, below)
    return found


def lifted(value: Any, found: dict[str, Schema], below: str) -> Any:
    """Return a schema with references to those inside that have a title, which are found by it."""
    if isinstance(value, list):
        return [lifted(each, found, below) for each in value]
    if not isinstance(value, dict):
        return value
    # The properties of an object may have one called “title”, whose schema is no text.
    title = value["title"] if isinstance(value.get("title"), str) else ""
    inner = {key: lifted(each, found, below) for key, each in value.items() if key != "title" or not title}
    if not title:
        return inner
    found[title] = inner
    return {"$ref": below + title}


def event_schema() -> Schema:
    """Return the JSON Schema of an event file."""
    defined = definitions()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Crosstable event file, version 1",
        **defined.pop("document"),
        "description": _DESCRIPTION,
        "$defs": defined,
    }


def schema_text() -> str:
    """Return the text of the schema's file."""
    return f"{printed(laid_out(event_schema()))}\n"


# --- the table of keys ------------------------------------------------------------------------------------


def page_text(page: str) -> str:
    """Return the page of the event file with its table of keys."""
    before, _, rest = page.partition(_START)
    _, _, after = rest.partition(_END)
    table = "\n".join(_table())
    return f"{before}{_START}\n{table}\n\n{_END}{after}"


def _table() -> Iterator[str]:
    """Yield the lines of a table: every key of every object."""
    yield from ("| object | key | value |", "|---|---|---|")
    defined = definitions()
    for name, schema in {"document": defined.pop("document"), **defined}.items():
        if "properties" in schema:
            yield from _rows(name, "", schema, defined)


def _rows(name: str, group: str, schema: Schema, defined: Mapping[str, Schema]) -> Iterator[str]:
    for key, each in schema["properties"].items():
        if "properties" in each:
            yield from _rows(name, f"{group}{key}.", each, defined)
            continue
        needed = " **required**" if key in schema.get("required", ()) else ""
        default = f"; default `{printed(each['default'])}`" if "default" in each else ""
        words = _in_words(each, defined)
        description = each.get("description", "").rstrip(".")
        meaning = f". {description}" if description not in words else ""
        yield f"| {name} | `{group}{key}`{needed} | {words}{default}{meaning} |"


_WORDS = {
    "boolean": "`true` or `false`",
    "integer": "whole number, {minimum} to {maximum}",
    "integer or string": "whole number, {minimum} to {maximum}, or a word",
    "number": "points, whole or half",
    "number or string": "number or text",
    "string": "text of at most {maxLength} characters",
}


def _in_words(schema: Schema, defined: Mapping[str, Schema]) -> str:
    """Return what a value may be, in words."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(DEFINITIONS)
        return f"object: {name}" if "properties" in defined[name] else _in_words(defined[name], defined)
    if words := schema.get("enum") or [each for each in (schema.get("const"),) if each]:
        return ", ".join(f"`{printed(each)}`" for each in words)
    if "prefixItems" in schema:
        return str(schema["description"]).rstrip(".")
    if inner := schema.get("items") or schema.get("additionalProperties"):
        return f"{'list' if 'items' in schema else 'object'}; each: {_in_words(inner, defined)}"
    if "pattern" in schema and "maxLength" not in schema:
        return "day and time with its zone" if "T" in schema["pattern"] else "date"
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return _WORDS[" or ".join(types)].format(**schema)


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(page_text(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
