"""The fields of the document's classes, named as those of the models; and those of a pasted line."""

from dataclasses import fields
from typing import Any

COMPETITOR = ("name", "code", "rating", "title")
PLAYER = ("name", "rating", "title", "fide_id")
"""What a pasted line says of one, in this order; what is not known is left out or empty."""


def names_of(kind: type[Any], *without: str) -> tuple[str, ...]:
    """Return the names of a class's fields, but for some."""
    return tuple(each.name for each in fields(kind) if each.name not in without)


def values_of(entry: Any, *without: str) -> dict[str, Any]:
    """Return the fields of an entry with their values."""
    return {name: _as_list(getattr(entry, name)) for name in names_of(type(entry), *without)}


def _as_list(value: Any) -> Any:
    # The models' JSON fields hold lists, and a tuple is never equal to a list.
    return [_as_list(each) for each in value] if isinstance(value, tuple) else value
