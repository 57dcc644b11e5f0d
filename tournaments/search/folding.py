"""Texts as a search compares them: small Latin letters without marks, whatever script they are in."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import combinations, permutations

from anyascii import anyascii

from tournaments.event.federations import federation

LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t"}
    | dict.fromkeys("'’‘ʼ`ʹ", "")
)
"""Letters that do not come apart into a letter and a mark, and signs that stand inside a word."""

BETWEEN_WORDS = re.compile(r"[^\w\n]+")

FEDERATION, WHOLE, PAIR, BEGINNING, AND = "=", "^", "~", "<", "+"
"""Signs that no word of a reader has: before the name of a federation, all words of a name, two words of it,
and the first letters of a word; and between words that are one."""

LONGEST_BEGINNING = 6
"""First letters of a word that are a word too: so many words begin alike that none may be gone through."""

TOLD_TOGETHER = 3
"""First letters by which two words of a line are told together."""

MOST_PAIRED = 6
"""Words of a name of which each two are a word too."""

MOST_TOGETHER = 12
"""Beginnings in a line of which each two are a word too; a line with more is marked by a word of its own."""

MANY_TOGETHER = BEGINNING + AND
"""The word of a line that has more beginnings than are told together."""

LONGEST_WORD = 80
"""Letters of a word, and of all words of a name, that are told apart."""


def fold(text: str) -> str:
    """Small letters without marks, a space before each word: `Erdős, Łódź` is ` erdos lodz`."""
    folded = text.lower()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        # Decomposed after folding: `İ` folds into a letter and a mark of its own.
        folded = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = BETWEEN_WORDS.sub(" ", folded.translate(LETTERS))
    return "\n".join(f" {line.strip()}" for line in words.split("\n"))


def searchable(text: str) -> str:
    """Return the text folded, in Latin letters: Чижов is chizhov."""
    folded = fold(text)
    return folded if folded.isascii() else fold(anyascii(folded))


def searchable_lines(texts: Iterable[str]) -> list[str]:
    """Return each of these texts, which are of one line, as `searchable` does; many together are quicker."""
    return searchable("\n".join(texts)).split("\n")


def federation_word(code: str, year: int | None) -> str:
    """Return the word for whoever bore a code that year, `=unitedstates`; blank where nobody did."""
    found = federation(code, year) if code else None
    return word_of_federation(found.name) if found else ""


def word_of_federation(name: str) -> str:
    """Return the word that stands for the federation of that English name."""
    return FEDERATION + fold(name).replace(" ", "")


def whole_name(words: Iterable[str]) -> str:
    """Return the word that stands for all words of a name, in whatever order they are asked for."""
    return (WHOLE + AND.join(sorted(set(words))))[:LONGEST_WORD]


def pair(word: str, other: str) -> str:
    """Return the word for two words of one name."""
    return f"{PAIR}{word}{AND}{other}"[:LONGEST_WORD]


def together(word: str, other: str) -> str:
    """Return the word that says by their first letters that two words are of one line.

    Blank where there is none: for words that begin alike, for shorter ones, and for numbers, asked for alone.
    """
    beginnings = sorted({each[:TOLD_TOGETHER] for each in (word, other)})
    is_told = all(len(each) == TOLD_TOGETHER and not each[0].isdecimal() for each in beginnings)
    return BEGINNING + AND.join(beginnings) if is_told and len(beginnings) == 2 else ""


def engine_words_of_line(line: str) -> set[str]:
    """Return what an engine is given of a folded line beside its words: which of them stand together."""
    beginnings = {word[:TOLD_TOGETHER]: word for word in line.split() if word[0] != FEDERATION}
    if len(beginnings) > MOST_TOGETHER:
        return {MANY_TOGETHER}
    return {together(*two) for two in combinations(beginnings.values(), 2)} - {""}


def engine_words(line: str) -> set[str]:
    """Return what an engine is given of a folded line: each word, and its first letters."""
    words = [word[:LONGEST_WORD] for word in line.split()]
    ends = range(1, LONGEST_BEGINNING + 1)
    return {*words, *(BEGINNING + word[:end] for word in words if word[0] != FEDERATION for end in ends)}


def engine_words_of_name(name: str) -> set[str]:
    """Return what an engine is given of a folded name beside its words: all of them, and each two."""
    words = list(dict.fromkeys(name.split()))
    if not words:
        return set()
    return {whole_name(words), *(pair(*two) for two in permutations(words[:MOST_PAIRED], 2))}
