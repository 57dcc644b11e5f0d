"""Line-ups: all boards or no board, own players only, and unchanged results."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, typed
from tournaments.models import Event, Game, Player
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.teams.lineups import BoardSeats, line_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def reds(match: Event) -> list[Player]:
    """Two players of the first team."""
    team = match.competitors.get(number=1)
    return [Player.objects.create(competitor=team, board=board, name=f"Red {board}") for board in (1, 2)]


def test_only_boards_that_differ_are_stored(match: Event, reds: list[Player], arbiter: User) -> None:
    boards = [
        BoardSeats(1, 0, reds[0].pk, None, "first"),
        BoardSeats(2, 0, None, None, "second"),
        BoardSeats(3, 0),
    ]

    assert line_up(at(match, 1, 1), boards, arbiter) == [1, 3]
    assert list(Game.objects.values_list("board", "kind", "white")) == [
        (1, "pending", "first"),
        (3, "pending", ""),
    ]


def test_a_result_stays(match: Event, reds: list[Player], arbiter: User) -> None:
    enter(match, [typed(at(match, 1, 1), "1", 1)], arbiter)
    line_up(at(match, 1, 1), [BoardSeats(1, 1, reds[0].pk, None, "second")], arbiter)
    game = Game.objects.get()

    assert (game.first_score, game.second_score, game.version, game.first_player) == (2, 0, 2, reds[0])


def test_an_outdated_board_prevents_storing(
    match: Event, reds: list[Player], arbiter: User, other: User
) -> None:
    line_up(at(match, 1, 1), [BoardSeats(2, 0, reds[0].pk)], other)
    boards = [BoardSeats(1, 0, reds[1].pk, None, "first"), BoardSeats(2, 0, None, None, "first")]

    with pytest.raises(Conflict) as conflict:
        line_up(at(match, 1, 1), boards, arbiter)
    assert conflict.value.by == "ben"
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "board", [BoardSeats(4, 0), BoardSeats(1, 0, white="third"), BoardSeats(1, 0, second=1)]
)
def test_impossible_boards_are_refused(
    match: Event, reds: list[Player], arbiter: User, board: BoardSeats
) -> None:
    with pytest.raises(Refused):
        line_up(at(match, 1, 1), [board], arbiter)


def test_a_game_of_players_has_no_line_up(swiss: Event, arbiter: User) -> None:
    with pytest.raises(Refused):
        line_up(at(swiss, 2, 1), [BoardSeats(1, 0)], arbiter)
