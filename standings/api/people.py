"""Persons and teams over events: the lists, and what each made of every event."""

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.api.answering import endpoint
from standings.api.peopleanswers import (
    CareerGameData,
    IdentifierData,
    ListedData,
    ParticipationData,
    PeopleListData,
    PersonData,
    SpanData,
    TeamOverEventsData,
)
from standings.careers.directory import Directory
from standings.careers.overevents import career_of_person, career_of_team
from standings.careers.participation import CareerGame, Participation
from standings.careers.tallies import LISTED_PERSONS, LISTED_TEAMS, ListedKind
from standings.engine import decimal_text
from standings.serving.pages import choices, knows, only_shown
from standings.serving.peoplepages import people_list, people_page
from standings.statistics.ratingwords import exact_hundredths
from tournaments.people.entries import person_at, team_at, team_slug
from tournaments.people.public import PublicSpan, public_person
from tournaments.revision import person_stamp, team_stamp

COLOURS = {1: "white", 0: "", -1: "black"}
ENDED = {1: "won", 0: "drawn", -1: "lost"}
ASKED = ("q", "country", "title", "sort", "dir", "page")


@endpoint(people_list)
@knows(*ASKED)
def persons(request: HttpRequest) -> PeopleListData:
    """Persons over events by name, a page at a time; who is hidden is not among them."""
    return _list(request, LISTED_PERSONS, "person")


@endpoint(people_list)
@knows(*ASKED)
def teams(request: HttpRequest) -> PeopleListData:
    """Teams over events by name, a page at a time."""
    return _list(request, LISTED_TEAMS, "team")


def _list(request: HttpRequest, kind: ListedKind, name: str) -> PeopleListData:
    asked = choices(request, ASKED)
    found = Directory(kind, asked, is_exact=True)
    if found.is_only_shown:
        only_shown(request)
    if int(asked.get("page", 1)) > found.pages:
        raise Http404
    absolute = request.build_absolute_uri
    here = absolute(request.path)
    return PeopleListData(
        total=found.total,
        page=found.page,
        pages=found.pages,
        behind=found.behind,
        previous=f"{here}{found.previous}" if found.page > 1 else None,
        next=f"{here}{found.next}" if found.next else None,
        listed=[
            ListedData(
                id=each.leading.id,
                name=each.leading.name,
                codes=each.codes,
                titles=each.titles,
                events=each.events,
                medals=list(each.medals[:3]),
                medals_with_teams=list(each.medals[3:]),
                address=absolute(reverse(f"api-{name}", args=[each.leading.id])),
                page=absolute(_page(name, each.leading.id, each.leading.slug)),
            )
            for each in found.lines
        ],
    )


def _page(name: str, key: int, slug: str) -> str:
    return reverse(name, args=[key, slug]) if slug else reverse(f"{name}-alone", args=[key])


@endpoint(people_page("api-person", person_stamp, "key"))
def person(request: HttpRequest, key: int) -> PersonData:
    """One person over events: what is known, and every event; of who is hidden the pseudonym alone."""
    found = person_at(key)
    if found is None:
        raise Http404
    about = public_person(found)
    career = [] if about.is_hidden else career_of_person(about.id)
    return PersonData(
        id=about.id,
        name=about.name,
        is_hidden=about.is_hidden,
        names=list(about.names),
        sex=about.sex,
        born=about.born,
        federations=list(map(_span, about.federations)),
        titles=list(map(_span, about.titles)),
        identifiers=[IdentifierData(scheme=scheme, value=value) for scheme, value in about.identifiers],
        sources=list(about.sources),
        page=request.build_absolute_uri(_page("person", about.id, about.slug)),
        events=[_participation(each, request) for each in career],
    )


@endpoint(people_page("api-team", team_stamp, "key"))
def team(request: HttpRequest, key: int) -> TeamOverEventsData:
    """One team over events: its names and codes, and every event."""
    found = team_at(key)
    if found is None:
        raise Http404
    names = [PublicSpan(each.name, each.since, each.until) for each in found.names.all()]
    codes = [PublicSpan(each.code, each.since, each.until) for each in found.codes.all()]
    return TeamOverEventsData(
        id=found.pk,
        name=found.name,
        kind=found.kind,
        names=list(map(_span, names)),
        codes=list(map(_span, codes)),
        page=request.build_absolute_uri(_page("team", found.pk, team_slug(found))),
        events=[_participation(each, request) for each in career_of_team(found.pk)],
    )


def _span(span: PublicSpan) -> SpanData:
    return SpanData(text=span.text, since=span.since, until=span.until)


def _participation(each: Participation, request: HttpRequest) -> ParticipationData:
    return ParticipationData(
        event=each.event.slug,
        event_name=each.event.name,
        start=each.event.start,
        number=each.number,
        name=each.name,
        team=each.team,
        board=each.board or None,
        place=each.place,
        ranked=each.ranked,
        points=decimal_text(each.points, 2),
        won=each.tally.won,
        drawn=each.tally.drawn,
        lost=each.tally.lost,
        rating=each.rating or None,
        performance=each.performance,
        rating_change=None if each.change is None else exact_hundredths(each.change),
        games=[_game(game) for game in each.games],
        address=request.build_absolute_uri(reverse("api-event", args=[each.event.slug])),
    )


def _game(game: CareerGame) -> CareerGameData:
    opponent = game.opponent
    return CareerGameData(
        round=game.round,
        table=game.table,
        board=game.board or None,
        colour=COLOURS[game.colour],
        kind=game.kind,
        ended=ENDED[game.ended],
        own=decimal_text(game.own, 2),
        theirs=decimal_text(game.theirs, 2),
        opponent=opponent.name,
        opponent_id=opponent.key,
        opponent_number=opponent.number,
        opponent_rating=opponent.rating or None,
    )
