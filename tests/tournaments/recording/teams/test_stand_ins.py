"""Stand-ins for unnamed players, so that a report has all opponents."""

from typing import Any

import pytest

from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
    RoundEntry,
)
from tournaments.recording.teams.stand_ins import with_stand_ins

ANN, BEA = PlayerEntry(board=1, name="Ann"), PlayerEntry(board=1, name="Bea")


def league(*matches: PairingEntry, **about: Any) -> Document:
    """Return the document of a four-board league after a round with these matches."""
    event = EventEntry(
        slug="league", name="League", discipline="chess", entrants="teams", schedule="swiss",
        planned_rounds=3, boards=4, game_win=2, game_draw=1, game_loss=0, system="league",
    )  # fmt: skip
    teams = (
        CompetitorEntry(number=1, name="Reds", players=(ANN,)),
        CompetitorEntry(number=2, name="Blues", players=(BEA,)),
        CompetitorEntry(number=3, name="Greens"),
    )
    return Document(
        event=event, competitors=teams, rounds=(RoundEntry(number=1, state="closed", pairings=matches),)
    )


def test_a_match_of_named_players_stays() -> None:
    game = GameEntry(
        board=1, first_player=ANN, second_player=BEA, white="first", first_score=2, second_score=0
    )
    forfeit = GameEntry(board=2, first_player=ANN, kind="forfeit", first_score=2, second_score=0)
    match = PairingEntry(table=1, first=1, second=2, first_score=4, second_score=0, games=(game, forfeit))
    document = league(match)

    assert with_stand_ins(document) is document


def test_boards_without_names_keep_their_results() -> None:
    games = (
        GameEntry(board=1, white="second", first_score=2, second_score=0),
        GameEntry(board=2, white="first", first_score=1, second_score=1),
    )
    match = PairingEntry(table=1, first=1, second=2, first_score=3, second_score=1, games=games)
    document = with_stand_ins(league(match))

    [(_, found)] = document.pairings()
    assert [(game.white, game.first_score, game.second_score) for game in found.games] == [
        ("second", 2, 0),
        ("first", 1, 1),
    ]
    assert [
        (game.first_player.name, game.second_player.name)
        for game in found.games
        if game.first_player and game.second_player
    ] == [
        ("1/1", "2/1"),
        ("1/2", "2/2"),
    ]
    assert [len(team.players) for team in document.competitors] == [4, 4, 4]


@pytest.mark.parametrize(("first", "second"), [(8, 0), (5, 3), (4, 4), (0, 8), (3, 3)])
def test_a_score_without_boards_is_split_into_games(first: int, second: int) -> None:
    match = PairingEntry(table=1, first=1, second=2, first_score=first, second_score=second)

    [(_, found)] = with_stand_ins(league(match)).pairings()

    assert sum(game.first_score or 0 for game in found.games) == first
    assert sum(game.second_score or 0 for game in found.games) == second
    assert [game.white for game in found.games] == ["first", "second", "first", "second"]


def test_rounds_off_and_matches_to_come_stay() -> None:
    played = PairingEntry(table=1, first=1, second=2, first_score=8, second_score=0)
    bye = PairingEntry(table=2, first=3, kind="bye", first_score=4)

    assert [each for _, each in with_stand_ins(league(played, bye)).pairings()][1] == bye


def test_a_match_in_progress_has_opponents() -> None:
    match = PairingEntry(table=1, first=1, second=2, kind="pending")

    [(_, found)] = with_stand_ins(league(match)).pairings()

    assert [(game.kind, game.first_score, game.white) for game in found.games] == [
        ("pending", None, "first"),
        ("pending", None, "second"),
        ("pending", None, "first"),
        ("pending", None, "second"),
    ]
    assert all(game.first_player and game.second_player for game in found.games)
