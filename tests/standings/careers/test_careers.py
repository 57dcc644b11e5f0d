"""Careers on real events of players and on simulated editions of a league with boards."""

import pytest
from pytest_django import DjangoAssertNumQueries

from standings.careers.overevents import (
    OF_PERSONS,
    OF_TEAMS,
    Career,
)
from standings.careers.participation import CareerGame
from standings.careers.totals import totals_of
from standings.services import ranked
from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import league, link_person, named, person, players_named, team, world_champions
from tournaments.models import Competitor, Event, Game, Person, Round
from tournaments.operations.revision import with_versions

pytestmark = pytest.mark.django_db(transaction=True)


def games(career: Career) -> list[CareerGame]:
    return [game for each in career for game in each.games]


def ended(found: list[CareerGame]) -> tuple[int, int, int]:
    """Return the number of wins, draws and losses."""
    return tuple(sum(1 for game in found if game.ended == how) for how in (1, 0, -1))  # type: ignore[return-value]  # three


def keep_standings() -> None:
    """Cache the standings and outcomes of all events, as their pages do."""
    for event in with_versions(Event.objects.select_related("series")):
        ranked(event)
    for one in Person.objects.all():
        OF_PERSONS.career(one.pk)


def test_world_champions_have_their_places_scores_and_games() -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    career = OF_PERSONS.career(roozenburg.pk)
    # As published: 37 points of 20 games in 1948 (KNDB), shared first with Ghestem in Den Haag.
    assert [(each.event.slug, each.place, each.ranked, each.points) for each in career] == [
        ("1947-vierkamp-den-haag", "1", 4, 2 * 4),
        ("1948-world-championship", "1", 11, 2 * 37),
    ]
    assert [(each.tally.won, each.tally.drawn, each.tally.lost) for each in career] == [(1, 2, 0), (17, 3, 0)]
    met = [(game.round, game.result) for game in games(career) if game.opponent.key == ghestem.pk]
    assert len(met) == 3


def test_a_bye_and_a_round_to_come_are_no_games() -> None:
    record(WORLD_1948)
    (verpoest,) = named("Oscar Verpoest")
    found = OF_PERSONS.career(person("Oscar Verpoest", verpoest).pk)
    assert len(games(found)) == 20


def test_head_to_head_is_the_same_from_both_sides() -> None:
    record(DEN_HAAG, WORLD_1948)
    one, other = world_champions()
    own = games(OF_PERSONS.encounters(one.pk, other.pk))
    theirs = games(OF_PERSONS.encounters(other.pk, one.pk))
    assert [(game.round, game.table) for game in own] == [(game.round, game.table) for game in theirs]
    assert ended(own) == (1, 2, 0)
    assert ended(theirs) == (0, 2, 1)
    assert [game.colour for game in own] == [-game.colour for game in theirs]
    assert [game.result.split("-") for game in own] == [game.result.split("-")[::-1] for game in theirs]


def test_boards_of_two_editions_form_a_single_career() -> None:
    league(2001)
    league(2003, "DV Eindhoven")
    ann = person("Ann", *players_named("Ann"))
    person("Fay", *players_named("Fay"))
    career = OF_PERSONS.career(ann.pk)
    told = [(each.team, each.board, each.place, each.ranked, each.points) for each in career]
    assert told == [("Dam Eindhoven", 1, "2", 3, 3), ("DV Eindhoven", 1, "2", 3, 3)]
    assert [(each.title, each.rating, each.code) for each in career] == [("WCM", 1800, "NED")] * 2
    first = career[0].games
    assert [(game.round, game.board, game.colour, game.result, game.opponent.name) for game in first] == [
        (1, 1, 1, "1-0", "Dov"),
        (2, 1, -1, "½-½", "Fay"),
    ]
    assert [game.opponent.key is not None for game in first] == [False, True]
    # 1½ of 2 against an average of 2050: 75 per cent adds 193 (FIDE's table 8.1.1).
    assert [each.performance for each in career] == [2050 + 193] * 2
    totals = totals_of(career)
    assert (totals.all.won, totals.all.drawn, totals.all.lost) == (2, 2, 0)
    assert (totals.medals, totals.team_medals) == ((0, 0, 0), (0, 2, 0))
    assert [(each.code, each.tally.games) for each in totals.federations] == [("BEL", 2), ("GER", 2)]
    assert [(each.participation.year, each.game.opponent.name) for each in totals.best_wins] == [
        (2003, "Dov"),
        (2001, "Dov"),
    ]


def test_an_opponent_has_the_federation_of_the_nearest_event_that_states_it() -> None:
    for year in (2001, 2003, 2006):
        league(year)
    Competitor.objects.filter(event__start="2003", name="Culemborg").update(code="")
    Competitor.objects.filter(event__start="2006", name="Culemborg").update(code="NED")
    ann = person("Ann", *players_named("Ann"))

    def federations() -> list[tuple[str, int]]:
        return [(each.code, each.tally.games) for each in totals_of(OF_PERSONS.career(ann.pk)).federations]

    assert federations() == [("BEL", 3), ("GER", 1), ("NED", 1), ("", 1)]  # Fay is not linked
    person("Fay", *players_named("Fay"))
    assert federations() == [("BEL", 3), ("GER", 2), ("NED", 1)]
    Event.objects.filter(start="2006").update(start="2005")
    assert ("", 1) in federations()  # two other events are equally near and differ


def test_ratings_of_a_local_list_are_not_compared_over_events() -> None:
    league(2001)
    league(2003)
    Event.objects.filter(start__startswith="2003").update(ratings_from="local")
    career = OF_PERSONS.career(person("Ann", *players_named("Ann")).pk)
    assert [each.performance for each in career] == [2050 + 193, None]
    assert [each.participation.year for each in totals_of(career).best_wins] == [2001]


def test_a_board_won_by_forfeit_is_listed_and_not_counted() -> None:
    league(2001)
    bea = person("Bea", *players_named("Bea"))
    (each,) = OF_PERSONS.career(bea.pk)
    assert [(game.kind, game.result) for game in each.games] == [("forfeit", "+ -"), ("played", "0-1")]
    assert (each.tally.games, each.tally.lost, each.tally.forfeits_won) == (1, 1, 1)
    assert each.points == 2


def test_a_team_keeps_its_career_under_another_name() -> None:
    editions = [league(2001), league(2003, "DV Eindhoven"), league(2005, "Eindhoven 2005")]
    club = team("Eindhoven", *(each.competitors.get(number=1) for each in editions))
    huizen = team("Huizen", *named("Huizen"))
    career = OF_TEAMS.career(club.pk)
    assert [each.name for each in career] == ["Dam Eindhoven", "DV Eindhoven", "Eindhoven 2005"]
    assert [(each.place, each.tally.won, each.tally.lost) for each in career] == [("2", 1, 1)] * 3
    matches = games(OF_TEAMS.encounters(club.pk, huizen.pk))
    assert [(game.round, game.result, game.colour) for game in matches] == [(1, "2-0", 0)] * 3


def test_drafts_are_in_no_career() -> None:
    event = league(2001)
    ann = person("Ann", *players_named("Ann"))
    Round.objects.filter(event=event, number=2).update(state="draft")
    assert [game.round for game in games(OF_PERSONS.career(ann.pk))] == [1]
    Event.objects.filter(pk=event.pk).update(state="draft")
    assert OF_PERSONS.career(ann.pk) == []


def test_hidden_opponent_has_a_pseudonym_and_no_games_page() -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    Person.objects.filter(pk=ghestem.pk).update(hidden=True)
    met = [game.opponent for game in games(OF_PERSONS.career(roozenburg.pk))]
    assert "Pierre Ghestem" not in {each.name for each in met}
    assert {each.key for each in met if each.name == f"N.N. {ghestem.pk}"} == {None}


@pytest.mark.parametrize("editions", [3, 60])
def test_a_career_costs_the_same_queries_however_long_it_is(
    editions: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = 1950
    for year in range(first, first + editions):
        league(year)
    record(DEN_HAAG)
    ann = person("Ann", *players_named("Ann"))
    link_person(ann, named("Geert van Dijk")[0])
    club = team("Eindhoven", *named("Dam Eindhoven"))
    keep_standings()
    OF_TEAMS.career(club.pk)
    # The links, the events, their revisions, the boards, the players, and whom both kinds of opponents are.
    with django_assert_num_queries(7):
        assert len(OF_PERSONS.career(ann.pk)) == editions + 1
    with django_assert_num_queries(4):
        assert len(OF_TEAMS.career(club.pk)) == editions
    assert Game.objects.count() == 6 * editions
