"""The check of texts: those of the event, of competitors and players, of rulings and the change log."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from tournaments.event.contacts import holds_contact
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, cut, warning
from tournaments.event.hiddensigns import hidden_signs, written_out


def texts(document: Document) -> Iterator[Finding]:
    """Warn of texts with signs that nobody sees, and of e-mail addresses and telephone numbers."""
    yield from _in(document.event, Place("event"))
    for name in ("competitors", "overrides", "changes"):
        for index, each in enumerate(getattr(document, name)):
            place = Place().item(name, index)
            yield from _in(each, place)
            for at, player in enumerate(getattr(each, "players", ())):
                yield from _in(player, place.item("players", at))


def _in(entry: Any, place: Place) -> Iterator[Finding]:
    for name in _names_of(entry.__class__):
        text = getattr(entry, name)
        if name == "sources":
            text = "\n".join(text)
        if not isinstance(text, str):
            continue
        if holds_contact(text):
            message = (
                f"“{cut(text)}” seems to hold an e-mail address or a telephone number, "
                "which everybody would see. Take it out unless it may be public."
            )
            yield warning("contact", place.key(name), message)
        if signs := hidden_signs(text):
            message = (
                f"“{written_out(text)}” has signs that nobody sees: {', '.join(signs)}. "
                "They make it read otherwise, or differ from what looks the same. Write it without them."
            )
            yield warning("hidden-sign", place.key(name), message)


@cache
def _names_of(entry: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(entry))
