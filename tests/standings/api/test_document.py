"""The OpenAPI document keeps every operation, parameter, response and key that clients were promised."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

PROMISED = Path(__file__).with_name("openapi.txt")
"""The promised document as lines of `outline`. A new operation or key is promised by adding its line."""


def outline(document: Any) -> Iterator[str]:
    """Yield a line for each operation, parameter, response and key, without descriptions."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            yield f"{method.upper()} {path} {operation['tags'][0]}.{name}"
            for each in operation["parameters"]:
                mark = "" if each["required"] else "?"
                yield f"{name}({each['in']} {each['name']}{mark}: {shape(each['schema'])})"
            for status, response in operation["responses"].items():
                for content_type, content in response.get("content", {"": {"schema": {}}}).items():
                    yield f"{name} -> {status} {content_type} {shape(content['schema'])}"
    for name, schema in document["components"]["schemas"].items():
        if "properties" not in schema:
            yield f"{name}: {shape(schema)}"
        for key, inner in schema.get("properties", {}).items():
            mark = "" if key in schema.get("required", []) else "?"
            yield f"{name}.{key}{mark}: {shape(inner)}"


def shape(schema: Any) -> str:
    """Return the type of a schema, such as `[Row]`, `integer>=1|null` or `white/black`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return "|".join(map(shape, schema["anyOf"]))
    if "enum" in schema:
        return "/".join(map(str, schema["enum"]))
    if isinstance(schema.get("items"), dict):
        return f"[{shape(schema['items'])}]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{{{shape(schema['additionalProperties'])}}}"
    least = f">={schema['minimum']}" if "minimum" in schema else ""
    return f"{schema.get('type', 'any')}{least}"


@pytest.mark.django_db
def test_the_document_keeps_what_was_promised(client: Client) -> None:
    document = json.loads(client.get("/api/openapi.json").content)
    assert [line for line in PROMISED.read_text().splitlines() if line not in {*outline(document)}] == []


def test_page_lists_all_operations_and_the_objects_that_are_written(client: Client) -> None:
    page, dutch = (client.get(f"{language}/api-reference/").content.decode() for language in ("", "/nl"))
    documents = [json.loads(client.get(f"/api/{part}openapi.json").content) for part in ("", "write/")]
    for path, methods in (item for document in documents for item in document["paths"].items()):
        if path not in {"/api/events.ndjson", "/events/{slug}.json"}:  # files
            for method, operation in methods.items():
                assert f'<h3 id="{operation["operationId"]}"' in page
                assert f"<code>{method.upper()} {path}</code>" in page
    for name, schema in documents[1]["components"]["schemas"].items():
        assert f'<h3 id="{name}"' in page
        assert all(f"<code>{key}</code>" in page for key in schema.get("properties", ()))
    assert "Objecten die geschreven worden" in dutch
