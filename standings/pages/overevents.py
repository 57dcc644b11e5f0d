"""Persons and teams alike, as the pages of both need them: who it is, the addresses, the career."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.caching.cached_people_pages import StampOf
from standings.careers.headtohead import HeadToHeadOf, head_to_head_of_persons, head_to_head_of_teams
from standings.careers.leading import competitors_over_events
from standings.careers.overevents import Career, career_of_person, career_of_team
from standings.careers.tallies import LISTED_PERSONS, LISTED_TEAMS, ListedKind
from standings.pages.career import CareerOverEvents
from tournaments.models import Event, Team
from tournaments.operations.revision import person_stamp, team_stamp
from tournaments.people.entries import Leading, person_at, team_at, team_slug
from tournaments.people.public import PublicPerson, public_person


class PublicSide(Protocol):
    """What readers know of every person and team: the key, the name, the name in the address."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def slug(self) -> str: ...
    @property
    def is_hidden(self) -> bool: ...


Side = TypeVar("Side", bound=PublicSide)


@dataclass(frozen=True)
class PublicTeam:
    """A team over events as readers know it; `names` and `codes` have the dates that are recorded."""

    id: int
    name: str
    slug: str
    team: Team
    is_hidden: bool = False


@dataclass(frozen=True)
class OverEvents(Generic[Side]):
    """Persons, or teams: how they are found, and what their addresses and careers are.

    `name` begins the names of their addresses. `about` returns who has a key now, None where nobody ever had
    it.
    """

    name: str
    stamp_of: StampOf
    about: Callable[[int], Side | None]
    career_of: Callable[[int], Career]
    head_to_head_of: HeadToHeadOf
    listed: ListedKind
    is_team: bool

    def known(self, key: int) -> Side:
        """Return who has that key now; raise Http404 where nobody has."""
        found = self.about(key)
        if found is None:
            raise Http404
        return found

    def address(self, key: int, slug: str = "") -> str:
        """Return the address of the page; without the name it leads there, and of who is hidden it is all."""
        return reverse(self.name, args=[key, slug]) if slug else reverse(f"{self.name}-alone", args=[key])

    def leads_to(self, leading: Leading) -> str:
        """Return the address of whom an entry leads to."""
        return self.address(leading.id, leading.slug)

    def against(self, key: int, other: int) -> str:
        """Return the address of all games of two against each other."""
        return reverse(f"{self.name}-against", args=[key, other])

    def opponents(self, key: int) -> str:
        """Return the address of the page on which somebody else is chosen."""
        return reverse(f"{self.name}-opponents", args=[key])

    def shown(self, key: int) -> CareerOverEvents:
        """Return the career as pages show it."""
        return CareerOverEvents(
            self.career_of(key),
            is_team=self.is_team,
            to_other=self.address,
            to_encounters=partial(self.against, key),
        )


class WayOverEvents(NamedTuple):
    """The way from a competitor of an event to the person, or team, over all events."""

    key: int
    name: str
    address: str
    is_hidden: bool


def ways_over_events(request: HttpRequest, event: Event, numbers: Iterable[int]) -> list[WayOverEvents]:
    """Return the ways from these competitors, in their order; none in an archive, which has no such pages.

    One query, two of teams, and none where that is kept.
    """
    if hasattr(request, "archive"):
        return []
    known = competitors_over_events(event)
    kind: OverEvents[Any] = TEAMS if event.is_team else PERSONS
    return [
        WayOverEvents(found.id, found.name, kind.leads_to(found), found.is_hidden)
        for number in numbers
        if (found := known.get(number))
    ]


def _person(key: int) -> PublicPerson | None:
    found = person_at(key)
    return public_person(found) if found else None


def _team(key: int) -> PublicTeam | None:
    found = team_at(key)
    return PublicTeam(found.pk, found.name, team_slug(found), found) if found else None


PERSONS = OverEvents(
    "person",
    person_stamp,
    _person,
    career_of_person,
    head_to_head_of_persons,
    LISTED_PERSONS,
    is_team=False,
)
TEAMS = OverEvents(
    "team", team_stamp, _team, career_of_team, head_to_head_of_teams, LISTED_TEAMS, is_team=True
)
