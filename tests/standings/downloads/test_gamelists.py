"""The games of an event as a list, as PGN and as PDN."""

import csv
from io import StringIO

import pytest
from django.test import Client

from standings.downloads.gamefiles import game_list, listed_games, pdn, pgn
from tests.cast import create_player_event, create_team_event
from tests.demo import record
from tournaments.event.moves import TAG, unescape_tag
from tournaments.models import Competitor, Event, Game, Pairing
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)


def tags_of(text: str) -> list[dict[str, str]]:
    games: list[dict[str, str]] = []
    for line in text.splitlines():
        if found := TAG.fullmatch(line):
            if found[1] == "Event":
                games.append({})
            games[-1][found[1]] = unescape_tag(found[2])
    return games


def test_the_list_has_white_first() -> None:
    event = create_team_event()
    lines = list(csv.DictReader(StringIO(game_list(event, load(event.slug)).removeprefix("\ufeff"))))
    assert [(each["Board"], each["White"], each["Result"], each["Black"]) for each in lines] == [
        ("1", "Reds 1", "1-0", "Blues 1"),
        ("2", "Blues 2", "0.5-0.5", "Reds 2"),
    ]
    assert lines[1]["White team"] == "Blues"
    assert lines[0]["Date"] == "2026-05-01"


def test_pgn_has_the_recorded_moves() -> None:
    event = create_team_event()
    Event.objects.filter(pk=event.pk).update(name='The "Cup"\\', place="Batumi", country="GEO")
    moves = '[ECO "C20"]\n\n1. e4 {best} e5\n2. Qh5 1-0\n'
    Game.objects.filter(board=1).update(moves=moves)
    event.refresh_from_db()
    text = pgn(event, load(event.slug))
    first, second = tags_of(text)
    assert first == {
        "Event": 'The "Cup"\\', "Site": "Batumi GEO", "Date": "2026.05.01", "Round": "1.1.1",
        "White": "Reds 1", "Black": "Blues 1", "Result": "1-0", "WhiteTeam": "Reds", "BlackTeam": "Blues",
        "Board": "1", "ECO": "C20",
    }  # fmt: skip
    assert (second["White"], second["Result"], second["Round"]) == ("Blues 2", "1/2-1/2", "1.1.2")
    assert '[ECO "C20"]\n\n1. e4 {best} e5\n2. Qh5 1-0\n\n[Event ' in text
    assert text.endswith("\n\n1/2-1/2\n\n")


@pytest.mark.parametrize(
    ("about", "result", "ending"),
    [
        ({}, "2-0", "2-0"),
        ({"first_score": 2, "second_score": 2, "advantage": "second"}, "1-1", "{advantage Bea} 1-1"),
        ({"kind": "forfeit"}, "2-0", "2-0"),
        ({"kind": "forfeit", "first_score": 0, "second_score": 0}, "*", "{- -} *"),
        ({"first_score": 18, "second_score": 6, "games_played": 3}, "*", "{9-3, 3 games} *"),
        ({"kind": "pending", "first_score": None, "second_score": None}, "*", "*"),
    ],
)
def test_result_without_a_draughts_mark_is_a_comment(
    about: dict[str, object], result: str, ending: str
) -> None:
    event = create_player_event()
    Event.objects.filter(pk=event.pk).update(discipline="draughts-100", game_win=4, game_draw=2)
    Pairing.objects.filter(round__event=event).update(
        **{"first_score": 4, "second_score": 0, "kind": "played", **about}
    )
    event.refresh_from_db()
    text = pdn(event, load(event.slug))
    [game] = tags_of(text)
    assert (game["Result"], game["GameType"]) == (result, "20")
    assert game.get("Termination", "") == ("forfeit" if about.get("kind") == "forfeit" else "")
    assert text.endswith(f"\n\n{ending}\n\n")


def test_no_name_leaves_its_tag() -> None:
    event = create_player_event()
    Competitor.objects.filter(event=event, number=1).update(name='A"]\n[White "B\\')
    [game] = tags_of(pgn(event, load(event.slug)))
    assert game["White"] == 'A"] [White "B\\'


@pytest.mark.exhaustive
def test_every_board_of_an_olympiad_is_there() -> None:
    record("olympiad-2022-open")
    document = load("olympiad-2022-open")
    boards = sum(len(each.games) for _number, each in document.pairings())
    games = list(listed_games(document))
    assert len(games) == boards == len(tags_of(pgn(Event(), document)))


def test_chess_has_no_pdn_and_draughts_no_pgn(client: Client) -> None:
    create_team_event()
    assert client.get("/events/two-teams.pgn").status_code == 200
    assert client.get("/events/two-teams.pdn").status_code == 404
    assert b"two-teams.pdn" not in client.get("/events/two-teams/downloads/").content
