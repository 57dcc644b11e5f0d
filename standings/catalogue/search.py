"""Search for events and for names in them, ignoring case, diacritics and script.

Each term is a prefix of a word of the event, or of a word of the same name in it. The full-text index of the
database finds candidate events with one query (ADR 0039). Matches are ranked here, so that both databases
give the same results.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from standings.catalogue.filters import Catalogue
from standings.catalogue.listpage import federation_name
from standings.catalogue.search_terms import SearchQuery, SearchTerm, closeness, folded_names, lines_with
from tournaments.event.federations import bearers
from tournaments.models import SearchKind
from tournaments.search.folding import FEDERATION, searchable, searchable_lines, word_of_federation
from tournaments.search.lookup import IndexRow, MatchingKeys, WordQuery, find_matches, folded_of, index_rows

MOST_HINTS = 3

MOST_READ_THROUGH = 50
"""The events whose names are read to check that a single name matches several terms."""

FEW_READ_THROUGH = 5
"""Up to so many events, names are read instead of looking up pairs of terms."""

MOST_SOURCES = 25
"""The events, best matches first, whose names are listed as results of their own."""

MOST_COMPARED = 300
"""The matching names that are ranked."""

Events = NDArray[np.bool_]
"""A mask of the events of the catalogue."""


class Found(NamedTuple):
    """A matching competitor or player. `number`: of the competitor. `team`: of the player, or the club."""

    number: int
    name: str
    team: str


class NamedCompetitor(NamedTuple):
    """A match with the key of its event.

    `closeness`: 2 if the terms are the whole name, 1 if they are words of it, 0 if they are prefixes.
    `group`: the parameter `club` or `federation`, and its value, by which a player is found rather than by
    name. `members`: the number of players, if the match is the group itself.
    """

    event: int
    found: Found
    closeness: int
    group: tuple[str, ...] = ()
    members: int = 0


class NamedCompetitors(NamedTuple):
    """The first matches in some events, and the least number of matches."""

    first: list[NamedCompetitor]
    total: int


class Whom(NamedTuple):
    """The first matches in an event, and the number of further matches."""

    first: list[Found]
    more: int


NOBODY = Whom([], 0)


class Search:
    """The events and names that match a search.

    At most two queries, none if the index is sufficient. `preferred`: the events to read first if too many
    are candidates. `is_partial`: not all candidates were read, as the terms are too short or frequent.
    `unknown`: the terms without any match.
    """

    def __init__(self, catalogue: Catalogue, query: SearchQuery, preferred: Events | None = None) -> None:
        self._catalogue = catalogue
        self.words = query.words
        self.is_partial = False
        self._own = self._among(query.begun, SearchKind.EVENT)
        self._names = self._among(query.begun, SearchKind.NAMES)
        self._query = query
        (self._whole_names,) = self._among([query.whole_name], SearchKind.NAMES)
        self.unknown = [
            word.word
            for word, begun, own, names in zip(self.words, query.begun, self._own, self._names, strict=True)
            if not (own.any() or names.any() or begun.is_over_events)
        ]
        self._entries: dict[int, IndexRow] = {}
        self.named = np.logical_and.reduce(self._own)
        self.found: Events = self.named | self._by_names(preferred)

    def _among(self, standing: Iterable[MatchingKeys], kind: SearchKind) -> list[Events]:
        return [self._catalogue.among(each.of(kind)) for each in standing]

    def _by_names(self, preferred: Events | None) -> Events:
        """Return the events in which a single name matches the terms that the event itself does not match."""
        everywhere = np.logical_and.reduce([a | b for a, b in zip(self._own, self._names, strict=True)])
        for (one, other), both in self._query.together.items():
            everywhere &= self._catalogue.among(both.of(SearchKind.NAMES)) | self._own[one] | self._own[other]
        others = everywhere & ~self.named
        lacking = np.sum([~own for own in self._own], axis=0)
        sure: Events = others & ((lacking == 1) | self._whole_names)
        if np.count_nonzero(others & ~sure & (lacking == 2)) > FEW_READ_THROUGH:
            sure |= others & (lacking == 2) & self._with_pairs()
        doubtful = np.flatnonzero(others & ~sure)
        if preferred is not None:
            doubtful = doubtful[np.argsort(~preferred[doubtful], kind="stable")]
        if len(doubtful) > MOST_READ_THROUGH:
            self.is_partial, doubtful = True, doubtful[:MOST_READ_THROUGH]
        texts = folded_of(SearchKind.NAMES, self._catalogue.pks[doubtful].tolist())
        for at in doubtful.tolist():
            text = texts.get(int(self._catalogue.pks[at]), "")
            sure[at] = bool(lines_with(text, self._missing_terms(at)))
        return sure

    def _with_pairs(self) -> Events:
        """Return the events in which a name matches two adjacent terms that the event does not."""
        paired: Events = np.zeros(len(self._catalogue), np.bool_)
        each_two = self._among(self._query.pairs, SearchKind.NAMES)
        for one, other, pairs in zip(self._own, self._own[1:], each_two, strict=False):
            paired |= pairs & ~one & ~other
        return paired

    def _missing_terms(self, at: int) -> list[SearchTerm]:
        """Return the terms that the event itself does not match; `at`: its position."""
        return [word for word, own in zip(self.words, self._own, strict=True) if not own[at]]

    def has_whole_words(self, words: AbstractSet[str]) -> bool:
        """Return whether all are whole words of events or names of the catalogue; one query."""
        standing = find_matches([WordQuery(word, is_whole=True) for word in sorted(words)])
        own, names = (self._among(standing, kind) for kind in (SearchKind.EVENT, SearchKind.NAMES))
        return all((a | b).any() for a, b in zip(own, names, strict=True))

    def _read_names(self, places: Iterable[int]) -> None:
        """Read the names of these events; one query, none if they are cached."""
        keys = (int(self._catalogue.pks[at]) for at in places)
        self._entries |= index_rows(SearchKind.NAMES, [key for key in keys if key not in self._entries])

    def whom(self, keys: Iterable[int]) -> dict[int, Whom]:
        """Return the matching names by event, without events that match by themselves; one query."""
        places = {key: self._catalogue.place_of(key) for key in keys}
        by_names = {key: at for key, at in places.items() if at is not None and not self.named[at]}
        self._read_names(by_names.values())
        return {
            key: self._whom(at, self._entries[key]) for key, at in by_names.items() if key in self._entries
        }

    def _whom(self, at: int, entry: IndexRow) -> Whom:
        shown = entry.shown.split("\n")
        lines = lines_with(entry.folded, self._missing_terms(at))
        return Whom([_found_name(shown[line]) for line in lines[:MOST_HINTS]], len(lines[MOST_HINTS:]))

    @cached_property
    def _sources(self) -> Events:
        sources: Events = self.found & np.logical_or.reduce(self._names)
        return sources

    def competitors(self, events: Events, most: int) -> NamedCompetitors:
        """Return the first matching names in these events, closer names first, then as in the catalogue.

        Names in live events count as one step closer. Many players of a club or federation are one match.
        """
        live = self._catalogue.live
        places = np.flatnonzero(self._sources & events)
        if len(places) > MOST_SOURCES:
            places = places[np.argsort((self._distance - live)[places], kind="stable")]
        read = places[:MOST_SOURCES].tolist()
        self._read_names(read)
        compared: list[tuple[int, NamedCompetitor]] = []
        total = len(places) - len(read)
        for at in read:
            if entry := self._entries.get(int(self._catalogue.pks[at])):
                lines = self._matching_lines(at, entry)
                total += len(lines)
                near = lines[: MOST_COMPARED - len(compared)]
                compared += ((at, each) for each in self._compare(at, entry, near))
        compared.sort(key=lambda each: (-each[1].closeness - live[each[0]], each[0]))
        grouped = Counter((at, each.group) for at, each in compared if each.group)
        members = {each: self._members(*each) for each, count in grouped.items() if count > MOST_HINTS}
        matches = dict.fromkeys(
            each._replace(found=Found(0, federation_name(each.group[1]), ""), members=members[at, each.group])
            if (at, each.group) in members
            else each
            for at, each in compared
        )
        return NamedCompetitors([*matches][:most], total - len(compared) + len(matches))

    def _members(self, at: int, group: tuple[str, ...]) -> int:
        # All lines, because only the first matches are compared.
        (kind, value), entry = group, self._entries[int(self._catalogue.pks[at])]
        if kind == "club":
            return sum(line.endswith(f"\t{value}") for line in entry.shown.split("\n"))
        marks = {word_of_federation(each.name) for each in bearers() if each.code == value}
        return sum(not marks.isdisjoint(line.split()) for line in entry.folded.split("\n"))

    @cached_property
    def _distance(self) -> NDArray[np.int64]:
        """The distance of each event's names: 0 for a whole name, 1 for whole words, 2 for prefixes.

        Only few events are read if many names match by prefix.
        """
        whole_words = self._among(self._query.whole_words, SearchKind.NAMES)
        has_words = np.logical_and.reduce([a | b for a, b in zip(self._own, whole_words, strict=True)])
        distance: NDArray[np.int64] = 2 - 2 * self._whole_names - (has_words & ~self._whole_names)
        return distance

    def _matching_lines(self, at: int, entry: IndexRow) -> list[int]:
        if others := self._missing_terms(at):
            return lines_with(entry.folded, others)
        return sorted({line for word in self.words for line in lines_with(entry.folded, [word])})

    def _compare(self, at: int, entry: IndexRow, lines: Sequence[int]) -> Iterator[NamedCompetitor]:
        if not lines:
            return
        key = int(self._catalogue.pks[at])
        shown, folded = entry.shown.split("\n"), entry.folded.split("\n")
        of_lines = [_found_name(shown[each]) for each in lines]
        names = searchable_lines(each.name for each in of_lines)
        asked = self._missing_terms(at) or self.words
        tokens = frozenset.intersection(*(term.tokens for term in asked))
        is_team = bool(self._catalogue.having("entrants", "teams")[at])
        for each, found, folded_name in zip(lines, of_lines, names, strict=True):
            name = folded_name.split()
            marks = [word for word in folded[each].split() if word.startswith(FEDERATION)]
            federations = [words for mark in marks for words in folded_names().get(mark, [])]
            known = {*name, *(word for words in federations for word in words)}
            own = {term.word for term in self.words if any(word.startswith(term.word) for word in known)}
            by_name = closeness(own, name) if own else 0
            by_federation = 2 if own in federations else 0
            # The name of a country or a club matches its team, but not its players.
            if is_team and not found.team:
                yield NamedCompetitor(key, found, max(closeness(own, name), by_federation))
            elif (own and by_federation <= by_name) or is_team:
                yield NamedCompetitor(key, found, by_name)
            else:
                shared = [("federation", _code_of(mark)) for mark in tokens.intersection(marks)]
                if all(f" {term.word}" in searchable(found.team) for term in asked):
                    shared.append(("club", found.team))
                yield NamedCompetitor(key, found, 0, next(iter(shared), ()))


@cache
def _code_of(token: str) -> str:
    """Return the code of the federation with this search word, the current one if several had the name."""
    named = (each for each in bearers() if word_of_federation(each.name) == token)
    return min(named, key=lambda each: each.historical).code


def _found_name(shown: str) -> Found:
    number, name, team = shown.split("\t")
    return Found(int(number), name, team)
