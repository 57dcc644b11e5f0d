"""Whom and what a search named, as lines of their own: persons, teams, players, places; each a link."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.catalogue.known import Known, KnownOverEvents
from standings.catalogue.outcomes import Outcome
from standings.catalogue.peoplesearch import PeopleHits, PersonHit
from standings.catalogue.places import PlaceHit
from standings.catalogue.search import NamedCompetitor, NamedCompetitors
from standings.entries import flag_of, year_of
from tournaments.models import Event
from tournaments.search.folding import searchable

MOST_HITS = 20
"""So many of those whom a search named have a line of their own; the lines of events name more."""

DOT = " · "


class SearchHits:
    """The hits of a search: persons and teams over events, teams and players of one, and places.

    Those of an event who are known over all of them are told as these, with the other names of a person.
    """

    def __init__(
        self,
        named: NamedCompetitors,
        events: Sequence[Event],
        outcomes: Mapping[int, Outcome],
        known: Known,
        people: Sequence[PeopleHits],
        places: Sequence[PlaceHit],
    ) -> None:
        self.total, self.is_exact = named.total, named.is_exact
        self._events = {event.pk: event for event in events}
        self._outcomes, self._known, self._places = outcomes, known, places
        # One whose event was deleted since the names were read is not there any more.
        self._named = [each for each in named.first if each.event in self._events]
        self._people = self._with_known([hit for kind in people for hit in kind.first])
        self.has_all_people = all(kind.is_all for kind in people)

    def _with_known(self, people: Sequence[PersonHit]) -> list[PersonHit]:
        """Return persons and teams over events, with those whom an entry alone was named by."""
        found = {hit.address: hit for hit in people}
        for each in self._named:
            if page := self._page_of(each):
                hit = PersonHit(
                    page.address, page.name, self._is_team(each), self._closeness(each), 0, each.found.name
                )
                if searchable(hit.found_by) == searchable(hit.name):
                    hit = hit._replace(found_by="")
                there = found.setdefault(page.address, hit)
                found[page.address] = there._replace(closeness=max(there.closeness, hit.closeness))
        return list(found.values())

    @property
    def any(self) -> bool:
        """Say whether there is any hit."""
        return bool(self._named or self._people or self._places)

    @property
    def names_people(self) -> bool:
        """Say whether anybody was named, be it a person, a team or who played in an event."""
        return bool(self._named or self._people)

    @property
    def more(self) -> int:
        """Return how many were named in events beside these."""
        return self.total - len(self._named)

    def _page_of(self, named: NamedCompetitor) -> KnownOverEvents | None:
        return self._known.get((named.event, named.found.number, named.found.name))

    @property
    def persons(self) -> SafeString:
        """Return the lines of the persons over events as HTML."""
        return self._lines_of_people([hit for hit in self._people if not hit.is_team])

    @property
    def teams_over_events(self) -> SafeString:
        """Return the lines of the teams over events as HTML."""
        return self._lines_of_people([hit for hit in self._people if hit.is_team])

    def _lines_of_people(self, hits: Sequence[PersonHit]) -> SafeString:
        return SafeString("\n".join(self._linked(hit.address, hit.name, _about(hit)) for hit in hits))

    @property
    def places(self) -> SafeString:
        """Return the lines of the places as HTML."""
        lines = (self._linked(hit.address, hit.name, _events(hit.events)) for hit in self._places)
        return SafeString("\n".join(lines))

    def _linked(self, address: str, name: str, about: str) -> str:
        return (
            f'<li><a class="name" href="{escape(address)}"{self._focus(address)}>{escape(name)}</a> '
            f'<span class="about">{escape(about)}</span></li>'
        )

    @property
    def teams(self) -> SafeString:
        """Return the lines of the teams of events as HTML."""
        return self._lines([each for each in self._named if self._is_team(each)])

    @property
    def players(self) -> SafeString:
        """Return the lines of the players of events as HTML."""
        return self._lines([each for each in self._named if not self._is_team(each)])

    def suggested(self, most: int) -> list[dict[str, str]]:
        """Return the first of them for the search field to suggest; one name once, with its best hit."""
        found: dict[tuple[bool, str], NamedCompetitor] = {}
        for each in self._named:
            # Who has a page over all events is suggested with that.
            if not self._page_of(each):
                found.setdefault((self._is_team(each), searchable(each.found.name)), each)
        people = [
            {
                "kind": _("team over events") if hit.is_team else _("person over events"),
                "label": hit.name,
                "about": _about(hit),
                "address": hit.address,
            }
            for hit in self._people
        ]
        return [*people, *map(self._suggested, found.values())][:most]

    def suggested_places(self, most: int) -> list[dict[str, str]]:
        """Return the first places for the search field to suggest."""
        return [
            {"kind": _("place"), "label": hit.name, "about": _events(hit.events), "address": hit.address}
            for hit in self._places[:most]
        ]

    def _suggested(self, named: NamedCompetitor) -> dict[str, str]:
        event = self._events[named.event]
        about = (named.found.team, event.name, event.start[:4])
        return {
            "kind": _("team") if self._is_team(named) else _("player"),
            "label": named.found.name,
            "about": DOT.join(filter(None, about)),
            "address": self._address(named),
        }

    @property
    def best(self) -> str:
        """Return the address of the best hit; blank where the words name several equally well.

        One name in several events is one competitor, as far as names tell: the hit is the first of them, or
        the page over events where one of them is known to be somebody there.
        """
        close = [each.closeness for each in self._people] + list(map(self._closeness, self._named))
        closest = max(close, default=0)
        people = [hit for hit in self._people if hit.closeness == closest]
        entries = [
            each for each in self._named if self._closeness(each) == closest and not self._page_of(each)
        ]
        names = {searchable(each.found.name) for each in entries}
        if closest == 0 and (self.more or not self.has_all_people):
            return ""
        if len(people) == 1 and not (names - {searchable(people[0].name), searchable(people[0].found_by)}):
            return self._entry_of(people[0]) or people[0].address
        return self._address(entries[0]) if not people and len(names) == 1 else ""

    def _entry_of(self, hit: PersonHit) -> str:
        """Return the address in the only event that was asked for, of who is named there; blank else."""
        named = [
            each for each in self._named if (page := self._page_of(each)) and page.address == hit.address
        ]
        return self._address(named[0]) if len(named) == 1 and not hit.events else ""

    def _closeness(self, named: NamedCompetitor) -> int:
        # A country's name names its team, but none of its players.
        return 0 if named.by_federation and not self._is_team(named) else named.closeness

    def _is_team(self, named: NamedCompetitor) -> bool:
        return self._events[named.event].is_team and not named.found.team

    def _address(self, named: NamedCompetitor) -> str:
        return reverse("competitor", args=[self._events[named.event].slug, named.found.number])

    def _focus(self, address: str) -> str:
        """Return what puts the first hit of the page under the Enter key of who opens it from a search."""
        return " autofocus" if address == self._first else ""

    @cached_property
    def _first(self) -> str:
        """The address of the first hit, in the order of the page."""
        over = [hit.address for hit in sorted(self._people, key=lambda hit: hit.is_team)]
        named = [self._address(self._first_named)] if self._first_named else []
        return next(iter([*over, *named, *(hit.address for hit in self._places)]), "")

    @cached_property
    def _first_named(self) -> NamedCompetitor | None:
        """The first line of those named in events, teams before players: both have one address."""
        return min(self._named, key=lambda each: not self._is_team(each), default=None)

    def _lines(self, named: Sequence[NamedCompetitor]) -> SafeString:
        return SafeString("\n".join(self._line(each) for each in named))

    def _line(self, named: NamedCompetitor) -> str:
        event, found = self._events[named.event], named.found
        outcome = self._outcomes.get(event.pk)
        place, country = outcome.places.get(found.number, ("", "")) if outcome else ("", "")
        address = self._address(named)
        focus = self._focus(address) if named is self._first_named else ""
        about = [escape(found.team)] if found.team else []
        if outcome and place:
            figures = {"place": place, "count": len(outcome.places)}
            about.append(escape(_("place %(place)s of %(count)s") % figures))
        about.append(escape(event.name))
        return (
            f'<li><a class="name" href="{address}"{focus}>'
            f"{flag_of(country, year_of(event))}{escape(found.name)}</a> "
            f'<span class="about">{DOT.join(about)}</span> '
            f'<time datetime="{escape(event.start)}">{escape(event.start[:4])}</time></li>'
        )


def _about(hit: PersonHit) -> str:
    return DOT.join(filter(None, (hit.found_by, _events(hit.events) if hit.events else "")))


def _events(count: int) -> str:
    return ngettext("%(count)s event", "%(count)s events", count) % {"count": count}
