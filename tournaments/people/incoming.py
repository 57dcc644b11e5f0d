"""A file on its way into an event, without the persons who are hidden there (ADR 0041).

So an export of the time before brings no name back, and no record of a ruling seems to be changed by it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from tournaments import models
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
)
from tournaments.event.unknown import white_side
from tournaments.people.hiddenentries import Entry, HiddenEntry, hidden_entries
from tournaments.people.public import PSEUDONYM
from tournaments.people.telling import NOBODY, AnyEntry, Telling, players_of_file, tell
from tournaments.people.withholding import COLOURS, IDENTITY, OWN_NAMES, PROSE

AS_IT_CAME = OWN_NAMES | {"moves"}
"""What is no text about anybody, and moves, whose tags are about those who sit at the game."""

LONGEST_NUMBER = 19
"""Digits of a number, at most, that no key of a row has."""


def without_hidden(document: Document, event: models.Event, record: Document) -> tuple[Document, Telling]:
    """Return a document as the event would tell it: pseudonyms of those who are hidden in it, and no others.

    `record` is the event as it is stored. An entry that may be somebody hidden, or may not, is left as it is,
    and told: whoever stores the document has it hidden (`tournaments.recording.people.linking`). One query
    where nobody is hidden and no entry is called by a pseudonym. A file of the time when somebody was hidden
    brings that pseudonym back over no name that is shown again.
    """
    hidden = hidden_entries(event)
    document = _with_shown(document, event)
    if not hidden:
        return document, NOBODY
    telling = tell(document, record, hidden)
    masked: Document = _masked(document, "", _incoming(document, hidden, telling))
    return masked, telling


class Incoming(NamedTuple):
    """Who is hidden in the event, and which entries of the file are theirs, by the identity of the object."""

    hidden: Sequence[HiddenEntry]
    whose: Mapping[int, HiddenEntry]
    event: EventEntry


def _incoming(document: Document, hidden: Sequence[HiddenEntry], telling: Telling) -> Incoming:
    """Return who is hidden; a name that the file alone has for somebody is looked for in its texts too."""
    names: dict[int, set[str]] = {each.link.pk: set() for each in hidden}
    entries: list[AnyEntry] = [*document.competitors]
    entries += (player for _number, player in players_of_file(document))
    for entry in entries:
        if owner := telling.whose.get(id(entry)):
            names[owner.link.pk].add(entry.name)
    known = {each.link.pk: each.named(names[each.link.pk]) for each in hidden}
    whose = {key: known[each.link.pk] for key, each in telling.whose.items()}
    return Incoming([*known.values()], whose, document.event)


def _with_shown(document: Document, event: models.Event) -> Document:
    """Return the document with the names of those who were hidden and are shown again.

    What the entries say of them comes of the record: the file was made without it.
    """
    players = [player for each in document.competitors for player in each.players]
    entries: list[AnyEntry] = [*document.competitors, *players]
    told = [each.name.removeprefix(f"{PSEUDONYM} ") for each in entries if each.name.startswith(PSEUDONYM)]
    keys = [int(each) for each in told if each.isdecimal() and len(each) < LONGEST_NUMBER]
    if not keys:
        return document
    links = models.PersonLink.objects.filter(event=event, person__in=keys, person__hidden=False)
    shown = {f"{PSEUDONYM} {each.person_id}": each for each in links.select_related("competitor", "player")}
    there = {pseudonym: each.player or each.competitor for pseudonym, each in shown.items()}
    known = {pseudonym: entry for pseudonym, entry in there.items() if entry}
    found: Document = _named(document, known) if known else document
    return found


def _named(value: Any, known: Mapping[str, Entry]) -> Any:
    if isinstance(value, CompetitorEntry | PlayerEntry) and value.name in known:
        entry = known[value.name]
        kept = {name: getattr(entry, name) for name in IDENTITY}
        # Labels too: being hidden gave some, in place of a birth or a club.
        value = replace(value, name=entry.name, categories=tuple(entry.categories), **kept)
    if is_dataclass(value) and not isinstance(value, type):
        return _changed(
            value, {each.name: _named(getattr(value, each.name), known) for each in fields(value)}
        )
    if isinstance(value, tuple):
        return _items(value, tuple(_named(each, known) for each in value))
    if isinstance(value, str):
        for pseudonym, entry in known.items():
            name = entry.name.replace("\\", r"\\")  # else a backslash in it would be a sign of `re.sub`
            value = re.sub(rf"{re.escape(pseudonym)}(?![0-9])", name, value)
    return value


def _masked(value: Any, name: str, incoming: Incoming) -> Any:
    if isinstance(value, CompetitorEntry | PlayerEntry) and id(value) in incoming.whose:
        value = _entry(value, incoming.whose[id(value)])
    if is_dataclass(value) and not isinstance(value, type):
        found = {each.name: _masked(getattr(value, each.name), each.name, incoming) for each in fields(value)}
        if isinstance(value, PairingEntry | GameEntry) and value.moves:
            found["moves"] = _moves(value, incoming)
        return _changed(value, found)
    if name in AS_IT_CAME:
        return value
    if isinstance(value, tuple):
        return _items(value, tuple(_masked(each, name, incoming) for each in value))
    if isinstance(value, str | list | dict):
        return _text(value, name, incoming.hidden)
    return value


def _moves(seat: PairingEntry | GameEntry, incoming: Incoming) -> str:
    """Return the moves of a game without the tags that say who a hidden person at it is."""
    moves = seat.moves
    for each in incoming.hidden:
        if isinstance(seat, GameEntry):
            seats = (seat.first_player, seat.second_player)
            sits = [one is not None and incoming.whose.get(id(one)) is each for one in seats]
            colours = COLOURS[seat.white]
        else:
            number = each.entry.number if isinstance(each.entry, models.Competitor) else None
            sits = [number is not None and number == one for one in (seat.first, seat.second)]
            colours = COLOURS[white_side(incoming.event, seat)]
        found = [colour for colour, is_there in zip(colours, sits, strict=True) if is_there]
        moves = each.redaction.moves(moves, found[0]) if found else each.redaction.text(moves)
    return moves


def _changed(value: Any, found: Mapping[str, Any]) -> Any:
    """Return the same object where nothing is about anybody: most of a document is."""
    changed = {name: new for name, new in found.items() if new is not getattr(value, name)}
    return replace(value, **changed) if changed else value


def _items(before: tuple[Any, ...], after: tuple[Any, ...]) -> tuple[Any, ...]:
    return after if any(new is not old for new, old in zip(after, before, strict=True)) else before


def _text(value: Any, name: str, hidden: Sequence[HiddenEntry]) -> Any:
    told = value
    for each in hidden:
        is_line = name == "trf"
        told = each.redaction.line(told) if is_line else each.redaction.value(told, is_prose=name in PROSE)
    return value if told == value else told


def _entry(entry: AnyEntry, hidden: HiddenEntry) -> AnyEntry:
    """Return an entry under the pseudonym; labels that the stored one got when it lost its birth stay."""
    stored = hidden.entry.categories if hidden.entry else ()
    labels = tuple(dict.fromkeys((*entry.categories, *stored)))
    return replace(entry, **IDENTITY, name=hidden.pseudonym, categories=labels)
