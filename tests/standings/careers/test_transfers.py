"""Careers over two invented editions of a cup: transfers, a substitute, forfeits, byes.

Each expected figure is calculated by hand in the comment next to it, from the results in `tests.transfers`.
"""

import pytest
from django.test import Client

from tests.linked import person, players_named
from tests.standings.drawn import visible
from tests.standings.pages.reading import read, rows
from tests.transfers import Transfers, transfers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def known() -> Transfers:
    return transfers()


def person_page(client: Client, known: Transfers, name: str) -> str:
    return read(client, f"/people/{known.persons[name].pk}/")


def about(page: str) -> str:
    """Return the text above the tables."""
    return visible(page.partition('<span class="name">')[2].partition("<h2")[0])


def test_player_changes_team_board_and_federation(client: Client, known: Transfers) -> None:
    page = person_page(client, known, "Ann")
    assert rows(page, "events") == [
        # Points: ½ against Cas, 1 by forfeit against Hal. One game, drawn; half of one point against 1950 is
        # a performance of 1950 + 0 (FIDE Handbook B.02, 8.1). The Blue Club is first of three.
        ["2003", "Cup 2003", "Blue Club", "2", "1 of 3", "1½", "1", "0", "1", "0", "2120", "1950"],
        # Points: 1 against Dov, 0 against Fay. Two games; half of the points against
        # (2200 + 2150) / 2 = 2175. The Reds are first of three.
        ["2001", "Cup 2001", "Reds", "1", "1 of 3", "1", "2", "1", "0", "1", "2100", "2175"],
    ]
    assert about(page).startswith("Ann Netherlands 2001 Belgium 2003 2 events linked, 2001–2003.")
    # The Reds of 2001 and the Blue Club of 2003 were first: 2; Ann has no place of her own.
    assert "Medals with teams: 2 first, 0 second, 0 third" in about(page)
    assert "Medals:" not in about(page)
    # 2 games of 2001 and 1 of 2003: 3. A win, a draw, a loss: (1 + ½ + 0) / 3 = 50.0 %.
    assert "Games 3 won 1 , drawn 1 , lost 1 50.0 %" in about(page)
    assert rows(page, "years") == [
        ["2003", "1", "1", "0", "1", "0", "50.0"],  # ½ of 1
        ["2001", "1", "2", "1", "0", "1", "50.0"],  # (1 + 0) of 2
    ]
    assert rows(page, "colours") == [
        # White: Dov, of board 1 of the first team (2001, round 1).
        ["○ White", "1", "1", "0", "0", "100.0"],
        # Black: Fay, of board 1 of the second (2001, round 2), and Cas, of board 2 of the first (2003):
        # ½ of 2.
        ["● Black", "2", "0", "1", "1", "25.0"],
    ]
    assert rows(page, "against") == [
        ["Belgium", "1", "1", "0", "0", "100.0"],  # Dov of the Blues
        ["Germany", "1", "0", "0", "1", "0.0"],  # Fay of the Greens; Hal of the Greens did not come
        ["Netherlands", "1", "0", "1", "0", "50.0"],  # Cas of the Reds
    ]
    # The forfeit of Hal is no win to be proud of; nor is Hal known over events.
    assert rows(page, "best") == [["2001", "Dov", "2200", "Cup 2001", "1", "1", "○", "1-0"]]
    assert [each[0] for each in rows(page, "met")] == ["Cas", "Dov", "Fay"]
    assert "By forfeit: 1 won, 0 lost. They count in the points and places of the events;" in page


def test_a_substitute_has_the_board_of_the_order_and_the_games_played(
    client: Client, known: Transfers
) -> None:
    page = person_page(client, known, "Cas")
    assert [each[2:10] for each in rows(page, "events")] == [
        # 2003, second with the Reds: ½ against Ann and 1 against Gus = 1½ of two games.
        ["Reds", "2", "2 of 3", "1½", "2", "1", "1", "0"],
        # 2001, first with the Reds: third in the order, once on board 2, where Gus was beaten: 1 of one game.
        ["Reds", "3", "1 of 3", "1", "1", "1", "0", "0"],
    ]
    assert "1 first, 1 second, 0 third" in about(page)


def test_player_of_a_single_edition_wins_by_forfeit(client: Client, known: Transfers) -> None:
    page = person_page(client, known, "Eva")
    assert [each[2:10] for each in rows(page, "events")] == [
        # ½ against Ben and 1 by forfeit = 1½; one game, drawn. The Blues were second.
        ["Blues", "2", "2 of 3", "1½", "1", "0", "1", "0"]
    ]
    # Nobody of the Greens was played.
    assert rows(page, "against") == [["Netherlands", "1", "0", "1", "0", "50.0"]]
    assert "Belgium 2001 1 event linked" in about(page)


def test_opponent_met_only_by_forfeit_does_not_count(client: Client, known: Transfers) -> None:
    gus = person("Gus", *players_named("Gus"))
    eva = known.persons["Eva"]
    page = person_page(client, known, "Eva")
    assert [each[0] for each in rows(page, "met")] == ["Ben"]
    page = read(client, f"/people/{eva.pk}/against/{gus.pk}/")
    assert "Eva and Gus were paired, but did not play over the board." in page
    # Round 3 of 2001, board 2: the second board of the first team has Black.
    assert rows(page, "games") == [["2001", "Cup 2001", "3", "2", "●", "+ -"]]


def test_teams_with_their_editions_and_players(client: Client, known: Transfers) -> None:
    page = read(client, f"/teams/{known.teams['Blues'].pk}/")
    assert rows(page, "events") == [
        # Two match points for each of two wins, one for the bye: 5. Two matches, both won.
        ["2003", "Cup 2003", "Blue Club", "1 of 3", "5", "2", "2", "0", "0"],
        # 0 for the loss to the Reds, 1 for the bye, 2 for the win over the Greens: 3. Two matches.
        ["2001", "Cup 2001", "Blues", "2 of 3", "3", "2", "1", "0", "1"],
    ]
    assert "Medals: 1 first, 1 second, 0 third" in about(page)
    # 2 + 2 matches, 2 + 1 won, 1 lost: 3 of 4.
    assert "Matches 4 won 3 , drawn 0 , lost 1 75.0 %" in about(page)
    assert rows(page, "players") == [
        # 2001: 0 against Ann, ½ against Fay; 2003: 1 against Ben, 1 against Fay: 2½ of 4.
        ["Dov", "2", "2001 · 2003", "2½", "4", "2", "1", "1", "62.5"],
        # For this team ½ against Cas; 1 by forfeit is in the points and not in the games: ½ of 1.
        ["Ann", "1", "2003", "1½", "1", "0", "1", "0", "50.0"],
        # ½ against Ben, 1 by forfeit.
        ["Eva", "1", "2001", "1½", "1", "0", "1", "0", "50.0"],
    ]
    reds = read(client, f"/teams/{known.teams['Reds'].pk}/")
    assert rows(reds, "players") == [
        # 2001: ½ against Eva; 2003: 0 against Dov, ½ against Fay: 1 of 3.
        ["Ben", "2", "2001 · 2003", "1", "3", "0", "2", "1", "33.3"],
        # 2001: 1 against Gus; 2003: ½ against Ann, 1 against Gus: 2½ of 3.
        ["Cas", "2", "2001 · 2003", "2½", "3", "2", "1", "0", "83.3"],
        # 2001 alone: 1 against Dov, 0 against Fay; what Ann made for the Blue Club is not the Reds'.
        ["Ann", "1", "2001", "1", "2", "1", "0", "1", "50.0"],
    ]
    greens = rows(read(client, f"/teams/{known.teams['Greens'].pk}/"), "players")
    assert greens == [
        # 2001: 1 against Ann, ½ against Dov; 2003: 0 against Dov, ½ against Ben: 2 of 4.
        ["Fay", "2", "2001 · 2003", "2", "4", "1", "2", "1", "50.0"],
        # Lost to Cas twice; the forfeit to Eva is no game.
        ["Gus", "2", "2001 · 2003", "0", "2", "0", "0", "2", "0.0"],
        ["Hal", "1", "2003", "0", "0", "0", "0", "0", ""],
    ]


def test_head_to_head_of_former_teammates(client: Client, known: Transfers) -> None:
    ann, dov = known.persons["Ann"].pk, known.persons["Dov"].pk
    page = read(client, f"/people/{ann}/against/{dov}/")
    # Of 2001, before both played for the Blue Club.
    assert "Ann won 1, drew 0 and lost 0 against Dov: 1 of 1 point; a draw counts ½." in page
    assert rows(page, "games") == [["2001", "Cup 2001", "1", "1", "○", "1-0"]]
    assert rows(page, "shared") == [
        ["2003", "Cup 2003", "1 of 3", "1 of 3"],
        ["2001", "Cup 2001", "1 of 3", "2 of 3"],
    ]
    turned = rows(read(client, f"/people/{dov}/against/{ann}/"), "games")
    assert turned == [["2001", "Cup 2001", "1", "1", "●", "0-1"]]
    fay = known.persons["Fay"].pk
    page = read(client, f"/people/{dov}/against/{fay}/")
    # A win of 2003 and a draw of 2001: 1½ of 2.
    assert "Dov won 1, drew 1 and lost 0 against Fay: 1½ of 2 points; a draw counts ½." in page
    assert [each[-3:] for each in rows(page, "games")] == [["1", "●", "1-0"], ["1", "○", "½-½"]]


def test_head_to_head_of_teams(client: Client, known: Transfers) -> None:
    reds, blues = known.teams["Reds"].pk, known.teams["Blues"].pk
    page = read(client, f"/teams/{reds}/against/{blues}/")
    # 1½-½ in 2001, ½-1½ in 2003: a match each, 1 of 2.
    assert "Reds won 1, drew 0 and lost 1 against Blues: 1 of 2 points; a draw counts ½." in page
    assert rows(page, "games") == [
        ["2003", "Cup 2003", "1", "½-1½"],
        ["2001", "Cup 2001", "1", "1½-½"],
    ]
