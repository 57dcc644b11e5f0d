"""A file on its way into an event, without the persons who are hidden there (ADR 0090).

So an export of the time before brings no name back, and no record of a ruling seems to be changed by it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from tournaments import models
from tournaments.event.document import CompetitorEntry, Document, GameEntry, PairingEntry, PlayerEntry
from tournaments.people.hiddenentries import IDS, Entry, HiddenEntry, hidden_entries
from tournaments.people.public import PSEUDONYM
from tournaments.people.withholding import COLOURS, IDENTITY, OWN_NAMES, PROSE

AS_IT_CAME = OWN_NAMES | {"moves"}
"""What is no text about anybody, and moves, whose tags are about those who sit at the game."""

AnyEntry = CompetitorEntry | PlayerEntry
LONGEST_NUMBER = 19
"""Digits of a number, at most, that no key of a row has."""


def without_hidden(document: Document, event: models.Event) -> Document:
    """Return a document as the event would tell it: pseudonyms of those who are hidden in it, and no others.

    One query where nobody is hidden and no entry is called by a pseudonym. A file of the time when somebody
    was hidden brings that pseudonym back over no name that is shown again.
    """
    hidden = hidden_entries(event)
    document = _with_shown(document, event)
    if not hidden:
        return document
    masked: Document = _masked(document, "", _incoming(document, hidden))
    return masked


class Incoming(NamedTuple):
    """Who is hidden in the event, and which entries of the file are theirs, by the identity of the object."""

    hidden: Sequence[HiddenEntry]
    whose: Mapping[int, HiddenEntry]


def _incoming(document: Document, hidden: Sequence[HiddenEntry]) -> Incoming:
    """Find the entries of hidden persons; a name that the file alone has for one is looked for in its texts.

    One that is not in the event now is linked, and hidden, when the file is stored.
    """
    known: list[HiddenEntry] = []
    whose: dict[int, HiddenEntry] = {}
    competitors = [(each.number, each) for each in document.competitors]
    players = list(_members_of(document))
    for each in hidden:
        entries: Sequence[tuple[int, AnyEntry]] = (
            competitors if isinstance(each.entry, models.Competitor) else players
        )
        found = _entries_of(each, entries) if each.entry else []
        named = each.named({entry.name for entry in found})
        known.append(named)
        whose |= {id(entry): named for entry in found}
    return Incoming(known, whose)


def _members_of(document: Document) -> Iterator[tuple[int, PlayerEntry]]:
    """Yield every player with the number of the team, as its roster and as its games have them."""
    yield from ((each.number, player) for each in document.competitors for player in each.players)
    for _round, pairing in document.pairings():
        for game in pairing.games:
            for team, player in ((pairing.first, game.first_player), (pairing.second, game.second_player)):
                if team is not None and player is not None:
                    yield team, player


def _entries_of(hidden: HiddenEntry, entries: Sequence[tuple[int, AnyEntry]]) -> list[AnyEntry]:
    """Return which entries of a file are a hidden person's: by an id, the pseudonym, else by a name.

    Where somebody else has the name too, the number of the competitor or the team tells which.
    """
    ids = {*hidden.redaction.ids}
    by_id = [each for _number, each in entries if ids & {str(getattr(each, name)) for name in IDS}]
    by_id += [each for _number, each in entries if each.name == hidden.pseudonym]
    if by_id:
        return by_id
    named = [(number, each) for number, each in entries if hidden.redaction.is_name(each.name)]
    if hidden.redaction.has_namesake or len({number for number, _each in named}) > 1:
        team = hidden.entry.competitor if isinstance(hidden.entry, models.Player) else hidden.entry
        named = [(number, each) for number, each in named if team and number == team.number]
    return [each for _number, each in named]


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
            colours = COLOURS["first"]  # who has White
        found = [colour for colour, is_there in zip(colours, sits, strict=True) if is_there]
        moves = each.redaction.moves(moves, found[0] if found else None)
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
