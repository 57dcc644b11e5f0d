"""Search for persons and teams by all their names.

The full-text index finds blocks of a hundred persons; their texts decide which persons match. Persons and
teams that the directory leaves out are never shown.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Subquery
from numpy.typing import NDArray

from standings.catalogue.search_terms import SearchQuery, SearchTerm, closeness, lines_with
from tournaments.models import SearchKind
from tournaments.people.entries import Leading, leading_to
from tournaments.people.services.tallies import LISTED_PERSONS, LISTED_TEAMS
from tournaments.search.folding import searchable, searchable_lines
from tournaments.search.lookup import IndexRow, index_rows

MOST_HUNDREDS = 20
"""The blocks that are read, best matches first."""

MOST_CANDIDATES = 60
"""The matches among which those with the most events are chosen."""

HUNDREDS_AT_A_TIME = 200
"""The blocks per query if all blocks are read."""

Hundreds = NDArray[np.int64]


class PersonHit(NamedTuple):
    """A person or team that matches the search. `events`: the number of public events.

    `found_by`: the matching name, if it differs from the name of the page.
    """

    address: str
    name: str
    is_team: bool
    closeness: int
    events: int
    found_by: str


class _Candidate(NamedTuple):
    key: int
    closeness: int
    name: str


class PeopleHits(NamedTuple):
    """The first matching persons or teams. `is_all`: there are no others."""

    first: list[PersonHit]
    is_all: bool


class KeysNamed(NamedTuple):
    """The keys of the matching persons or teams. `is_all`: there are no others.

    `correction`: the corrected terms if the original ones do not match.
    """

    keys: list[int]
    is_all: bool
    correction: str = ""


def people_named(query: SearchQuery, kind: SearchKind, most: int) -> PeopleHits:
    """Return the best matches: closest names first, then most events.

    Two queries, none if no block matches.
    """
    hundreds = _sorted_blocks(query, kind)
    read = hundreds[:MOST_HUNDREDS].tolist()
    entries = index_rows(kind, read)
    candidates = [
        each for number in read if (entry := entries.get(number)) for each in _candidates(query.words, entry)
    ]
    candidates.sort(key=lambda each: (-each.closeness, each.key))
    found = _public_candidates(candidates[:MOST_CANDIDATES], kind) if candidates else []
    is_all = len(hundreds) <= MOST_HUNDREDS and len(candidates) <= MOST_CANDIDATES and len(found) <= most
    hits = [person_hit(leading_to(row), each.closeness, row.events, each.name) for each, row in found[:most]]
    return PeopleHits(hits, is_all)


def keys_named(query: SearchQuery, kind: SearchKind, most: int, whole: Collection[str] = ()) -> KeysNamed:
    """Return persons or teams that match all terms in names and ids, at least `most` if there are so many.

    Terms match prefixes, except those in `whole`. Persons and teams without public events are included. One
    query per 200 blocks.
    """
    hundreds = _matching_blocks(query, kind).tolist()
    keys: list[int] = []
    for at in range(0, len(hundreds), HUNDREDS_AT_A_TIME):
        if len(keys) >= most:
            return KeysNamed(keys, is_all=False)
        entries = index_rows(kind, hundreds[at : at + HUNDREDS_AT_A_TIME])
        for _hundred, entry in sorted(entries.items()):
            keys += _keys_in(entry, query.words, whole)
    return KeysNamed(keys, is_all=True)


def _keys_in(entry: IndexRow, words: Sequence[SearchTerm], whole: Collection[str]) -> Iterator[int]:
    shown = entry.shown.split("\n")
    lines = [shown[at].partition("\t") for at in lines_with(entry.folded, words)]
    names = searchable_lines(names.replace("\t", " ") for _key, _tab, names in lines)
    for (key, _tab, _names), name in zip(lines, names, strict=False):
        # Codes and ids are in the line too: a code is no name, and an id has only digits.
        if all(_is_word_of_name(each.word, name, whole) for each in words):
            yield int(key)


def _is_word_of_name(word: str, name: str, whole: Collection[str]) -> bool:
    return word.isdecimal() or (word in name.split() if word in whole else f" {word}" in name)


def _matching_blocks(query: SearchQuery, kind: SearchKind) -> Hundreds:
    """Return the blocks that match all terms, and all pairs of terms as far as the index can combine them."""
    found: Hundreds = reduce(
        np.intersect1d, (each.of(kind) for each in (*query.begun, *query.together.values()))
    )
    return found


def _sorted_blocks(query: SearchQuery, kind: SearchKind) -> Hundreds:
    found = _matching_blocks(query, kind)
    if len(found) <= MOST_HUNDREDS:
        return found
    whole_words = reduce(np.intersect1d, (each.of(kind) for each in query.whole_words))
    pairs = [each.of(kind) for each in query.pairs]
    paired = reduce(np.intersect1d, pairs) if pairs else found[:0]
    near = [np.isin(found, each) for each in (query.whole_name.of(kind), paired, whole_words)]
    order = np.lexsort([found, *(~each for each in reversed(near))])  # np.lexsort sorts by the last key first
    ordered: Hundreds = found[order]
    return ordered


def _candidates(words: Sequence[SearchTerm], entry: IndexRow) -> Iterator[_Candidate]:
    lines = lines_with(entry.folded, words)
    folded, shown = entry.folded.split("\n"), entry.shown.split("\n")
    told = [shown[at].split("\t") for at in lines]
    apart = iter(searchable_lines(name for _key, *names in told for name in names))
    for at, (key, *names) in zip(lines, told, strict=True):
        asked = {each.word for each in words if f" {each.word}" in folded[at]}
        close = [(closeness(asked, next(apart).split()), name) for name in names]
        if asked:
            yield _Candidate(int(key), *max(close, key=itemgetter(0)))


def _public_candidates(candidates: Sequence[_Candidate], kind: SearchKind) -> list[tuple[_Candidate, Any]]:
    listed = LISTED_TEAMS if kind == SearchKind.TEAMS else LISTED_PERSONS
    linked = listed.of_each(listed.links).order_by().values(listed.owner)
    counted = Subquery(linked.annotate(all=Count("event", distinct=True)).values("all"))
    rows = listed.rows.annotate(events=counted).in_bulk([each.key for each in candidates])
    found = [(each, row) for each in candidates if (row := rows.get(each.key)) and row.events]
    return sorted(found, key=lambda each: (-each[0].closeness, -each[1].events))


def person_hit(leading: Leading, closeness: int, events: int, name: str) -> PersonHit:
    """Return the hit of a person or team that was found by this name."""
    found_by = "" if searchable(name) == searchable(leading.name) else name
    return PersonHit(leading.address, leading.name, leading.is_team, closeness, events, found_by)
