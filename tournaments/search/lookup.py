"""Which events have words that begin so, asked of either database in one query (ADR 0087)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from numpy.typing import NDArray

from tournaments.models import SearchEntry, SearchKind, SearchSpelling, SearchWord
from tournaments.search.folding import LONGEST_WORD
from tournaments.search.spelling import likeness, spellings_of

LAST_LETTER = chr(0x10FFFF)
"""No word goes on with it, so all words with a beginning lie before the beginning and this letter."""

MOST_READ = 20_000
"""Places of a word that are read; of a beginning with more, those of the first words by the alphabet."""

WORDS = SearchWord._meta.db_table

Keys = NDArray[np.int64]
NONE: Keys = np.empty(0, np.int64)


class Dialect(NamedTuple):
    """What a database calls the things that are asked of it; words are compared by their bytes."""

    begins: str
    order: str
    joined: str


DIALECTS = {
    "sqlite": Dialect("word >= %s AND word < %s", "word", "group_concat(key)"),
    "postgresql": Dialect("word ~>=~ %s AND word ~<~ %s", "word USING ~<~", "string_agg(key::text, ',')"),
}


class Asked(NamedTuple):
    """What is asked of a word: what words begin with, if it is not blank, and words of ours instead of it."""

    beginning: str
    others: Sequence[str] = ()


class Standing(NamedTuple):
    """The events in which something asked stands: in what they say of themselves, and in their names.

    `whole_names` are those of the latter that have it as a whole word. `is_all`: no more were there to read.
    """

    own: Keys
    names: Keys
    whole_names: Keys
    is_all: bool


def look_up(asked: Sequence[Asked]) -> list[Standing]:
    """Return where each of these stands; one query."""
    if not asked:
        return []
    parts, given = [], []
    for at, each in enumerate(asked):
        for part, values in _parts(at, each):
            parts.append(part)
            given += values
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), given)
        rows = cursor.fetchall()
    return [_standing([row[1:] for row in rows if row[0] == at]) for at in range(len(asked))]


def _parts(at: int, asked: Asked) -> Iterator[tuple[str, list[str]]]:
    dialect = DIALECTS[connection.vendor]
    if word := asked.beginning[:LONGEST_WORD]:
        yield _part(at, dialect, "word = %s", dialect.begins), [word, word, word + LAST_LETTER]
    if asked.others:
        listed = ", ".join(["%s"] * len(asked.others))
        yield _part(at, dialect, "word = word", f"word IN ({listed})"), list(asked.others)


def _part(at: int, dialect: Dialect, whole: str, condition: str) -> str:
    places = (
        f"SELECT kind, key, {whole} AS whole FROM {WORDS} WHERE {condition}"  # noqa: S608 - our own texts
        f" ORDER BY {dialect.order}, kind, key LIMIT {MOST_READ}"
    )
    return f"SELECT {at}, kind, whole, {dialect.joined} FROM ({places}) places GROUP BY kind, whole"  # noqa: S608


def _standing(rows: Sequence[tuple[int, bool, str]]) -> Standing:
    read = [(kind, whole, np.fromstring(keys, np.int64, sep=",")) for kind, whole, keys in rows]
    total = sum(len(keys) for _role, _whole, keys in read)
    names = [(whole, keys) for kind, whole, keys in read if kind == SearchKind.NAME]
    return Standing(
        own=_joined(keys for kind, _whole, keys in read if kind == SearchKind.EVENT),
        names=_joined(keys for _whole, keys in names),
        whole_names=_joined(keys for whole, keys in names if whole),
        is_all=total < MOST_READ,
    )


def _joined(keys: Iterator[Keys]) -> Keys:
    return np.concatenate([NONE, *keys])


def folded_of(keys: Sequence[int]) -> dict[int, str]:
    """Return what words are looked up in, of these events; one query."""
    return dict(_of(SearchKind.EVENT, keys).values_list("key", "folded")) if keys else {}


def entries_of(keys: Sequence[int]) -> dict[int, SearchEntry]:
    """Return what is searched and shown of these events; one query."""
    return {each.key: each for each in _of(SearchKind.EVENT, keys)} if keys else {}


def _of(kind: SearchKind, keys: Sequence[int]) -> QuerySet[SearchEntry]:
    return SearchEntry.objects.filter(kind=kind, key__in=keys)


def meant_by(word: str, most: int) -> list[str]:
    """Return the words of names that are nearly this one, the most alike first; one query.

    A word may be of an event that readers do not see: who tells of it looks whether they do.
    """
    forms = spellings_of(word)
    if not forms:
        return []
    found = SearchSpelling.objects.filter(form__in=forms).values_list("word", flat=True).distinct()
    alike = sorted((-likeness(word, each), each) for each in found[:MOST_SPELLINGS] if each != word)
    return [each for _likeness, each in alike[:most]]


MOST_SPELLINGS = 200
"""Words that a misspelt one is compared with."""
