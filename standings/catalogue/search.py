"""Search for events, and for names in them, by a reader's words; case and diacritics make no difference.

Names are folded once and kept in the memory of each process, each event's under its revision, and beside them
where each word stands (ADR 0016).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, chain
from threading import Lock
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from config.database.bulkhead import wait_in_time
from standings.catalogue.folding import MARK, federations_named, fold, key_of, mark_of, names_of
from tournaments.event.choices import PUBLIC
from tournaments.event.dates import year_of
from tournaments.models import Competitor, Event, Player, Revision
from tournaments.revision import SiteStamp

MOST_WORDS = 8
MOST_HINTS = 3
MOST_COMPARED = 300
"""So many of those whom words name are looked at for the ones that are named best."""

LAST_LETTER = chr(0x10FFFF)


class Found(NamedTuple):
    """A competitor, or a member of a team, that the words name; the number is the competitor's."""

    number: int
    name: str
    team: str


class NamedCompetitor(NamedTuple):
    """A competitor or member of a team whom the words name, and the key of the event.

    `closeness` is 2 where the words are the whole name, 1 where they are words of it, 0 where they only begin
    so; `by_federation`: it is that of the federation's name, which is closer than that of its own.
    """

    event: int
    found: Found
    closeness: int
    by_federation: bool


class NamedCompetitors(NamedTuple):
    """The first of all whom the words name in some events, and how many there are."""

    first: list[NamedCompetitor]
    total: int


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


class IndexLine(NamedTuple):
    """An event, a person or a team on its way into the index: text, mark of its federation, what is shown."""

    text: str
    mark: str
    shown: str


class Hits(NamedTuple):
    """Events in which words were found, by key, and the lines in which they stand.

    `own` are the lines, those of events left out, that have one of the words themselves: where the words name
    an event, all lines of it have them.
    """

    among: "Words"
    keys: set[int]
    lines: NDArray[np.bool_]
    own: NDArray[np.bool_]

    def named(self, ranks: Mapping[int, int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the lines of the people and teams that are named in events with a rank, and these ranks."""
        lines = np.flatnonzero(self.lines & self.own)
        events = np.searchsorted(self.among.firsts, lines, side="right") - 1
        keys = self.among.names
        rank = np.fromiter((ranks.get(key, -1) for key in keys), np.intp, len(keys))[events]
        return lines[rank >= 0], rank[rank >= 0]

    def at(self, line: int) -> tuple[int, Found, str]:
        """Return the key of the event, who stands in a line of the index, and the line as it is searched."""
        event = int(np.searchsorted(self.among.firsts, line, side="right")) - 1
        key = int(self.among.keys[event])
        names, at = self.among.names[key], line - int(self.among.firsts[event])
        return key, _found(names.shown.split("\n")[at - 1]), names.folded.split("\n")[at]

    def named_events(self) -> set[int]:
        """Return the keys of the events that the words name by themselves."""
        if not self.among.names:
            return set()
        return set(self.among.keys[self.lines[self.among.firsts]].tolist())

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
        own = np.zeros_like(found)
        for word in words:
            has = self._having(word.strip())
            own |= has
            found &= has | np.repeat(has[self.firsts], self.sizes)
        own[self.firsts] = False
        if not self.names:
            return Hits(self, set(), found, own)
        return Hits(self, set(self.keys[np.logical_or.reduceat(found, self.firsts)].tolist()), found, own)

    def _having(self, beginning: str) -> NDArray[np.bool_]:
        """For each line, whether a word of it begins so, or is the mark of a federation that is called so."""
        has = np.zeros(self.sizes.sum(), np.bool_)
        federations = federations_named(beginning)
        marks = self._beginning(MARK)
        called_so = (range(at, at + 1) for at in marks if key_of(self.words[at]) in federations)
        for these in (self._beginning(beginning), self._beginning(MARK + beginning), *called_so):
            has[self.lines[self.starts[these.start] : self.starts[these.stop]]] = True
        return has

    def _beginning(self, beginning: str) -> range:
        """Return where the words stand that begin so."""
        start = bisect_left(self.words, beginning)
        # No word goes on with this letter, so all words with that beginning lie before it.
        return range(start, bisect_left(self.words, beginning + LAST_LETTER, start))


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

        self._outdated = index.outdated
        self._words = [word.strip() for word in words]

    def whom(self, key: int) -> Whom:
        """Return who is named in an event that was found; nobody where the words name the event itself."""
        hits = self._changed if key in self._changed.keys else self._most
        return hits.whom(key)

    def named_events(self) -> set[int]:
        """Return the keys of the events that the words name by themselves, without a name in them."""
        return (self._most.named_events() - self._outdated) | self._changed.named_events()

    def competitors(self, ranks: Mapping[int, int], most: int) -> NamedCompetitors:
        """Return the first of those whom the words name in events with a rank, by key, the lowest rank first.

        Competitors stand before members of teams, and closer names before others.
        """
        fewer = {key: rank for key, rank in ranks.items() if key not in self._outdated}
        found = [(hits, *hits.named(of)) for hits, of in ((self._most, fewer), (self._changed, ranks))]
        in_order = sorted(
            (rank, which, line)
            for which, (_hits, lines, rank_of) in enumerate(found)
            for line, rank in _lowest(lines, rank_of)
        )
        named = []
        for _rank, which, line in in_order[:MOST_COMPARED]:
            named.append(self._named(*found[which][0].at(line)))
        named.sort(key=lambda each: (bool(each.found.team), -each.closeness))
        return NamedCompetitors(named[:most], sum(len(lines) for _hits, lines, _rank in found))

    def _named(self, key: int, found: Found, line: str) -> NamedCompetitor:
        """Return who stands in a line, and how close the words come: those that are not the event's."""
        name = fold(found.name).split()
        marks = [word for word in line.split() if word.startswith(MARK)]
        federations = [words for mark in marks for words in names_of(key_of(mark))]
        known = {*name, *(word for words in federations for word in words)}
        own = {word for word in self._words if any(each.startswith(word) for each in known)}
        by_name = 2 if own == set(name) else int(own <= set(name))
        by_federation = 2 if own in federations else 0
        return NamedCompetitor(key, found, max(by_name, by_federation), by_federation > by_name)


APART = 10
"""One event in so many may stand apart; where more have changed, all are put in order again."""


def words_of(asked: str) -> list[str]:
    """The words to look for, each with the space that makes it the beginning of a word."""
    return [f" {word}" for word in fold(_line(asked)).split()[:MOST_WORDS]]


def _lowest(lines: NDArray[np.intp], ranks: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Yield the lines of the lowest ranks with these ranks, no more than are compared."""
    first = np.argsort(ranks, kind="stable")[:MOST_COMPARED]
    return zip(lines[first].tolist(), ranks[first].tolist(), strict=True)


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
    lines: dict[int, list[IndexLine]] = {}
    revisions = {}
    years = {}
    if keys:
        # Revisions first: a name that changes meanwhile is newer than its revision says, and is read again.
        events = Event.objects.filter(pk__in=keys).order_by()
        columns = ("pk", "revision__number", "name", "place", "start", "country", "series__name")
        for each in events.values_list(*columns, named=True):
            text = f"{each.name} {each.place} {each.start[:4]} {each.series__name or ''}"
            years[each.pk] = year_of(each.start)
            revisions[each.pk] = each.revision__number
            lines[each.pk] = [IndexLine(text, mark_of(each.country, years[each.pk]), "")]
        for pk, line in chain(_competitors(keys, years), _players(keys)):
            lines.setdefault(pk, []).append(line)
    return {pk: _names(revision, lines[pk]) for pk, revision in revisions.items()}


def _competitors(keys: list[int], years: Mapping[int, int | None]) -> Iterable[tuple[int, IndexLine]]:
    rows = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    columns = ("event", "number", "name", "code", "flag", "event__teams_are")
    # Not as a list: a thousand events have a hundred thousand names.
    for each in rows.values_list(*columns, named=True).iterator():
        has_nation = each.event__teams_are == Event.TeamsAre.NATIONS
        mark = mark_of(each.flag or (each.code if has_nation else ""), years.get(each.event))
        # The mark begins with the code, which need not be kept twice.
        is_in_mark = mark.startswith(f"{MARK}{each.code.lower()}{MARK}")
        text = each.name if is_in_mark else f"{each.name} {each.code}"
        yield each.event, IndexLine(text, mark, _shown(each.number, each.name))


def _players(keys: list[int]) -> Iterable[tuple[int, IndexLine]]:
    rows = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    columns = ("competitor__event", "competitor__number", "name", "competitor__name")
    for each in rows.values_list(*columns, named=True).iterator():
        shown = _shown(each.competitor__number, each.name, each.competitor__name)
        yield each.competitor__event, IndexLine(each.name, "", shown)


def _names(revision: int, lines: list[IndexLine]) -> Names:
    """Return the names of an event at its revision."""
    folded = fold("\n".join(_line(each.text) for each in lines)).split("\n")
    marked = (f"{text} {each.mark}" if each.mark else text for text, each in zip(folded, lines, strict=True))
    return Names(revision, "\n".join(marked), "\n".join(each.shown for each in lines[1:]))


def _shown(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_line(name)}\t{_line(team)}"


def _line(text: str) -> str:
    return " ".join(text.split())
