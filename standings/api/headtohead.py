"""The opponents of a person or team over all events, and head-to-head results."""

from typing import NamedTuple

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.api.careers import game_data, tally_data
from standings.api.people_schemas import (
    HeadToHeadData,
    OpponentData,
    OpponentsData,
    PlaceThereData,
    SharedEventData,
    SideData,
)
from standings.api.responses import TemporaryRedirectError, endpoint, select_fields
from standings.caching.bounded_cache import bounded_cache
from standings.caching.cached_people_pages import people_page
from standings.careers.headtohead import HeadToHead, head_to_head
from standings.careers.overevents import OF_PERSONS, OF_TEAMS, Career, CareersOf
from standings.careers.totals import OpponentTotal, totals_of
from tournaments.models import Person, Team
from tournaments.operations.revision import person_stamp, team_stamp
from tournaments.people.entries import Leading, leading_to, owner_at
from tournaments.people.models.team import Owner


class Kind(NamedTuple):
    """The prefix of URL names, the model and the careers of persons or teams."""

    name: str
    model: type[Owner]
    careers: CareersOf

    def shown(self, key: int) -> Leading:
        owner = owner_at(self.model, key)
        if owner is None or leading_to(owner).is_hidden:
            raise Http404
        return leading_to(owner)


PERSONS = Kind("person", Person, OF_PERSONS)
TEAMS = Kind("team", Team, OF_TEAMS)


@endpoint(people_page("api-person-opponents", person_stamp, "key"))
def person_opponents(request: HttpRequest, key: int) -> OpponentsData:
    """Everybody known over events whom a person met, the most met first; nobody's of who is hidden."""
    return _opponents(request, PERSONS, key)


@endpoint(people_page("api-team-opponents", team_stamp, "key"))
def team_opponents(request: HttpRequest, key: int) -> OpponentsData:
    """Every team known over events that a team met, the most met first."""
    return _opponents(request, TEAMS, key)


def _opponents(request: HttpRequest, kind: Kind, key: int) -> OpponentsData:
    about = kind.shown(key)
    if about.id != key:
        raise TemporaryRedirectError(reverse(f"api-{kind.name}-opponents", args=[about.id]))
    return OpponentsData(
        id=about.id,
        name=about.name,
        page=request.build_absolute_uri(reverse(f"{kind.name}-opponents", args=[key])),
        opponents=[
            _opponent_data(each, request, kind, key) for each in totals_of(kind.careers.career(key)).opponents
        ],
    )


def _opponent_data(met: OpponentTotal, request: HttpRequest, kind: Kind, key: int) -> OpponentData:
    absolute = request.build_absolute_uri
    return OpponentData(
        id=met.key,
        name=met.opponent.name,
        tally=tally_data(met.tally),
        address=absolute(reverse(f"api-{kind.name}-against", args=[key, met.key])),
        page=absolute(reverse(f"{kind.name}-against", args=[key, met.key])),
    )


@endpoint(people_page("api-person-against", person_stamp, "key", "against"))
@bounded_cache
def person_against(request: HttpRequest, key: int, against: int) -> HeadToHeadData:
    """Two persons against each other, over all events; nothing where one of them is hidden."""
    return _head_to_head_data(request, PERSONS, key, against)


@endpoint(people_page("api-team-against", team_stamp, "key", "against"))
@bounded_cache
def team_against(request: HttpRequest, key: int, against: int) -> HeadToHeadData:
    """Two teams against each other, over all events."""
    return _head_to_head_data(request, TEAMS, key, against)


def _head_to_head_data(request: HttpRequest, kind: Kind, key: int, against: int) -> HeadToHeadData:
    first, second = kind.shown(key), kind.shown(against)
    if first.id == second.id:
        raise Http404
    if (first.id, second.id) != (key, against):
        raise TemporaryRedirectError(reverse(f"api-{kind.name}-against", args=[first.id, second.id]))
    both = head_to_head(kind.careers, key, against)
    absolute = request.build_absolute_uri
    return HeadToHeadData(
        first=_side_data(first, both.years[0], request, kind),
        second=_side_data(second, both.years[1], request, kind),
        tally=tally_data(both.tally),
        games=[game_data(each, request) for each in both.games],
        events=_shared_events(both),
        turned=absolute(reverse(f"api-{kind.name}-against", args=[against, key])),
        page=absolute(reverse(f"{kind.name}-against", args=[key, against])),
    )


def _side_data(about: Leading, years: list[str], request: HttpRequest, kind: Kind) -> SideData:
    known = [int(year) for year in years if year.isdecimal()]
    return SideData(
        id=about.id,
        name=about.name,
        events=len(years),
        first_year=min(known, default=None),
        last_year=max(known, default=None),
        address=request.build_absolute_uri(reverse(f"api-{kind.name}", args=[about.id])),
    )


def _shared_events(both: HeadToHead) -> list[SharedEventData]:
    events = {each.event.pk: each.event for each in both.career}
    return [
        SharedEventData(
            event=event.slug,
            event_name=event.name,
            start=event.start,
            first=_places_in_event(both.career, key),
            second=_places_in_event(both.other, key),
        )
        for key, event in events.items()
    ]


def _places_in_event(career: Career, event: int) -> list[PlaceThereData]:
    return [select_fields(PlaceThereData, each) for each in career if each.event.pk == event]
