"""Search for places: towns with events, and countries by their names in all languages."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from standings.catalogue.filters import Catalogue
from standings.catalogue.search import Search
from standings.catalogue.search_terms import SearchTerm
from standings.texts import name_of_federation
from tournaments.event.federations import federation
from tournaments.search.folding import searchable, word_of_federation

MOST_PLACES = 6
MOST_LOOKED_AT = 300
"""The places with the most events that are compared with the terms."""


class PlaceHit(NamedTuple):
    """A place that matches the search. `events`: the number of events. `address`: the URL of their list."""

    name: str
    events: int
    address: str


def places_named(catalogue: Catalogue, search: Search) -> list[PlaceHit]:
    """Return the best matches without a query: countries first, then those with the most events."""
    return [*_country_hits(catalogue, search.words), *_towns(catalogue, search)][:MOST_PLACES]


def _towns(catalogue: Catalogue, search: Search) -> list[PlaceHit]:
    if not search.named.any():
        return []
    counted = catalogue.counts("place", search.named)
    first = sorted(counted.items(), key=lambda each: (-each[1], each[0]))[:MOST_LOOKED_AT]
    return [
        _place_hit("place", place, place, count)
        for place, count in first
        if place and all(f" {word.word}" in searchable(place) for word in search.words)
    ]


def _country_hits(catalogue: Catalogue, words: list[SearchTerm]) -> list[PlaceHit]:
    common = frozenset.intersection(*(each.tokens for each in words))
    if not common:
        return []
    hits = [
        _place_hit("country", code, name_of_federation(found), count)
        for code, count in catalogue.counts("country").items()
        if code and (found := federation(code)) and word_of_federation(found.name) in common
    ]
    return sorted(hits, key=lambda hit: (-hit.events, hit.name))


def _place_hit(key: str, value: str, name: str, events: int) -> PlaceHit:
    return PlaceHit(name, events, f"{reverse('events')}?{urlencode({key: value})}")
