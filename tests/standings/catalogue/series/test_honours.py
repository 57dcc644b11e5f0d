"""The totals of a series: medals, and all matches of all time."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from standings.catalogue import outcomes
from standings.catalogue.series.honours import Career, Honours, honours_of
from tests.cast import create_event
from tests.standings.drawn import visible
from tournaments.crosstable import judge_rows
from tournaments.event.choices import Kind
from tournaments.models import (
    Competitor,
    Event,
    Pairing,
    Person,
    PersonLink,
    Round,
    Series,
    Team,
    TeamLink,
)

pytestmark = pytest.mark.django_db(transaction=True)

CASES = Path(__file__).parents[3] / "cases"

Scores = list[tuple[int, int, int, int]]
"""The matches of the only round: two numbers, and the half-points of each, out of four."""


def edition(year: str, teams: list[tuple[str, str]], scores: Scores, **settings: Any) -> Event:
    """Create an edition of the Cup with a round of two-board matches."""
    series, _ = Series.objects.get_or_create(slug="cup", defaults={"name": "Cup"})
    known = {"name": f"Cup {year}", "series": series, "start": year, "state": Event.State.FINAL}
    teams_on_boards = {"entrants": "teams", "boards": 2, "system": "league"}
    event = create_event(f"cup-{year}", **(known | teams_on_boards | settings))
    entered = [
        Competitor.objects.create(event=event, number=number, name=name, code=code)
        for number, (name, code) in enumerate(teams, start=1)
    ]
    only = Round.objects.create(event=event, number=1, state=Round.State.CLOSED)
    for table, (first, second, own, theirs) in enumerate(scores, start=1):
        sides = {"first": entered[first - 1], "second": entered[second - 1]}
        points = {"first_score": own, "second_score": theirs, "kind": Kind.PLAYED}
        Pairing.objects.create(round=only, table=table, **sides, **points)
    return event


def of_cup() -> Honours:
    return honours_of(list(Event.objects.filter(series__slug="cup")))


def medals(honours: Honours) -> dict[str, list[int]]:
    """Return gold, silver and bronze by name."""
    return {each.career.last.result.name: each.career.medals for each in honours.medals}


def career(honours: Honours, name: str) -> Career:
    return next(each.career for each in honours.all_time if each.career.last.result.name == name)


TWO = [("Georgia", "GEO"), ("Georgia 2", "GEO2")]


def test_a_second_team_has_its_own_medals() -> None:
    edition("2018", TWO, [(1, 2, 1, 3)])
    edition("2020", TWO, [(1, 2, 4, 0)])
    assert medals(of_cup()) == {"Georgia": [1, 1, 0], "Georgia 2": [1, 1, 0]}


def test_shared_first_place_gives_two_gold_medals_and_no_silver() -> None:
    teams = [("Georgia", "GEO"), ("Malta", "MLT"), ("Peru", "PER"), ("Chile", "CHI")]
    edition("2018", teams, [(1, 3, 4, 0), (2, 4, 4, 0)])
    honours = of_cup()
    assert medals(honours) == {
        "Georgia": [1, 0, 0], "Malta": [1, 0, 0], "Chile": [0, 0, 1], "Peru": [0, 0, 1],
    }  # fmt: skip
    assert [each.place for each in honours.medals] == [1, 1, 3, 3]


def test_third_place_has_bronze_and_fourth_has_no_medal(client: Client) -> None:
    """Two match points and two game points, two and one and a half, none and a half, none and none."""
    teams = [("Georgia", "GEO"), ("Malta", "MLT"), ("Peru", "PER"), ("Chile", "CHI")]
    edition("2018", teams, [(1, 4, 4, 0), (2, 3, 3, 1)])
    assert medals(of_cup()) == {"Georgia": [1, 0, 0], "Malta": [0, 1, 0], "Peru": [0, 0, 1]}
    page = visible(client.get("/series/cup/").content.decode())
    assert "3 Peru 0 0 1 1" in page.partition("Medals of all editions")[2]


def test_codes_of_the_same_federation_are_one_team_with_the_last_name() -> None:
    edition("1980", [("Rumania", "ROM"), ("Malta", "MLT")], [(1, 2, 4, 0)])
    edition("2018", [("Romania", "ROU"), ("Malta", "MLT")], [(1, 2, 4, 0)])
    assert medals(of_cup()) == {"Romania": [2, 0, 0], "Malta": [0, 2, 0]}


def test_earlier_federation_with_the_same_code_is_separate() -> None:
    edition("1974", [("West Germany", "GER"), ("Soviet Union", "URS")], [(1, 2, 4, 0)])
    edition("2018", [("Germany", "GER"), ("Russia", "RUS")], [(1, 2, 4, 0)])
    assert medals(of_cup()) == {
        "West Germany": [1, 0, 0], "Germany": [1, 0, 0], "Soviet Union": [0, 1, 0], "Russia": [0, 1, 0],
    }  # fmt: skip


def test_clubs_that_share_the_code_of_their_country_go_by_name() -> None:
    edition("2018", [("Damclub Huissen", "NED"), ("WSDV", "NED")], [(1, 2, 4, 0)])
    edition("2019", [("Damclub Huissen", "NED"), ("WSDV", "NED")], [(1, 2, 0, 4)])
    assert medals(of_cup()) == {"Damclub Huissen": [1, 1, 0], "WSDV": [1, 1, 0]}


def test_all_matches_are_added_up() -> None:
    edition("2018", TWO, [(1, 2, 3, 1)])
    edition("2020", TWO, [(1, 2, 2, 2)])
    georgia = career(of_cup(), "Georgia")
    assert (georgia.editions, georgia.matches, georgia.won, georgia.drawn, georgia.lost) == (2, 2, 1, 1, 0)
    assert (georgia.match_points, georgia.points, georgia.most) == (4 + 2, 3 + 2, 4 + 4)


def test_a_bye_is_no_match_and_a_default_is_one() -> None:
    event = edition("2018", [*TWO, ("Malta", "MLT")], [(1, 2, 4, 0)])
    Pairing.objects.filter(round__event=event).update(kind=Kind.FORFEIT)
    malta = Competitor.objects.get(event=event, number=3)
    Pairing.objects.create(
        round=Round.objects.get(event=event), table=2, first=malta, kind=Kind.BYE, first_score=4
    )
    honours = of_cup()
    assert (career(honours, "Malta").matches, career(honours, "Malta").match_points) == (0, 0)
    assert (career(honours, "Georgia").matches, career(honours, "Georgia").won) == (1, 1)


@pytest.mark.parametrize("state", [Event.State.LIVE, Event.State.DRAFT])
def test_an_edition_that_is_not_over_does_not_count(state: str) -> None:
    edition("2018", TWO, [(1, 2, 4, 0)])
    edition("2020", TWO, [(1, 2, 0, 4)], state=state)
    assert medals(of_cup()) == {"Georgia": [1, 0, 0], "Georgia 2": [0, 1, 0]}


def test_editions_with_different_scoring_are_mixed() -> None:
    edition("2018", TWO, [(1, 2, 4, 0)])
    assert not of_cup().mixed
    edition("2020", TWO, [(1, 2, 4, 0)], match_win=6)
    assert of_cup().mixed


PLAYERS: dict[str, Any] = {
    "entrants": "players",
    "boards": None,
    "game_win": 4,
    "game_draw": 2,
    "system": "manual-swiss",
    "criteria": ["total-score"],
}


def test_players_go_by_their_names_and_have_no_all_time_table(client: Client) -> None:
    edition("2018", [("Ann", "NED"), ("Bea", "NED")], [(1, 2, 4, 0)], **PLAYERS)
    edition("2020", [("Ann", "FRA"), ("Bea", "NED")], [(1, 2, 4, 0)], **PLAYERS)
    assert medals(of_cup()) == {"Ann": [2, 0, 0], "Bea": [0, 2, 0]}
    page = client.get("/series/cup/").content.decode()
    assert "Entries with the same FIDE or FMJD id" in page
    assert "All-time table" not in page


def test_player_with_a_fide_id_and_two_names_counts_once() -> None:
    for year in (2024, 2025, 2026):
        call_command("import_event", CASES / f"alpha-{year}.json", verbosity=0, stdout=StringIO())
    honours = honours_of(list(Event.objects.filter(series__name="Alpha Cup")))
    names = [each.career.last.result.name for each in honours.all_time]
    latest = Competitor.objects.filter(event__slug="alpha-2026").values_list("name", flat=True)
    assert sorted(names) == sorted(latest)
    assert all(each.career.editions == 3 for each in honours.all_time)
    assert career(honours, "Alfa-Smith, Anna").editions == 3
    assert sum(map(sum, medals(honours).values())) == 9


def test_fide_id_identifies_an_unlinked_player() -> None:
    edition("2018", [("Ann", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS)
    edition("2020", [("Anna", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS)
    Competitor.objects.filter(number=1).update(fide_id=1111111)
    assert medals(of_cup()) == {"Anna": [2, 0, 0], "Bea": [0, 2, 0]}


def test_namesakes_with_two_ids_count_as_two() -> None:
    first = edition("2018", [("Ann", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS)
    second = edition("2020", [("Ann", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS)
    for event, number in ((first, 1111111), (second, 2222222)):
        Competitor.objects.filter(event=event, number=1).update(fide_id=number)
    assert [each.career.medals for each in of_cup().medals] == [[1, 0, 0], [1, 0, 0], [0, 2, 0]]


def test_namesakes_in_an_edition_count_as_two() -> None:
    edition("2018", [("Ann", ""), ("Ann", "")], [(1, 2, 4, 0)], **PLAYERS)
    assert [each.career.medals for each in of_cup().medals] == [[1, 0, 0], [0, 1, 0]]


def test_entry_without_an_id_is_the_only_player_of_its_name() -> None:
    first = edition("2018", [("Ann", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS)
    edition("2020", [("Ann", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS)
    Competitor.objects.filter(event=first, number=1).update(fide_id=1111111)
    assert medals(of_cup()) == {"Ann": [2, 0, 0], "Bea": [0, 2, 0]}


def test_linked_entries_count_once() -> None:
    """A player who is linked to one person, and a club that is linked to one team."""
    events = [
        edition("2018", [("Ann", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS),
        edition("2020", [("Anna", ""), ("Bea", "")], [(1, 2, 4, 0)], **PLAYERS),
    ]
    ann = Person.objects.create(name="Anna", key="anna")
    for event in events:
        entered = Competitor.objects.get(event=event, number=1)
        PersonLink.objects.create(person=ann, event=event, competitor=entered, number=1)
    assert medals(of_cup()) == {"Anna": [2, 0, 0], "Bea": [0, 2, 0]}

    Event.objects.all().delete()
    clubs = [
        edition("2018", [("DC Huissen", "NED"), ("WSDV", "NED")], [(1, 2, 4, 0)]),
        edition("2020", [("Damclub Huissen", "NED"), ("WSDV", "NED")], [(1, 2, 4, 0)]),
    ]
    huissen = Team.objects.create(name="Damclub Huissen", key="damclub huissen")
    for event in clubs:
        entered = Competitor.objects.get(event=event, number=1)
        TeamLink.objects.create(team=huissen, event=event, competitor=entered, number=1)
    assert medals(of_cup()) == {"Damclub Huissen": [2, 0, 0], "WSDV": [0, 2, 0]}


def test_only_the_changed_edition_is_recomputed(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for year in range(2010, 2020):
        edition(str(year), TWO, [(1, 2, 4, 0)])
    client.get("/series/cup/")
    with django_assert_num_queries(1):
        client.get("/series/cup/")
    Competitor.objects.filter(event__slug="cup-2015", number=2).update(name="Georgia B")
    with django_assert_num_queries(9):
        client.get("/series/cup/")


@pytest.mark.parametrize("address", ["/api/series/", "/api/series/cup/", "/series/", "/series/cup/"])
def test_uncached_series_has_the_same_queries_for_any_number_of_editions(
    client: Client, address: str
) -> None:
    def queries() -> int:
        cache.clear()
        outcomes._CACHE.clear()
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    edition("2010", TWO, [(1, 2, 4, 0)])
    edition("2011", TWO, [(1, 2, 4, 0)])
    client.get(address)
    few = queries()
    for number in range(12):
        edition(str(1980 + number), TWO, [(1, 2, 4, 0)])
        other, _ = Series.objects.get_or_create(slug=f"other-{number}", defaults={"name": f"Other {number}"})
        edition(str(1950 + number), TWO, [(1, 2, 4, 0)], series=other)
    assert queries() == few <= 12


def test_changes_during_the_computation_are_read_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [edition("2010", TWO, [(1, 2, 4, 0)]), edition("2011", TWO, [(1, 2, 4, 0)])]

    def judged_meanwhile(event: Event, rows: Any) -> Any:
        Competitor.objects.filter(event=events[0], number=1).update(name="Sakartvelo")
        return judge_rows(event, rows)

    monkeypatch.setattr("standings.services.judge_rows", judged_meanwhile)
    data = client.get("/api/series/cup/").json()
    assert [each["first"][0]["name"] for each in data["editions"]] == ["Georgia", "Sakartvelo"]


def rows(client: Client, query: str, table: str) -> list[str]:
    """Return the names in the order of a table of the page; a picture above it has one of its own."""
    page = client.get(f"/series/cup/{query}").content.decode()
    below = page.split(f'<h2 id="{table}">')[1].split('<table class="stack')[1]
    body = below.split("<tbody")[1].split("</tbody>")[0]
    return [row.split("</a>")[0].rpartition(">")[2] for row in body.split("<th ")[1:]]


def test_the_tables_sort_each_by_its_own_columns(client: Client) -> None:
    teams = [("Georgia", "GEO"), ("Malta", "MLT"), ("Austria", "AUT"), ("Peru", "PER")]
    edition("2018", teams, [(1, 2, 4, 0), (3, 4, 3, 1)])
    assert rows(client, "", "medals") == ["Georgia", "Austria", "Peru"]
    assert rows(client, "?sort=medallist&dir=asc", "medals") == ["Austria", "Georgia", "Peru"]
    assert rows(client, "?sort=medallist&dir=asc", "all-time") == ["Georgia", "Austria", "Peru", "Malta"]
    assert rows(client, "?sort=game-points&dir=asc", "all-time") == ["Malta", "Peru", "Austria", "Georgia"]
    assert rows(client, "?sort=luck", "all-time") == rows(client, "", "all-time")
