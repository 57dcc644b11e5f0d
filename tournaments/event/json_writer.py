"""The JSON layout of event files: exact numbers, one line per competitor and pairing, unescaped UTF-8."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

# A shared encoder, because `json.dumps` with `ensure_ascii=False` creates a new one for each text.
_encoded = json.JSONEncoder(ensure_ascii=False).encode
_WIDEST = 110


class Exact(str):
    """A number by its digits, to avoid floats between the record and the file."""

    __slots__ = ()


class Rows(list[Any]):
    """A list printed with one element per line."""


class Lines(dict[str, Any]):
    """An object printed with one key per line."""


def json_text(value: Any, depth: int = 0) -> str:
    """Return the JSON of a value, on one line except for Rows and Lines. Raise TypeError for other types."""
    match value:
        case Lines():
            return _on_several_lines("{", _entries(value, depth + 1), "}", depth)
        case Rows():
            return _on_several_lines("[", (json_text(each, depth + 1) for each in value), "]", depth)
        case dict():
            return f"{{{', '.join(_entries(value, depth))}}}"
        case list():
            return f"[{', '.join(json_text(each, depth) for each in value)}]"
        case Exact():
            return str(value)
        case BaseModel():
            return json_text(vars(value), depth)
    return _encoded(value)


def wrapped(value: Any) -> Any:
    """Return a value with one element per line if a single line would exceed 110 characters."""
    if not isinstance(value, dict | list) or len(_encoded(value)) <= _WIDEST:
        return value
    if isinstance(value, list):
        return Rows(wrapped(each) for each in value)
    return Lines({key: wrapped(each) for key, each in value.items()})


def pretty_json(value: BaseModel) -> str:
    """Return the JSON of a model with a line for each key, and for each object of a list below it."""
    return json_text(
        Lines(
            {
                key: Rows(each)
                if isinstance(each, list) and all(isinstance(item, dict | BaseModel) for item in each)
                else each
                for key, each in vars(value).items()
            }
        )
    )


def _entries(value: Mapping[str, Any], depth: int) -> Iterable[str]:
    return (f"{_encoded(key)}: {json_text(each, depth)}" for key, each in value.items())


def _on_several_lines(opening: str, parts: Iterable[str], closing: str, depth: int) -> str:
    indent = "\n" + " " * (depth + 1)
    inner = f",{indent}".join(parts)
    return f"{opening}{indent}{inner}\n{' ' * depth}{closing}" if inner else f"{opening}{closing}"
