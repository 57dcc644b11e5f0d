"""All games of a person: filters, unknown facts, and the files of the filtered games."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.cast import create_player_event
from tests.linked import league, link_person, named, person, players_named
from tests.standings.pages.reading import read, rows
from tournaments.models import Game, Pairing, Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ann() -> Person:
    """Ann: in two chess leagues a win with White and a draw with Black, and an undated win in draughts."""
    league(2001)
    league(2003)
    create_player_event()
    return person("Ann", *players_named("Ann"), *named("Ann"))


@pytest.mark.parametrize(
    ("query", "games"),
    [
        ("", 5),
        ("colour=white", 3),
        ("colour=black&year=2001", 1),
        ("discipline=chess", 4),
        ("discipline=draughts-100&result=won", 1),
        ("result=drawn", 2),
        ("result=lost", 0),
        ("year=unknown", 1),
        ("year=1999", 0),
        ("colour=%00", 0),
    ],
)
def test_filters_select_games(ann: Person, client: Client, query: str, games: int) -> None:
    page = client.get(f"/people/{ann.pk}/games/?{query}").content.decode()
    assert len(rows(page, "games")) == games
    files = "".join(
        client.get(f"/people/{ann.pk}/games.{each}?{query}").content.decode() for each in ("pgn", "pdn")
    )
    assert files.count("[Event ") == games


def test_games_are_listed_from_the_latest(ann: Person, client: Client) -> None:
    page = read(client, f"/people/{ann.pk}/games/")
    assert [[each[0], each[1], each[-1]] for each in rows(page, "games")] == [
        ["2003", "Fay", "½-½"],
        ["2003", "Dov", "1-0"],
        ["2001", "Fay", "½-½"],
        ["2001", "Dov", "1-0"],
        ["", "Bea", "2-0"],
    ]


def test_unknown_result_and_colour_are_shown_but_not_counted(ann: Person, client: Client) -> None:
    Game.objects.filter(pairing__round__event__slug="league-2003", first_player__name="Ann").update(
        kind="unknown", first_score=None, second_score=None, white=""
    )
    Pairing.objects.filter(round__event__slug="two-players").update(
        kind="unknown", first_score=None, second_score=None, colours="unknown"
    )
    page = client.get(f"/people/{ann.pk}/games/?result=unknown").content.decode()
    assert [each[-2:] for each in rows(page, "games")] == [["not recorded", "result unknown"]] * 2
    assert rows(page, "games") == rows(read(client, f"/people/{ann.pk}/games/?colour=unknown"), "games")
    career = client.get(f"/api/people/{ann.pk}/").json()
    assert career["totals"]["all"]["won"] == 1
    assert [len(each["games"]) for each in career["events"]] == [0, 2, 1]
    pgn = client.get(f"/people/{ann.pk}/games.pgn?result=unknown").content.decode()
    assert re.findall(r'\[Result "(.*?)"\]', pgn) == ["*"]


def test_file_has_public_moves_of_the_filtered_games(ann: Person, client: Client) -> None:
    Game.objects.filter(first_player__name="Ann").update(moves="1. e4 {phone 0612345678} e5")
    answer = client.get(f"/people/{ann.pk}/games.pgn?colour=white")
    pgn = answer.content.decode()
    assert answer["Content-Type"].startswith("application/vnd.chess-pgn")
    assert re.findall(r'\[(?:White|Date|Event) "(.*?)"\]', pgn) == [
        *("League 2001", "2001.??.??", "Ann"),
        *("League 2003", "2003.??.??", "Ann"),
    ]
    assert "1. e4 e5 1-0" in pgn
    assert "0612345678" not in pgn
    pdn = client.get(f"/people/{ann.pk}/games.pdn").content.decode()
    assert '[GameType "20"]' in pdn
    assert pdn.count("[Event ") == 1


def test_more_events_need_no_more_queries(ann: Person, client: Client) -> None:
    def queries() -> list[int]:
        counted = []
        for address in ("games/", "games/?colour=white", "games.pgn", "games.pdn"):
            with CaptureQueriesContext(connection) as asked:
                client.get(f"/people/{ann.pk}/{address}")
            counted.append(len(asked))
        return counted

    def forget_page_and_read_standings() -> None:
        Person.objects.filter(pk=ann.pk).update(note="changed")
        client.get(f"/people/{ann.pk}/games/?page=2")

    forget_page_and_read_standings()
    before = queries()
    # The stamp, the person with names, federations, titles and ids, the career; of a file three of the games.
    assert before == [13, 13, 16, 16]
    for year in (2005, 2007):
        league(year)
    for player in players_named("Ann")[2:]:
        link_person(ann, player)
    forget_page_and_read_standings()
    assert queries() == before


def test_hidden_person_has_no_games_and_a_merged_one_redirects(ann: Person, client: Client) -> None:
    gone = person("Anne")
    Person.objects.filter(pk=gone.pk).update(merged_into=ann)
    for address in ("games/", "games.pgn", "games.pdn"):
        for query in ("", "?colour=white"):
            answer = client.get(f"/people/{gone.pk}/{address}{query}")
            assert answer["Location"] == f"/people/{ann.pk}/{address}{query}"
    Person.objects.filter(pk=ann.pk).update(hidden=True)
    for address in ("games/", "games.pgn", "games.pdn"):
        assert client.get(f"/people/{ann.pk}/{address}").status_code == 404
