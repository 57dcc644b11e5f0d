"""The list of events: search, filters with counts, pages, and suggestions of the search field."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

import numpy as np
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from standings.catalogue.eventlines import event_lines, listed_events
from standings.catalogue.filters import FACETS, Events, Facet, current_catalogue
from standings.catalogue.hits import MOST_HITS, SearchHits, career_pages_of, places_named
from standings.catalogue.listpage import Filter, ListPage, Option
from standings.catalogue.outcomes import Outcome, outcomes_of
from standings.catalogue.peoplesearch import PeopleHits, people_named
from standings.catalogue.search import NamedCompetitors, Search
from standings.catalogue.search_terms import SearchQuery, alternative_spellings, search_tokens
from tournaments.models import Event, SearchKind
from tournaments.operations.revision import site_revision
from tournaments.search.folding import searchable
from tournaments.search.index import refresh

PER_PAGE = 25

NEWEST_FIRST = "year"

ASKED = ("q", *(facet.key for facet in FACETS), "page")
"""The query parameters of the list."""


class _SearchResult(NamedTuple):
    """The result of a search. `correction`: the corrected terms, if the original terms find no events."""

    query: SearchQuery
    search: Search
    people: list[PeopleHits]
    correction: str

    @property
    def found_any(self) -> bool:
        return bool(self.search.found.any()) or any(each.first for each in self.people)

    def shows(self, guessed: AbstractSet[str]) -> bool:
        """Return whether corrected terms may be shown; one query.

        A correction could reveal the name of a hidden person or a draft if only a prefix of it is public.
        """
        told = " ".join(f"{hit.name} {hit.found_by}" for each in self.people for hit in each.first)
        return self.search.has_whole_words(guessed - {*searchable(told).split()})


class Listing(ListPage):
    """A page of the list of events: live events first, then the most recent.

    Four queries, one more if outcomes changed, two after changes of events or series, and up to thirteen for
    a search, more if terms are corrected. Unknown filter values are ignored unless `is_exact`.
    """

    def __init__(self, asked: Mapping[str, str], per_page: int = PER_PAGE, *, is_exact: bool = False) -> None:
        super().__init__(asked, per_page)
        self.revision = site_revision()
        self.catalogue = current_catalogue(self.revision)
        self.words = search_tokens(self.search)
        self.chosen = {
            facet.key: asked[facet.key]
            for facet in FACETS
            if asked.get(facet.key) and (is_exact or self.catalogue.has(facet.key, asked[facet.key]))
        }
        self._is_exact, self.offered = is_exact, self.chosen

    @property
    def public(self) -> bool:
        return len(self.catalogue) > 0

    @cached_property
    def total(self) -> int:
        return int(np.count_nonzero(self._matches))

    @property
    def is_partial(self) -> bool:
        return bool(self.words) and self._searched.is_partial

    @property
    def keys(self) -> list[int]:
        found: list[int] = self._filtered[self.first - 1 : self.last].tolist()
        return found

    @property
    def all_keys(self) -> list[int] | None:
        """The primary keys of all matching events, None if the list is not filtered."""
        return self._filtered.tolist() if self.words or self.chosen else None

    @property
    def is_front(self) -> bool:
        """Return whether this is the home page: all events without search and filters."""
        return not self.words and not self.chosen and self.page == 1

    @cached_property
    def events(self) -> list[SafeString]:
        is_all_in_hits = self.hits is not None and self.hits.total > 0 and not self.hits.more
        named = {} if is_all_in_hits or not self.words else self._searched.whom(self.keys)
        return event_lines(self._shown, self._outcomes, named)

    @property
    def items(self) -> SafeString:
        return SafeString("\n".join(self.events[len(self.live) :]))

    @property
    def live_items(self) -> SafeString:
        """The rows of live events as HTML, which are separate on the home page and in searches."""
        return SafeString("\n".join(self.live))

    @cached_property
    def live(self) -> list[SafeString]:
        shown = self._shown if self.is_front or (self.words and self.page == 1) else []
        return self.events[: sum(event.state == Event.State.LIVE for event in shown)]

    @cached_property
    def _shown(self) -> list[Event]:
        return [self._read[key] for key in self.keys if key in self._read]

    @cached_property
    def _read(self) -> dict[int, Event]:
        """The events of the page and those of the matching names; one query."""
        named = self._best_named.first if self.words and self.page == 1 else ()
        events = listed_events([*self.keys, *(each.event for each in named)])
        return {event.pk: event for event in events}

    @cached_property
    def hits(self) -> SearchHits | None:
        if not self.words or self.page > 1:
            return None
        named = self._best_named
        pages = career_pages_of(named.first) if named.first else {}
        # Filters apply to events only.
        people = self._result.people if not self.chosen else []
        places = places_named(self.catalogue, self._searched) if not self.chosen else []
        hits = SearchHits(named, self._read, self._outcomes, pages, people, places)
        return hits if hits.addresses else None

    @property
    def best(self) -> str:
        """Return the URL for Enter: the best match, or the only event.

        Blank after a correction, since the user did not search for its terms.
        """
        if not self.words or self.correction:
            return ""
        is_of_people = self.hits is not None and self.hits.names_people
        if self.hits and is_of_people and not self.names_event:
            return self.hits.best
        if not is_of_people and self.total == 1:
            return reverse("event", args=[event.slug for event in self._shown])
        return ""

    @property
    def names_event(self) -> bool:
        return bool(self.words) and bool((self._searched.named & self._matches).any())

    def named_events(self, most: int) -> list[Event]:
        named = self._searched.named & self._matches
        keys = self.catalogue.pks[named] if named.any() else self._filtered
        return listed_events(keys[:most].tolist())

    @cached_property
    def _best_named(self) -> NamedCompetitors:
        return self._searched.competitors(self._matches, MOST_HITS)

    @cached_property
    def _outcomes(self) -> dict[int, Outcome]:
        if not self.words:
            return outcomes_of(self.revision.epoch, self.keys)
        live = (event.pk for event in self._shown if event.state == Event.State.LIVE)
        keys = [*(each.event for each in self._best_named.first), *live] if self.page == 1 else []
        return outcomes_of(self.revision.epoch, keys) if keys else {}

    @cached_property
    def filters(self) -> list[Filter]:
        offered = [
            Filter(facet.key, facet.label, self._options(facet))
            for facet in FACETS
            if facet.is_offered or facet.key in self.chosen
        ]
        return [each for each in offered if len(each.options) > 1 or each.key in self.chosen]

    @property
    def series(self) -> str:
        slug = self.chosen.get("series", "")
        return slug if self.catalogue.has("series", slug) else ""

    @property
    def series_name(self) -> str:
        return self.catalogue.series_names[self.series]

    @property
    def _filtered(self) -> NDArray[np.int64]:
        return self.catalogue.pks[self._matches]

    @property
    def _searched(self) -> Search:
        return self._result.search

    @property
    def correction(self) -> str:
        return self._result.correction if self.words else ""

    @cached_property
    def _result(self) -> _SearchResult:
        refresh()
        result = self._look_for(self.words)
        # Exact lists, such as those of the API, are never corrected.
        if not result.found_any and not self._is_exact:
            for words in alternative_spellings(self.words, result.search.unknown):
                other = self._look_for(words, " ".join(words).title(), result.query)
                if other.found_any and other.shows(set(words) - set(self.words)):
                    return other
        return result

    def _look_for(
        self, words: list[str], correction: str = "", before: SearchQuery | None = None
    ) -> _SearchResult:
        query = SearchQuery(words, before)
        search = Search(self.catalogue, query, self._by_filters(self.chosen))
        kinds = () if self._is_exact else (SearchKind.PERSONS, SearchKind.TEAMS)
        return _SearchResult(
            query, search, [people_named(query, kind, MOST_HITS) for kind in kinds], correction
        )

    def _by_filters(self, chosen: Mapping[str, str]) -> Events:
        having = [self.catalogue.having(key, value) for key, value in chosen.items()]
        found: Events = np.logical_and.reduce([np.ones(len(self.catalogue), np.bool_), *having])
        return found

    def _matching(self, chosen: Mapping[str, str]) -> Events:
        found = self._by_filters(chosen)
        return found & self._searched.found if self.words else found

    @cached_property
    def _matches(self) -> Events:
        return self._matching(self.chosen)

    def _options(self, facet: Facet) -> list[Option]:
        # Count without the own filter, which would leave only its chosen value.
        others = {key: value for key, value in self.chosen.items() if key != facet.key}
        # None counts all events without building a mask.
        counts = self.catalogue.counts(facet.key, self._matching(others) if others or self.words else None)
        chosen = self.chosen.get(facet.key, "")
        options = [
            Option(value, str(facet.name(self.catalogue, value)), counts.get(value, 0), value == chosen)
            for value in {*(counts if facet.is_offered else ()), chosen}
            if value
        ]
        return sorted(
            options, key=lambda option: (option.name, option.value), reverse=facet.key == NEWEST_FIRST
        )

    def _address(self, page: int) -> str:
        return reverse("events") + self.query(page)


MOST = 8
"""The number of suggestions that fit above the keyboard of a phone."""

MOST_EVENTS = 4
"""The number of events if names match too."""

MOST_SUGGESTED_PLACES = 2


def suggestions(listing: Listing) -> list[dict[str, str]]:
    """Return the suggestions in display order, each with `label`, `kind`, `about` and `address`."""
    if not listing.words:
        return []
    named = listing.hits.suggested(MOST) if listing.hits else []
    events = [
        {
            "kind": _("event"),
            "label": event.name,
            "about": " · ".join(filter(None, (event.place, event.start[:4]))),
            "address": reverse("event", args=[event.slug]),
        }
        for event in listing.named_events(MOST)
    ]
    fewer = events[: max(MOST - len(named), MOST_EVENTS)]
    places = listing.hits.suggested_places(MOST_SUGGESTED_PLACES) if listing.hits else []
    found = [*fewer, *named] if listing.names_event else [*named, *fewer]
    return [*found[: MOST - len(places)], *places]
