"""Search terms: look them up, match them with lines of text, and suggest spellings.

A term can match federations by the beginning of a name in a language of the site. Terms together can be the
full name of a country in many languages, of a discipline or of a ranking system. The search index contains
tokens for these, such as `=netherlands`.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from itertools import combinations, pairwise
from typing import NamedTuple

from django.conf import settings
from django.utils import translation

from standings.engine import SYSTEMS
from standings.texts import name_of_federation
from tournaments.event.federations import bearers, location_of, names_of_countries
from tournaments.search import folding
from tournaments.search.lookup import MatchingKeys, WordQuery, find_matches, similar_words
from tournaments.texts import DISCIPLINES, name_of_system

MOST_WORDS = 8

MOST_GUESSES = 3
"""The similar terms that are tried for an unknown term."""


class SearchTerm(NamedTuple):
    """A search term. `tokens`: those of the federations, disciplines and ranking systems that it matches."""

    word: str
    tokens: frozenset[str]

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(sorted(self.tokens))

    def is_in(self, line: str) -> bool:
        if f" {self.word}" in line:
            return True
        return folding.FEDERATION in line and not self.tokens.isdisjoint(line.split())


def search_tokens(asked: str) -> list[str]:
    return folding.searchable(" ".join(asked.split())).split()[:MOST_WORDS]


class SearchQuery:
    """The index entries of all kinds that match the terms of a search.

    `begun`: by prefix, for each term. `whole_name`: by the full name. `pairs`: by each term and the prefix of
    the next. `together`: by two terms in the same line, keyed by their positions in `words`. One query, and
    one more each for `whole_words` and `pairs`. Results of an earlier search `before` are reused.
    `only_names`: do not match federations.
    """

    def __init__(
        self, words: Sequence[str], before: "SearchQuery | None" = None, *, only_names: bool = False
    ) -> None:
        self.words = [
            SearchTerm(word, frozenset()) if only_names else _search_term(word, words)
            for word in dict.fromkeys(words)
        ]
        self._found: dict[WordQuery, MatchingKeys] = dict(before._found) if before else {}
        name = WordQuery(folding.whole_name(list(words)), is_whole=True)
        begun = [WordQuery(each.word, others=each.others) for each in self.words]
        # Without terms that match a federation, and pairs that the index cannot combine.
        by_letters = [(at, each.word) for at, each in enumerate(self.words) if not each.tokens]
        together = {
            (at, other_at): WordQuery(both, is_whole=True, others=(folding.MANY_TOGETHER,))
            for (at, word), (other_at, other) in combinations(by_letters, 2)
            if (both := folding.initials_word(word, other))
        }
        self.whole_name, *found = self._look_up([name, *begun, *together.values()])
        self.begun = found[: len(begun)]
        self.together = dict(zip(together, found[len(begun) :], strict=True))

    @cached_property
    def pairs(self) -> list[MatchingKeys]:
        """By two adjacent terms in the same name. Needed only if many entries match both."""
        return self._look_up(
            [WordQuery(folding.pair_word(*two)) for two in pairwise(each.word for each in self.words)]
        )

    @cached_property
    def whole_words(self) -> list[MatchingKeys]:
        """By whole words. Needed only if more events match than are read."""
        return self._look_up([WordQuery(each.word, is_whole=True, others=each.others) for each in self.words])

    def _look_up(self, lookups: Sequence[WordQuery]) -> list[MatchingKeys]:
        new = [lookup for lookup in dict.fromkeys(lookups) if lookup not in self._found]
        self._found.update(zip(new, find_matches(new), strict=True))
        return [self._found[lookup] for lookup in lookups]


def lines_with(text: str, words: Sequence[SearchTerm]) -> list[int]:
    """Return the indexes of the lines that match all terms; all lines if there are no terms.

    Only lines with the rarest term are read, unless all terms match federations.
    """
    by_letters = [f" {word.word}" for word in words if not word.tokens]
    if not by_letters:
        return [at for at, line in enumerate(text.split("\n")) if all(word.is_in(line) for word in words)]
    rarest = min(by_letters, key=text.count)
    others = [word for word in words if f" {word.word}" != rarest]
    found, number, position = [], 0, 0
    while (at := text.find(rarest, position)) >= 0:
        number += text.count("\n", position, at)
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        if not others or all(word.is_in(text[text.rfind("\n", 0, at) + 1 : end]) for word in others):
            found.append(number)
        position = end
    return found


def closeness(asked: AbstractSet[str], name: Sequence[str]) -> int:
    return 2 if asked == set(name) else int(asked <= set(name))


def alternative_spellings(words: Sequence[str], unknown: Sequence[str]) -> list[list[str]]:
    """Return alternative spellings for terms without results, the most likely first.

    All `unknown` terms are replaced. If there are none, but the terms never match together, the longest term
    with a similar word is replaced. One query per replaced term. The alternatives need not match anything
    public.
    """
    if not unknown:
        longest = sorted(dict.fromkeys(words), key=lambda each: (-len(each), each))
        candidates = ({word: similar} for word in longest if (similar := similar_words(word, 1)))
        return _alternatives(words, next(candidates, {}))
    guesses = {word: similar_words(word, MOST_GUESSES) for word in unknown}
    return _alternatives(words, guesses)


def _alternatives(words: Sequence[str], guesses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    if not all(guesses.values()):
        return []  # a term without a similar word cannot be corrected
    length = max(map(len, guesses.values()), default=0)
    return [
        [guesses[word][min(at, len(guesses[word]) - 1)] if word in guesses else word for word in words]
        for at in range(length)
    ]


def _search_term(word: str, words: Sequence[str]) -> SearchTerm:
    names, codes = _names_and_codes()
    is_complete = word in names and word in _full_names()  # Niger, not Nigeria
    begun = [word] if is_complete else [name for name in names if name.startswith(word)]
    tokens = set[str]().union(*(names[name] for name in begun))
    parts = [words[first:end] for first, end in combinations(range(len(words) + 1), 2)]
    full = [" ".join(part) for part in parts if word in part]
    ends = [word[at:] for at in range(1, len(word) - 7)]  # compounds, such as schaakolympiade
    tokens.update(*(_full_names().get(name, ()) for name in (*full, *ends)), codes.get(word, ()))
    return SearchTerm(word, frozenset(tokens))


@cache
def _names_and_codes() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    names: defaultdict[str, set[str]] = defaultdict(set)
    codes: defaultdict[str, set[str]] = defaultdict(set)
    for bearer in bearers():
        found = folding.word_of_federation(bearer.name)
        for word in set().union(*folded_names().get(found, [])):
            names[word].add(found)
        for code in bearer.codes:
            codes[code.lower()].add(found)
    return names, codes


@cache
def _full_names() -> dict[str, set[str]]:
    """Return the tokens by folded name: countries in many languages, disciplines and ranking systems."""
    token = folding.word_of_federation
    countries = {location_of(each.code): token(each.name) for each in bearers()}
    names = [(name, countries.get(iso, "")) for name, iso in names_of_countries()]
    for language, _language_name in settings.LANGUAGES:
        with translation.override(language):
            names += ((name_of_system(system), token(code)) for code, system in SYSTEMS.items())
            words = {code: str(name).split() for code, name in DISCIPLINES.items()}
            names += ((" ".join(name), token(code)) for code, name in words.items())
            # A noun that several disciplines share, such as draughts.
            last_words = Counter(name[-1] for name in words.values())
            names += ((name[-1], token(code)) for code, name in words.items() if last_words[name[-1]] > 1)
    found: defaultdict[str, set[str]] = defaultdict(set)
    folded = folding.searchable_lines(name for name, _token in names)
    for name, (_name, of_name) in zip(folded, names, strict=True):
        found[" ".join(word for word in name.split() if word.isalpha())].update({of_name} - {""})
    return found


@cache
def folded_names() -> dict[str, list[set[str]]]:
    names: defaultdict[str, list[set[str]]] = defaultdict(list)
    for language, _language_name in settings.LANGUAGES:
        with translation.override(language):
            for bearer in bearers():
                found = folding.word_of_federation(bearer.name)
                names[found].append(set(folding.searchable(name_of_federation(bearer)).split()))
    return names
