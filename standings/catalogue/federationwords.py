"""The federations that a search term can mean, by their names in all languages of the site.

The search index contains a token for each federation, such as `=netherlands`.
"""

from collections import defaultdict
from functools import cache

from django.conf import settings
from django.utils import translation

from standings.words import name_of_federation
from tournaments.event.federations import bearers
from tournaments.search.folding import searchable, word_of_federation


def federations_named(word: str) -> frozenset[str]:
    """Return the tokens of the federations with a name that starts with the term, or with this code."""
    names, codes = _names_and_codes()
    begun = {found for name, all_found in names.items() if name.startswith(word) for found in all_found}
    return frozenset(begun | codes.get(word, set()))


def folded_names_of(federation: str) -> list[set[str]]:
    return _folded_names().get(federation, [])


@cache
def _names_and_codes() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the tokens by folded word of a name, and by folded code."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    codes: defaultdict[str, set[str]] = defaultdict(set)
    for bearer in bearers():
        found = word_of_federation(bearer.federation.name)
        for word in set().union(*folded_names_of(found)):
            names[word].add(found)
        for code in bearer.codes:
            codes[code.lower()].add(found)
    return names, codes


@cache
def _folded_names() -> dict[str, list[set[str]]]:
    names: defaultdict[str, list[set[str]]] = defaultdict(list)
    for language, _language_name in settings.LANGUAGES:
        with translation.override(language):
            for bearer in bearers():
                found = word_of_federation(bearer.federation.name)
                names[found].append(set(searchable(name_of_federation(bearer.federation)).split()))
    return names
