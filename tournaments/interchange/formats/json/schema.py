"""The JSON Schema of event files and the list of their keys, from the declarations.

`python -m tournaments.interchange.formats.json.schema` prints the schema, or with `--keys` the keys as a
Markdown table.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from tournaments.event.document import VERSION, Document
from tournaments.event.json_writer import json_text, wrapped
from tournaments.event.schema import ANNOTATIONS, SchemaGenerator, adapter_of
from tournaments.event.values import Date, Day, Moment, Schema, TimeOfDay

DEFINITIONS = "#/$defs/"

_DESCRIPTION = (
    "One event. Scores are points, whole or half. Imports and /validate/ also check rules that no schema can"
    " express, such as who plays whom and which scores are possible."
)


def definitions(below: str = DEFINITIONS) -> dict[str, Schema]:
    """Return the schema of each object and named value. `below`: the prefix of references."""
    found: dict[str, Schema] = {}
    whole = adapter_of(Document).json_schema(schema_generator=SchemaGenerator)
    del whole["title"]
    found["document"] = lifted(whole, found, below)
    return found


def lifted(value: Any, found: dict[str, Schema], below: str) -> Any:
    """Return a schema in which nested schemas with a title are references; these are added to `found`."""
    if isinstance(value, list):
        return [lifted(each, found, below) for each in value]
    if not isinstance(value, dict):
        return value
    # An object may have a property called “title”, whose schema is not a string.
    title = value["title"] if isinstance(value.get("title"), str) else ""
    annotations = value.get(ANNOTATIONS, {})
    left_out = {ANNOTATIONS, "title"} if title else {ANNOTATIONS}
    inner = {key: lifted(each, found, below) for key, each in value.items() if key not in left_out}
    if not title:
        return inner | annotations
    found[title] = inner
    return {"$ref": below + title} | annotations


def event_schema(address: str = "") -> Schema:
    """Return the JSON Schema of an event file. `address`: its permanent URL, or blank."""
    defined = {name: entitled(schema, name) for name, schema in definitions().items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **({"$id": address} if address else {}),
        **defined.pop("document"),
        "title": f"Crosstable event file, version {VERSION}",
        "description": _DESCRIPTION,
        "$defs": defined,
    }


def entitled(schema: Schema, name: str) -> Schema:
    """Return a schema with a title in words, and titles for the keys of its object.

    The API's schemas have none, because client generators would use them as class names.
    """
    words = name.replace("_", " ").replace("fide id", "FIDE id").replace("fmjd id", "FMJD id")
    titled = {"title": words[:1].upper() + words[1:], **schema}
    if "properties" in schema:
        titled["properties"] = {key: entitled(each, key) for key, each in schema["properties"].items()}
    return titled


@cache
def schema_text(address: str = "") -> str:
    return f"{json_text(wrapped(event_schema(address)))}\n"


# --- table of keys ----------------------------------------------------------------------------------------


class KeyLine(NamedTuple):
    """A row of the table: a key with its group (`scoring.game`), the possible values, and the description.

    `default`: as in a file, or blank.
    """

    key: str
    is_required: bool
    value: str
    default: str
    description: str


def described_keys() -> Iterator[tuple[str, str, list[KeyLine]]]:
    defined = definitions()
    for name, schema in {"document": defined.pop("document"), **defined}.items():
        if "properties" in schema:
            yield name, schema["description"], [*_lines_of_keys("", schema, defined)]


def _lines_of_keys(group: str, schema: Schema, defined: Mapping[str, Schema]) -> Iterator[KeyLine]:
    for key, each in schema["properties"].items():
        if "properties" in each:
            yield from _lines_of_keys(f"{group}{key}.", each, defined)
            continue
        default = json_text(each["default"]) if "default" in each else ""
        is_required = key in schema.get("required", ())
        words = _type_in_words(each, defined)
        yield KeyLine(f"{group}{key}", is_required, words, default, each.get("description", ""))


def key_table() -> str:
    rows = ["| object | key | value |", "|---|---|---|"]
    for name, _, keys in described_keys():
        for each in keys:
            needed = " **required**" if each.is_required else ""
            default = f"; default `{each.default}`" if each.default else ""
            description = each.description.rstrip(".")
            meaning = f". {description}" if description not in each.value else ""
            rows.append(f"| {name} | `{each.key}`{needed} | {each.value}{default}{meaning} |")
    return "\n".join(rows)


_WORDS = {
    "boolean": "`true` or `false`",
    "integer": "whole number, {minimum} to {maximum}",
    "integer or string": "whole number, {minimum} to {maximum}, or a word",
    "money": "amount of money, at most two decimals",
    "number": "points, whole or half",
    "number or string": "number or text",
    "string": "text of at most {maxLength} characters",
}

# descriptions of strings with a pattern
_PATTERNED = {
    Moment.pattern: "day and time with its zone",
    TimeOfDay.pattern: "time of day, such as 14:00",
    Date.pattern: "day, or a year alone",
    Day.pattern: "day",
}


def _type_in_words(schema: Schema, defined: Mapping[str, Schema]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(DEFINITIONS)
        return f"object: {name}" if "properties" in defined[name] else _type_in_words(defined[name], defined)
    if choices := schema.get("enum") or [each for each in (schema.get("const"),) if each]:
        return ", ".join(f"`{json_text(each)}`" for each in choices)
    if "prefixItems" in schema:
        return str(schema["description"]).rstrip(".")
    if inner := schema.get("items") or schema.get("additionalProperties"):
        return f"{'list' if 'items' in schema else 'object'}; each: {_type_in_words(inner, defined)}"
    if words := _PATTERNED.get(schema.get("pattern", "")):
        return words
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    is_money = types == ["number"] and "multipleOf" not in schema
    return _WORDS["money" if is_money else " or ".join(types)].format(**schema)


if __name__ == "__main__":
    sys.stdout.write(f"{key_table()}\n" if "--keys" in sys.argv else schema_text())
