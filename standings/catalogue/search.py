"""Search for events, and for names in them, by a reader's words; case and diacritics make no difference.

Names are folded once and kept in the memory of each process, each event's under its revision, and beside them
where each word stands (ADR 0016).
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate, chain
from threading import Lock
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from config.database.bulkhead import wait_in_time
from tournaments.event.choices import PUBLIC
from tournaments.models import Competitor, Event, Player, Revision
from tournaments.revision import SiteStamp

MOST_WORDS = 8
MOST_HINTS = 3
LAST_LETTER = chr(0x10FFFF)
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


class Whom(NamedTuple):
    """The first of those whom the words name in an event, and how many more there are."""

    first: list[Found]
    more: int


NOBODY = Whom([], 0)


class Names(NamedTuple):
    """The names of one event at a revision: in the first line its own, then a line for each person or team.

    `folded` is what the words are looked up in, `shown` what is printed of the same line.
    """

    revision: int
    folded: str
    shown: str


class Hits(NamedTuple):
    """Events in which words were found, by key, and the lines in which they stand."""

    among: "Words"
    keys: set[int]
    lines: NDArray[np.bool_]

    def whom(self, key: int) -> Whom:
        """Return who is named in an event that was found; nobody where the words name the event itself."""
        first = self.among.firsts_by_key[key]
        if self.lines[first]:
            return NOBODY
        shown = self.among.names[key].shown.split("\n")
        named = np.flatnonzero(self.lines[first + 1 : first + 1 + len(shown)]).tolist()
        return Whom([_found(shown[at]) for at in named[:MOST_HINTS]], len(named[MOST_HINTS:]))


class Words:
    """The words of some events in order, and where each stands, so that what begins alike lies together.

    All lines of the events are counted through: `lines` has those of one word after those of another,
    `firsts_by_key` the first of each event, by key, which has `sizes` of them.
    """

    def __init__(self, names: Mapping[int, Names]) -> None:
        self.names = names
        folded = [each.folded.split("\n") for each in names.values()]
        standing: defaultdict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(chain.from_iterable(folded)):
            for word in set(line.split()):
                standing[word].append(at)
        self.words = sorted(standing)
        in_order = [standing[word] for word in self.words]
        self.starts = [0, *accumulate(map(len, in_order))]
        self.lines = np.fromiter(chain.from_iterable(in_order), np.intp, self.starts[-1])
        self.sizes = np.fromiter(map(len, folded), np.intp, len(folded))
        self.firsts = np.cumsum(self.sizes) - self.sizes
        self.firsts_by_key = dict(zip(names, self.firsts.tolist(), strict=True))
        self.keys = np.fromiter(names, np.int64, len(names))

    def search(self, words: list[str]) -> Hits:
        """The lines that have every word which the first line of their event has not."""
        found = np.ones(self.sizes.sum(), np.bool_)
        for word in words:
            has = self._having(word.strip())
            found &= has | np.repeat(has[self.firsts], self.sizes)
        if not self.names:
            return Hits(self, set(), found)
        return Hits(self, set(self.keys[np.logical_or.reduceat(found, self.firsts)].tolist()), found)

    def _having(self, beginning: str) -> NDArray[np.bool_]:
        """For each line, whether a word of it begins so."""
        start = bisect_left(self.words, beginning)
        # No word goes on with this letter, so all words with that beginning lie before it.
        end = bisect_left(self.words, beginning + LAST_LETTER, start)
        has = np.zeros(self.sizes.sum(), np.bool_)
        has[self.lines[self.starts[start] : self.starts[end]]] = True
        return has


class Index(NamedTuple):
    """The names of every public event in an epoch, by its key, and the words of them.

    To put the words of a thousand events in order takes a third of a second. So those of the few that changed
    since stand apart, and what `most` has of these is outdated.
    """

    epoch: str
    names: Mapping[int, Names]
    most: Words
    changed: Words
    outdated: frozenset[int]


class Search:
    """The events that a reader's words find: each word begins a word of the event or of one name in it.

    `keys` are those of the events.
    """

    def __init__(self, index: Index, words: list[str]) -> None:
        self._most, self._changed = index.most.search(words), index.changed.search(words)
        self.keys = (self._most.keys - index.outdated) | self._changed.keys

    def whom(self, key: int) -> Whom:
        """Return who is named in an event that was found; nobody where the words name the event itself."""
        hits = self._changed if key in self._changed.keys else self._most
        return hits.whom(key)


APART = 10
"""One event in so many may stand apart; where more have changed, all are put in order again."""


def fold(text: str) -> str:
    """Small letters without marks, a space before each word: `Erdős, Łódź` is ` erdos lodz`."""
    folded = text.lower()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        # Decomposed after folding: `İ` folds into a letter and a mark of its own.
        folded = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = BETWEEN_WORDS.sub(" ", folded.translate(LETTERS))
    return "\n".join(f" {line.strip()}" for line in words.split("\n"))


def words_of(asked: str) -> list[str]:
    """The words to look for, each with the space that makes it the beginning of a word."""
    return [f" {word}" for word in fold(_line(asked)).split()[:MOST_WORDS]]


def _found(shown: str) -> Found:
    number, name, team = shown.split("\t")
    return Found(int(number), name, team)


# --- the index ----------------------------------------------------------------------------------------------

_LAST: list[Index] = []
"""The index that this process had last, if any; names in it count while their revision is the event's."""

_READING = Lock()
"""One thread reads, the others find what it read."""

LONGEST_WAIT = 10
"""Seconds that they wait for it."""


def index_at(site: SiteStamp) -> Index:
    """The names at that revision of the site, or newer ones; what is not committed yet is not kept.

    No query where nothing changed since the last search, else one and three for the events that did change.
    """
    if connection.in_atomic_block:  # what is read here may be rolled back, and must not stay in memory
        return _index(site.epoch, _read(list(_versions())))
    wait_in_time(lambda seconds: _READING.acquire(timeout=seconds), LONGEST_WAIT)
    try:
        return _kept(site)
    finally:
        _READING.release()


@lru_cache(maxsize=1)
def _kept(site: SiteStamp) -> Index:
    versions = _versions()
    # In another epoch the same revision is of other names.
    last = _LAST[0] if _LAST and _LAST[0].epoch == site.epoch else None
    before = last.names if last else {}
    known = {pk: names for pk, names in before.items() if versions.get(pk) == names.revision}
    index = _index(site.epoch, known | _read([pk for pk in versions if pk not in known]), last)
    _LAST[:] = [index]
    return index


def _index(epoch: str, names: Mapping[int, Names], last: Index | None = None) -> Index:
    """The index of these names, by the words that were put in order for the last one."""
    ordered = last.most.names if last else {}
    changed = {pk: each for pk, each in names.items() if ordered.get(pk) is not each}
    if last is None or len(changed) * APART > len(names):
        return Index(epoch, names, Words(names), Words({}), frozenset())
    outdated = frozenset(pk for pk, each in ordered.items() if names.get(pk) is not each)
    return Index(epoch, names, last.most, Words(changed), outdated)


def forget() -> None:
    """Start from nothing, as a new process does: for whoever replaces the database under a running one."""
    _kept.cache_clear()
    _LAST.clear()


def _versions() -> dict[int, int]:
    public = Revision.objects.filter(event__state__in=PUBLIC).order_by()
    return dict(public.values_list("event_id", "number"))


def _read(keys: list[int]) -> dict[int, Names]:
    """The names of these events, in three queries; each at the revision it had before they were read."""
    lines: dict[int, list[tuple[str, str]]] = {}
    events_found = {}
    if keys:
        # Revisions first: a name that changes meanwhile is newer than its revision says, and is read again.
        events = Event.objects.filter(pk__in=keys).order_by()
        columns = ("pk", "revision__number", "name", "place", "start", "series__name")
        for each in events.values_list(*columns, named=True):
            text = f"{each.name} {each.place} {each.start[:4]} {each.series__name or ''}"
            events_found[each.pk] = (each.revision__number, text)
            lines[each.pk] = []
        for pk, folded, shown in (*_competitors(keys), *_players(keys)):
            lines.setdefault(pk, []).append((folded, shown))
    return {pk: _names(revision, text, lines[pk]) for pk, (revision, text) in events_found.items()}


def _competitors(keys: list[int]) -> Iterable[tuple[int, str, str]]:
    rows = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    # Not as a list: a thousand events have a hundred thousand names.
    for each in rows.values_list("event", "number", "name", "code", named=True).iterator():
        yield each.event, f"{each.name} {each.code}", _shown(each.number, each.name)


def _players(keys: list[int]) -> Iterable[tuple[int, str, str]]:
    rows = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    columns = ("competitor__event", "competitor__number", "name", "competitor__name")
    for each in rows.values_list(*columns, named=True).iterator():
        shown = _shown(each.competitor__number, each.name, each.competitor__name)
        yield each.competitor__event, each.name, shown


def _names(revision: int, event: str, lines: list[tuple[str, str]]) -> Names:
    folded = fold("\n".join(_line(text) for text in (event, *(searched for searched, _ in lines))))
    return Names(revision, folded, "\n".join(shown for _, shown in lines))


def _shown(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_line(name)}\t{_line(team)}"


def _line(text: str) -> str:
    return " ".join(text.split())
