"""The check of all texts of an event that readers see."""

from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, cut, warning
from tournaments.event.hiddensigns import hidden_signs, holds_contact, written_out
from tournaments.event.schema import field_names

_FREE_OF_TEXTS = {"moves", "trf", "levels"}
"""Keys of texts that are cleaned before publication, and of figures."""

_field_names = cache(field_names)


def check_texts(document: Document) -> Iterator[Finding]:
    """Warn of hidden characters, e-mail addresses and telephone numbers in texts, once for equal texts."""
    seen: set[str] = set()
    for place, text in _texts_in(document, Place()):
        if text in seen:
            continue
        seen.add(text)
        if holds_contact(text):
            message = (
                f"“{cut(text)}” seems to contain an email address or a telephone number, which would be "
                "public. Remove it if it must not be public."
            )
            yield warning("contact", place, message)
        if signs := hidden_signs(text):
            message = (
                f"“{written_out(text)}” contains invisible characters: {', '.join(signs)}. They can "
                "change the text, or make it differ from another text that looks the same. Remove them."
            )
            yield warning("hidden-sign", place, message)


def _texts_in(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Yield every text of an entry or of plain data with its place; of tables of figures only the labels."""
    if isinstance(value, str):
        yield place, value
    elif is_dataclass(value):
        for name in _field_names(value.__class__, *_FREE_OF_TEXTS):
            yield from _texts_under(name, getattr(value, name), place)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _texts_under(str(name), each, place)


def _texts_under(name: str, value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    if name == "columns":
        yield from ((place.key(name).key(label), label) for label in value)
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _texts_in(each, place.item(name, index))
    else:
        yield from _texts_in(value, place.key(name))
