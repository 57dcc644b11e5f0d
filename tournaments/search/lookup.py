"""Find entries by words or prefixes, in a single query of either database (ADR 0039)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from config.database.replica import read_connection
from tournaments.models import SearchEntry, SearchKind, SearchSpelling
from tournaments.search.engines import engine
from tournaments.search.folding import BEGINNING, LONGEST_BEGINNING, LONGEST_WORD, likeness, spellings_of
from tournaments.search.texts import KINDS, entry_key

Keys = NDArray[np.int64]
NONE: Keys = np.empty(0, np.int64)


class WordQuery(NamedTuple):
    """A prefix or, if `is_whole`, a complete word, with alternatives in `others`."""

    word: str
    is_whole: bool = False
    others: tuple[str, ...] = ()


class MatchingKeys(NamedTuple):
    """Keys of the entries that match."""

    keys: Keys

    def of(self, kind: SearchKind) -> Keys:
        numbers: Keys = self.keys[self.keys % KINDS == kind] // KINDS
        return numbers

    @property
    def is_over_events(self) -> bool:
        return bool((self.keys % KINDS >= SearchKind.PERSONS).any())


def find_matches(asked: Sequence[WordQuery]) -> list[MatchingKeys]:
    """Return the matches of each. A single query."""
    parts = [(at, query) for at, each in enumerate(asked) for query in _queries(each)]
    found: list[list[Keys]] = [[NONE] for _each in asked]
    if parts:
        selected = " UNION ALL ".join(f"SELECT {at}, ({engine().keys})" for at, _query in parts)
        with read_connection().cursor() as cursor:
            cursor.execute(selected, [query for _at, query in parts])
            for at, keys in cursor.fetchall():
                if keys:
                    found[at].append(np.fromstring(keys, np.int64, sep=","))
    return [MatchingKeys(np.concatenate(each)) for each in found]


def _queries(asked: WordQuery) -> Iterator[str]:
    word = asked.word[:LONGEST_WORD]
    if word and (asked.is_whole or len(word) == LONGEST_WORD):
        yield engine().query([word, *asked.others])
        return
    if 0 < len(word) <= LONGEST_BEGINNING:
        yield engine().query([BEGINNING + word])
    elif word:
        yield engine().query([word], begins=True)
    if asked.others:
        yield engine().query(asked.others)


class IndexRow(NamedTuple):
    """Folded and displayed text of an entry, line by line."""

    folded: str
    shown: str


def index_rows(kind: SearchKind, numbers: Iterable[int]) -> dict[int, IndexRow]:
    """Return the texts of these events or hundreds. A single query."""
    keys = {entry_key(kind, each): each for each in numbers}
    rows = SearchEntry.objects.filter(key__in=keys).values_list("key", "folded", "shown", named=True)
    return {keys[row.key]: IndexRow(row.folded, row.shown) for row in rows}


def folded_of(kind: SearchKind, numbers: Iterable[int]) -> dict[int, str]:
    """Return the folded texts of these events or hundreds. A single query."""
    keys = {entry_key(kind, each): each for each in numbers}
    rows = SearchEntry.objects.filter(key__in=keys).values_list("key", "folded")
    return {keys[key]: folded for key, folded in rows}


def similar_words(word: str, most: int) -> list[str]:
    """Return similar words, most similar first. A single query.

    A word may be from an event that is not public, so the caller must check this before showing it.
    """
    forms = spellings_of(word)
    if not forms:
        return []
    found = SearchSpelling.objects.filter(form__in=forms).order_by().values_list("word", flat=True).distinct()
    alike = sorted((-likeness(word, each), each) for each in found[:MOST_SPELLINGS] if each != word)
    return [each for _likeness, each in alike[:most]]


MOST_SPELLINGS = 200
"""Limit of words compared with a misspelt one."""
