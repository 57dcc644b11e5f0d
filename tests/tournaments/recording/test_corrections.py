"""Changes of settled results need a reason and are logged once, with the moved places."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.recording.desk import at, file_of, round_of, typed
from tournaments.event.choices import Kind
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Change, Event, Game, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.corrections import needs_reason, places_by_number
from tournaments.recording.results.submissions import enter


def test_a_closed_round_needs_a_reason(swiss: Event, arbiter: User) -> None:
    [refused] = enter(swiss, [typed(at(swiss, 1, 1), "0-2")], arbiter)
    assert refused.state == "refused"
    assert "reason" in refused.message
    assert at(swiss, 1, 1).first_score == 4


def test_a_correction_is_logged_once_with_the_moved_places(swiss: Event, arbiter: User) -> None:
    before = places_by_number(swiss)
    [saved] = enter(swiss, [typed(at(swiss, 1, 1), "0-2", reason=" Slips were swapped.\r\n")], arbiter)
    assert saved.state == "saved"
    [change] = Change.objects.all()
    assert (change.round, change.table, change.was, change.now) == (1, 1, "2-0", "0-2")
    assert (change.reason, change.by) == ("Slips were swapped.", "Anna Maas")
    after = places_by_number(swiss)
    assert change.moved == [[n, before[n], after[n]] for n in before if before[n] != after[n]]
    assert [1, before[1], after[1]] in change.moved
    assert past_of(Pairing).objects.get(id=at(swiss, 1, 1).pk).history_change_reason == change.reason


def test_a_forfeit_of_another_score_is_a_correction(swiss: Event, arbiter: User) -> None:
    """Both are written + -; the log has the unusual score."""
    for text in ("+", "+- 1-0"):
        [saved] = enter(swiss, [typed(at(swiss, 1, 1), text, reason="The referee's ruling.")], arbiter)
        assert saved.state == "saved"
    assert [(each.was, each.now) for each in Change.objects.order_by("pk")] == [
        ("2-0", "+ -"),
        ("+ -", "+ - (1-0)"),
    ]


def test_a_correction_is_in_the_event_file(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 1, 1), "?", reason="Nobody knows.")], arbiter)
    reading = read(file_of(swiss))
    assert reading.findings == ()
    assert reading.accepted is not None
    assert [(each.was, each.now) for each in reading.accepted.changes] == [("2-0", "?")]


def test_a_board_is_logged_with_its_match(match: Event, arbiter: User) -> None:
    for board in (1, 2, 3):
        enter(match, [typed(at(match, 1, 1), "1", board)], arbiter)
    Round.objects.update(state=Round.State.CLOSED)
    enter(match, [typed(at(match, 1, 1), "=", 2, reason="A slip.")], arbiter)
    [change] = Change.objects.all()
    assert (change.was, change.now) == ("3-0 (board 2: 1-0)", "2½-½ (board 2: ½-½)")


def test_a_late_board_of_a_decided_match_is_a_correction(match: Event, arbiter: User) -> None:
    """The board had no result; the match had a result, and the next round was paired from it."""
    for board in (1, 2, 3):
        enter(match, [typed(at(match, 1, 1), "1", board)], arbiter)
    Game.objects.filter(board=3).delete()
    Pairing.objects.update(first_score=4)
    later = Round.objects.create(event=match, number=2)
    first, second = match.competitors.order_by("number")
    Pairing.objects.create(round=later, table=1, first=second, second=first)
    [refused] = enter(match, [typed(at(match, 1, 1), "=", 3)], arbiter)
    assert (refused.state, "reason" in refused.message) == ("refused", True)
    [saved] = enter(match, [typed(at(match, 1, 1), "=", 3, reason="It was never sent.")], arbiter)
    assert saved.state == "saved"
    [change] = Change.objects.all()
    assert (change.was, change.now) == ("2-0 (board 3: …)", "2½-½ (board 3: ½-½)")


@pytest.mark.parametrize(
    ("boards", "kind", "score"),
    [
        (("+", "+", "+"), Kind.FORFEIT, (6, 0)),
        (("+", "x", "+"), Kind.FORFEIT, (4, 0)),
        (("x", "x", "x"), Kind.FORFEIT, (0, 0)),
        (("+", "-", "+"), Kind.PLAYED, (4, 2)),
        (("+", "-", "x"), Kind.PLAYED, (2, 2)),
    ],
)
def test_a_match_won_by_forfeit_on_all_boards_is_a_forfeit(
    match: Event, arbiter: User, boards: tuple[str, ...], kind: Kind, score: tuple[int, int]
) -> None:
    for number, text in enumerate(boards, start=1):
        enter(match, [typed(at(match, 1, 1), text, number)], arbiter)
    stored = at(match, 1, 1)
    assert (stored.kind, (stored.first_score, stored.second_score)) == (kind, score)


class TestWhatIsSettled:
    def test_the_last_open_round_is_not(self, swiss: Event) -> None:
        assert not needs_reason(round_of(swiss, 2))

    def test_a_swiss_round_is_after_a_later_round_is_paired(self, swiss: Event, arbiter: User) -> None:
        Round.objects.update(state=Round.State.PUBLISHED)
        assert needs_reason(round_of(swiss, 1))
        [refused] = enter(swiss, [typed(at(swiss, 1, 1), "")], arbiter)
        assert refused.state == "refused"

    def test_a_late_result_in_an_open_round_needs_no_reason(self, swiss: Event, arbiter: User) -> None:
        Round.objects.update(state=Round.State.PUBLISHED)
        Pairing.objects.filter(pk=at(swiss, 1, 1).pk).update(
            kind="pending", first_score=None, second_score=None
        )
        [saved] = enter(swiss, [typed(at(swiss, 1, 1), "2-0")], arbiter)
        assert saved.state == "saved"
        assert not Change.objects.exists()

    def test_a_round_robin_round_is_after_a_later_round_has_a_result(self, swiss: Event) -> None:
        Round.objects.update(state=Round.State.PUBLISHED)
        Event.objects.update(schedule=Event.Schedule.ROUND_ROBIN)
        assert needs_reason(round_of(swiss, 1))
        Pairing.objects.filter(round__number=2).update(kind="pending", first_score=None, second_score=None)
        assert not needs_reason(round_of(swiss, 1))

    @pytest.mark.parametrize("state", ["final", "archived"])
    def test_everything_is_once_the_event_is_over(self, swiss: Event, state: str) -> None:
        Event.objects.update(state=state)
        assert needs_reason(round_of(swiss, 2))


def test_a_correction_costs_the_same_number_of_queries(
    swiss: Event, arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    entry = typed(at(swiss, 1, 1), "0-2", reason="A slip.")
    with django_assert_num_queries(19):
        enter(swiss, [entry], arbiter)


class TestRoundsThatWerePairedFromIt:
    """The user is informed about rounds that were paired before."""

    def message(self, event: Event, by: User, text: str, number: int = 1, table: int = 1) -> str:
        [saved] = enter(event, [typed(at(event, number, table), text, reason="A slip.")], by)
        assert saved.state == "saved"
        return saved.message

    def test_a_published_round(self, swiss: Event, arbiter: User) -> None:
        text = self.message(swiss, arbiter, "0-2")
        assert text == "Round 2 was paired from the old result. Its pairings stay as they are."

    def test_the_public_log_names_published_rounds(self, swiss: Event, arbiter: User) -> None:
        draft = Round.objects.create(event=swiss, number=3)
        first, second = swiss.competitors.order_by("number")[:2]
        Pairing.objects.create(round=draft, table=1, first=first, second=second)
        self.message(swiss, arbiter, "0-2")
        self.message(swiss, arbiter, "0-2", number=2, table=2)
        assert list(Change.objects.values_list("round", "paired")) == [(1, [2]), (2, [])]
        sentence = "Round 2 was paired from the old result."
        assert Client().get(f"/events/{swiss.slug}/changes/").content.decode().count(sentence) == 1
        assert sentence in Client().get(f"/events/{swiss.slug}/feed.atom").content.decode()
        assert '"paired": [2]' in Client().get(f"/api/events/{swiss.slug}/changes/").content.decode()
        accepted = read(file_of(swiss)).accepted
        assert accepted is not None
        [change, _] = accepted.changes
        assert change.paired == (2,)

    def test_the_public_log_is_silent_if_there_was_no_result(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.filter(round__number=1).update(kind="pending", first_score=None, second_score=None)
        self.message(swiss, arbiter, "2-0")
        assert Change.objects.get().paired == []

    def test_a_draft(self, swiss: Event, arbiter: User) -> None:
        Round.objects.filter(number=2).update(state=Round.State.DRAFT)
        text = self.message(swiss, arbiter, "0-2")
        assert text == "The draft of round 2 was paired from the old result. Propose it again."

    def test_a_late_first_result(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.filter(round__number=1).update(kind="pending", first_score=None, second_score=None)
        text = self.message(swiss, arbiter, "2-0")
        assert text == "Round 2 was paired without this result. Its pairings stay as they are."

    def test_no_round_was_paired(self, swiss: Event, arbiter: User) -> None:
        Round.objects.create(event=swiss, number=3)
        assert self.message(swiss, arbiter, "1-1", number=2) == ""

    def test_the_same_result_again(self, swiss: Event, arbiter: User) -> None:
        assert self.message(swiss, arbiter, "2-0") == ""

    def test_a_round_robin_is_not_paired_from_results(self, swiss: Event, arbiter: User) -> None:
        Event.objects.update(schedule="round-robin")
        assert self.message(Event.objects.get(pk=swiss.pk), arbiter, "0-2") == ""
        assert Change.objects.get().paired == []

    def test_a_board_of_a_match(self, match: Event, arbiter: User) -> None:
        for board in (1, 2, 3):
            enter(match, [typed(at(match, 1, 1), "1", board)], arbiter)
        later = Round.objects.create(event=match, number=2)
        teams = list(match.competitors.order_by("number"))
        Pairing.objects.create(round=later, table=1, first=teams[1], second=teams[0])
        [saved] = enter(match, [typed(at(match, 1, 1), "=", 2, reason="A slip.")], arbiter)
        assert saved.message == "The draft of round 2 was paired from the old result. Propose it again."
