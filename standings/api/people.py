"""Lists of persons and teams, their careers over all events, and head-to-head results."""

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.api.responses import TemporaryRedirectError, endpoint
from standings.api.site_schemas import (
    CareerGameData,
    CareerTotalsData,
    GameOfCareerData,
    HeadToHeadData,
    ListedData,
    OpponentData,
    OpponentsData,
    ParticipationData,
    PeopleListData,
    PersonData,
    SharedEventData,
    SideData,
    TeamOverEventsData,
)
from standings.caching.cached_pages import (
    choices,
    mark_uncacheable,
    people_list,
    people_page,
    uses_parameters,
)
from standings.caching.page_cache import bounded_cache
from standings.careers.directory import Directory
from standings.careers.members import members_of_team
from standings.careers.overevents import OF_PERSONS, OF_TEAMS, Career, CareersOf
from standings.careers.participation import CareerGame, Participation
from standings.careers.totals import (
    GameOfCareer,
    HeadToHead,
    federations_told,
    titles_told,
    totals_of,
    written_ways,
)
from tournaments.models import Person, Team
from tournaments.operations.revision import person_stamp, team_stamp
from tournaments.people.entries import Leading, OwnerT, leading_to, owner_at
from tournaments.people.public import PublicSpan, public_person
from tournaments.people.services.tallies import LISTED_PERSONS, LISTED_TEAMS, ListedKind

ASKED = ("q", "country", "title", "sort", "dir", "page")


@endpoint(people_list)
@uses_parameters(*ASKED)
def persons(request: HttpRequest) -> PeopleListData:
    """A page of the list of players, by name. Hidden players are omitted."""
    return _people_list(request, LISTED_PERSONS)


@endpoint(people_list)
@uses_parameters(*ASKED)
def teams(request: HttpRequest) -> PeopleListData:
    """A page of the list of teams, by name."""
    return _people_list(request, LISTED_TEAMS)


def _people_list(request: HttpRequest, kind: ListedKind) -> PeopleListData:
    asked = choices(request, ASKED)
    found = Directory(kind, asked, is_exact=True)
    if found.is_only_shown:
        mark_uncacheable(request)
    if int(asked.get("page", 1)) > found.pages:
        raise Http404
    absolute = request.build_absolute_uri
    here = absolute(request.path)
    return PeopleListData.of(
        found,
        previous=f"{here}{found.previous}" if found.page > 1 else None,
        next=f"{here}{found.next}" if found.next else None,
        listed=[
            ListedData.of(
                each,
                address=absolute(reverse(f"api-{kind.owner}", args=[each.leading.id])),
                page=absolute(each.leading.address),
            )
            for each in found.lines
        ],
    )


def _owner_at(model: type[OwnerT], key: int, view: str) -> OwnerT:
    found = owner_at(model, key)
    if found is None:
        raise Http404
    if found.pk != key:
        raise TemporaryRedirectError(reverse(view, args=[found.pk]))
    return found


@endpoint(people_page("api-person", person_stamp, "key"))
def person(request: HttpRequest, key: int) -> PersonData:
    """A player, with all events. Of a hidden player, only the pseudonym is returned."""
    found = _owner_at(Person, key, "api-person")
    about = public_person(found)
    career = [] if about.is_hidden else OF_PERSONS.career(key)
    absolute = request.build_absolute_uri
    return PersonData.of(
        about,
        request,
        written=written_ways((about.name, *about.names), career),
        federations=federations_told(about, career),
        titles=titles_told(about, career),
        identifiers=[{"scheme": scheme, "value": value} for scheme, value in about.identifiers],
        page=absolute(leading_to(found).address),
        opponents=None if about.is_hidden else absolute(reverse("api-person-opponents", args=[key])),
        feed=None if about.is_hidden else absolute(reverse("person-feed", args=[key])),
        events=[participation_data(each, request) for each in career],
        totals=None if about.is_hidden else totals_data(career, request),
    )


@endpoint(people_page("api-team", team_stamp, "key"))
def team(request: HttpRequest, key: int) -> TeamOverEventsData:
    """A team: its names and codes, all its events and its players."""
    found = _owner_at(Team, key, "api-team")
    names = [PublicSpan(each.name, each.since, each.until) for each in found.names.all()]
    codes = [PublicSpan(each.code, each.since, each.until) for each in found.codes.all()]
    career = OF_TEAMS.career(key)
    absolute = request.build_absolute_uri
    return TeamOverEventsData.of(
        found,
        names=names,
        written=written_ways((found.name, *(each.text for each in names)), career),
        codes=codes,
        page=absolute(leading_to(found).address),
        opponents=absolute(reverse("api-team-opponents", args=[key])),
        feed=absolute(reverse("team-feed", args=[key])),
        events=[participation_data(each, request) for each in career],
        totals=totals_data(career, request),
        members=members_of_team(key, career),
    )


# --- careers ----------------------------------------------------------------------------------------------


def participation_data(each: Participation, request: HttpRequest) -> ParticipationData:
    return ParticipationData.of(
        each,
        request,
        tally=each.tally if each.event.knows_results else None,
        games=[_career_game_data(each, game, request) for game in each.games],
        page=(each.event.slug, each.number),
    )


def _career_game_data(each: Participation, game: CareerGame, request: HttpRequest) -> CareerGameData:
    return CareerGameData.of(game, request, page=(each.event.slug, game.round, game.table))


def game_data(each: GameOfCareer, request: HttpRequest) -> GameOfCareerData:
    return GameOfCareerData.of(each, game=_career_game_data(each.participation, each.game, request))


def totals_data(career: Career, request: HttpRequest) -> CareerTotalsData:
    totals = totals_of(career)
    return CareerTotalsData.of(totals, best_wins=[game_data(each, request) for each in totals.best_wins])


# --- opponents --------------------------------------------------------------------------------------------


def _shown(careers: CareersOf, key: int) -> Leading:
    owner = owner_at(careers.listed.model, key)
    if owner is None or leading_to(owner).is_hidden:
        raise Http404
    return leading_to(owner)


@endpoint(people_page("api-person-opponents", person_stamp, "key"))
def person_opponents(request: HttpRequest, key: int) -> OpponentsData:
    """The opponents of a player in all events, most games first. 404 if the player is hidden."""
    return _opponents(request, OF_PERSONS, key)


@endpoint(people_page("api-team-opponents", team_stamp, "key"))
def team_opponents(request: HttpRequest, key: int) -> OpponentsData:
    """The opponents of a team in all events, most matches first."""
    return _opponents(request, OF_TEAMS, key)


def _opponents(request: HttpRequest, careers: CareersOf, key: int) -> OpponentsData:
    about = _shown(careers, key)
    if about.id != key:
        raise TemporaryRedirectError(reverse(f"api-{careers.listed.owner}-opponents", args=[about.id]))
    absolute = request.build_absolute_uri
    return OpponentsData.of(
        about,
        page=absolute(reverse(f"{careers.listed.owner}-opponents", args=[key])),
        opponents=[
            OpponentData.of(
                met,
                address=absolute(reverse(f"api-{careers.listed.owner}-against", args=[key, met.key])),
                page=absolute(reverse(f"{careers.listed.owner}-against", args=[key, met.key])),
            )
            for met in totals_of(careers.career(key)).opponents
        ],
    )


@endpoint(people_page("api-person-against", person_stamp, "key", "against"))
@bounded_cache
def person_against(request: HttpRequest, key: int, against: int) -> HeadToHeadData:
    """The games of two players against each other in all events. 404 if one is hidden."""
    return _head_to_head_data(request, OF_PERSONS, key, against)


@endpoint(people_page("api-team-against", team_stamp, "key", "against"))
@bounded_cache
def team_against(request: HttpRequest, key: int, against: int) -> HeadToHeadData:
    """The matches of two teams against each other in all events."""
    return _head_to_head_data(request, OF_TEAMS, key, against)


def _head_to_head_data(request: HttpRequest, careers: CareersOf, key: int, against: int) -> HeadToHeadData:
    first, second = _shown(careers, key), _shown(careers, against)
    if first.id == second.id:
        raise Http404
    if (first.id, second.id) != (key, against):
        raise TemporaryRedirectError(
            reverse(f"api-{careers.listed.owner}-against", args=[first.id, second.id])
        )
    both = HeadToHead(careers, key, against)
    shared = {each.event.pk: each.event for each in both.career}
    absolute = request.build_absolute_uri
    return HeadToHeadData.of(
        both,
        first=_side_data(first, both.years[0], request, careers),
        second=_side_data(second, both.years[1], request, careers),
        games=[game_data(each, request) for each in both.games],
        events=[
            SharedEventData.of(
                None,
                event=event,
                first=[each for each in both.career if each.event.pk == key],
                second=[each for each in both.other if each.event.pk == key],
            )
            for key, event in shared.items()
        ],
        turned=absolute(reverse(f"api-{careers.listed.owner}-against", args=[against, key])),
        page=absolute(reverse(f"{careers.listed.owner}-against", args=[key, against])),
    )


def _side_data(about: Leading, years: list[str], request: HttpRequest, careers: CareersOf) -> SideData:
    known = [int(year) for year in years if year.isdecimal()]
    return SideData.of(
        about,
        events=len(years),
        first_year=min(known, default=None),
        last_year=max(known, default=None),
        address=request.build_absolute_uri(reverse(f"api-{careers.listed.owner}", args=[about.id])),
    )
