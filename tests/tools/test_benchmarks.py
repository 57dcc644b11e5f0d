"""The benchmarks compare implementations with equal results."""

from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.wsgi import get_wsgi_application
from django.test import Client
from pytest_django import Settings

from standings.tables.rows import StandingsTable
from tests import demo
from tests.cast import create_team_event
from tools.benchmarks import by_tags, pages
from tools.benchmarks.agreement import CRITERIA, compare
from tools.benchmarks.generated import generate
from tools.benchmarks.recorded import record
from tools.benchmarks.visitor import Visitor
from tournaments.crosstable import crosstable_of
from tournaments.models import Competitor, Event

SMALL = [(40, 7), (30, 9)]


@pytest.mark.parametrize("unplayed", [False, True])
@pytest.mark.parametrize(("players", "rounds"), SMALL)
def test_both_engines_compute_the_same_values(players: int, rounds: int, unplayed: bool) -> None:
    for seed in range(1, 4):
        tournament = generate(players, rounds, seed, unplayed=unplayed)
        assert compare(tournament) == len(CRITERIA) * players


def test_unplayed_rounds_are_generated_on_request() -> None:
    tournament = generate(30, 9, unplayed=True)
    assert {bye.letter for bye in tournament.byes} == {*"FHZ"}
    assert any(game.is_forfeit for game in tournament.games)
    assert 2 * len(tournament.games) + len(tournament.byes) == 30 * 9


@pytest.mark.parametrize(("players", "rounds"), SMALL)
def test_every_player_plays_every_round_and_no_pair_meets_twice(players: int, rounds: int) -> None:
    games = generate(players, rounds).games

    assert len(games) == players // 2 * rounds
    assert len({frozenset((game.white, game.black)) for game in games}) == len(games)
    assert len({(game.round, player) for game in games for player in game[2:4]}) == players * rounds


def test_seed_determines_the_tournament() -> None:
    assert generate(30, 9, seed=5) == generate(30, 9, seed=5) != generate(30, 9, seed=6)


@pytest.mark.parametrize(("players", "rounds"), [(185, 11), (12, 7)])
def test_tournaments_that_need_byes_or_rematches_are_refused(players: int, rounds: int) -> None:
    with pytest.raises(ValueError, match=f"{players} players"):
        generate(players, rounds)


@pytest.mark.django_db(transaction=True)
def test_template_with_tags_renders_the_same_page(client: Client) -> None:
    event = create_team_event()
    Event.objects.update(state=Event.State.FINAL)
    for team in Competitor.objects.filter(event=event):
        Competitor.objects.filter(pk=team.pk).update(code=team.name[:3].upper())
    ours = client.get("/events/two-teams/standings/").content
    cache.clear()
    with by_tags.instead(), patch.object(StandingsTable, "rows", "not ours"):
        theirs = client.get("/events/two-teams/standings/").content
    assert theirs == ours
    assert b">BLU<b>" in ours


@pytest.mark.django_db(transaction=True)
@pytest.mark.urls("tools.benchmarks.urls")
def test_measured_responses_are_of_the_expected_kind(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.record(demo.BATUMI)
    settings.ALLOWED_HOSTS = ["testserver"]
    for times in ("COLD_TIMES", "TAGS_TIMES", "TIMES"):
        monkeypatch.setattr(pages, times, 1)
    # `measure` asserts the status of every response.
    assert all(pages.measure(Visitor(get_wsgi_application())).values())


@pytest.mark.django_db
def test_recorded_tournament_has_all_its_games() -> None:
    tournament = generate(30, 9)

    table = crosstable_of(record(tournament))

    assert table.shape == (30, 9)
    assert table.points().sum(axis=0).tolist() == 9 * [30]
    games = {(game.white, game.round - 1): game.black for game in tournament.games}
    assert {at: int(table.opponent[at]) for at in games} == games
