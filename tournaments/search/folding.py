"""Folded texts for searching: Latin lower-case letters without diacritics, from any script."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations, permutations

from anyascii import anyascii

from tournaments.event.federations import federation

LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t"}
    | dict.fromkeys("'’‘ʼ`ʹ", "")
)
"""Letters that Unicode does not decompose, and characters inside words."""

BETWEEN_WORDS = re.compile(r"[^\w\n]+")

FEDERATION, WHOLE, PAIR, BEGINNING, AND = "=", "^", "~", "<", "+"
"""Prefixes that no typed word has: name of a federation, all words of a name, two words of a name, first
letters of a word. AND joins words.
"""

LONGEST_BEGINNING = 6
"""First letters of a word that are indexed: longer prefixes are rare enough to be scanned."""

TOLD_TOGETHER = 3
"""Number of first letters for indexing two words of a line together."""

MOST_PAIRED = 6
"""Limit of words of a name that are indexed in pairs."""

MOST_TOGETHER = 12
"""Limit of beginnings in a line that are indexed in pairs. A line with more has a marker instead."""

MANY_TOGETHER = BEGINNING + AND
"""Marker of a line with more beginnings than the limit."""

LONGEST_WORD = 80
"""Maximum length of a word, and of all words of a name, in the index."""


def fold(text: str) -> str:
    """Return lower-case text without diacritics, a space before each word: `Erdős, Łódź` is ` erdos lodz`."""
    folded = text.lower()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        # Decomposed after folding, because `İ` folds into a letter and a combining mark.
        folded = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = BETWEEN_WORDS.sub(" ", folded.translate(LETTERS))
    return "\n".join(f" {line.strip()}" for line in words.split("\n"))


def searchable(text: str) -> str:
    """Return the text folded and in Latin letters: Чижов is chizhov."""
    folded = fold(text)
    return folded if folded.isascii() else fold(anyascii(folded))


def searchable_lines(texts: Iterable[str]) -> list[str]:
    """Return each single-line text as `searchable` does. Faster than separate calls."""
    return searchable("\n".join(texts)).split("\n")


@lru_cache(maxsize=4096)  # every table of an event sorts the same names
def sort_key(text: str) -> str:
    """Return a key for sorting by letters, then accents: Zoe, Zoë, Zomer. It is compared by code point."""
    return f"{fold(text)[1:]}\t{text}"


def federation_word(code: str, year: int | None) -> str:
    """Return the search word for the federation with a code in that year, `=unitedstates`. Blank if there is
    none.
    """
    found = federation(code, year) if code else None
    return word_of_federation(found.name) if found else ""


def word_of_federation(name: str) -> str:
    return FEDERATION + fold(name).replace(" ", "")


def whole_name(words: Iterable[str]) -> str:
    return (WHOLE + AND.join(sorted(set(words))))[:LONGEST_WORD]


def pair_word(word: str, other: str) -> str:
    return f"{PAIR}{word}{AND}{other}"[:LONGEST_WORD]


def initials_word(word: str, other: str) -> str:
    """Return the search word for two words in one line, by their first letters.

    Blank for words with the same beginning, shorter words and numbers, which are searched separately.
    """
    beginnings = sorted({each[:TOLD_TOGETHER] for each in (word, other)})
    is_told = all(len(each) == TOLD_TOGETHER and not each[0].isdecimal() for each in beginnings)
    return BEGINNING + AND.join(beginnings) if is_told and len(beginnings) == 2 else ""


def engine_words_of_line(line: str) -> set[str]:
    """Return the additional search words of a folded line, for words in the same line."""
    beginnings = {word[:TOLD_TOGETHER]: word for word in line.split() if word[0] != FEDERATION}
    if len(beginnings) > MOST_TOGETHER:
        return {MANY_TOGETHER}
    return {initials_word(*both) for both in combinations(beginnings.values(), 2)} - {""}


def engine_words(line: str) -> set[str]:
    """Return the search words of a folded line: words and their first letters."""
    words = [word[:LONGEST_WORD] for word in line.split()]
    ends = range(1, LONGEST_BEGINNING + 1)
    return {*words, *(BEGINNING + word[:end] for word in words if word[0] != FEDERATION for end in ends)}


def engine_words_of_name(name: str) -> set[str]:
    """Return the additional search words of a folded name: all words, and pairs of words."""
    words = list(dict.fromkeys(name.split()))
    if not words:
        return set()
    return {whole_name(words), *(pair_word(*two) for two in permutations(words[:MOST_PAIRED], 2))}


SHORTEST, LONGEST = 4, 24
"""Length of words that are corrected. Too many shorter words are similar."""


def spellings_of(word: str) -> list[str]:
    """Return the word and its forms without one letter. Empty if the word is not corrected.

    Two words that differ by one letter added, missing or replaced, or by two letters swapped, share a form,
    so a lookup by equality finds them (SymSpell's method).
    """
    if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()):
        return []
    return sorted({word, *(word[:at] + word[at + 1 :] for at in range(len(word)))})


def likeness(word: str, other: str) -> float:
    """Return the similarity of two words, from 0 to 1. A common first letter adds a little."""
    return SequenceMatcher(None, word, other, autojunk=False).ratio() + (word[:1] == other[:1]) / 100
