"""The results of a search besides events: persons, teams, players and places, each with a link."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.catalogue.filters import Catalogue
from standings.catalogue.outcomes import Outcome
from standings.catalogue.peoplesearch import PeopleHits, PersonHit, person_hit
from standings.catalogue.search import NamedCompetitor, NamedCompetitors, Search
from standings.catalogue.search_terms import SearchTerm
from standings.flags import flag_of, year_of
from standings.texts import entrants_text, name_of_federation
from tournaments.event.federations import federation
from tournaments.models import Event, Person, PersonLink, Team, TeamLink
from tournaments.people.entries import Leading, leading_to
from tournaments.search.folding import searchable, word_of_federation

MOST_HITS = 20
"""The results with a row of their own. Rows of events name more."""

MOST_PLACES = 6
MOST_LOOKED_AT = 300
"""The places with the most events that are compared with the terms."""

DOT = " · "

_LINK = ("event", "number", "name")

CareerPages = dict[tuple[int, int, str], Leading]
"""Persons and teams by event, competitor number and recorded name."""


class PlaceHit(NamedTuple):
    """A place that matches the search. `events`: the number of events. `address`: the URL of their list."""

    name: str
    events: int
    address: str


def career_pages_of(named: Sequence[NamedCompetitor]) -> CareerPages:
    """Return the matches with a career page; two queries.

    Hidden persons are left out: their pseudonym differs from the recorded name.
    """
    wanted = {(each.event, each.found.number, each.found.name) for each in named}
    events = {each.event for each in named}
    numbers = {each.found.number for each in named}
    at = Q(event__in=events, number__in=numbers)
    persons = PersonLink.objects.filter(at, person__hidden=False).exclude(competitor=None, player=None)
    teams = TeamLink.objects.filter(at).exclude(competitor=None)
    # Read as values, not as objects: most competitors with these numbers are other people.
    return {
        entry: leading_to(owner(pk=key, name=known_name))
        for owner, rows in (
            (Person, persons.values_list(*_LINK, "person", "person__name")),
            (Team, teams.values_list(*_LINK, "team", "team__name")),
        )
        for event, number, name, key, known_name in rows
        if (entry := (event, number, " ".join(name.split()))) in wanted
    }


class SearchHits:
    """The persons, teams, players and places that match a search.

    Competitors with a career page are shown as the person or team, with its other names.
    """

    def __init__(
        self,
        named: NamedCompetitors,
        events: Mapping[int, Event],
        outcomes: Mapping[int, Outcome],
        pages: CareerPages,
        people: Sequence[PeopleHits],
        places: Sequence[PlaceHit],
    ) -> None:
        self.total = named.total
        self._events = events
        self._outcomes, self._pages, self._places = outcomes, pages, places
        # An event may have been deleted since the names were read.
        there = [each for each in named.first if each.event in self._events]
        self._live = [each for each in there if self._events[each.event].state == Event.State.LIVE]
        self._over = [each for each in there if each not in self._live]
        self._named = [*self._live, *self._over]
        self._people = self._with_career_pages([hit for kind in people for hit in kind.first])
        self.has_all_people = all(kind.is_all for kind in people)

    def _with_career_pages(self, people: Sequence[PersonHit]) -> list[PersonHit]:
        found = {hit.address: hit for hit in people}
        for each in self._named:
            if page := self._page_of(each):
                hit = person_hit(page, each.closeness, 0, each.found.name)
                there = found.setdefault(page.address, hit)
                found[page.address] = there._replace(closeness=max(there.closeness, hit.closeness))
        return list(found.values())

    @property
    def addresses(self) -> set[str]:
        own = map(self._address, self._named)
        return {*own, *(each.address for each in self._people), *(each.address for each in self._places)}

    @property
    def names_people(self) -> bool:
        return bool(self._named or self._people)

    @property
    def more(self) -> int:
        return self.total - len(self._named)

    def _page_of(self, named: NamedCompetitor) -> Leading | None:
        return self._pages.get((named.event, named.found.number, named.found.name))

    @property
    def persons(self) -> SafeString:
        return self._lines_of_people([hit for hit in self._people if not hit.is_team])

    @property
    def teams_over_events(self) -> SafeString:
        return self._lines_of_people([hit for hit in self._people if hit.is_team])

    def _lines_of_people(self, hits: Sequence[PersonHit]) -> SafeString:
        return SafeString("\n".join(self._linked(hit.address, hit.name, _hit_details(hit)) for hit in hits))

    @property
    def places(self) -> SafeString:
        lines = (self._linked(hit.address, hit.name, _events_text(hit.events)) for hit in self._places)
        return SafeString("\n".join(lines))

    def _linked(self, address: str, name: str, about: str) -> str:
        return (
            f'<li><a class="name" href="{escape(address)}"{self._focus(address)}>{escape(name)}</a> '
            f'<span class="about">{escape(about)}</span></li>'
        )

    @property
    def live(self) -> SafeString:
        return self._lines(self._live)

    @property
    def teams(self) -> SafeString:
        return self._lines([each for each in self._over if self._is_team(each)])

    @property
    def players(self) -> SafeString:
        return self._lines([each for each in self._over if not self._is_team(each)])

    def suggested(self, most: int) -> list[dict[str, str]]:
        """Return the first suggestions; a name appears once, with its best match."""
        found: dict[tuple[bool, str], NamedCompetitor] = {}
        for each in self._named:
            # Names with a career page are suggested with that page, unless the event is live.
            if each in self._live or not self._page_of(each):
                found.setdefault((self._is_team(each), searchable(each.found.name)), each)
        entries = [self._suggested(each) for each in found.values()]
        live = sum(each in self._live for each in found.values())
        people = [
            {
                "kind": _("team") if hit.is_team else _("player"),
                "label": hit.name,
                "about": _hit_details(hit),
                "address": hit.address,
            }
            for hit in self._people
        ]
        return [*entries[:live], *people, *entries[live:]][:most]

    def suggested_places(self, most: int) -> list[dict[str, str]]:
        return [
            {"kind": _("place"), "label": hit.name, "about": _events_text(hit.events), "address": hit.address}
            for hit in self._places[:most]
        ]

    def _suggested(self, named: NamedCompetitor) -> dict[str, str]:
        event = self._events[named.event]
        about = (named.found.team, event.name, event.start[:4])
        kind = "team" if self._is_team(named) else "player"
        return {
            "kind": _(named.group[0] if named.members else kind),
            "label": named.found.name,
            "about": DOT.join(filter(None, about)),
            "address": self._address(named),
        }

    @property
    def best(self) -> str:
        """Return the URL of the best match; blank if several match equally well.

        The same name in several events counts as the same competitor. The URL is that of the competitor in a
        live event, else of the career page, else of the competitor in the first event.
        """
        close = [each.closeness for each in self._people] + [each.closeness for each in self._named]
        closest = max(close, default=0)
        people = [hit for hit in self._people if hit.closeness == closest]
        pages = {each: leading.address for each in self._named if (leading := self._page_of(each))}
        entries = [each for each in self._named if each.closeness == closest and each not in pages]
        # A club or a federation in several events is no single match.
        names = {
            frozenset([self._address(each)] if each.members else _name_words(each.found.name))
            for each in entries
        }
        if closest == 0 and (self.more or not self.has_all_people):
            return ""
        if len(people) == 1 and not (names - {_name_words(people[0].name), _name_words(people[0].found_by)}):
            page = people[0].address
            own = [each for each in self._named if each in entries or pages.get(each) == page]
            # A search with the name or year of an event means the entry there.
            # The card of a team does not begin with its player.
            if own and own[0].found.team and self._events[own[0].event].is_team:
                return page
            is_entry = own and (own[0] in self._live or (len(own) == 1 and not people[0].events))
            return self._address(own[0]) if is_entry else page
        return self._address(entries[0]) if not people and len(names) == 1 else ""

    def _is_team(self, named: NamedCompetitor) -> bool:
        return self._events[named.event].is_team and not named.found.team

    def _address(self, named: NamedCompetitor) -> str:
        slug = self._events[named.event].slug
        if named.members:
            return f"{reverse('standings', args=[slug])}?{urlencode({named.group[0]: named.group[1]})}"
        return reverse("competitor", args=[slug, named.found.number])

    def _focus(self, address: str) -> str:
        return " autofocus" if address == self._first else ""

    @cached_property
    def _first(self) -> str:
        over = [hit.address for hit in sorted(self._people, key=lambda hit: hit.is_team)]
        named = [self._address(self._first_named)] if self._first_named else []
        first = [*named, *over] if self._live else [*over, *named]
        return next(iter([*first, *(hit.address for hit in self._places)]), "")

    @cached_property
    def _first_named(self) -> NamedCompetitor | None:
        """The first match in events: in live ones, then teams before players. A player links to its team."""
        return min(self._live[:1] or self._over, key=lambda each: not self._is_team(each), default=None)

    def _lines(self, named: Sequence[NamedCompetitor]) -> SafeString:
        return SafeString("\n".join(self._line(each) for each in named))

    def _line(self, named: NamedCompetitor) -> str:
        event, found = self._events[named.event], named.found
        outcome = self._outcomes.get(event.pk)
        place, country = outcome.places.get(found.number, ("", "")) if outcome else ("", "")
        address = self._address(named)
        focus = self._focus(address) if named is self._first_named else ""
        about = [escape(entrants_text(event, named.members) if named.members else found.team)]
        if outcome and place:
            figures = {"place": place, "count": len(outcome.places)}
            about.append(escape(_("place %(place)s of %(count)s") % figures))
        about.append(escape(event.name))
        return (
            f'<li><a class="name" href="{escape(address)}"{focus}>'
            f"{flag_of(country, year_of(event))}{escape(named.found.name)}</a> "
            f'<span class="about">{DOT.join(filter(None, about))}</span> '
            f'<time datetime="{escape(event.start)}">{escape(event.start[:4])}</time></li>'
        )


def _name_words(name: str) -> frozenset[str]:
    return frozenset(searchable(name).split())


def _hit_details(hit: PersonHit) -> str:
    return DOT.join(filter(None, (hit.found_by, _events_text(hit.events) if hit.events else "")))


def _events_text(count: int) -> str:
    return ngettext("%(count)s event", "%(count)s events", count) % {"count": count}


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
