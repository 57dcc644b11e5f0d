"""Match points that do not follow from the score."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, file_of, round_of, typed
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Change, Event, Pairing
from tournaments.models.versioned import past_of
from tournaments.recording.corrections import places_by_number
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import before_closing, close_round
from tournaments.recording.teams.match_scores import award_match_points

WHY = "A player was ineligible."


@pytest.fixture
def won(match: Event, arbiter: User) -> Pairing:
    """Reds beat Blues by 2-1."""
    row = at(match, 1, 1)
    enter(match, [typed(row, "1-0", 1), typed(row, "0-1", 2), typed(row, "1-0", 3)], arbiter)
    return at(match, 1, 1)


def award(row: Pairing, text: str, by: User, reason: str = WHY) -> Pairing:
    return award_match_points(row, text, row.version, by, reason)


def test_they_are_stored_if_they_do_not_follow(won: Pairing, arbiter: User) -> None:
    award(won, "1-1", arbiter)
    now = at(won.round.event, 1, 1)
    assert (now.first_match_points, now.second_match_points, now.version) == (2, 2, won.version + 1)
    assert places_by_number(won.round.event) == {1: 1, 2: 2}  # tied on match points, 2 to 1 on game points
    assert past_of(Pairing).objects.filter(id=won.pk).latest("history_id").history_change_reason == WHY
    assert read(file_of(won.round.event)).findings == ()


def test_they_move_places(won: Pairing, arbiter: User) -> None:
    award(won, "0 : 2", arbiter)
    assert places_by_number(won.round.event) == {1: 2, 2: 1}


@pytest.mark.parametrize("text", ["", " ", "2-0", "2.0 - 0"])
def test_those_that_follow_are_not_stored(won: Pairing, arbiter: User, text: str) -> None:
    awarded = award(won, "½-1½", arbiter)
    assert (awarded.first_match_points, awarded.second_match_points) == (1, 3)
    freed = award(awarded, text, arbiter)
    assert (freed.first_match_points, freed.second_match_points) == (None, None)


def test_equal_match_points_are_no_change(won: Pairing, arbiter: User) -> None:
    assert award(won, "2-0", arbiter, "").version == won.version


@pytest.mark.parametrize(
    ("text", "reason", "why"),
    [
        ("0-2", " ", "needs a reason"),
        ("3-0", WHY, "at most 2 match points"),
        ("1", WHY, "of both teams"),
        ("one-none", WHY, "not a number of points"),
        ("1¼-0", WHY, "not a number of points"),
        ("1.25-0", WHY, "not a multiple of half a point"),
    ],
)
def test_impossible_match_points_are_refused(
    won: Pairing, arbiter: User, text: str, reason: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        award(won, text, arbiter, reason)
    assert at(won.round.event, 1, 1).first_match_points is None


def test_not_before_there_is_a_result(match: Event, arbiter: User) -> None:
    with pytest.raises(Refused, match="no result yet"):
        award(at(match, 1, 1), "2-0", arbiter)


def test_not_for_players(swiss: Event, arbiter: User) -> None:
    with pytest.raises(Refused, match="team event"):
        award(at(swiss, 1, 1), "2-0", arbiter)


def test_an_outdated_form_is_a_conflict(won: Pairing, arbiter: User, other: User) -> None:
    award(won, "0-2", other)
    with pytest.raises(Conflict) as conflict:
        award(won, "1-1", arbiter)
    assert conflict.value.by == "ben"


def test_a_new_score_takes_them_away(won: Pairing, arbiter: User) -> None:
    award(won, "0-2", arbiter)
    enter(won.round.event, [typed(at(won.round.event, 1, 1), "=", 3)], arbiter)
    assert at(won.round.event, 1, 1).first_match_points is None


def test_an_equal_score_keeps_them_and_the_advantage(match: Event, arbiter: User) -> None:
    row = at(match, 1, 1)
    enter(match, [typed(row, "1-0", 1), typed(row, "0-1", 2), typed(row, "=", 3)], arbiter)
    award(at(match, 1, 1), "2-0", arbiter)
    Pairing.objects.filter(pk=row.pk).update(advantage="first")  # as a file has it
    enter(match, [typed(at(match, 1, 1), "+-", 1)], arbiter)
    now = at(match, 1, 1)
    assert (now.games.get(board=1).kind, now.advantage, now.first_match_points) == ("forfeit", "first", 4)


def test_a_new_total_takes_them_away(match: Event, arbiter: User) -> None:
    enter(match, [typed(at(match, 1, 1), "2-1")], arbiter)
    award(at(match, 1, 1), "0-2", arbiter)
    enter(match, [typed(at(match, 1, 1), "3-0")], arbiter)
    assert (at(match, 1, 1).first_match_points, at(match, 1, 1).second_match_points) == (None, None)


def test_in_a_closed_round_it_is_a_correction(won: Pairing, arbiter: User) -> None:
    round_ = round_of(won.round.event, 1)
    close_round(round_, arbiter, [before_closing(round_).statement])
    award(at(won.round.event, 1, 1), "0-2", arbiter)
    [change] = Change.objects.all()
    assert (change.was, change.now, change.reason) == ("2-1", "2-1 (0-2 MP)", WHY)
    assert change.moved == [[1, 1, 2], [2, 2, 1]]
