"""Words that were typed wrong: with a letter too many, one too few, another one, or two changed round.

A word is kept under each form that it has without one of its letters; a typed one is looked up under its own.
Two words that differ so have a form in common, and a lookup by equality finds it (SymSpell's method).
"""

from difflib import SequenceMatcher

SHORTEST, LONGEST = 4, 24
"""Letters of a word that can be misspelt: of shorter ones too many are alike."""

LIKENESS = 0.7
"""What two words have in common at least: 1 is all."""


def spellings_of(word: str) -> list[str]:
    """Return the word and its forms without one letter; empty for words that are not looked up so."""
    if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()):
        return []
    return sorted({word, *(word[:at] + word[at + 1 :] for at in range(len(word)))})


def likeness(word: str, other: str) -> float:
    """Return how much two words have in common, from 0 to 1; the same beginning counts for more."""
    return SequenceMatcher(None, word, other, autojunk=False).ratio() + (word[:1] == other[:1]) / 100
