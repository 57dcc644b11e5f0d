"""Careers as data: event by event, game by game, and totals."""

from django.http import HttpRequest
from django.urls import reverse

from standings.api.people_schemas import (
    CareerGameData,
    CareerTallyData,
    CareerTotalsData,
    GameOfCareerData,
    MemberData,
    ParticipationData,
)
from standings.api.responses import select_fields
from standings.careers.members import Member
from standings.careers.overevents import Career
from standings.careers.participation import CareerGame, CareerTally, Participation
from standings.careers.totals import GameOfCareer, totals_of
from standings.engine import decimal_text
from standings.statistics.summary import per_cent_text
from standings.statistics.texts import exact_hundredths

COLOURS = {1: "white", 0: "", -1: "black"}
ENDED = {1: "won", 0: "drawn", -1: "lost"}
HALF = 2


def participation_data(each: Participation, request: HttpRequest) -> ParticipationData:
    event = each.event
    absolute, tally = request.build_absolute_uri, each.tally if event.knows_results else None
    return select_fields(
        ParticipationData,
        each,
        event=event.slug,
        event_name=event.name,
        state=event.state,
        start=event.start,
        end=event.end,
        federation=each.code,
        board=each.board or None,
        placed=each.placed or None,
        medal=each.medal or None,
        points=decimal_text(each.points, HALF) if tally else None,
        won=tally.won if tally else None,
        drawn=tally.drawn if tally else None,
        lost=tally.lost if tally else None,
        forfeits_won=tally.forfeits_won if tally else None,
        forfeits_lost=tally.forfeits_lost if tally else None,
        rating=each.rating or None,
        rating_change=None if each.change is None else exact_hundredths(each.change),
        games=[_career_game_data(each, game, request) for game in each.games],
        address=absolute(reverse("api-event", args=[event.slug])),
        page=absolute(reverse("competitor", args=[event.slug, each.number])),
    )


def _career_game_data(each: Participation, game: CareerGame, request: HttpRequest) -> CareerGameData:
    opponent = game.opponent
    page = reverse("match", args=[each.event.slug, game.round, game.table])
    return select_fields(
        CareerGameData,
        game,
        board=game.board or None,
        colour=COLOURS[game.colour],
        ended=ENDED[game.ended],
        own=decimal_text(game.own, HALF),
        theirs=decimal_text(game.theirs, HALF),
        opponent=opponent.name,
        opponent_id=opponent.key,
        opponent_number=opponent.number,
        opponent_rating=opponent.rating or None,
        opponent_federation=opponent.code,
        page=request.build_absolute_uri(page),
    )


def game_data(each: GameOfCareer, request: HttpRequest) -> GameOfCareerData:
    event = each.participation.event
    return GameOfCareerData(
        event=event.slug,
        event_name=event.name,
        start=event.start,
        game=_career_game_data(each.participation, each.game, request),
    )


def tally_data(tally: CareerTally) -> CareerTallyData:
    return select_fields(
        CareerTallyData, tally, points=decimal_text(tally.points, HALF), percent=per_cent_text(tally.share)
    )


def totals_data(career: Career, request: HttpRequest) -> CareerTotalsData:
    totals = totals_of(career)
    return CareerTotalsData(
        all=tally_data(totals.all),
        white=tally_data(totals.white),
        black=tally_data(totals.black),
        medals=list(totals.medals),
        medals_with_teams=list(totals.team_medals),
        years=[
            {"year": each.year or None, "events": each.events, "tally": tally_data(each.tally)}
            for each in totals.years
        ],
        federations=[
            {"federation": each.code, "tally": tally_data(each.tally)} for each in totals.federations
        ],
        best_wins=[game_data(each, request) for each in totals.best_wins],
    )


def member_data(member: Member) -> MemberData:
    return MemberData(
        id=member.leading.id if member.leading else None,
        name=member.name,
        editions=[
            {
                "event": each.event.slug,
                "year": each.year or None,
                "points": decimal_text(each.points, HALF),
            }
            for each in member.editions
        ],
        points=decimal_text(member.points, HALF),
        tally=tally_data(member.tally),
    )
