"""Texts as a search compares them, and federations by the words that a reader has for them.

A competitor's federation stands in the index as one sign, its *mark*: names of countries in every language
would be half of the names that are kept in memory. A reader's word is looked up among them when it is asked.
"""

import re
import unicodedata
from collections import defaultdict
from functools import cache

from django.conf import settings
from django.utils import translation

from standings.words import name_of_federation
from tournaments.event.federations import bearers, federation

LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t"}
    | dict.fromkeys("'’‘ʼ`ʹ", "")
)
"""Letters that do not come apart into a letter and a mark, and signs that stand inside a word."""

BETWEEN_WORDS = re.compile(r"[^\w\n]+")

MARK = "="
"""Begins a federation's mark, and parts its code from its key; no word that is typed has this sign."""


def fold(text: str) -> str:
    """Small letters without marks, a space before each word: `Erdős, Łódź` is ` erdos lodz`."""
    folded = text.lower()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        # Decomposed after folding: `İ` folds into a letter and a mark of its own.
        folded = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = BETWEEN_WORDS.sub(" ", folded.translate(LETTERS))
    return "\n".join(f" {line.strip()}" for line in words.split("\n"))


def mark_of(code: str, year: int | None) -> str:
    """Return the mark of whoever bore a code that year, `=geo2=57` for GEO2; blank where nobody did."""
    found = federation(code, year) if code else None
    if found is None:
        return ""
    number = code[len(code.rstrip("0123456789")) :]
    return f"{MARK}{found.code.lower()}{number}{MARK}{_keys()[found.name]}"


def key_of(mark: str) -> int:
    """Return the key of the federation in a mark."""
    return int(mark.rpartition(MARK)[2])


def federations_named(word: str) -> frozenset[int]:
    """Return the keys of the federations one of whose names, in any language, has a word that begins so.

    A code finds its federation too, as a whole: `nl`, `NED`.
    """
    names, codes = _names_and_codes()
    begun = {key for name, keys in names.items() if name.startswith(word) for key in keys}
    return frozenset(begun | codes.get(word, set()))


def names_of(key: int) -> list[set[str]]:
    """Return the names of the federation with that key, in every language, each as its folded words."""
    return _names()[key]


@cache
def _keys() -> dict[str, int]:
    """Return a key for each name of a federation: Burma had two codes at a time."""
    return {name: key for key, name in enumerate(dict.fromkeys(each.federation.name for each in bearers()))}


@cache
def _names_and_codes() -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Return the keys by each word of a name, and by each code, all of them folded."""
    names: defaultdict[str, set[int]] = defaultdict(set)
    codes: defaultdict[str, set[int]] = defaultdict(set)
    for bearer in bearers():
        key = _keys()[bearer.federation.name]
        for word in set().union(*names_of(key)):
            names[word].add(key)
        for code in bearer.codes:
            codes[code.lower()].add(key)
    return names, codes


@cache
def _names() -> dict[int, list[set[str]]]:
    """Return the names by the federation's key, in every language, each as its folded words."""
    names: defaultdict[int, list[set[str]]] = defaultdict(list)
    for language, _language_name in settings.LANGUAGES:
        with translation.override(language):
            for bearer in bearers():
                key = _keys()[bearer.federation.name]
                names[key].append(set(fold(name_of_federation(bearer.federation)).split()))
    return names
