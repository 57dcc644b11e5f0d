"""Typed results: stored once, with version check and outcome."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.recording.desk import at, round_of, typed
from tournaments.admin.history import past_saves
from tournaments.event.choices import Kind
from tournaments.models import Change, Event, Game, Pairing, Receipt, Round
from tournaments.models.versioned import past_of
from tournaments.recording.results.sheets import read_block, result_lines
from tournaments.recording.results.submissions import SubmissionOutcome, enter, enter_together


def states(outcomes: Iterable[SubmissionOutcome]) -> list[str]:
    return [outcome.state for outcome in outcomes]


def test_a_result_is_saved_under_the_next_version(swiss: Event, arbiter: User) -> None:
    [outcome] = enter(swiss, [typed(at(swiss, 2, 1), "w")], arbiter)
    assert (outcome.state, outcome.text, outcome.version) == ("saved", "1+ 1-", 2)
    assert (outcome.match, outcome.match_version) == ("", 0)
    stored = at(swiss, 2, 1)
    assert (stored.kind, stored.first_score, stored.second_score, stored.advantage) == (
        "played",
        2,
        2,
        "first",
    )
    past = past_of(Pairing).objects.get(id=stored.pk)
    assert (past.history_user, past.version, past.history_type) == (arbiter, 2, "~")


def test_an_entry_in_the_current_round_makes_no_change_entry(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
    enter(swiss, [typed(at(swiss, 2, 1), "0-2")], arbiter)
    assert not Change.objects.exists()
    assert past_of(Pairing).objects.filter(id=at(swiss, 2, 1).pk).count() == 2


def test_an_id_is_taken_in_once(swiss: Event, arbiter: User) -> None:
    entry = typed(at(swiss, 2, 1), "2-0")
    [first] = enter(swiss, [entry], arbiter)
    [again] = enter(swiss, [entry], arbiter)
    assert again == replace(first, repeated=True)
    assert at(swiss, 2, 1).version == 2
    assert Receipt.objects.count() == 1


def test_an_id_of_another_event_is_refused(swiss: Event, match: Event, arbiter: User) -> None:
    entry = typed(at(swiss, 2, 1), "2-0")
    enter(swiss, [entry], arbiter)
    [refused] = enter(match, [replace(entry, pairing=at(match, 1, 1).pk)], arbiter)
    assert refused.state == "refused"


def test_a_pairing_of_another_event_is_refused(swiss: Event, match: Event, arbiter: User) -> None:
    [refused] = enter(match, [typed(at(swiss, 2, 1), "2-0")], arbiter)
    assert refused.state == "refused"
    assert at(swiss, 2, 1).kind == Kind.PENDING


def test_the_second_of_two_sees_both(swiss: Event, arbiter: User, other: User) -> None:
    mine, theirs = (typed(at(swiss, 2, 1), text) for text in ("1-1", "2-0"))
    enter(swiss, [theirs], other)
    [conflict] = enter(swiss, [mine], arbiter)
    assert (conflict.state, conflict.mine, conflict.text, conflict.by) == ("conflict", "1-1", "2-0", "ben")
    assert conflict.at
    assert not conflict.agrees
    assert str(at(swiss, 2, 1).first_score) == "4"
    [chosen] = enter(swiss, [typed(at(swiss, 2, 1), "1-1", seen=conflict.version)], arbiter)
    assert (chosen.state, chosen.text) == ("saved", "1-1")


def test_nonsense_is_refused_before_it_is_a_conflict(swiss: Event, arbiter: User, other: User) -> None:
    nonsense, theirs = (typed(at(swiss, 2, 1), text) for text in ("nonsense", "2-0"))
    enter(swiss, [theirs], other)
    assert states(enter(swiss, [nonsense], arbiter)) == ["refused"]


def test_equal_simultaneous_results_agree(swiss: Event, arbiter: User, other: User) -> None:
    entries = [typed(at(swiss, 2, 1), "2-0") for _ in range(2)]
    enter(swiss, entries[:1], other)
    [conflict] = enter(swiss, entries[1:], arbiter)
    assert conflict.state == "conflict"
    assert conflict.agrees


def test_a_failed_entry_does_not_affect_others(swiss: Event, arbiter: User) -> None:
    bad, good = typed(at(swiss, 2, 2), "3-3"), typed(at(swiss, 2, 1), "0")
    assert states(enter(swiss, [bad, good], arbiter)) == ["refused", "saved"]
    assert at(swiss, 2, 1).second_score == 4


def test_entries_together_are_stored_all_or_not_at_all(swiss: Event, arbiter: User) -> None:
    good, bad = typed(at(swiss, 2, 1), "0"), typed(at(swiss, 2, 2), "3-3")
    assert states(enter_together(swiss, [good, bad], arbiter)) == ["saved", "refused"]
    assert at(swiss, 2, 1).kind == Kind.PENDING
    assert not Receipt.objects.exists()
    assert states(enter_together(swiss, [good], arbiter)) == ["saved"]


def test_an_unchanged_result_is_not_saved(swiss: Event, arbiter: User) -> None:
    [outcome] = enter(swiss, [typed(at(swiss, 2, 2), "2-0")], arbiter)
    assert (outcome.state, outcome.version) == ("saved", 1)


def test_postponed_game_gets_its_result_later(swiss: Event, arbiter: User) -> None:
    [marked] = enter(swiss, [typed(at(swiss, 2, 1), "p")], arbiter)
    assert (marked.state, marked.text) == ("saved", "postponed")
    assert (at(swiss, 2, 1).kind, at(swiss, 2, 1).delayed) == (Kind.PENDING, "postponed")
    line = result_lines(round_of(swiss, 2))[0]
    assert (line.typed, line.is_missing) == ("postponed", False)
    Round.objects.filter(event=swiss).update(state=Round.State.CLOSED)
    [decided] = enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
    assert (decided.state, at(swiss, 2, 1).delayed) == ("saved", "")
    assert not Change.objects.exists()
    [removed, *_earlier] = past_saves(at(swiss, 2, 1), arbiter)
    assert [(each.was, each.now) for each in removed.changed] == [("postponed", "2-0")]


def test_removed_mark_leaves_a_missing_result(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "adjourned")], arbiter)
    enter(swiss, [typed(at(swiss, 2, 1), "")], arbiter)
    assert result_lines(round_of(swiss, 2))[0].is_missing


def test_match_is_delayed_if_all_its_open_boards_are(match: Event, arbiter: User) -> None:
    pairing = Pairing.objects.filter(second__isnull=False).first()
    assert pairing
    pairing.games.all().delete()
    Pairing.objects.filter(pk=pairing.pk).update(kind=Kind.PENDING, first_score=None, second_score=None)
    Round.objects.update(state=Round.State.PUBLISHED)
    boards = range(1, (match.boards or 0) + 1)
    for board in boards[1:]:
        enter(match, [typed(Pairing.objects.get(pk=pairing.pk), "1-0", board)], arbiter)
    enter(match, [typed(Pairing.objects.get(pk=pairing.pk), "p", 1)], arbiter)
    assert Pairing.objects.get(pk=pairing.pk).delayed == "postponed"
    [refused] = enter(match, [typed(Pairing.objects.get(pk=pairing.pk), "2-1")], arbiter)
    assert refused.message.startswith("The score of this match follows from its boards.")
    enter(match, [typed(Pairing.objects.get(pk=pairing.pk), "1-0", 1)], arbiter)
    assert (Pairing.objects.get(pk=pairing.pk).kind, Pairing.objects.get(pk=pairing.pk).delayed) == (
        Kind.PLAYED,
        "",
    )


def test_games_of_a_micro_match(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "2-0 g3")], arbiter)
    assert at(swiss, 2, 1).games_played == 3
    [again] = enter(swiss, [typed(at(swiss, 2, 1), "2-0 g3")], arbiter)
    assert (again.state, again.version) == ("saved", 2)
    [changed] = enter(swiss, [typed(at(swiss, 2, 1), "2-0", games_played=4)], arbiter)
    assert (changed.state, changed.text, at(swiss, 2, 1).games_played) == ("saved", "2-0 g4", 4)
    [refused] = enter(swiss, [typed(at(swiss, 2, 1), "+", games_played=3)], arbiter)
    assert refused.state == "refused"
    assert refused.message.startswith("The number of games is only for a game that was played.")


def test_a_stray_result_publishes_no_round(swiss: Event, arbiter: User) -> None:
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    [outcome] = enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
    assert outcome.state == "refused"
    assert outcome.message == "The pairings of round 2 are not published yet. Publish them first."
    assert round_of(swiss, 2).is_draft
    assert at(swiss, 2, 1).kind == "pending"


@pytest.mark.parametrize(("text", "queries"), [("2-0", 11), ("nonsense", 9)])
def test_a_result_costs_the_same_number_of_queries(
    swiss: Event, arbiter: User, text: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    entry = typed(at(swiss, 2, 1), text)
    with django_assert_num_queries(queries):
        enter(swiss, [entry], arbiter)


class TestBoards:
    def test_a_match_is_pending_until_all_boards_are_in(self, match: Event, arbiter: User) -> None:
        for board, text in ((1, "1"), (2, "=")):
            [outcome] = enter(match, [typed(at(match, 1, 1), text, board)], arbiter)
            assert (outcome.state, outcome.match) == ("saved", "")
        [last] = enter(match, [typed(at(match, 1, 1), "+", 3)], arbiter)
        assert (last.text, last.match) == ("+ -", "2½-½")
        assert [game.white for game in Game.objects.order_by("board")] == ["first", "second", "first"]

    def test_a_board_taken_back_takes_the_score_along(self, match: Event, arbiter: User) -> None:
        for board in (1, 2, 3):
            enter(match, [typed(at(match, 1, 1), "1", board)], arbiter)
        [cleared] = enter(match, [typed(at(match, 1, 1), "", 2)], arbiter)
        assert (cleared.text, cleared.match) == ("", "")
        assert at(match, 1, 1).kind == Kind.PENDING

    def test_an_unknown_board_leaves_the_match_unknown(self, match: Event, arbiter: User) -> None:
        for board, text in ((1, "1"), (2, "?"), (3, "0")):
            [outcome] = enter(match, [typed(at(match, 1, 1), text, board)], arbiter)
        assert outcome.match == "?"

    def test_all_boards_by_forfeit(self, match: Event, arbiter: User) -> None:
        for board in (1, 2, 3):
            [outcome] = enter(match, [typed(at(match, 1, 1), "+", board)], arbiter)
        assert outcome.match == "+ -"
        assert at(match, 1, 1).first_score == 6

    def test_a_total_and_boards_do_not_mix(self, match: Event, arbiter: User) -> None:
        enter(match, [typed(at(match, 1, 1), "2-1")], arbiter)
        [refused] = enter(match, [typed(at(match, 1, 1), "1", 1)], arbiter)
        assert refused.state == "refused"
        enter(match, [typed(at(match, 1, 1), "")], arbiter)
        enter(match, [typed(at(match, 1, 1), "1", 1)], arbiter)
        [refused] = enter(match, [typed(at(match, 1, 1), "2-1")], arbiter)
        assert "boards" in refused.message

    @pytest.mark.parametrize("board", [0, 4])
    def test_no_such_board(self, match: Event, arbiter: User, board: int) -> None:
        [refused] = enter(match, [typed(at(match, 1, 1), "1", board)], arbiter)
        assert refused.state == "refused"
        assert refused.message == f"There is no board {board}; a match here has 3."

    def test_a_game_of_players_has_no_boards(self, swiss: Event, arbiter: User) -> None:
        [refused] = enter(swiss, [typed(at(swiss, 2, 1), "2-0", 1)], arbiter)
        assert refused.state == "refused"
        assert refused.message.startswith("Only a match of two teams has boards.")

    def test_a_board_that_was_taken_out_has_no_version(self, match: Event, arbiter: User) -> None:
        [conflict] = enter(match, [typed(at(match, 1, 1), "1", 1, seen=2)], arbiter)
        assert (conflict.state, conflict.version) == ("conflict", 0)
        [saved] = enter(match, [typed(at(match, 1, 1), "1", 1, seen=conflict.version)], arbiter)
        assert saved.state == "saved"

    def test_two_users_create_the_same_board(self, match: Event, arbiter: User, other: User) -> None:
        one, two = (typed(at(match, 1, 1), text, 1) for text in ("1", "-"))
        [saved] = enter(match, [one], arbiter)
        assert (saved.state, saved.version) == ("saved", 1)
        [conflict] = enter(match, [two], other)
        assert (conflict.state, conflict.text, conflict.by) == ("conflict", "1-0", "Anna Maas")
        assert conflict.mine == "- +"


class TestBlocks:
    def test_results_go_to_the_lines_in_order(self, swiss: Event, arbiter: User) -> None:
        block = read_block(round_of(swiss, 2), "w\n\n 0-2 \n")
        assert [each.words for each in block.lines] == [
            "1: Ann against Cas, 1+ 1-",
            "2: Dov against Bea, 0-2 instead of 2-0",
        ]
        assert states(enter_together(swiss, block.entries, arbiter)) == ["saved", "saved"]

    def test_a_faulty_line_prevents_storing(self, swiss: Event) -> None:
        block = read_block(round_of(swiss, 2), "2-0\n2-2")
        assert [each.line for each in block.faults] == [2]
        assert "2-2 cannot be" in block.faults[0].words
        assert block.entries == []

    @pytest.mark.parametrize("text", ["7;1-1", "1;2-0\n1;1-1", "1\n1\n1"])
    def test_lines_that_are_not_there_or_taken(self, swiss: Event, text: str) -> None:
        assert read_block(round_of(swiss, 2), text).faults

    def test_boards_by_label(self, match: Event) -> None:
        round_ = round_of(match, 1)
        assert [line.label for line in result_lines(round_)] == ["1.1", "1.2", "1.3"]
        [pasted] = read_block(round_, "1.2;=").lines
        assert (pasted.result, pasted.row and pasted.row.board) == ("½-½", 2)

    def test_two_queries(self, match: Event, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        round_ = round_of(match, 1)
        with django_assert_num_queries(2):
            assert [line.is_missing for line in result_lines(round_)] == [True, True, True]
