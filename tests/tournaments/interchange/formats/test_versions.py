"""Compatibility of version 1: the schema that was first published is never restricted.

`promised.schema.json` is that schema, and never changes.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tournaments.interchange.formats.json.schema import schema_text

PROMISED = json.loads(Path(__file__).with_name("promised.schema.json").read_text(encoding="utf-8"))
NOW = json.loads(schema_text())
LEAST = ("minimum", "minLength", "minItems")
SAME = ("default", "type", "const", "pattern", "$ref", "not")
MOST = ("maximum", "maxLength", "maxItems")


def broken(promised: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yield parts that were valid and no longer are."""
    for key, each in promised.get("properties", {}).items():
        if key in now["properties"]:
            yield from broken(each, now["properties"][key], f"{where}.{key}")
        else:
            yield f"{where}.{key} is gone"
    for key in set(now.get("required", ())) - set(promised.get("required", ())):
        yield f"{where}.{key} is required"
    if set(promised.get("enum", ())) - set(now.get("enum", promised.get("enum", ()))):
        yield f"{where} has lost a word"
    for keyword in SAME:
        if promised.get(keyword) != now.get(keyword):
            yield f"{where} has another {keyword}"
    yield from narrowed(promised, now, where)
    for keyword in ("items", "additionalProperties"):
        if isinstance(promised.get(keyword), dict):
            yield from broken(promised[keyword], now[keyword], f"{where}[]")


def narrowed(promised: Any, now: Any, where: str) -> Iterator[str]:
    """Yield limits that are narrower than before."""
    for keyword in (*LEAST, *MOST):
        if keyword not in now:
            continue
        further = now[keyword] - promised.get(keyword, now[keyword])
        if keyword not in promised or (further > 0 if keyword in LEAST else further < 0):
            yield f"{where} is narrower: {keyword}"


def test_version_1_is_still_accepted() -> None:
    assert list(broken(PROMISED, NOW)) == []
    for name, each in PROMISED["$defs"].items():
        assert list(broken(each, NOW["$defs"][name], name)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda event: event["properties"].pop("series"), "event.series is gone"),
        (lambda event: event["required"].append("place"), "event.place is required"),
        (lambda event: event["properties"]["state"]["enum"].remove("live"), "event.state has lost a word"),
        (
            lambda event: event["properties"]["name"].update(maxLength=100),
            "event.name is narrower: maxLength",
        ),
    ],
    ids=["gone", "required", "a word less", "narrower"],
)
def test_incompatible_change_is_found(change: Any, said: str) -> None:
    changed = json.loads(json.dumps(PROMISED))
    change(changed["$defs"]["event"])
    assert list(broken(PROMISED["$defs"]["event"], changed["$defs"]["event"], "event")) == [said]
