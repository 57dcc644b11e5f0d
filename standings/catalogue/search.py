"""Search for events, and for names in them, by a reader's words; case, marks and script make no difference.

Each word begins a word of the event or of one name in it. Which events that may be is asked of the tables of
the search in one query (ADR 0087); who is named best is decided here, so that both databases agree.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from standings.catalogue.federationwords import federations_named, names_of
from standings.catalogue.filters import Catalogue
from tournaments.models import SearchEntry
from tournaments.search.folding import FEDERATION, searchable, whole_name
from tournaments.search.lookup import Asked, entries_of, folded_of, look_up, meant_by

MOST_WORDS = 8
MOST_HINTS = 3

MOST_READ_THROUGH = 200
"""Events whose names are read to see whether one name has several of the words."""

MOST_SOURCES = 40
"""Events, the best first, whose names are read for lines of their own."""

MOST_GUESSES = 3
"""Words that an unknown one is taken for, one after the other, until one is found."""

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


class AskedWord(NamedTuple):
    """A word that is looked for, and the words of the federations that are called so."""

    word: str
    federations: frozenset[str]

    def is_in(self, line: str) -> bool:
        """Say whether a word of a folded line begins so, or is a federation's that is called so."""
        if f" {self.word}" in line:
            return True
        return FEDERATION in line and not self.federations.isdisjoint(line.split())


def words_of(asked: str) -> list[str]:
    """Return the words to look for."""
    return searchable(" ".join(asked.split())).split()[:MOST_WORDS]


class Search:
    """The events of a catalogue that a reader's words find, and whom they name there.

    Two queries. `preferred` are the events that are looked through first where not all can be. `is_partial`
    says that words so short or frequent have more than was looked at, `unknown` are words that stand nowhere.
    """

    def __init__(self, catalogue: Catalogue, words: Sequence[str], preferred: Events | None = None) -> None:
        self._catalogue = catalogue
        self._words = [AskedWord(word, federations_named(word)) for word in dict.fromkeys(words)]
        asked = [Asked(each.word, sorted(each.federations)) for each in self._words]
        *standing, whole = look_up([*asked, Asked("", [whole_name(list(words))])])
        self.is_partial = not all(each.is_all for each in standing)
        self._own = [catalogue.among(each.own) for each in standing]
        self._names = [catalogue.among(each.names) for each in standing]
        self._whole_words = [catalogue.among(each.whole_names) for each in standing]
        self._whole_names = catalogue.among(whole.names)
        self.unknown = [
            word.word
            for word, own, names in zip(self._words, self._own, self._names, strict=True)
            if not (own.any() or names.any())
        ]
        self._entries: dict[int, SearchEntry] = {}
        self.named = np.logical_and.reduce(self._own)
        self.found: Events = self.named | self._by_names(preferred)

    def _by_names(self, preferred: Events | None) -> Events:
        """Return the events, beside those that are named, in which one name has all other words."""
        everywhere = np.logical_and.reduce([a | b for a, b in zip(self._own, self._names, strict=True)])
        others = everywhere & ~self.named
        lacking = np.sum([~own for own in self._own], axis=0)
        sure: Events = others & ((lacking == 1) | self._whole_names)
        doubtful = np.flatnonzero(others & ~sure)
        if preferred is not None:
            doubtful = doubtful[np.argsort(~preferred[doubtful], kind="stable")]
        if len(doubtful) > MOST_READ_THROUGH:
            self.is_partial, doubtful = True, doubtful[:MOST_READ_THROUGH]
        texts = folded_of(self._catalogue.pks[doubtful].tolist())
        for at in doubtful.tolist():
            text = texts.get(int(self._catalogue.pks[at]), "")
            sure[at] = bool(self._lines(text, self._others(at)))
        return sure

    def _others(self, at: int) -> list[AskedWord]:
        """Return the words that an event has not of itself; `at` is its place in the catalogue."""
        return [word for word, own in zip(self._words, self._own, strict=True) if not own[at]]

    def _lines(self, text: str, words: Iterable[AskedWord]) -> list[int]:
        """Return which lines of names have all these words, from 0."""
        lines = list(enumerate(text.split("\n")[1:]))
        for word in words:
            lines = [(at, line) for at, line in lines if word.is_in(line)]
        return [at for at, _line in lines]

    def _load(self, places: Iterable[int]) -> None:
        """Read the names of these events; one query, none where it was done."""
        keys = (int(self._catalogue.pks[at]) for at in places)
        self._entries |= entries_of([key for key in keys if key not in self._entries])

    def whom(self, keys: Iterable[int]) -> dict[int, Whom]:
        """Return who is named in events that were found, but in those that the words name; one query."""
        places = {key: self._catalogue.place_of(key) for key in keys}
        by_names = {key: at for key, at in places.items() if at is not None and not self.named[at]}
        self._load(by_names.values())
        return {
            key: self._whom(at, self._entries[key]) for key, at in by_names.items() if key in self._entries
        }

    def _whom(self, at: int, entry: SearchEntry) -> Whom:
        shown = entry.shown.split("\n")
        lines = self._lines(entry.folded, self._others(at))
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
        whole_words = np.logical_and.reduce(
            [own | whole for own, whole in zip(self._own, self._whole_words, strict=True)]
        )
        # Whole names first, then whole words: beginnings are many, and the ones that are read are few.
        far = 2 - 2 * self._whole_names - (whole_words & ~self._whole_names)
        places = places[np.argsort(far[places], kind="stable")]
        read = places[:MOST_SOURCES].tolist()
        self._load(read)
        named = [(at, *each) for at in read for each in self._named_in(at)]
        compared = [(at, self._compare(at, found, line)) for at, found, line in named[:MOST_COMPARED]]
        compared.sort(key=lambda each: (bool(each[1].found.team), -each[1].closeness, each[0]))
        unread = len(places) - len(read)
        return NamedCompetitors([each for _at, each in compared[:most]], len(named) + unread, not unread)

    def _named_in(self, at: int) -> list[tuple[Found, str]]:
        """Return who is named in an event, each with the folded line; each line has a word of its own."""
        entry = self._entries.get(int(self._catalogue.pks[at]))
        if entry is None:
            return []
        shown, folded = entry.shown.split("\n"), entry.folded.split("\n")[1:]
        lines = self._lines(entry.folded, self._others(at))
        having = [line for line in lines if any(word.is_in(folded[line]) for word in self._words)]
        return [(_found(shown[line]), folded[line]) for line in having]

    def _compare(self, at: int, found: Found, line: str) -> NamedCompetitor:
        """Return who stands in a line, and how close the words come: those that are not the event's."""
        name = searchable(found.name).split()
        marks = [word for word in line.split() if word.startswith(FEDERATION)]
        federations = [words for mark in marks for words in names_of(mark)]
        known = {*name, *(word for words in federations for word in words)}
        own = {each.word for each in self._words if any(word.startswith(each.word) for word in known)}
        by_name = 2 if own == set(name) else int(own <= set(name))
        by_federation = 2 if own in federations else 0
        key = int(self._catalogue.pks[at])
        return NamedCompetitor(key, found, max(by_name, by_federation), by_federation > by_name)


def _found(shown: str) -> Found:
    number, name, team = shown.split("\t")
    return Found(int(number), name, team)


def meant(words: Sequence[str], unknown: Sequence[str]) -> list[list[str]]:
    """Return what may have been meant by words of which some stand nowhere, the likeliest first.

    A query for each unknown word; none of these is said to find anything that readers see.
    """
    guesses = {word: meant_by(word, MOST_GUESSES) for word in unknown}
    if not all(guesses.values()):
        return []
    most = max(map(len, guesses.values()), default=0)
    return [
        [guesses[word][min(at, len(guesses[word]) - 1)] if word in guesses else word for word in words]
        for at in range(most)
    ]
