"""A file on its way into an event, without the persons who are hidden there (ADR 0090).

So an export of the time before brings no name back, and no record of a ruling seems to be changed by it.
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tournaments import models
from tournaments.event.document import CompetitorEntry, Document, PlayerEntry
from tournaments.people.withholding import IDENTITY, IDS, OWN_NAMES, PROSE, HiddenEntry, hidden_entries

AS_IT_CAME = OWN_NAMES | {"moves"}
"""What is no text about anybody, and moves, whose tags are looked at when they are stored."""


def without_hidden(document: Document, event: models.Event) -> Document:
    """Return a document with pseudonyms of those who are hidden in the event; one query where nobody is."""
    hidden = hidden_entries(event)
    masked: Document = _masked(document, "", hidden) if hidden else document
    return masked


def _masked(value: Any, name: str, hidden: Sequence[HiddenEntry]) -> Any:
    if isinstance(value, CompetitorEntry | PlayerEntry):
        value = _entry(value, hidden)
    if is_dataclass(value) and not isinstance(value, type):
        # The same object where nothing is about anybody: most of a document is.
        found = {each.name: _masked(getattr(value, each.name), each.name, hidden) for each in fields(value)}
        changed = {name: new for name, new in found.items() if new is not getattr(value, name)}
        return replace(value, **changed) if changed else value
    if name in AS_IT_CAME:
        return value
    if isinstance(value, tuple):
        items = tuple(_masked(each, name, hidden) for each in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if isinstance(value, str | list | dict):
        return _text(value, name, hidden)
    return value


def _text(value: Any, name: str, hidden: Sequence[HiddenEntry]) -> Any:
    told = value
    for each in hidden:
        is_line = name == "trf"
        told = each.redaction.line(told) if is_line else each.redaction.value(told, is_prose=name in PROSE)
    return value if told == value else told


def _entry(
    entry: CompetitorEntry | PlayerEntry, hidden: Sequence[HiddenEntry]
) -> CompetitorEntry | PlayerEntry:
    """Return an entry under the pseudonym where it is a hidden person's, by a name or an id."""
    for each in hidden:
        is_team = isinstance(each.entry, models.Competitor) != isinstance(entry, CompetitorEntry)
        ids = {str(getattr(entry, name)) for name in IDS if getattr(entry, name)}
        if is_team or not (ids & {*each.redaction.ids} or each.redaction.text(entry.name) == each.pseudonym):
            continue
        # Labels that the entry got when it lost its birth stay.
        labels = tuple(dict.fromkeys((*entry.categories, *each.entry.categories)))
        return replace(entry, **IDENTITY, name=each.pseudonym, categories=labels)
    return entry
