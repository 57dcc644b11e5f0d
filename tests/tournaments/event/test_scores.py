"""The possible scores of a scoring; points in this module are half-points."""

from typing import Any

import pytest

from tournaments.event.document import EventEntry, GameEntry, PairingEntry
from tournaments.event.numbers import score_text
from tournaments.event.scores import bye_points, full_score, game_fault, own_match_points, pairing_fault


def event(*scoring: int, boards: int | None = None, **more: Any) -> EventEntry:
    """Return an event with these half-points for a win, a draw and a loss."""
    plain = {"slug": "e", "name": "E", "discipline": "chess", "schedule": "swiss", "planned_rounds": 9}
    win, draw, loss = scoring
    entrants = "teams" if boards else "players"
    return EventEntry(
        **{**plain, "system": "league", **more},
        entrants=entrants,
        boards=boards,
        game_win=win,
        game_draw=draw,
        game_loss=loss,
    )


CHESS, DRAUGHTS, DELFT, THREE_ONE = (2, 1, 0), (4, 2, 0), (24, 12, 0), (6, 2, 0)
MICRO = (10, 5, 0)


@pytest.mark.parametrize(
    ("scoring", "score", "possible"),
    [
        (CHESS, (2, 0), True),
        (CHESS, (1, 1), True),
        (CHESS, (0, 0), False),
        (CHESS, (2, 1), False),
        (DRAUGHTS, (4, 0), True),
        (DRAUGHTS, (3, 1), False),
        (DRAUGHTS, (6, 0), False),
        (DELFT, (24, 0), True),
        (DELFT, (16, 8), True),
        (DELFT, (15, 9), False),
        (DELFT, (16, 10), False),
        (THREE_ONE, (6, 0), True),
        (THREE_ONE, (2, 2), True),
        (THREE_ONE, (4, 0), False),
        (THREE_ONE, (3, 3), False),
        ((6, 4, 2), (6, 2), True),
        ((6, 4, 2), (8, 0), False),
    ],
)
def test_a_game_ends_as_the_scoring_has_it(
    scoring: tuple[int, int, int], score: tuple[int, int], possible: bool
) -> None:
    game = PairingEntry(table=1, first=1, second=2, first_score=score[0], second_score=score[1])
    assert (pairing_fault(event(*scoring), game) is None) == possible


def test_a_micro_match_may_end_in_any_way_up_to_a_win() -> None:
    def fault(first: int, second: int) -> str | None:
        match = PairingEntry(
            table=1, first=1, second=2, first_score=first, second_score=second, games_played=5
        )
        return pairing_fault(event(*MICRO), match)

    assert fault(10, 0) is None
    assert fault(6, 4) is None
    assert fault(6, 2) is None
    assert fault(11, 0) == "a game gives at most 5"


def test_a_referee_may_decide_unevenly() -> None:
    game = GameEntry(board=1, first_score=1, second_score=0)
    assert game_fault(event(*CHESS), game) is not None
    assert game_fault(event(*CHESS), game, "Both touched a piece.") is None


@pytest.mark.parametrize(
    ("boards", "score", "possible"),
    [
        (4, (8, 0), True),
        (4, (5, 3), True),
        (4, (4, 2), True),
        (4, (0, 0), True),
        (4, (9, 0), False),
        (4, (5, 4), False),
    ],
)
def test_match_score_is_limited_by_its_boards(boards: int, score: tuple[int, int], possible: bool) -> None:
    match = PairingEntry(table=1, first=1, second=2, first_score=score[0], second_score=score[1])
    assert (pairing_fault(event(*CHESS, boards=boards), match) is None) == possible


def test_match_has_no_half_points_if_games_have_none() -> None:
    match = PairingEntry(table=1, first=1, second=2, first_score=5, second_score=3)
    assert pairing_fault(event(*DRAUGHTS, boards=2), match) == "this scoring has whole points only"


@pytest.mark.parametrize(
    ("scoring", "boards", "score", "possible"),
    [
        (CHESS, None, (2, 0), True),
        (CHESS, None, (0, 2), True),
        (CHESS, None, (0, 0), True),
        (CHESS, None, (1, 0), True),
        (CHESS, None, (1, 1), True),
        (CHESS, None, (2, 1), False),
        (CHESS, None, (3, 0), False),
        (CHESS, 4, (8, 0), True),
        (CHESS, 4, (0, 5), True),
        (CHESS, 4, (4, 4), True),
        (CHESS, 4, (6, 2), True),
        (CHESS, 4, (3, 0), True),
        (CHESS, 4, (9, 0), False),
        (CHESS, 4, (5, 4), False),
        (DRAUGHTS, 2, (3, 1), False),
        ((6, 4, 2), None, (6, 2), True),
        ((6, 4, 2), None, (6, 0), True),
        ((6, 4, 2), None, (2, 2), True),
    ],
)
def test_a_forfeit_gives_any_score_that_the_scoring_can_give(
    scoring: tuple[int, int, int], boards: int | None, score: tuple[int, int], possible: bool
) -> None:
    forfeit = PairingEntry(
        table=1, first=1, second=2, kind="forfeit", first_score=score[0], second_score=score[1]
    )
    assert (pairing_fault(event(*scoring, boards=boards), forfeit) is None) == possible


@pytest.mark.parametrize(
    ("kind", "score", "possible"),
    [("bye", 8, True), ("bye", 9, False), ("half-bye", 4, True), ("zero-bye", 0, True), ("absent", 1, False)],
)
def test_a_round_off_gives_at_most_a_win(kind: str, score: int, possible: bool) -> None:
    bye = PairingEntry(table=1, first=1, kind=kind, first_score=score)
    assert (pairing_fault(event(*CHESS, boards=4), bye) is None) == possible


def test_match_points_follow_from_each_sides_own_score() -> None:
    olympiad = event(*CHESS, boards=4)
    assert own_match_points(olympiad, "played", (4, 2), (2, 0)) == (
        None,
        None,
    )  # 2-1: a draw's 2, and a loss's 0
    assert own_match_points(olympiad, "played", (4, 2), (4, None)) == (4, 0)
    assert own_match_points(olympiad, "zero-bye", (0, None), (None, None)) == (None, None)


def test_bye_gives_a_win_in_a_swiss_and_no_points_in_a_round_robin() -> None:
    swiss = event(*CHESS, boards=4)
    assert full_score(swiss) == 8
    assert bye_points(swiss, "bye") == (8, 4)
    assert bye_points(swiss, "half-bye") == (4, 2)
    assert bye_points(swiss, "zero-bye") == (0, 0)
    assert bye_points(event(*CHESS, boards=4, schedule="round-robin"), "bye") == (0, 0)
    assert bye_points(event(*CHESS, boards=4, bye_game=4, bye_match=4), "bye") == (4, 4)


def test_half_points_are_displayed_with_fractions() -> None:
    assert score_text(5, 3) == "2½-1½"
    assert score_text(1, 0) == "½-0"
    assert score_text(8, None) == "4"
