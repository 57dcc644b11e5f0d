"""The fields of the document's classes, which are named as those of the models."""

from dataclasses import fields
from typing import Any


def names_of(kind: type[Any], *without: str) -> tuple[str, ...]:
    """The names of a class's fields, but for some."""
    return tuple(each.name for each in fields(kind) if each.name not in without)


def values_of(entry: Any, *without: str) -> dict[str, Any]:
    """The fields of an entry with their values, lists for tuples as the models' JSON fields have them."""
    return {name: _plain(getattr(entry, name)) for name in names_of(type(entry), *without)}


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
