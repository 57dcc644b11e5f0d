"""Federations by the words that readers have for them, in every language of the site.

In the tables of the search a federation is one word of ours, `=netherlands`; here are those of readers.
"""

from collections import defaultdict
from functools import cache

from django.conf import settings
from django.utils import translation

from standings.words import name_of_federation
from tournaments.event.federations import bearers
from tournaments.search.folding import searchable, word_of_federation


def federations_named(word: str) -> frozenset[str]:
    """Return the words of the federations one of whose names, in any language, has a word that begins so.

    A code finds its federation too, as a whole: `nl`, `NED`.
    """
    names, codes = _names_and_codes()
    begun = {found for name, all_found in names.items() if name.startswith(word) for found in all_found}
    return frozenset(begun | codes.get(word, set()))


def names_of(federation: str) -> list[set[str]]:
    """Return the names of the federation of that word, in every language, each as its folded words."""
    return _names().get(federation, [])


@cache
def _names_and_codes() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the federations' words by each word of a name, and by each code, all of them folded."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    codes: defaultdict[str, set[str]] = defaultdict(set)
    for bearer in bearers():
        found = word_of_federation(bearer.federation.name)
        for word in set().union(*names_of(found)):
            names[word].add(found)
        for code in bearer.codes:
            codes[code.lower()].add(found)
    return names, codes


@cache
def _names() -> dict[str, list[set[str]]]:
    """Return the names by the federation's word, in every language, each as its folded words."""
    names: defaultdict[str, list[set[str]]] = defaultdict(list)
    for language, _language_name in settings.LANGUAGES:
        with translation.override(language):
            for bearer in bearers():
                found = word_of_federation(bearer.federation.name)
                names[found].append(set(searchable(name_of_federation(bearer.federation)).split()))
    return names
