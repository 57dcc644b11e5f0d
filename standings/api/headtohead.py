"""The opponents of a person or team over all events, and head-to-head results."""

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
from standings.careers.overevents import OF_PERSONS, OF_TEAMS, Career, CareersOf
from standings.careers.totals import HeadToHead, OpponentTotal, head_to_head, totals_of
from tournaments.operations.revision import person_stamp, team_stamp
from tournaments.people.entries import Leading, leading_to, owner_at


def _shown(careers: CareersOf, key: int) -> Leading:
    owner = owner_at(careers.listed.model, key)
    if owner is None or leading_to(owner).is_hidden:
        raise Http404
    return leading_to(owner)


@endpoint(people_page("api-person-opponents", person_stamp, "key"))
def person_opponents(request: HttpRequest, key: int) -> OpponentsData:
    """Everybody known over events whom a person met, the most met first; nobody's of who is hidden."""
    return _opponents(request, OF_PERSONS, key)


@endpoint(people_page("api-team-opponents", team_stamp, "key"))
def team_opponents(request: HttpRequest, key: int) -> OpponentsData:
    """Every team known over events that a team met, the most met first."""
    return _opponents(request, OF_TEAMS, key)


def _opponents(request: HttpRequest, careers: CareersOf, key: int) -> OpponentsData:
    about = _shown(careers, key)
    if about.id != key:
        raise TemporaryRedirectError(reverse(f"api-{careers.listed.owner}-opponents", args=[about.id]))
    return OpponentsData(
        id=about.id,
        name=about.name,
        page=request.build_absolute_uri(reverse(f"{careers.listed.owner}-opponents", args=[key])),
        opponents=[
            _opponent_data(each, request, careers, key) for each in totals_of(careers.career(key)).opponents
        ],
    )


def _opponent_data(met: OpponentTotal, request: HttpRequest, careers: CareersOf, key: int) -> OpponentData:
    absolute = request.build_absolute_uri
    return OpponentData(
        id=met.key,
        name=met.opponent.name,
        tally=tally_data(met.tally),
        address=absolute(reverse(f"api-{careers.listed.owner}-against", args=[key, met.key])),
        page=absolute(reverse(f"{careers.listed.owner}-against", args=[key, met.key])),
    )


@endpoint(people_page("api-person-against", person_stamp, "key", "against"))
@bounded_cache
def person_against(request: HttpRequest, key: int, against: int) -> HeadToHeadData:
    """Two persons against each other, over all events; nothing where one of them is hidden."""
    return _head_to_head_data(request, OF_PERSONS, key, against)


@endpoint(people_page("api-team-against", team_stamp, "key", "against"))
@bounded_cache
def team_against(request: HttpRequest, key: int, against: int) -> HeadToHeadData:
    """Two teams against each other, over all events."""
    return _head_to_head_data(request, OF_TEAMS, key, against)


def _head_to_head_data(request: HttpRequest, careers: CareersOf, key: int, against: int) -> HeadToHeadData:
    first, second = _shown(careers, key), _shown(careers, against)
    if first.id == second.id:
        raise Http404
    if (first.id, second.id) != (key, against):
        raise TemporaryRedirectError(
            reverse(f"api-{careers.listed.owner}-against", args=[first.id, second.id])
        )
    both = head_to_head(careers, key, against)
    absolute = request.build_absolute_uri
    return HeadToHeadData(
        first=_side_data(first, both.years[0], request, careers),
        second=_side_data(second, both.years[1], request, careers),
        tally=tally_data(both.tally),
        games=[game_data(each, request) for each in both.games],
        events=_shared_events(both),
        turned=absolute(reverse(f"api-{careers.listed.owner}-against", args=[against, key])),
        page=absolute(reverse(f"{careers.listed.owner}-against", args=[key, against])),
    )


def _side_data(about: Leading, years: list[str], request: HttpRequest, careers: CareersOf) -> SideData:
    known = [int(year) for year in years if year.isdecimal()]
    return SideData(
        id=about.id,
        name=about.name,
        events=len(years),
        first_year=min(known, default=None),
        last_year=max(known, default=None),
        address=request.build_absolute_uri(reverse(f"api-{careers.listed.owner}", args=[about.id])),
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
