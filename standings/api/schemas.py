"""The JSON Schemas of responses as named components of the OpenAPI document.

Client generators make a class of each name. So all names are in CamelCase, also those of the event file, and
no object is declared inside another.
"""

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic_core.core_schema import TypedDictSchema, WithDefaultSchema

from tournaments.event.schema import SchemaGenerator
from tournaments.event.values import Schema
from tournaments.interchange.formats.json.schema import definitions, lifted

COMPONENTS = "#/components/schemas/"

EVENT_FILE = "EventFile"
"""The schema of a whole event file."""


class ResponseSchemas(SchemaGenerator):
    """Names the schema of a response by its class, without `Data`, and requires all keys and no others."""

    def normalize_name(self, name: str) -> str:
        return super().normalize_name(name).removesuffix("Data")

    def default_schema(self, schema: WithDefaultSchema) -> Schema:
        return self.generate_inner(schema["schema"])

    def field_is_required(self, field: Any, total: bool) -> bool:
        return field["type"] == "model-field" or super().field_is_required(field, total)

    def typed_dict_schema(self, schema: TypedDictSchema) -> Schema:
        return {"additionalProperties": False, **super().typed_dict_schema(schema)}


def schema_name(answer: type[Any]) -> str:
    return answer.__name__.removesuffix("Data")


@cache
def components(answers: tuple[type[Any], ...]) -> dict[str, Schema]:
    _, made = TypeAdapter.json_schemas(
        [(schema_name(each), "validation", TypeAdapter(each)) for each in answers],
        by_alias=False,
        schema_generator=ResponseSchemas,
        ref_template=COMPONENTS + "{model}",
    )
    found = definitions(COMPONENTS)
    for name, schema in made["$defs"].items():
        del schema["title"]
        found[name] = lifted(schema, found, COMPONENTS)
    named = {_class_name(name): _with_class_names(schema) for name, schema in found.items()}
    for name in list(named):
        _name_inner(name, named[name], named)
    return named


def _class_name(name: str) -> str:
    if name == "document":
        return EVENT_FILE
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _with_class_names(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_with_class_names(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: COMPONENTS + _class_name(each.removeprefix(COMPONENTS))
        if key == "$ref"
        else _with_class_names(each)
        for key, each in schema.items()
    }


def _name_inner(name: str, schema: Schema, named: dict[str, Schema]) -> None:
    for key, inner in schema.get("properties", {}).items():
        if isinstance(inner, dict) and "properties" in inner:
            own_name = name + _class_name(key)
            named[own_name] = inner
            schema["properties"][key] = {"$ref": COMPONENTS + own_name}
            _name_inner(own_name, inner, named)
