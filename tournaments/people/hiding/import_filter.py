"""Remove hidden persons from a file before it is imported (ADR 0041).

Without this, an older export would restore their names, and overrides would seem to be changed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from tournaments import models
from tournaments.event.choices import white_side
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
)
from tournaments.people.hiding.anonymise import COLOURS, IDENTITY, OWN_NAMES, PROSE, declared_labels
from tournaments.people.hiding.hidden_entries import EntryModel, HiddenEntry, hidden_entries
from tournaments.people.hiding.namesakes import (
    NO_MATCHES,
    DocumentEntry,
    HiddenMatches,
    find_hidden_entries,
    players_of_file,
)
from tournaments.people.public import PSEUDONYM

UNCHANGED_FIELDS = OWN_NAMES | {"moves"}
"""Fields without prose about persons; and moves, whose tags are handled with the players of the game."""

LONGEST_NUMBER = 19
"""Maximum number of digits that are read as a key."""


def without_hidden(
    document: Document, event: models.Event, record: Document
) -> tuple[Document, HiddenMatches]:
    """Return a document with the same pseudonyms as the event, and the ambiguous entries.

    `record`: the stored event. An entry that may be a hidden person is left unchanged and reported; the
    caller hides it after storing (`tournaments.people.services.linking`). Pseudonyms of persons who are
    visible again are replaced by their names. 1 query if nobody is hidden and no entry has a pseudonym.
    """
    hidden = hidden_entries(event)
    document = _with_visible_names(document, event)
    if not hidden:
        return document, NO_MATCHES
    matches = find_hidden_entries(document, record, hidden)
    names: dict[int, set[str]] = {each.link.pk: set() for each in hidden}
    entries: list[DocumentEntry] = [*document.competitors]
    entries += (player for _number, player in players_of_file(document))
    for entry in entries:
        if owner := matches.whose.get(id(entry)):
            names[owner.link.pk].add(entry.name)
    by_link = {each.link.pk: each.named(names[each.link.pk]) for each in hidden}
    whose = {key: by_link[each.link.pk] for key, each in matches.whose.items()}
    masked: Document = _mask(document, "", IncomingFile([*by_link.values()], whose, document.event))
    return masked, matches


class IncomingFile(NamedTuple):
    """The hidden persons of the event, and the entries of the file by object identity."""

    hidden: Sequence[HiddenEntry]
    whose: Mapping[int, HiddenEntry]
    event: EventEntry


def _with_visible_names(document: Document, event: models.Event) -> Document:
    """Return the document with the names of persons who are visible again.

    Personal data of their entries come from the database, because the file lacks them.
    """
    players = [player for each in document.competitors for player in each.players]
    entries: list[DocumentEntry] = [*document.competitors, *players]
    numbers = [each.name.removeprefix(f"{PSEUDONYM} ") for each in entries if each.name.startswith(PSEUDONYM)]
    keys = [int(each) for each in numbers if each.isdecimal() and len(each) < LONGEST_NUMBER]
    if not keys:
        return document
    links = models.PersonLink.objects.filter(event=event, person__in=keys, person__hidden=False)
    shown = {f"{PSEUDONYM} {each.person_id}": each for each in links.select_related("competitor", "player")}
    there = {pseudonym: each.player or each.competitor for pseudonym, each in shown.items()}
    entries_shown = {pseudonym: entry for pseudonym, entry in there.items() if entry}
    found: Document = _restore_names(document, entries_shown) if entries_shown else document
    return found


def _restore_names(value: Any, entries: Mapping[str, EntryModel]) -> Any:
    if isinstance(value, CompetitorEntry | PlayerEntry) and value.name in entries:
        entry = entries[value.name]
        values = {name: getattr(entry, name) for name in IDENTITY}
        # Labels too, because hiding adds labels in place of birth and club.
        value = replace(value, name=entry.name, categories=tuple(entry.categories), **values)
    if is_dataclass(value) and not isinstance(value, type):
        return _replace_changed(
            value, {each.name: _restore_names(getattr(value, each.name), entries) for each in fields(value)}
        )
    if isinstance(value, tuple):
        return _same_if_unchanged(value, tuple(_restore_names(each, entries) for each in value))
    if isinstance(value, str):
        for pseudonym, entry in entries.items():
            name = entry.name.replace("\\", r"\\")  # escaped for re.sub
            value = re.sub(rf"{re.escape(pseudonym)}(?![0-9])", name, value)
    return value


def _mask(value: Any, name: str, incoming: IncomingFile) -> Any:
    if isinstance(value, CompetitorEntry | PlayerEntry) and id(value) in incoming.whose:
        hidden = incoming.whose[id(value)]
        stored = hidden.entry.categories if hidden.entry else ()
        labels = tuple(declared_labels((*value.categories, *stored), incoming.event))
        value = replace(value, **IDENTITY, name=hidden.pseudonym, categories=labels)
    if is_dataclass(value) and not isinstance(value, type):
        found = {each.name: _mask(getattr(value, each.name), each.name, incoming) for each in fields(value)}
        if isinstance(value, PairingEntry | GameEntry) and value.moves:
            found["moves"] = _masked_moves(value, incoming)
        return _replace_changed(value, found)
    if name in UNCHANGED_FIELDS:
        return value
    if isinstance(value, tuple):
        return _same_if_unchanged(value, tuple(_mask(each, name, incoming) for each in value))
    if isinstance(value, str | list | dict):
        masked: Any = value
        for each in incoming.hidden:
            if name == "trf":
                masked = each.redaction.line(masked)
            else:
                masked = each.redaction.value(masked, is_prose=name in PROSE)
        return value if masked == value else masked
    return value


def _masked_moves(seat: PairingEntry | GameEntry, incoming: IncomingFile) -> str:
    moves = seat.moves
    for each in incoming.hidden:
        if isinstance(seat, GameEntry):
            seats = (seat.first_player, seat.second_player)
            sits = [one is not None and incoming.whose.get(id(one)) is each for one in seats]
            colours = COLOURS[seat.white]
        else:
            number = each.entry.number if isinstance(each.entry, models.Competitor) else None
            sits = [number is not None and number == one for one in (seat.first, seat.second)]
            colours = COLOURS[white_side(incoming.event, seat.colours)]
        found = [colour for colour, is_there in zip(colours, sits, strict=True) if is_there]
        moves = each.redaction.moves(moves, found[0]) if found else each.redaction.text(moves)
    return moves


def _replace_changed(value: Any, found: Mapping[str, Any]) -> Any:
    changed = {name: new for name, new in found.items() if new is not getattr(value, name)}
    return replace(value, **changed) if changed else value


def _same_if_unchanged(before: tuple[Any, ...], after: tuple[Any, ...]) -> tuple[Any, ...]:
    return after if any(new is not old for new, old in zip(after, before, strict=True)) else before
