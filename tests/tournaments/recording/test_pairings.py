"""Pairings by hand: free until the round is set, overrides afterwards."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, file_of, round_of, typed
from tournaments.event.choices import Kind
from tournaments.formats.json.reader import read
from tournaments.models import Event, Game, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.entries import enter
from tournaments.recording.overrides import undo_override
from tournaments.recording.pairings import (
    NewPairing,
    PairingMove,
    add_pairing,
    annotate,
    rearrange,
    remove_pairing,
)
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.rounds import open_round, publish_pairings


@pytest.fixture
def third(swiss: Event, arbiter: User) -> Round:
    """Round 3, paired 1-4 and 2-3, and set."""
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    opened = open_round(swiss, arbiter)
    add_pairing(opened, NewPairing(1, 4), arbiter)
    add_pairing(opened, NewPairing(2, 3), arbiter)
    return publish_pairings(opened, arbiter)


def seats(event: Event, number: int) -> list[tuple[str, str | None]]:
    pairings = Pairing.objects.filter(round__event=event, round__number=number).order_by("table")
    return list(pairings.values_list("first__name", "second__name"))


def swap(event: Event) -> list[PairingMove]:
    """1-3 and 2-4 instead of 1-4 and 2-3."""
    one, two = at(event, 3, 1), at(event, 3, 2)
    return [PairingMove(one.pk, one.version, 1, 3), PairingMove(two.pk, two.version, 2, 4)]


class TestARoundThatIsNotSet:
    @pytest.fixture
    def opened(self, swiss: Event, arbiter: User) -> Round:
        return open_round(swiss, arbiter)

    def test_pairings_are_added_changed_and_removed_freely(
        self, swiss: Event, opened: Round, arbiter: User
    ) -> None:
        one = add_pairing(opened, NewPairing(1, 4), arbiter)
        add_pairing(opened, NewPairing(2, kind="half-bye", table=7), arbiter)
        assert at(swiss, 3, 7).first_score == 2
        [moved] = rearrange(opened, [PairingMove(one.pk, one.version, 4, 3)], arbiter)
        assert seats(swiss, 3) == [("Dov", "Cas"), ("Bea", None)]
        remove_pairing(at(swiss, 3, 1), moved.version, arbiter)
        assert seats(swiss, 3) == [("Bea", None)]
        assert not Override.objects.exists()

    @pytest.mark.parametrize(
        "wrong",
        [
            NewPairing(1, 2),
            NewPairing(9, 3),
            NewPairing(3, 3),
            NewPairing(3, 4, table=1),
            NewPairing(3, kind="played"),
        ],
        ids=["paired twice", "nobody", "himself", "table taken", "no kind of round off"],
    )
    def test_what_cannot_be(self, opened: Round, arbiter: User, wrong: NewPairing) -> None:
        add_pairing(opened, NewPairing(1), arbiter)
        with pytest.raises(Refused):
            add_pairing(opened, wrong, arbiter)

    def test_it_is_not_set_without_pairings(self, opened: Round, arbiter: User) -> None:
        with pytest.raises(Refused):
            publish_pairings(opened, arbiter)


class TestARoundThatIsSet:
    def test_a_change_needs_a_reason(self, swiss: Event, third: Round, arbiter: User) -> None:
        with pytest.raises(Refused, match="reason"):
            rearrange(third, swap(swiss), arbiter)

    def test_a_swap_is_two_overrides(self, swiss: Event, third: Round, arbiter: User) -> None:
        rearrange(third, swap(swiss), arbiter, "They share a car.")
        assert seats(swiss, 3) == [("Ann", "Cas"), ("Bea", "Dov")]
        found = Override.objects.values_list("number", "kind", "round", "table", "was", "reason", "by")
        assert list(found) == [
            (1, "pairing", 3, 1, "1-4", "They share a car.", "Anna Maas"),
            (2, "pairing", 3, 2, "2-3", "They share a car.", "Anna Maas"),
        ]
        assert read(file_of(swiss)).errors == ()

    def test_it_keeps_key_and_history_and_raises_the_version(
        self, swiss: Event, third: Round, arbiter: User
    ) -> None:
        before = at(swiss, 3, 1)
        rearrange(third, swap(swiss), arbiter, "They share a car.")
        assert (at(swiss, 3, 1).pk, at(swiss, 3, 1).version) == (before.pk, before.version + 1)
        past = past_of(Pairing).objects.filter(id=before.pk).order_by("history_id")
        assert list(past.values_list("history_type", "history_user")) == [
            ("+", arbiter.pk), ("-", arbiter.pk), ("+", arbiter.pk),
        ]  # fmt: skip

    def test_nobody_sits_twice(self, swiss: Event, third: Round, arbiter: User) -> None:
        with pytest.raises(Refused, match="two tables"):
            rearrange(third, swap(swiss)[:1], arbiter, "Oops.")
        assert seats(swiss, 3) == [("Ann", "Dov"), ("Bea", "Cas")]

    def test_what_stays_is_no_change(self, swiss: Event, third: Round, arbiter: User) -> None:
        one = at(swiss, 3, 1)
        assert rearrange(third, [PairingMove(one.pk, one.version, 1, 4)], arbiter) == []

    def test_a_stale_form_is_told(self, swiss: Event, third: Round, arbiter: User, other: User) -> None:
        stale = swap(swiss)
        rearrange(third, swap(swiss), other, "They share a car.")
        with pytest.raises(Conflict) as conflict:
            rearrange(third, stale, arbiter, "They share a car.")
        assert conflict.value.by == "ben"

    def test_a_pairing_with_a_result_stays(self, swiss: Event, third: Round, arbiter: User) -> None:
        enter(swiss, [typed(at(swiss, 3, 1), "2-0")], arbiter)
        with pytest.raises(Refused, match="has a result"):
            rearrange(third, swap(swiss), arbiter, "They share a car.")

    def test_none_is_removed(self, third: Round, arbiter: User) -> None:
        with pytest.raises(Refused):
            remove_pairing(at(third.event, 3, 1), at(third.event, 3, 1).version, arbiter)

    def test_a_closed_round_is_opened_first(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="Open it again"):
            add_pairing(round_of(swiss, 1), NewPairing(1), arbiter, "Why not.")


class TestUndoing:
    def test_a_swap_is_undone_for_both(self, swiss: Event, third: Round, arbiter: User) -> None:
        rearrange(third, swap(swiss), arbiter, "They share a car.")
        records = undo_override(Override.objects.get(number=2), arbiter, "They do not.")
        assert seats(swiss, 3) == [("Ann", "Dov"), ("Bea", "Cas")]
        assert [(each.number, each.undoes and each.undoes.number) for each in records] == [(3, 1), (4, 2)]
        with pytest.raises(Refused, match="undone already"):
            undo_override(Override.objects.get(number=1), arbiter, "Again.")
        with pytest.raises(Refused, match="not undone"):
            undo_override(records[0], arbiter, "Again.")

    def test_not_once_a_result_depends_on_it(self, swiss: Event, third: Round, arbiter: User) -> None:
        rearrange(third, swap(swiss), arbiter, "They share a car.")
        enter(swiss, [typed(at(swiss, 3, 2), "2-0")], arbiter)
        with pytest.raises(Refused, match="depend"):
            undo_override(Override.objects.get(number=1), arbiter, "They do not.")

    def test_the_later_change_first(self, swiss: Event, third: Round, arbiter: User) -> None:
        rearrange(third, swap(swiss), arbiter, "They share a car.")
        one = at(swiss, 3, 1)
        rearrange(third, [PairingMove(one.pk, one.version, 3, 1)], arbiter, "Colours.")
        with pytest.raises(Refused, match="later"):
            undo_override(Override.objects.get(number=1), arbiter, "They do not.")
        undo_override(Override.objects.get(number=3), arbiter, "Colours were right.")
        undo_override(Override.objects.get(number=1), arbiter, "They do not.")
        assert seats(swiss, 3) == [("Ann", "Dov"), ("Bea", "Cas")]

    def test_who_was_added_is_absent_again(self, swiss: Event, arbiter: User) -> None:
        opened = open_round(swiss, arbiter)
        add_pairing(opened, NewPairing(1, 4), arbiter)
        publish_pairings(opened, arbiter)
        add_pairing(opened, NewPairing(2, 3), arbiter, "They came late.")
        undo_override(Override.objects.get(), arbiter, "They left.")
        assert seats(swiss, 3) == [("Ann", "Dov"), ("Bea", None), ("Cas", None)]
        assert at(swiss, 3, 3).kind == Kind.ABSENT
        assert read(file_of(swiss)).errors == ()


def test_a_note_lets_a_decision_be_uneven(swiss: Event, arbiter: User) -> None:
    pairing = at(swiss, 2, 1)
    [refused] = enter(swiss, [typed(pairing, "2-1")], arbiter)
    assert refused.state == "refused"
    annotate(pairing, "Both were late; decided by the referee.", pairing.version, arbiter)
    [saved] = enter(swiss, [typed(at(swiss, 2, 1), "2-1")], arbiter)
    assert (saved.state, saved.text) == ("saved", "2-1")


def test_a_match_with_one_board_in_has_a_result(match: Event, arbiter: User) -> None:
    enter(match, [typed(at(match, 1, 1), "1", 2)], arbiter)
    row = at(match, 1, 1)
    with pytest.raises(Refused, match="has a result"):
        rearrange(round_of(match, 1), [PairingMove(row.pk, row.version, 2, 1)], arbiter, "Colours.")
    assert Game.objects.count() == 1
