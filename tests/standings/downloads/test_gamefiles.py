"""The PGN of an event contains the games of the imported file."""

from dataclasses import replace

import pytest
from django.test import Client

from standings.downloads.gamefiles import pgn
from tests.cast import create_player_event
from tests.tournaments.interchange.formats import samples
from tournaments.event.checks import check_document
from tournaments.event.document import Document
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.pgn import PGN
from tournaments.interchange.formats.tables.reading import read_tables
from tournaments.models import Event, Pairing

GAMES = """\
[Event "Quay Cup"]
[Site "Port NED"]
[Date "2021.05.01"]
[Round "1.1"]
[White "Ann"]
[Black "Bea"]
[Result "1-0"]
[WhiteElo "2100"]
[ECO "C20"]

1. e4 {best} e5 1-0

[Event "Quay Cup"]
[Site "Port NED"]
[Date "2021.05.09"]
[Round "2.1"]
[White "Bea"]
[Black "Cyd"]
[Result "1/2-1/2"]

1. d4
1/2-1/2

[Event "Quay Cup"]
[Site "Port NED"]
[Date "2021.05.02"]
[Round "2.2"]
[White "Ann"]
[Black "Dov"]
[Result "0-1"]
[WhiteElo "2111"]

1. c4 0-1
"""


def test_imported_games_are_exported_unchanged() -> None:
    """Another rating and date in the file of a game are exported, once each."""
    found = PGN.read(LayoutFile("games.pgn", GAMES.encode()))
    event = replace(
        samples.document(samples.players()).event, discipline="chess", game_win=2, game_draw=1, game_loss=0
    )
    reading = read_tables(Document(event), found.tables, games=found.games)
    assert reading.document
    written = pgn(Event(), reading.document)
    for text in (
        '[ECO "C20"]',
        "1. e4 {best} e5 1-0",
        "1. d4\n1/2-1/2",
        '[WhiteElo "2111"]',
        '[Date "2021.05.02"]',
    ):
        assert written.count(text) == 1, text
    again = PGN.read(LayoutFile("games.pgn", written.encode()))
    assert again.games
    assert again.games.games[0].moves == '[ECO "C20"]\n\n1. e4 {best} e5 1-0'
    assert len(again.games.games) == 3


def test_a_second_game_inside_the_moves_is_not_published() -> None:
    data = samples.players()
    pairing = data["rounds"][0]["pairings"][0]
    pairing["moves"] = '[ECO "C20"]\n[ECO "C21"]\n\n1. e4 e5\n\n[Event "Forged"]\n[White "X"]\n\n1. d4 0-1'
    document = samples.document(data)

    written = pgn(Event(), document)

    assert "Forged" not in written
    assert "1. e4" not in written
    assert written.count('[ECO "C20"]') == 1
    assert "C21" not in written
    assert written.count("[Event ") == sum(
        pairing.second is not None for _round, pairing in document.without_drafts().pairings()
    )
    warned = [each for each in check_document(document) if each.code == "moves-not-legal"]
    assert [each.where for each in warned] == ["rounds[0].pairings[0].moves"]


@pytest.mark.django_db
def test_the_page_of_a_game_leads_to_the_file(client: Client) -> None:
    event = create_player_event()
    assert "All games as" not in client.get(f"/events/{event.slug}/rounds/1/1/").content.decode()
    Pairing.objects.filter(table=1).update(moves="1. e4 1-0")
    Event.objects.update(discipline="chess")
    page = client.get(f"/events/{event.slug}/rounds/1/1/").content.decode()
    assert f'href="/events/{event.slug}.pgn"' in page
    assert "<pre>1. e4 1-0</pre>" in page
