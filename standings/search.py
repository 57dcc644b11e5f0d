"""Which events, and who in them, a reader's words stand for: case and diacritics make no difference.

Names are folded once and kept in the memory of each process, each event's under its revision (ADR 0016).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from django.db import connection

from standings.facts import PUBLIC
from tournaments.models import Competitor, Event, Player, Revision

MOST_WORDS = 8
LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t"}
    | dict.fromkeys("'’‘ʼ`ʹ", "")
)
"""Letters that do not come apart into a letter and a mark, and signs that stand inside a word."""

BETWEEN_WORDS = re.compile(r"[^\w\n]+")


class Found(NamedTuple):
    """A competitor, or a member of a team, that the words name; the number is the competitor's."""

    number: int
    name: str
    team: str


class Names(NamedTuple):
    """The names of one event at a revision: in the first line its own, then a line for each person or team.

    `folded` is what the words are looked up in, `shown` what is printed of the same line.
    """

    revision: int
    folded: str
    shown: str


Index = dict[int, Names]
"""The names of every public event, by its key."""


def fold(text: str) -> str:
    """Small letters without marks, a space before each word: `Erdős, Łódź` is ` erdos lodz`."""
    plain = text.lower()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = BETWEEN_WORDS.sub(" ", plain.translate(LETTERS))
    return "\n".join(f" {line.strip()}" for line in words.split("\n"))


def words_of(asked: str) -> list[str]:
    """The words to look for, each with the space that makes it the beginning of a word."""
    return [f" {word}" for word in fold(_line(asked)).split()[:MOST_WORDS]]


def search(index: Index, words: list[str]) -> set[int]:
    """The events, by key, in which every word begins a word of the event's own or of one name in it."""
    found = set(index)
    for word in words:
        found = {pk for pk in found if word in index[pk].folded}
    return found if len(words) == 1 else {pk for pk in found if _are_together(index[pk].folded, words)}


def whom(names: Names, words: list[str]) -> list[Found]:
    """Whom the words name in an event that they find; nobody where they name the event itself."""
    own, *lines = names.folded.split("\n")
    others = _beyond(own, words)
    if not others:
        return []
    found = list(enumerate(lines))
    for word in others:
        found = [(at, line) for at, line in found if word in line]
    shown = names.shown.split("\n")
    return [_found(shown[at]) for at, _ in found]


def _are_together(folded: str, words: list[str]) -> bool:
    """Whether the words that are not the event's own begin words of one and the same name."""
    own, _, names = folded.partition("\n")
    others = _beyond(own, words)
    if len(others) < 2:
        return True
    rarest = max(others, key=len)
    return any(all(word in line for word in others) for line in _lines_with(rarest, names))


def _lines_with(word: str, names: str) -> Iterator[str]:
    at = names.find(word)
    while at >= 0:
        start, end = names.rfind("\n", 0, at) + 1, names.find("\n", at)
        yield names[start:end] if end >= 0 else names[start:]
        at = names.find(word, end) if end >= 0 else -1


def _beyond(own: str, words: list[str]) -> list[str]:
    """The words that the event's own line does not have, so that a name must."""
    return [word for word in words if word not in own]


def _found(shown: str) -> Found:
    number, name, team = shown.split("\t")
    return Found(int(number), name, team)


# --- the index ----------------------------------------------------------------------------------------------

_READ: Index = {}
"""What this process has read; an entry counts while its revision is the event's."""

_READING = Lock()
"""One thread reads, the others find what it read."""


def index_at(revision: tuple[int, int]) -> Index:
    """The names at that revision of the site, or newer ones; what is not committed yet is not kept.

    No query where nothing changed since the last search, else one and three for the events that did change.
    """
    if connection.in_atomic_block:
        return _read(list(_versions()))
    with _READING:
        return _kept(revision)


@lru_cache(maxsize=1)
def _kept(_revision: tuple[int, int]) -> Index:
    versions = _versions()
    known = {pk: names for pk, names in _READ.items() if versions.get(pk) == names.revision}
    read = _read([pk for pk in versions if pk not in known])
    _READ.update(read)
    for gone in _READ.keys() - versions.keys():
        _READ.pop(gone, None)
    return known | read


def forget() -> None:
    """Start from nothing, as a new process does: for whoever replaces the database under a running one."""
    _kept.cache_clear()
    _READ.clear()


def _versions() -> dict[int, int]:
    public = Revision.objects.filter(event__state__in=PUBLIC).order_by()
    return dict(public.values_list("event_id", "number"))


def _read(keys: list[int]) -> Index:
    """The names of these events, in three queries; each at the revision it had before they were read."""
    lines: dict[int, list[tuple[str, str]]] = {}
    own = {}
    if keys:
        events = Event.objects.filter(pk__in=keys).order_by()
        told = ("revision__number", "name", "place", "start", "series__name")
        for pk, revision, name, place, start, series in events.values_list("pk", *told):
            own[pk] = (revision, f"{name} {place} {start[:4]} {series or ''}")
            lines[pk] = []
        for pk, folded, shown in (*_competitors(keys), *_players(keys)):
            lines.setdefault(pk, []).append((folded, shown))
    return {pk: _names(revision, text, lines[pk]) for pk, (revision, text) in own.items()}


def _competitors(keys: list[int]) -> Iterable[tuple[int, str, str]]:
    rows = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    for pk, number, name, code in rows.values_list("event", "number", "name", "code").iterator():
        yield pk, f"{name} {code}", _shown(number, name)


def _players(keys: list[int]) -> Iterable[tuple[int, str, str]]:
    rows = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    of_teams = ("competitor__event", "competitor__number", "name", "competitor__name")
    for pk, number, name, team in rows.values_list(*of_teams).iterator():
        yield pk, name, _shown(number, name, team)


def _names(revision: int, own: str, lines: list[tuple[str, str]]) -> Names:
    folded = fold("\n".join(_line(text) for text in (own, *(told for told, _ in lines))))
    return Names(revision, folded, "\n".join(shown for _, shown in lines))


def _shown(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_line(name)}\t{_line(team)}"


def _line(text: str) -> str:
    return " ".join(text.split())
