"""Search for events, and for names in them, by a reader's words; case, marks and script make no difference.

Each word begins a word of the event or of one name in it. Which events that may be is asked of the full text
of the database in one query (ADR 0039); who is named best is decided here, so that both databases agree.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from standings.catalogue.askedwords import AskedWord, LookedUp, closeness, lines_with
from standings.catalogue.federationwords import names_of
from standings.catalogue.filters import Catalogue
from tournaments.models import SearchKind
from tournaments.search.folding import (
    FEDERATION,
    searchable_lines,
)
from tournaments.search.lookup import Asked, EntryTexts, Standing, entries_of, folded_of, look_up

MOST_HINTS = 3

MOST_READ_THROUGH = 50
"""Events whose names are read to see whether one name has several of the words."""

FEW_READ_THROUGH = 5
"""So many are read rather than asked for pairs of words."""

MOST_SOURCES = 25
"""Events, the best first, whose names are read for lines of their own."""

MOST_COMPARED = 300
"""So many of those whom words name are looked at for the ones that are named best."""

Events = NDArray[np.bool_]
"""For each event of the catalogue, in its order, whether it is one of those."""


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
    """The first of all whom the words name in some events, and how many there are, at least."""

    first: list[NamedCompetitor]
    total: int
    is_exact: bool


class Whom(NamedTuple):
    """The first of those whom the words name in an event, and how many more there are."""

    first: list[Found]
    more: int


NOBODY = Whom([], 0)


class Search:
    """The events of a catalogue that a reader's words find, and whom they name there.

    Two queries at most, none where no name is in doubt. `preferred` are the events that are looked through
    first where not all can be. `is_partial` says that words so short or frequent have more than was looked
    at, `unknown` are words that stand nowhere.
    """

    def __init__(self, catalogue: Catalogue, looked: LookedUp, preferred: Events | None = None) -> None:
        self._catalogue = catalogue
        self.words = looked.words
        self.is_partial = False
        self._own = self._among(looked.begun, SearchKind.EVENT)
        self._names = self._among(looked.begun, SearchKind.NAMES)
        self._looked = looked
        (self._whole_names,) = self._among([looked.whole_name], SearchKind.NAMES)
        self.unknown = [
            word.word
            for word, begun, own, names in zip(self.words, looked.begun, self._own, self._names, strict=True)
            if not (own.any() or names.any() or begun.is_over_events)
        ]
        self._entries: dict[int, EntryTexts] = {}
        self.named = np.logical_and.reduce(self._own)
        self.found: Events = self.named | self._by_names(preferred)

    def _among(self, standing: Iterable[Standing], kind: SearchKind) -> list[Events]:
        return [self._catalogue.among(each.of(kind)) for each in standing]

    def _by_names(self, preferred: Events | None) -> Events:
        """Return the events, beside those that are named, in which one name has all other words."""
        everywhere = np.logical_and.reduce([a | b for a, b in zip(self._own, self._names, strict=True)])
        for (one, other), both in self._looked.together.items():
            everywhere &= self._catalogue.among(both.of(SearchKind.NAMES)) | self._own[one] | self._own[other]
        others = everywhere & ~self.named
        lacking = np.sum([~own for own in self._own], axis=0)
        sure: Events = others & ((lacking == 1) | self._whole_names)
        if np.count_nonzero(others & ~sure & (lacking == 2)) > FEW_READ_THROUGH:
            sure |= others & (lacking == 2) & self._paired()
        doubtful = np.flatnonzero(others & ~sure)
        if preferred is not None:
            doubtful = doubtful[np.argsort(~preferred[doubtful], kind="stable")]
        if len(doubtful) > MOST_READ_THROUGH:
            self.is_partial, doubtful = True, doubtful[:MOST_READ_THROUGH]
        texts = folded_of(SearchKind.NAMES, self._catalogue.pks[doubtful].tolist())
        for at in doubtful.tolist():
            text = texts.get(int(self._catalogue.pks[at]), "")
            sure[at] = bool(lines_with(text, self._others(at)))
        return sure

    def _paired(self) -> Events:
        """Return where two words, one after the other and neither the event's, are of one name."""
        paired: Events = np.zeros(len(self._catalogue), np.bool_)
        each_two = self._among(self._looked.pairs, SearchKind.NAMES)
        for one, other, pairs in zip(self._own, self._own[1:], each_two, strict=False):
            paired |= pairs & ~one & ~other
        return paired

    def _others(self, at: int) -> list[AskedWord]:
        """Return the words that an event has not of itself; `at` is its place in the catalogue."""
        return [word for word, own in zip(self.words, self._own, strict=True) if not own[at]]

    def has_whole_words(self, words: AbstractSet[str]) -> bool:
        """Say whether each of these is a word of an event of the catalogue, or of a name there; one query."""
        standing = look_up([Asked(word, is_whole=True) for word in sorted(words)])
        own, names = (self._among(standing, kind) for kind in (SearchKind.EVENT, SearchKind.NAMES))
        return all((a | b).any() for a, b in zip(own, names, strict=True))

    def _load(self, places: Iterable[int]) -> None:
        """Read the names of these events; one query, none where it was done."""
        keys = (int(self._catalogue.pks[at]) for at in places)
        self._entries |= entries_of(SearchKind.NAMES, [key for key in keys if key not in self._entries])

    def whom(self, keys: Iterable[int]) -> dict[int, Whom]:
        """Return who is named in events that were found, but in those that the words name; one query."""
        places = {key: self._catalogue.place_of(key) for key in keys}
        by_names = {key: at for key, at in places.items() if at is not None and not self.named[at]}
        self._load(by_names.values())
        return {
            key: self._whom(at, self._entries[key]) for key, at in by_names.items() if key in self._entries
        }

    def _whom(self, at: int, entry: EntryTexts) -> Whom:
        shown = entry.shown.split("\n")
        lines = lines_with(entry.folded, self._others(at))
        return Whom([_found(shown[line]) for line in lines[:MOST_HINTS]], len(lines[MOST_HINTS:]))

    @cached_property
    def _sources(self) -> Events:
        """The events whose names have words of their own: those that name an event need not be a name."""
        sources: Events = self.found & np.logical_or.reduce(self._names)
        return sources

    def competitors(self, events: Events, most: int) -> NamedCompetitors:
        """Return the first of those whom the words name in these events, in the order of the catalogue.

        Competitors stand before members of teams, and closer names before others.
        """
        places = np.flatnonzero(self._sources & events)
        if len(places) > MOST_SOURCES:
            places = places[np.argsort(self._distance[places], kind="stable")]
        read = places[:MOST_SOURCES].tolist()
        self._load(read)
        compared: list[tuple[int, NamedCompetitor]] = []
        total = len(places) - len(read)
        for at in read:
            if entry := self._entries.get(int(self._catalogue.pks[at])):
                lines = self._lines_of_names(at, entry)
                total += len(lines)
                near = lines[: MOST_COMPARED - len(compared)]
                compared += ((at, each) for each in self._compare(at, entry, near))
        compared.sort(key=lambda each: (bool(each[1].found.team), -each[1].closeness, each[0]))
        is_exact = len(places) == len(read)
        return NamedCompetitors([each for _at, each in compared[:most]], total, is_exact)

    @cached_property
    def _distance(self) -> NDArray[np.int64]:
        """For each event how near its names are: whole names are 0, whole words 1, beginnings 2.

        Beginnings are many, and the ones that are read are few.
        """
        whole_words = self._among(self._looked.whole_words, SearchKind.NAMES)
        has_words = np.logical_and.reduce([a | b for a, b in zip(self._own, whole_words, strict=True)])
        distance: NDArray[np.int64] = 2 - 2 * self._whole_names - (has_words & ~self._whole_names)
        return distance

    def _lines_of_names(self, at: int, entry: EntryTexts) -> list[int]:
        """Return which lines of an event name somebody: each has a word of its own."""
        if others := self._others(at):
            return lines_with(entry.folded, others)
        return sorted({line for word in self.words for line in lines_with(entry.folded, [word])})

    def _compare(self, at: int, entry: EntryTexts, lines: Sequence[int]) -> Iterator[NamedCompetitor]:
        """Yield who stands in these lines, and how close the words come: those that are not the event's."""
        if not lines:
            return
        key = int(self._catalogue.pks[at])
        shown, folded = entry.shown.split("\n"), entry.folded.split("\n")
        of_lines = [_found(shown[each]) for each in lines]
        names = searchable_lines(each.name for each in of_lines)
        for each, found, folded_name in zip(lines, of_lines, names, strict=True):
            name = folded_name.split()
            marks = [word for word in folded[each].split() if word.startswith(FEDERATION)]
            federations = [words for mark in marks for words in names_of(mark)]
            known = {*name, *(word for words in federations for word in words)}
            own = {asked.word for asked in self.words if any(word.startswith(asked.word) for word in known)}
            by_name = closeness(own, name)
            by_federation = 2 if own in federations else 0
            yield NamedCompetitor(key, found, max(by_name, by_federation), by_federation > by_name)


def _found(shown: str) -> Found:
    number, name, team = shown.split("\t")
    return Found(int(number), name, team)
