"""JSON as an event file prints it: exact numbers, one line per competitor and pairing, UTF-8 as it is."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

# One encoder for all: `json.dumps` makes a new one for each text where it is not to escape them.
_encoded = json.JSONEncoder(ensure_ascii=False).encode


class Exact(str):
    """A number by its digits, so that no float stands between the record and the file."""

    __slots__ = ()


class Rows(list[Any]):
    """A list printed with one element a line."""


class Lines(dict[str, Any]):
    """An object printed with one key a line."""


def printed(value: Any, depth: int = 0) -> str:
    """Return the JSON of a value, on one line but for Rows and Lines; raise TypeError for any other type."""
    match value:
        case Lines():
            return _spread("{", _entries(value, depth + 1), "}", depth)
        case Rows():
            return _spread("[", (printed(each, depth + 1) for each in value), "]", depth)
        case dict():
            return f"{{{', '.join(_entries(value, depth))}}}"
        case list():
            return f"[{', '.join(printed(each, depth) for each in value)}]"
        case Exact():
            return str(value)
    return _encoded(value)


def _entries(value: Mapping[str, Any], depth: int) -> Iterable[str]:
    return (f"{_encoded(key)}: {printed(each, depth)}" for key, each in value.items())


def _spread(opening: str, parts: Iterable[str], closing: str, depth: int) -> str:
    indent = "\n" + " " * (depth + 1)
    inner = f",{indent}".join(parts)
    return f"{opening}{indent}{inner}\n{' ' * depth}{closing}" if inner else f"{opening}{closing}"
