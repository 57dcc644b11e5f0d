"""The list of events: what a reader searched for, the filters with their counts, a page of what was found."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils.safestring import SafeString
from numpy.typing import NDArray

from standings.catalogue.askedwords import LookedUp, meant, words_of
from standings.catalogue.eventlines import lines_of
from standings.catalogue.facets import FACETS, Facet, Filter, Option
from standings.catalogue.filters import Events, catalogue
from standings.catalogue.hits import MOST_HITS, SearchHits
from standings.catalogue.known import known_among
from standings.catalogue.outcomes import Outcome, outcomes_of
from standings.catalogue.peoplesearch import PeopleHits, people_named
from standings.catalogue.places import places_named
from standings.catalogue.search import NamedCompetitors, Search, Whom
from tournaments.models import Event, SearchKind
from tournaments.revision import site_revision
from tournaments.search.folding import searchable
from tournaments.search.index import refresh

LONGEST_SEARCH = 100
PER_PAGE = 25

NEWEST_FIRST = "year"

ASKED = ("q", *(facet.key for facet in FACETS), "page")
"""What a reader may ask of the list."""


class _Result(NamedTuple):
    """What words found, and the words that are shown where others were `meant` than those asked for."""

    looked: LookedUp
    search: Search
    people: list[PeopleHits]
    meant: str

    @property
    def found_any(self) -> bool:
        return bool(self.search.found.any()) or any(each.first for each in self.people)

    def shows(self, guessed: AbstractSet[str]) -> bool:
        """Say whether readers are told of these words in any case, not only of longer ones; one query.

        A word that was guessed may be of somebody who is hidden, or of a draft, and begin another name.
        """
        told = " ".join(f"{hit.name} {hit.found_by}" for each in self.people for hit in each.first)
        return self.search.has_whole_words(guessed - {*searchable(told).split()})


class Listing:
    """The events that a reader asked for, a page of them: live ones first, then the most recent.

    Three queries, two more for events that no page has listed yet and two where events or series changed; a
    search has up to thirteen of its own, and more for words that find nothing. A value that no event has
    filters nothing, unless the list `is_exact`, and beyond the last page is the last one.
    """

    def __init__(self, asked: Mapping[str, str], per_page: int = PER_PAGE, *, is_exact: bool = False) -> None:
        self.revision = site_revision()
        self.catalogue = catalogue(self.revision)
        self.search = " ".join(asked.get("q", "").split())[:LONGEST_SEARCH]
        self.words = words_of(self.search)
        self.chosen = {
            facet.key: asked[facet.key]
            for facet in FACETS
            if asked.get(facet.key) and (is_exact or self.catalogue.has(facet.key, asked[facet.key]))
        }
        self._is_exact = is_exact
        self.per_page = per_page
        self.pages = max(-(-self.total // per_page), 1)
        # Only figures come as far as here: `choices` drops any other page.
        self.page = min(int(asked.get("page", 1)), self.pages)
        self._asked = asked

    @property
    def public(self) -> bool:
        """Say whether there is any event to list."""
        return len(self.catalogue) > 0

    @cached_property
    def total(self) -> int:
        """How many events were found, on all pages."""
        return len(self._filtered)

    @property
    def is_partial(self) -> bool:
        """Say whether the words are so short or frequent that more events may have them."""
        return bool(self.words) and self._searched.is_partial

    @property
    def is_only_shown(self) -> bool:
        """Say whether this is a search, or asks for something that the list has not."""
        # Words are without number, and so are values that no event has: their pages must not displace others.
        shown = {**self.chosen, "page": str(self.page) if self.page > 1 else ""}
        return any(value != shown.get(name, "") for name, value in self._asked.items())

    @property
    def first(self) -> int:
        """The position of the page's first line, from 1."""
        return (self.page - 1) * self.per_page + 1

    @property
    def last(self) -> int:
        """The position of the page's last line."""
        return min(self.page * self.per_page, self.total)

    @cached_property
    def previous(self) -> str:
        """The address of the page before; empty on the first."""
        return self._address(self.page - 1) if self.page > 1 else ""

    @cached_property
    def next(self) -> str:
        """The address of the page after; empty on the last."""
        return self._address(self.page + 1) if self.page < self.pages else ""

    @property
    def keys(self) -> list[int]:
        """The events of the page by primary key, in order."""
        found: list[int] = self._filtered[self.first - 1 : self.last].tolist()
        return found

    @property
    def all_keys(self) -> list[int] | None:
        """The events of all pages by primary key; None where nothing narrows them down."""
        return self._filtered.tolist() if self.words or self.chosen else None

    @property
    def is_front(self) -> bool:
        """Say whether this is the site's first page: all events, nothing asked."""
        return not self.words and not self.chosen and self.page == 1

    @cached_property
    def events(self) -> list[SafeString]:
        """The lines of the page; a query, and more for events that no page has listed yet."""
        found = self.catalogue.events(self.keys)
        is_all_in_hits = self.hits is not None and self.hits.total > 0 and not self.hits.more
        named = {} if is_all_in_hits else self._named(self.keys)
        return lines_of(found, self._outcomes, named)

    @property
    def items(self) -> SafeString:
        """The lines as HTML, so that the template need not go through them."""
        return SafeString("\n".join(self.events[len(self.live) :]))

    @property
    def live_items(self) -> SafeString:
        """The lines of live events as HTML, which stand apart on the site's first page; none elsewhere."""
        return SafeString("\n".join(self.live))

    @cached_property
    def live(self) -> list[SafeString]:
        """The lines of live events on the site's first page."""
        shown = self.catalogue.events(self.keys) if self.is_front else []
        return self.events[: sum(event.state == Event.State.LIVE for event in shown)]

    @cached_property
    def hits(self) -> SearchHits | None:
        """Whom and what the search named, on its first page; None where that is events alone."""
        if not self.words or self.page > 1:
            return None
        keys = list(dict.fromkeys(each.event for each in self._best_named.first))
        known = known_among(self._best_named.first) if keys else {}
        places = places_named(self.catalogue, self._searched) if not self.chosen else []
        events = self.catalogue.events(keys)
        hits = SearchHits(self._best_named, events, self._outcomes, known, self._people, places)
        return hits if hits.any else None

    @property
    def best(self) -> str:
        """Return the address that Enter leads to: of the one whom the search names, or of the only event.

        Blank where other words than those asked for were found: nobody is led to what was not asked for.
        """
        if not self.words or self.meant:
            return ""
        is_of_people = self.hits is not None and self.hits.names_people
        if self.hits and is_of_people and not self.names_event:
            return self.hits.best
        if not is_of_people and self.total == 1:
            return reverse("event", args=[event.slug for event in self.catalogue.events(self.keys)])
        return ""

    @property
    def names_event(self) -> bool:
        """Say whether the words of the search name an event by themselves."""
        return bool(self.words) and bool((self._searched.named & self._with(self.chosen)).any())

    def named_events(self, most: int) -> list[Event]:
        """Return the first events that the words name; the first of all found where they name none."""
        named = self._searched.named & self._with(self.chosen)
        keys = self.catalogue.pks[named] if named.any() else self._filtered
        return self.catalogue.events(keys[:most].tolist())

    @cached_property
    def _best_named(self) -> NamedCompetitors:
        return self._searched.competitors(self._with(self.chosen), MOST_HITS)

    @cached_property
    def _outcomes(self) -> dict[int, Outcome]:
        """The outcomes of the events of the page; of a search, which is never kept, of those of its hits."""
        if not self.words:
            return outcomes_of(self.revision.epoch, self.keys)
        keys = list(dict.fromkeys(each.event for each in self._best_named.first)) if self.page == 1 else []
        return outcomes_of(self.revision.epoch, keys) if keys else {}

    @cached_property
    def filters(self) -> list[Filter]:
        """The filters that leave a choice; each counts what it would show together with the others."""
        offered = [
            Filter(facet.key, facet.label, self._options(facet))
            for facet in FACETS
            if facet.is_offered or facet.key in self.chosen
        ]
        return [each for each in offered if len(each.options) > 1 or each.key in self.chosen]

    @property
    def series(self) -> str:
        """The address of the series chosen, whose editions have a page; blank where it has no event."""
        slug = self.chosen.get("series", "")
        return slug if self.catalogue.has("series", slug) else ""

    @property
    def series_name(self) -> str:
        """What the series chosen is called."""
        return self.catalogue.series_names[self.series]

    @property
    def _searched(self) -> Search:
        return self._result.search

    @property
    def _people(self) -> list[PeopleHits]:
        """Persons, then teams; none beside filters, which are of events."""
        return self._result.people if not self.chosen else []

    @property
    def meant(self) -> str:
        """The words that are shown instead of those asked for, which find nothing; blank where they do."""
        return self._result.meant if self.words else ""

    @cached_property
    def _result(self) -> _Result:
        refresh()
        result = self._look_for(self.words)
        # Who asks for data is told what there is for these words, and nothing else.
        if not result.found_any and not self._is_exact:
            for words in meant(self.words, result.search.unknown):
                other = self._look_for(words, " ".join(words).title(), result.looked)
                if other.found_any and other.shows(set(words) - set(self.words)):
                    return other
        return result

    def _look_for(self, words: list[str], meant: str = "", before: LookedUp | None = None) -> _Result:
        looked = LookedUp(words, before)
        search = Search(self.catalogue, looked, self._chosen_alone)
        kinds = () if self._is_exact else (SearchKind.PERSONS, SearchKind.TEAMS)
        return _Result(looked, search, [people_named(looked, kind, MOST_HITS) for kind in kinds], meant)

    @cached_property
    def _chosen_alone(self) -> Events:
        """The events that the filters leave, whatever the words are."""
        left: Events = np.ones(len(self.catalogue), np.bool_)
        for key, value in self.chosen.items():
            left &= self.catalogue.having(key, value)
        return left

    @cached_property
    def _filtered(self) -> NDArray[np.int64]:
        """The keys of the events that were found, in order."""
        return self.catalogue.pks[self._with(self.chosen)]

    def _with(self, chosen: Mapping[str, str]) -> Events:
        found = self._searched.found.copy() if self.words else np.ones(len(self.catalogue), np.bool_)
        for key, value in chosen.items():
            found &= self.catalogue.having(key, value)
        return found

    def _options(self, facet: Facet) -> list[Option]:
        # A filter counts beside the others only: with itself it would offer what is chosen, and nothing else.
        others = {key: value for key, value in self.chosen.items() if key != facet.key}
        # None is for all of them: that spares picking each out.
        counts = self.catalogue.counts(facet.key, self._with(others) if others or self.words else None)
        chosen = self.chosen.get(facet.key, "")
        options = [
            Option(value, str(facet.name(self.catalogue, value)), counts.get(value, 0), value == chosen)
            for value in {*(counts if facet.is_offered else ()), chosen}
            if value
        ]
        return sorted(
            options, key=lambda option: (option.name, option.value), reverse=facet.key == NEWEST_FIRST
        )

    def _named(self, keys: list[int]) -> dict[int, Whom]:
        return self._searched.whom(keys) if self.words else {}

    def query(self, page: int) -> str:
        """Return the end of the address of that page of the same list; empty for all events."""
        asked = {"q": self.search, **self.chosen, "page": str(page) if page > 1 else ""}
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"?{query}" if query else ""

    def _address(self, page: int) -> str:
        return reverse("events") + self.query(page)
