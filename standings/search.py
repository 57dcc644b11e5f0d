"""Which events, and who in them, a reader's words stand for: case and diacritics make no difference."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.core.cache import cache
from django.db import connection

from standings.pages import build
from tournaments.models import Competitor, Event, Player

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


class Indexed(NamedTuple):
    """The names of one event at a revision: in the first line its own, then a line for each person or team.

    `folded` is what the words are looked up in, `shown` what is printed of the same line.
    """

    revision: int
    folded: str
    shown: str


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


def search(events: Iterable[Event], words: list[str]) -> dict[int, list[Found]]:
    """The events, by key, in which every word begins a word of the event's own or of one name in it.

    The events carry their `data_version`. Names are read of those that changed since the last search only:
    two queries, none where nothing changed.
    """
    found = {}
    for pk, indexed in _index({event.pk: event for event in events}).items():
        if all(word in indexed.folded for word in words):
            matched = _matched(indexed, words)
            if matched is not None:
                found[pk] = matched
    return found


def _matched(indexed: Indexed, words: list[str]) -> list[Found] | None:
    """Whom the words name; nobody where they name the event itself, None where they name nothing in it."""
    own, *lines = indexed.folded.split("\n")
    others = [word for word in words if word not in own]
    if not others:
        return []
    shown = indexed.shown.split("\n")
    found = [_found(shown[at]) for at, line in enumerate(lines) if all(word in line for word in others)]
    return found or None


def _found(shown: str) -> Found:
    number, name, team = shown.split("\t")
    return Found(int(number), name, team)


def _index(events: dict[int, Event]) -> dict[int, Indexed]:
    """What is kept of the names, each event at its present revision: one cache entry for the whole site."""
    key = f"names-{build()}"
    kept: dict[int, Indexed] = cache.get(key) or {}
    versions = {pk: getattr(event, "data_version", None) for pk, event in events.items()}
    current = {
        pk: kept[pk] for pk, version in versions.items() if pk in kept and kept[pk].revision == version
    }
    changed = [event for pk, event in events.items() if pk not in current]
    if changed:
        current |= _read(changed)
        if not connection.in_atomic_block:  # what is not committed yet may never be
            cache.set(key, current)
    return current


def _read(events: Sequence[Event]) -> dict[int, Indexed]:
    """The names of these events, in two queries."""
    keys = [event.pk for event in events]
    names: dict[int, list[tuple[str, str]]] = {pk: [] for pk in keys}
    competitors = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    for pk, number, name, code in competitors.values_list("event", "number", "name", "code").iterator():
        names[pk].append((f"{name} {code}", _shown(number, name)))
    players = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    of_teams = ("competitor__event", "competitor__number", "name", "competitor__name")
    for pk, number, name, team in players.values_list(*of_teams).iterator():
        names[pk].append((name, _shown(number, name, team)))
    return {event.pk: _indexed(event, names[event.pk]) for event in events}


def _indexed(event: Event, names: list[tuple[str, str]]) -> Indexed:
    series = event.series.name if event.series else ""
    own = f"{event.name} {event.place} {event.start[:4]} {series}"
    folded = fold("\n".join(_line(text) for text in (own, *(told for told, _ in names))))
    return Indexed(getattr(event, "data_version", 0), folded, "\n".join(shown for _, shown in names))


def _shown(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_line(name)}\t{_line(team)}"


def _line(text: str) -> str:
    return " ".join(text.split())
