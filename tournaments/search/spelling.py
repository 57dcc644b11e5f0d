"""Find misspelt words with one letter added, missing or replaced, or two letters swapped.

A word is stored with all forms that lack one letter, and a typed word is looked up by its own forms. Two
such words share a form, so a lookup by equality finds them (SymSpell's method).
"""

from difflib import SequenceMatcher

SHORTEST, LONGEST = 4, 24
"""Length of words that are corrected. Too many shorter words are similar."""

LIKENESS = 0.7
"""Minimum similarity of two words, where 1 is equality."""


def spellings_of(word: str) -> list[str]:
    """Return the word and its forms without one letter. Empty if the word is not corrected."""
    if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()):
        return []
    return sorted({word, *(word[:at] + word[at + 1 :] for at in range(len(word)))})


def likeness(word: str, other: str) -> float:
    """Return the similarity of two words, from 0 to 1. A common first letter adds a little."""
    return SequenceMatcher(None, word, other, autojunk=False).ratio() + (word[:1] == other[:1]) / 100
