"""Results sent by players are stored by side, and void if the seats have changed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments.recording.desk import at, round_of, typed
from tournaments.event.choices import PlayersEntry
from tournaments.models import Event, Pairing, ResultSent, Round
from tournaments.models.versioned import past_of
from tournaments.recording.refusal import Refused
from tournaments.recording.results import from_players
from tournaments.recording.results.from_players import (
    AGREED,
    DIFFERENT,
    MOST_OF_A_SIDE,
    WAITING,
    PlayersGame,
    TooMany,
    game_of,
    newest_in,
    send_result,
    sent_in,
    why_not_sent,
)
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db

HERE = "192.0.2.0/24"


@pytest.fixture
def swiss(swiss: Event) -> Event:
    """Draughts players who send results, with both sides required to agree."""
    swiss.players_entry = PlayersEntry.BOTH
    swiss.save()
    return swiss


def game(event: Event, table: int = 1, board: int = 0) -> PlayersGame:
    """Return a game of the open round."""
    number = max(event.rounds.values_list("number", flat=True))
    found = game_of(at(event, number, table), board)
    assert found
    return found


def state_of(event: Event) -> tuple[str, str]:
    """Return the state of the game at the first table, and the result to accept."""
    [came] = sent_in(game(event).pairing.round).values()
    return came.state, came.text


def test_both_sides_must_agree(swiss: Event) -> None:
    send_result(game(swiss), "first", "2-0", HERE)
    assert state_of(swiss) == (WAITING, "2-0")

    send_result(game(swiss), "second", "1-1", HERE)
    assert state_of(swiss) == (DIFFERENT, "")

    send_result(game(swiss), "second", "2-0", HERE)
    assert state_of(swiss) == (AGREED, "2-0")
    assert at(swiss, 2, 1).kind == "pending"


def test_a_single_side_suffices_if_configured(swiss: Event) -> None:
    Event.objects.update(players_entry=PlayersEntry.ONE)
    send_result(game(swiss), "", "+ -", HERE)

    assert state_of(swiss) == (AGREED, "+ -")


def test_a_repeated_result_is_stored_once(swiss: Event) -> None:
    once, again = (send_result(game(swiss), "first", "2-0", HERE) for _ in range(2))

    assert once == again
    assert ResultSent.objects.count() == 1


def test_a_side_changes_its_mind_a_few_times_only(swiss: Event) -> None:
    for number in range(MOST_OF_A_SIDE):
        send_result(game(swiss), "first", ("2-0", "1-1")[number % 2], HERE)

    with pytest.raises(Refused):
        send_result(game(swiss), "first", "0-2", HERE)
    assert send_result(game(swiss), "second", "0-2", HERE).number == 1


def test_a_network_that_sends_too_much_waits_a_minute(swiss: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_players, "MOST_A_MINUTE", 2)
    for text in ("2-0", "1-1"):
        send_result(game(swiss), "first", text, HERE)

    with pytest.raises(TooMany):
        send_result(game(swiss), "second", "2-0", HERE)
    assert send_result(game(swiss), "second", "2-0", "198.51.100.0/24")
    ResultSent.objects.update(at=timezone.now() - timedelta(minutes=2))
    assert send_result(game(swiss), "second", "1-1", HERE)


@pytest.mark.parametrize("text", ["", "3-0", "2-0 g3", "?", "BYE", "1-0", "+"])
def test_a_result_without_a_button_is_refused(swiss: Event, text: str) -> None:
    with pytest.raises(Refused):
        send_result(game(swiss), "first", text, HERE)


def test_a_recorded_result_ends_sending(swiss: Event, arbiter: object) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)  # type: ignore[arg-type]  # an account

    with pytest.raises(Refused, match="1-1"):
        send_result(game(swiss), "first", "2-0", HERE)


def test_a_closed_round_accepts_no_results(swiss: Event) -> None:
    Round.objects.filter(number=2).update(state=Round.State.CLOSED)

    assert "closed" in why_not_sent(game(swiss))


def test_a_game_that_a_withdrawal_decides_accepts_no_results(swiss: Event) -> None:
    swiss.competitors.filter(pk=at(swiss, 2, 1).first_id).update(withdrawn_after=1)
    assert why_not_sent(game(swiss)) == ""  # in a Swiss the result is needed

    Event.objects.update(schedule="round-robin")
    assert "needs no result, because of a withdrawal" in why_not_sent(game(swiss))
    with pytest.raises(Refused, match="withdrawal"):
        send_result(game(swiss), "first", "2-0", HERE)
    swiss.competitors.update(withdrawn_after=2)
    assert why_not_sent(game(swiss)) == ""


def test_results_sent_for_other_seats_are_void(swiss: Event) -> None:
    send_result(game(swiss), "first", "2-0", HERE)
    one, two = at(swiss, 2, 1), at(swiss, 2, 2)
    Pairing.objects.filter(pk=two.pk).delete()
    Pairing.objects.filter(pk=one.pk).update(second=two.first)

    assert sent_in(round_of(swiss, 2)) == {}


def test_it_opens_some_minutes_after_the_publishing(swiss: Event) -> None:
    Event.objects.update(players_entry_after=30)
    round_, past = round_of(swiss, 2), past_of(Round)
    for state, minutes in (("published", 300), ("draft", 200), ("published", 20), ("published", 5)):
        past.objects.create(
            id=round_.pk,
            event_id=swiss.pk,
            number=2,
            version=1,
            date="",
            state=state,
            history_date=timezone.now() - timedelta(minutes=minutes),
            history_type="~",
        )

    assert "in 10 min" in why_not_sent(game(swiss))
    Event.objects.update(players_entry_after=15)
    assert why_not_sent(game(swiss)) == ""


def test_boards_are_games_of_their_own(match: Event) -> None:
    Event.objects.update(players_entry=PlayersEntry.ONE)
    send_result(game(match, board=2), "", "1-0", HERE)

    assert [key[1] for key in sent_in(game(match, board=2).pairing.round)] == [2]
    assert game_of(at(match, 1, 1), 0) is None
    assert game_of(at(match, 1, 1), 4) is None


def test_sent_results_do_not_raise_the_revision(swiss: Event) -> None:
    before = swiss.revision.number
    assert newest_in(round_of(swiss, 2)) == 0
    row = send_result(game(swiss), "first", "2-0", HERE)

    assert newest_in(round_of(swiss, 2)) == row.pk
    swiss.revision.refresh_from_db()
    assert swiss.revision.number == before
