"""The words that a reader asks for: where they stand, which lines have them, and what may have been meant."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import combinations, pairwise
from typing import NamedTuple

from standings.catalogue.federationwords import federations_named
from tournaments.search.folding import (
    FEDERATION,
    MANY_TOGETHER,
    pair,
    searchable,
    together,
    whole_name,
)
from tournaments.search.lookup import Asked, Standing, look_up, meant_by

MOST_WORDS = 8

MOST_GUESSES = 3
"""Words that an unknown one is taken for, one after the other, until one is found."""


class AskedWord(NamedTuple):
    """A word that is looked for, and the words of the federations that are called so."""

    word: str
    federations: frozenset[str]

    @property
    def others(self) -> tuple[str, ...]:
        """The words of the federations, in one order."""
        return tuple(sorted(self.federations))

    def is_in(self, line: str) -> bool:
        """Say whether a word of a folded line begins so, or is a federation's that is called so."""
        if f" {self.word}" in line:
            return True
        return FEDERATION in line and not self.federations.isdisjoint(line.split())


def words_of(asked: str) -> list[str]:
    """Return the words to look for."""
    return searchable(" ".join(asked.split())).split()[:MOST_WORDS]


class LookedUp:
    """Where the words of a search stand in entries of every kind: as beginnings, as a whole name, in pairs.

    `pairs` are of each word, whole, and the next one as a beginning. `together` are the only entries where
    two words, by their places in `words`, may be in one line. One query, and one each for `whole_words` and
    `pairs`; what was looked up for other words `before` is not asked again. `only_names`: no word is that of
    a federation.
    """

    def __init__(
        self, words: Sequence[str], before: "LookedUp | None" = None, *, only_names: bool = False
    ) -> None:
        self.words = [
            AskedWord(word, frozenset() if only_names else federations_named(word))
            for word in dict.fromkeys(words)
        ]
        self._found: dict[Asked, Standing] = dict(before._found) if before else {}
        name = Asked(whole_name(list(words)), is_whole=True)
        begun = [Asked(each.word, others=each.others) for each in self.words]
        together = _together(self.words)
        self.whole_name, *found = self._look_up([name, *begun, *together.values()])
        self.begun = found[: len(begun)]
        self.together = dict(zip(together, found[len(begun) :], strict=True))

    @cached_property
    def pairs(self) -> list[Standing]:
        """Where each two words are of one name: asked where many entries have both."""
        return self._look_up([Asked(pair(*two)) for two in pairwise(each.word for each in self.words)])

    @cached_property
    def whole_words(self) -> list[Standing]:
        """Where the words stand as whole words: asked where there is more than is read."""
        return self._look_up([Asked(each.word, is_whole=True, others=each.others) for each in self.words])

    def _look_up(self, asked: Sequence[Asked]) -> list[Standing]:
        new = [each for each in dict.fromkeys(asked) if each not in self._found]
        self._found.update(zip(new, look_up(new), strict=True))
        return [self._found[each] for each in asked]


def _together(words: Sequence[AskedWord]) -> dict[tuple[int, int], Asked]:
    """Return by what an engine knows entries where two words may be in one line, by the places of the two.

    Not of words that may be those of a federation, nor of those that no engine is given together.
    """
    by_letters = [(at, each.word) for at, each in enumerate(words) if not each.federations]
    return {
        (at, other_at): Asked(both, is_whole=True, others=(MANY_TOGETHER,))
        for (at, word), (other_at, other) in combinations(by_letters, 2)
        if (both := together(word, other))
    }


def lines_with(text: str, words: Sequence[AskedWord]) -> list[int]:
    """Return which lines of a folded text have all these words, from 0; all of them for no words.

    The lines are read in which the rarest word stands, unless all words may be those of a federation.
    """
    by_letters = [f" {word.word}" for word in words if not word.federations]
    if not by_letters:
        return [at for at, line in enumerate(text.split("\n")) if all(word.is_in(line) for word in words)]
    rarest = min(by_letters, key=text.count)
    others = [word for word in words if f" {word.word}" != rarest]
    found, number, begin = [], 0, 0
    while (at := text.find(rarest, begin)) >= 0:
        number += text.count("\n", begin, at)
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        if not others or all(word.is_in(text[text.rfind("\n", 0, at) + 1 : end]) for word in others):
            found.append(number)
        begin = end
    return found


def closeness(asked: AbstractSet[str], name: Sequence[str]) -> int:
    """Return 2 where the words are the whole name, 1 where they are words of it, else 0."""
    return 2 if asked == set(name) else int(asked <= set(name))


def meant(words: Sequence[str], unknown: Sequence[str]) -> list[list[str]]:
    """Return what may have been meant by words that find nothing, the likeliest first.

    All words that are `unknown` are guessed; where each of them stands somewhere, but never together, the
    longest that is like another. A query for each word that is guessed; none of these is said to find
    anything that readers see.
    """
    if not unknown:
        longest = sorted(dict.fromkeys(words), key=lambda each: (-len(each), each))
        likeliest = ({word: alike} for word in longest if (alike := meant_by(word, 1)))
        return _guessed(words, next(likeliest, {}))
    guesses = {word: meant_by(word, MOST_GUESSES) for word in unknown}
    return _guessed(words, guesses)


def _guessed(words: Sequence[str], guesses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    if not all(guesses.values()):
        return []  # one that nothing is like has not been meant otherwise
    most = max(map(len, guesses.values()), default=0)
    return [
        [guesses[word][min(at, len(guesses[word]) - 1)] if word in guesses else word for word in words]
        for at in range(most)
    ]
