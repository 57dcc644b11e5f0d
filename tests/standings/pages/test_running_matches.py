"""Matches in progress show the running score and open boards on all pages."""

from collections.abc import Sequence

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from standings.services import standings_of
from tests.cast import match_file, stored_event
from tournaments.event.choices import Kind
from tournaments.models import Event, Game, Pairing, Round
from tournaments.models.versioned import past_of

pytestmark = pytest.mark.django_db

EVENT = "/events/two-rounds/"


def two_rounds(*boards: Sequence[float] | str) -> Event:
    """Store two teams on four boards: a match of round 1, then these boards of round 2."""
    file = match_file()
    file["event"] |= {"slug": "two-rounds", "boards": 4, "rounds": 3}
    for number, competitor in enumerate(file["competitors"], start=1):
        competitor["code"] = f"T{number}"
        competitor["players"] = [
            {"board": board, "name": f"{competitor['name']} {board}"} for board in range(1, 5)
        ]

    def game(board: int, result: Sequence[float] | str) -> dict[str, object]:
        players = {"first": f"Reds {board}", "second": f"Blues {board}", "white": "first"}
        known = {"kind": result} if isinstance(result, str) else {"score": result}
        return {"board": board, **players, **known}

    first = [game(board, [0.5, 0.5]) for board in range(1, 5)]
    second = [game(board, result) for board, result in enumerate(boards, start=1)]
    file["rounds"] = [
        {
            "number": 1,
            "state": "closed",
            "pairings": [{"table": 1, "first": 1, "second": 2, "score": [2, 2], "games": first}],
        },
        {
            "number": 2,
            "state": "published",
            "pairings": [{"table": 1, "first": 1, "second": 2, "kind": "pending", "games": second}],
        },
    ]
    return stored_event(file)


HALF, WON = [0.5, 0.5], [1, 0]


@pytest.fixture
def event() -> Event:
    """A live event whose match in round 2 has three finished boards: 2 : 1."""
    return two_rounds(HALF, HALF, WON, "pending")


def words(client: Client, address: str, css: str = "body") -> str:
    page = LexborHTMLParser(client.get(f"{EVENT}{address}").content.decode())
    return " ".join(" ".join(each.text(separator=" ") for each in page.css(css)).split())


def test_round_page_shows_running_score_and_open_boards(event: Event, client: Client) -> None:
    assert words(client, "rounds/2/", ".pairings .result a") == "2 : 1 1 board open"
    assert "1 result still to come" in words(client, "rounds/2/")


def test_round_page_by_name_reverses_the_running_score(event: Event, client: Client) -> None:
    assert words(client, "rounds/2/?sort=name", ".pairings .result a") == (
        "1 : 2 1 board open 2 : 1 1 board open"
    )


def test_match_page_shows_running_score_instead_of_not_yet_played(event: Event, client: Client) -> None:
    page = words(client, "rounds/2/1/", "main")
    assert words(client, "rounds/2/1/", "thead .result") == "2 : 1"
    assert words(client, "rounds/2/1/", "tfoot .result") == "2 : 1"
    assert "1 board open." in page
    assert "Not yet played" not in page


def test_team_page_shows_running_score(event: Event, client: Client) -> None:
    assert words(client, "competitors/1/", "td.result.running a") == "2 : 1, 1 board open"
    assert words(client, "competitors/2/", "td.result.running a") == "1 : 2, 1 board open"


def test_live_page_shows_running_score_among_the_open_matches(event: Event, client: Client) -> None:
    assert words(client, "live/", ".happened:has(~ #latest)") == (
        "Reds 2 : 1 Blues Match 1, 1 board open boards: ½ ½ 1 ·"
    )


def test_live_page_shows_finished_boards_with_their_times(event: Event, client: Client) -> None:
    board = Game.objects.get(pairing__round__number=2, board=2)
    Game.objects.filter(pk=board.pk).update(kind=Kind.PENDING, first_score=None, second_score=None)
    board.save()
    latest = LexborHTMLParser(client.get(f"{EVENT}live/").content.decode()).css("#latest + .happened li")
    [first, *others] = [" ".join(each.text(separator=" ").split()) for each in latest]
    assert first.startswith("Reds 2 ½-½ Blues 2 Reds – Blues, board 2")
    link, time = latest[0].css_first("a"), latest[0].css_first("time")
    assert link is not None
    assert time is not None
    assert link.attributes["href"] == f"{EVENT}rounds/2/1/#b2"
    saved = past_of(Game).objects.filter(id=board.pk).latest("history_date").history_date
    assert time.attributes["datetime"] == saved.isoformat()
    assert {each[:6] for each in others} == {"Reds 1", "Reds 3", "Reds 2"}
    assert LexborHTMLParser(client.get(f"{EVENT}rounds/2/1/").content.decode()).css_first("#b2")


def test_summary_of_a_followed_team_has_running_score_and_boards(event: Event, client: Client) -> None:
    assert client.get(f"{EVENT}followed/2/").json()["next"]["text"] == (
        "Round 2 · Match 1: against Reds, 1 : 2 (½ ½ 0 ·), 1 board open"
    )


def test_team_page_begins_with_the_match_in_progress(event: Event, client: Client) -> None:
    Round.objects.filter(number=2).update(date="2026-05-02", time="14:00")
    assert words(client, "competitors/2/", ".open-games li") == (
        "In progress Round 2 · Match 1 , 2 May 2026, 14:00 Against Reds 1 : 2 · 1 board open"
        " 1 Blues 1 ½ Reds 1 2 Blues 2 ½ Reds 2 3 Blues 3 0 Reds 3 4 Blues 4 · Reds 4"
    )


def test_hall_screen_shows_running_score(event: Event, client: Client) -> None:
    assert words(client, "screen/?show=results", "td.result").replace(" ", "") == "2:11boardopen½½1·"
    assert words(client, "screen/?show=standings", ".form .running") == "2:1 1:2"


def test_standings_crosstable_and_comparison_show_running_score(event: Event, client: Client) -> None:
    cell = LexborHTMLParser(client.get(f"{EVENT}standings/").content.decode()).css_first(".r.running a")
    assert cell is not None
    assert cell.text() == "T2 2 : 1".replace(" ", "", 1)
    assert cell.attributes["aria-label"] == "Round 2, against Blues, 2 : 1, 1 board open"
    assert "2 : 1" in words(client, "crosstable/", ".m .running")
    assert "2 : 1" in words(client, "compare/1/2/", "main")


def test_running_score_counts_a_forfeited_board(client: Client) -> None:
    event = two_rounds(WON, WON, "pending", "pending")
    Game.objects.filter(pairing__round__event=event, pairing__round__number=2, board=1).update(
        kind=Kind.FORFEIT
    )
    assert words(client, "rounds/2/", ".pairings .result a") == "2 : 0 2 boards open"


def test_unrecorded_boards_are_open(client: Client) -> None:
    two_rounds(WON)
    assert words(client, "rounds/2/", ".pairings .result a") == "1 : 0 3 boards open"
    assert words(client, "screen/?show=results", "td.result small") == "3 boards open 1 · · ·"


def test_match_without_a_finished_board_has_no_running_score(client: Client) -> None:
    two_rounds("pending", "pending", "pending", "pending")
    assert words(client, "rounds/2/", ".pairings .result a") == "–"
    assert "Not yet played." in words(client, "rounds/2/1/")


def test_match_with_an_unknown_board_has_no_running_score(client: Client) -> None:
    two_rounds(WON, "unknown", "pending", "pending")
    assert words(client, "rounds/2/", ".pairings .result a") == "–"


def test_standings_count_a_match_only_after_its_last_board(event: Event, client: Client) -> None:
    api = f"/api{EVENT}standings/"

    def points() -> list[tuple[str, str]]:
        rows = client.get(api).json()["rows"]
        return sorted(
            (row["values"]["match-points"]["text"], row["values"]["game-points"]["text"]) for row in rows
        )

    assert points() == [("1", "2"), ("1", "2")]
    Game.objects.filter(pairing__round__number=2, board=4).update(
        kind=Kind.PLAYED, first_score=1, second_score=1
    )
    Pairing.objects.filter(round__number=2).update(kind=Kind.PLAYED, first_score=5, second_score=3)
    assert points() == [("1", "3½"), ("3", "4½")]
    assert words(client, "rounds/2/", ".pairings .result a") == "2½ : 1½"


@pytest.mark.parametrize("code", ["game-points", "wins@game", "won-lost-ratio", "WIN:GP", "TBR", "BBE"])
def test_no_criterion_counts_boards_of_a_match_in_progress(event: Event, code: str) -> None:
    standings = standings_of(event)
    before = standings.after(1)
    for row in range(2):
        assert standings.column(code).level_texts(row) == before.column(code).level_texts(row)


def test_api_gives_running_score_of_a_round_and_of_a_team(event: Event, client: Client) -> None:
    round_ = client.get(f"/api{EVENT}rounds/2/").json()
    assert round_["in_progress"] == [{"table": 1, "score": [2, 1], "open_boards": 1}]
    assert client.get(f"/api{EVENT}rounds/1/").json()["in_progress"] == []
    rounds = client.get(f"/api{EVENT}competitors/2/").json()["rounds"]
    assert [each["in_progress"] for each in rounds] == [
        None,
        {"table": 1, "score": [1, 2], "open_boards": 1},
    ]
    assert rounds[1]["pairing"]["kind"] == "pending"


def test_pages_state_that_finished_boards_count(event: Event, client: Client) -> None:
    message = "include the finished boards of"
    assert message in words(client, "statistics/")
    assert message in words(client, "competitors/1/")
    Game.objects.filter(pairing__round__number=2).update(
        kind=Kind.PENDING, first_score=None, second_score=None
    )
    assert message not in words(client, "statistics/")
    assert message not in words(client, "competitors/1/")


def test_feeds_contain_running_scores(event: Event, client: Client) -> None:
    feed = client.get(f"{EVENT}feed.atom").content.decode()
    assert "Reds 2 : 1 Blues (1 board open)" in feed
    of_team = client.get(f"{EVENT}competitors/2/feed.atom").content.decode()
    assert "Round 2: against Reds, 1 : 2, 1 board open" in of_team


def test_progress_of_the_round_counts_matches_in_progress(event: Event, client: Client) -> None:
    message = "during round 2: 0 of 1 results in, 1 match in progress"
    assert client.get(f"/api{EVENT}standings/").json()["rests_on"] == message
    assert words(client, "live/", "#results-in") == "0 of 1 in, 1 match in progress"
    assert "1, 1 to come, 1 of them in progress" in words(client, "rounds/", "tr.here")
    home = LexborHTMLParser(client.get("/").content.decode()).text()
    assert "round 2: 0 of 1 in, 1 match in progress" in home
