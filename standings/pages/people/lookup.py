"""Persons and teams across events: lookup, URLs and careers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.caching.cached_pages import StampOf
from standings.careers.overevents import OF_PERSONS, OF_TEAMS, CareersOf, competitors_over_events
from standings.pages.people.career import CareerOverEvents
from tournaments.models import Event, Person, Team
from tournaments.operations.revision import person_stamp, team_stamp
from tournaments.people.entries import Leading, owner_at
from tournaments.people.public import PublicPerson, public_person, public_slug


@dataclass(frozen=True)
class PublicTeam:
    """A team across events, as readers see it."""

    id: int
    name: str
    slug: str
    team: Team
    is_hidden: bool = False


PublicSide = PublicPerson | PublicTeam
Side = TypeVar("Side", PublicPerson, PublicTeam)


@dataclass(frozen=True)
class OverEvents(Generic[Side]):
    """Lookup, URLs and careers of persons, or of teams.

    `name`: the prefix of URL names. `about` returns the person or team of a key now, None if there was none.
    """

    name: str
    stamp_of: StampOf
    about: Callable[[int], Side | None]
    careers: CareersOf
    is_team: bool

    def known(self, key: int) -> Side:
        """Return the person or team of that key now; raise Http404 if there is none."""
        side = self.about(key)
        if side is None:
            raise Http404
        return side

    def address(self, key: int, slug: str = "") -> str:
        """Return the URL of the page; without the slug, it redirects there. Hidden persons have no slug."""
        return reverse(self.name, args=[key, slug]) if slug else reverse(f"{self.name}-alone", args=[key])

    def against(self, key: int, other: int) -> str:
        return reverse(f"{self.name}-against", args=[key, other])

    def opponents(self, key: int) -> str:
        return reverse(f"{self.name}-opponents", args=[key])

    def shown(self, key: int) -> CareerOverEvents:
        return CareerOverEvents(
            self.careers.career(key),
            is_team=self.is_team,
            to_other=self.address,
            to_encounters=partial(self.against, key),
            all_games="" if self.is_team else reverse("person-games", args=[key]),
        )


def ways_over_events(request: HttpRequest, event: Event, numbers: Iterable[int]) -> list[Leading]:
    """Return the persons or teams of these competitors, in their order; none in an archive.

    One query, none if the result is cached.
    """
    if hasattr(request, "archive"):
        return []
    leading_by_number = competitors_over_events(event)
    return [leading_by_number[number] for number in numbers if number in leading_by_number]


def _public_person_at(key: int) -> PublicPerson | None:
    person = owner_at(Person, key)
    return public_person(person) if person else None


def _public_team_at(key: int) -> PublicTeam | None:
    team = owner_at(Team, key)
    return PublicTeam(team.pk, team.name, public_slug(team), team) if team else None


PERSONS = OverEvents("person", person_stamp, _public_person_at, OF_PERSONS, is_team=False)
TEAMS = OverEvents("team", team_stamp, _public_team_at, OF_TEAMS, is_team=True)
