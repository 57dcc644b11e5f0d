"""Lists of persons and teams, and their careers."""

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.api.careers import member_data, participation_data, totals_data
from standings.api.people_schemas import (
    IdentifierData,
    ListedData,
    PeopleListData,
    PersonData,
    SpanData,
    TeamOverEventsData,
)
from standings.api.responses import TemporaryRedirectError, endpoint, select_fields
from standings.caching.cached_pages import choices, mark_uncacheable, uses_parameters
from standings.caching.cached_people_pages import people_list, people_page
from standings.careers.directory import Directory
from standings.careers.members import members_of_team
from standings.careers.overevents import OF_PERSONS, OF_TEAMS
from standings.careers.totals import federations_told, titles_told, written_ways
from tournaments.models import Person, Team
from tournaments.operations.revision import person_stamp, team_stamp
from tournaments.people.entries import leading_to, owner_at
from tournaments.people.public import PublicSpan, public_person
from tournaments.people.services.tallies import LISTED_PERSONS, LISTED_TEAMS, ListedKind

ASKED = ("q", "country", "title", "sort", "dir", "page")


@endpoint(people_list)
@uses_parameters(*ASKED)
def persons(request: HttpRequest) -> PeopleListData:
    """Persons over events by name, a page at a time; who is hidden is not among them."""
    return _people_list(request, LISTED_PERSONS, "person")


@endpoint(people_list)
@uses_parameters(*ASKED)
def teams(request: HttpRequest) -> PeopleListData:
    """Teams over events by name, a page at a time."""
    return _people_list(request, LISTED_TEAMS, "team")


def _people_list(request: HttpRequest, kind: ListedKind, name: str) -> PeopleListData:
    asked = choices(request, ASKED)
    found = Directory(kind, asked, is_exact=True)
    if found.is_only_shown:
        mark_uncacheable(request)
    if int(asked.get("page", 1)) > found.pages:
        raise Http404
    absolute = request.build_absolute_uri
    here = absolute(request.path)
    return select_fields(
        PeopleListData,
        found,
        previous=f"{here}{found.previous}" if found.page > 1 else None,
        next=f"{here}{found.next}" if found.next else None,
        listed=[
            select_fields(
                ListedData,
                each,
                id=each.leading.id,
                name=each.leading.name,
                medals=list(each.medals[:3]),
                medals_with_teams=list(each.medals[3:]),
                address=absolute(reverse(f"api-{name}", args=[each.leading.id])),
                page=absolute(each.leading.address),
            )
            for each in found.lines
        ],
    )


@endpoint(people_page("api-person", person_stamp, "key"))
def person(request: HttpRequest, key: int) -> PersonData:
    """One person over events: what is known, and every event; of who is hidden the pseudonym alone."""
    found = owner_at(Person, key)
    if found is None:
        raise Http404
    if found.pk != key:
        raise TemporaryRedirectError(reverse("api-person", args=[found.pk]))
    about = public_person(found)
    career = [] if about.is_hidden else OF_PERSONS.career(key)
    absolute = request.build_absolute_uri
    return select_fields(
        PersonData,
        about,
        names=list(about.names),
        written=written_ways((about.name, *about.names), career),
        federations=list(map(_span_data, federations_told(about, career))),
        titles=list(map(_span_data, titles_told(about, career))),
        identifiers=[IdentifierData(scheme=scheme, value=value) for scheme, value in about.identifiers],
        sources=list(about.sources),
        page=absolute(leading_to(found).address),
        opponents=None if about.is_hidden else absolute(reverse("api-person-opponents", args=[key])),
        feed=None if about.is_hidden else absolute(reverse("person-feed", args=[key])),
        events=[participation_data(each, request) for each in career],
        totals=None if about.is_hidden else totals_data(career, request),
    )


@endpoint(people_page("api-team", team_stamp, "key"))
def team(request: HttpRequest, key: int) -> TeamOverEventsData:
    """One team over events: its names and codes, every event, and who played for it."""
    found = owner_at(Team, key)
    if found is None:
        raise Http404
    if found.pk != key:
        raise TemporaryRedirectError(reverse("api-team", args=[found.pk]))
    names = [PublicSpan(each.name, each.since, each.until) for each in found.names.all()]
    codes = [PublicSpan(each.code, each.since, each.until) for each in found.codes.all()]
    career = OF_TEAMS.career(key)
    absolute = request.build_absolute_uri
    return TeamOverEventsData(
        id=key,
        name=found.name,
        kind=found.kind,
        names=list(map(_span_data, names)),
        written=written_ways((found.name, *(each.text for each in names)), career),
        codes=list(map(_span_data, codes)),
        page=absolute(leading_to(found).address),
        opponents=absolute(reverse("api-team-opponents", args=[key])),
        feed=absolute(reverse("team-feed", args=[key])),
        events=[participation_data(each, request) for each in career],
        totals=totals_data(career, request),
        members=[member_data(each) for each in members_of_team(key, career)],
    )


def _span_data(span: PublicSpan) -> SpanData:
    return select_fields(SpanData, span)
