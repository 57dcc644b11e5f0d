"""Remove hidden persons from a file before it is imported (ADR 0041).

Without this, an older export would restore their names, and overrides would seem to be changed. Entries are
found by id, name or other facts. The number identifies one of two namesakes only if the file has both as
stored. If nothing identifies the entry, all possible entries are reported, so that a new number never
reveals a person.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from tournaments import models
from tournaments.event.choices import white_side
from tournaments.event.dates import parse_year
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
)
from tournaments.people.hiding.anonymise import COLOURS, IDENTITY, OWN_NAMES, PROSE, declared_labels
from tournaments.people.hiding.hidden_entries import IDS, EntryModel, HiddenEntry, hidden_entries
from tournaments.people.public import PSEUDONYM

UNCHANGED_FIELDS = OWN_NAMES | {"moves"}
"""Fields without prose about persons; and moves, whose tags are handled with the players of the game."""

LONGEST_NUMBER = 19
"""Maximum number of digits that are read as a key."""


DocumentEntry = CompetitorEntry | PlayerEntry
At = tuple[bool, int, str]
"""Place of an entry: whether it is a player of a team, number of the competitor or team, and name."""

FACTS = ("title", "sex", "club", "city", "code", *IDS)
"""Facts that distinguish namesakes if both entries have them, in addition to birth, rating and opponents."""

NEAR_RATING = 100
"""Maximum change of a player's rating between two versions of a file."""

Facts = Mapping[str, Any]


class HiddenMatches(NamedTuple):
    """Entries of hidden persons, by object identity and by place. `doubtful`: possible entries by place."""

    whose: Mapping[int, HiddenEntry]
    own: Mapping[At, int]
    doubtful: Mapping[At, int]


NO_MATCHES = HiddenMatches({}, {}, {})


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
    if isinstance(value, str):
        for pseudonym, entry in entries.items():
            name = entry.name.replace("\\", r"\\")  # escaped for re.sub
            value = re.sub(rf"{re.escape(pseudonym)}(?![0-9])", name, value)
        return value
    return _with_changed_parts(value, "", lambda each, _name: _restore_names(each, entries))


def _mask(value: Any, name: str, incoming: IncomingFile) -> Any:
    if isinstance(value, CompetitorEntry | PlayerEntry) and id(value) in incoming.whose:
        hidden = incoming.whose[id(value)]
        stored = hidden.entry.categories if hidden.entry else ()
        labels = tuple(declared_labels((*value.categories, *stored), incoming.event))
        value = replace(value, **IDENTITY, name=hidden.pseudonym, categories=labels)
    if isinstance(value, PairingEntry | GameEntry) and value.moves:
        value = replace(value, moves=_masked_moves(value, incoming))
    if name in UNCHANGED_FIELDS:
        return value
    if isinstance(value, str | list | dict):
        masked: Any = value
        for each in incoming.hidden:
            if name == "trf":
                masked = each.redaction.line(masked)
            else:
                masked = each.redaction.value(masked, is_prose=name in PROSE)
        return value if masked == value else masked
    return _with_changed_parts(value, name, lambda each, part: _mask(each, part, incoming))


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


def _with_changed_parts(value: Any, name: str, change: Callable[[Any, str], Any]) -> Any:
    """Change the fields of a dataclass or the items of a tuple. Return the same object if none differs."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {each.name: change(getattr(value, each.name), each.name) for each in fields(value)}
        changed = {part: new for part, new in parts.items() if new is not getattr(value, part)}
        return replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        items = tuple(change(each, name) for each in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


# --- entries in the file -----------------------------------------------------------------------------------


def find_hidden_entries(document: Document, record: Document, hidden: Sequence[HiddenEntry]) -> HiddenMatches:
    """Find the entries of hidden persons in a file. `record`: the stored event."""
    whose: dict[int, HiddenEntry] = {}
    own: dict[At, int] = {}
    doubtful: dict[At, int] = {}
    there = [each for each in hidden if each.entry]
    for each in there:
        entries, stored = (_entries_in_file(of, each) for of in (document, record))
        facts = _facts_by_number(document, entries), _record_facts(record, stored, each, there)
        # An id that the database has for another person of the event is ignored.
        others = {value for _number, entry in stored for value in _ids_of_entry(entry)}
        own_entries, doubts = _matching_entries(each, entries, *facts, {*each.redaction.ids} - others)
        is_player = isinstance(each.entry, models.Player)
        for number, entry in entries:
            at = (is_player, number, entry.name)
            if id(entry) in own_entries:
                whose[id(entry)], own[at] = each, each.link.person_id
            elif id(entry) in doubts:
                doubtful.setdefault(at, each.link.person_id)
    return HiddenMatches(whose, own, {at: person for at, person in doubtful.items() if at not in own})


def _entries_in_file(document: Document, hidden: HiddenEntry) -> list[tuple[int, DocumentEntry]]:
    if isinstance(hidden.entry, models.Competitor):
        return [(each.number, each) for each in document.competitors]
    return list(players_of_file(document))


def players_of_file(document: Document) -> Iterator[tuple[int, PlayerEntry]]:
    """Yield all players with the number of their team, from rosters and games."""
    yield from ((each.number, player) for each in document.competitors for player in each.players)
    for _round, pairing in document.pairings():
        for game in pairing.games:
            for team, player in ((pairing.first, game.first_player), (pairing.second, game.second_player)):
                if team is not None and player is not None:
                    yield team, player


def _matching_entries(
    hidden: HiddenEntry,
    entries: Sequence[tuple[int, DocumentEntry]],
    facts: Mapping[int, Facts],
    record: Mapping[int, Facts],
    ids: Collection[str],
) -> tuple[set[int], set[int]]:
    """Return the ids (`id()`) of the entries of the hidden person, and of possible ones.

    `ids`: identifiers of the hidden person that are unambiguous in this event.
    """
    by_id = {id(each) for _number, each in entries if not _ids_of_entry(each).isdisjoint(ids)}
    by_id |= {id(each) for _number, each in entries if each.name == hidden.pseudonym}
    if by_id:
        return by_id, set()
    named = [(number, each) for number, each in entries if hidden.redaction.is_name(each.name)]
    found = {number: facts[number] for number, _each in named}
    if len(found) <= 1 and len(record) == 1:
        return {id(each) for _number, each in named}, set()
    own, doubts = _matching_numbers(found, record, _number_of(hidden))
    own_entries = {id(each) for number, each in named if number in own}
    return own_entries, {id(each) for number, each in named if number in doubts}


def _ids_of_entry(entry: DocumentEntry) -> set[str]:
    return {str(value) for name in IDS if (value := getattr(entry, name))}


def _matching_numbers(
    found: Mapping[int, Facts], record: Mapping[int, Facts], number: int
) -> tuple[set[int], set[int]]:
    """Return the number of the hidden person's namesake, and possible numbers.

    `record`: facts of the stored namesakes by number. `number`: number of the hidden one.
    """
    same = {at for at, facts in found.items() if at in record and not _contradict(facts, record[at])}
    if same == {*record}:
        return {number}, set()  # other namesakes were added since
    fits = {at for at, facts in found.items() if not _contradict(facts, record[number])}
    if not fits:
        # The hidden person's facts have changed, or the person has left. Unchanged namesakes are excluded.
        fits = {*found} - same
    if len(fits) == 1 and not fits & same - {number}:
        return fits, set()
    own = fits & {number} or set(sorted(fits - same)[:1])
    return own, fits - own


def _contradict(one: Facts, other: Facts) -> bool:
    for what in {*one} & {*other}:
        far = abs(one[what] - other[what]) > NEAR_RATING if what == "rating" else one[what] != other[what]
        if far:
            return True
    return False


def _facts_by_number(document: Document, entries: Iterable[tuple[int, DocumentEntry]]) -> dict[int, Facts]:
    found: dict[int, Facts] = {}
    for number, entry in entries:
        found.setdefault(number, _facts_of({name: getattr(entry, name, "") for name in _FACT_FIELDS}))
    for round_number, pairing in document.pairings():
        for one, opponent in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
            if one in found and opponent is not None:
                found[one] = {**found[one], f"opponent {round_number}": opponent}
    return found


_FACT_FIELDS = (*FACTS, "born", "rating")


def _facts_of(values: Mapping[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {name: values[name] for name in (*FACTS, "rating") if values.get(name)}
    if year := parse_year(values.get("born", "")):
        facts["born"] = year  # public files contain only the year
    return facts


def _record_facts(
    record: Document,
    entries: Sequence[tuple[int, DocumentEntry]],
    hidden: HiddenEntry,
    others: Sequence[HiddenEntry],
) -> dict[int, Facts]:
    pseudonyms = {
        (_number_of(each), each.pseudonym): each
        for each in others
        if each is hidden or any(map(hidden.redaction.is_name, each.redaction.names))
    }
    listed = [
        (number, entry)
        for number, entry in entries
        if (number, entry.name) in pseudonyms or hidden.redaction.is_name(entry.name)
    ]
    facts = _facts_by_number(record, listed)
    for number, entry in listed:
        if each := pseudonyms.get((number, entry.name)):
            facts[number] = {**facts[number], **_facts_of(each.before)}
    facts.setdefault(_number_of(hidden), _facts_of(hidden.before))
    return facts


def _number_of(hidden: HiddenEntry) -> int:
    team = hidden.entry.competitor if isinstance(hidden.entry, models.Player) else hidden.entry
    return int(team.number or 0) if team else 0
