"""Which entries have words, or words that begin so, asked of either database in one query (ADR 0039)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from tournaments.models import SearchEntry, SearchKind, SearchSpelling
from tournaments.search.engines import engine
from tournaments.search.entries import KINDS, key_of
from tournaments.search.folding import BEGINNING, LONGEST_BEGINNING, LONGEST_WORD
from tournaments.search.spelling import likeness, spellings_of

Keys = NDArray[np.int64]
NONE: Keys = np.empty(0, np.int64)


class Asked(NamedTuple):
    """What words begin with, or a whole word (`is_whole`), and `others` of ours that do as well."""

    word: str
    is_whole: bool = False
    others: tuple[str, ...] = ()


class Standing(NamedTuple):
    """The keys of all entries in which something asked stands."""

    keys: Keys

    def of(self, kind: SearchKind) -> Keys:
        """Return the events, or hundreds of persons or teams, whose entries of that kind these are."""
        numbers: Keys = self.keys[self.keys % KINDS == kind] // KINDS
        return numbers

    @property
    def is_over_events(self) -> bool:
        """Say whether a person or a team over events has it."""
        return bool((self.keys % KINDS >= SearchKind.PERSONS).any())


def look_up(asked: Sequence[Asked]) -> list[Standing]:
    """Return where each of these stands; one query."""
    parts = [(at, query) for at, each in enumerate(asked) for query in _queries(each)]
    if not parts:
        return [Standing(NONE) for _each in asked]
    keys = engine().keys
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(f"SELECT {at}, ({keys})" for at, _query in parts),
            [query for _at, query in parts],
        )
        rows = cursor.fetchall()
    return [Standing(_joined(keys for part, keys in rows if part == at)) for at in range(len(asked))]


def _queries(asked: Asked) -> Iterator[str]:
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


def _joined(texts: Iterable[str | None]) -> Keys:
    read = [np.fromstring(text, np.int64, sep=",") for text in texts if text]
    return np.concatenate([NONE, *read])


class EntryTexts(NamedTuple):
    """What words are looked up in of an entry, and what is shown of it, line by line."""

    folded: str
    shown: str


def entries_of(kind: SearchKind, numbers: Iterable[int]) -> dict[int, EntryTexts]:
    """Return what is searched and shown of these events or hundreds; one query."""
    keys = {key_of(kind, each): each for each in numbers}
    if not keys:
        return {}
    rows = SearchEntry.objects.filter(key__in=keys).values_list("key", "folded", "shown", named=True)
    return {keys[row.key]: EntryTexts(row.folded, row.shown) for row in rows}


def folded_of(kind: SearchKind, numbers: Iterable[int]) -> dict[int, str]:
    """Return what words are looked up in, of these; one query."""
    keys = {key_of(kind, each): each for each in numbers}
    rows = SearchEntry.objects.filter(key__in=keys).values_list("key", "folded") if keys else ()
    return {keys[key]: folded for key, folded in rows}


def meant_by(word: str, most: int) -> list[str]:
    """Return the words that are nearly this one, the most alike first; one query.

    A word may be of an event that readers do not see: who tells of it looks whether they do.
    """
    forms = spellings_of(word)
    if not forms:
        return []
    found = SearchSpelling.objects.filter(form__in=forms).order_by().values_list("word", flat=True).distinct()
    alike = sorted((-likeness(word, each), each) for each in found[:MOST_SPELLINGS] if each != word)
    return [each for _likeness, each in alike[:most]]


MOST_SPELLINGS = 200
"""Words that a misspelt one is compared with."""
