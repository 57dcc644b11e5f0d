"""Pairings by hand: free until the round is published, overrides afterwards."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import add_pairing, at, file_of, round_of, seat, typed
from tournaments.event.choices import Kind
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event, Game, Override, Pairing, Round
from tournaments.recording.overrides import undo_override
from tournaments.recording.pairings.by_hand import (
    Seats,
    annotate,
)
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings


@pytest.fixture
def third(swiss: Event, arbiter: User) -> Round:
    """Round 3, paired 1-4 and 2-3, and published."""
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    opened = open_round(swiss, arbiter)
    add_pairing(opened, Seats(1, 4), arbiter)
    add_pairing(opened, Seats(2, 3), arbiter)
    return publish_pairings(opened, arbiter)


def seats(event: Event, number: int) -> list[tuple[str, str | None]]:
    pairings = Pairing.objects.filter(round__event=event, round__number=number).order_by("table")
    return list(pairings.values_list("first__name", "second__name"))


SWAPPED = {1: (1, 3), 2: (2, 4)}
"""Instead of 1-4 and 2-3."""


class TestARoundThatIsNotSet:
    @pytest.fixture
    def opened(self, swiss: Event, arbiter: User) -> Round:
        return open_round(swiss, arbiter)

    def test_pairings_are_added_changed_and_removed_freely(
        self, swiss: Event, opened: Round, arbiter: User
    ) -> None:
        one = add_pairing(opened, Seats(1, 4), arbiter)
        add_pairing(opened, Seats(2, kind="half-bye", table=7), arbiter)
        assert at(swiss, 3, 7).first_score == 2
        seat(opened, {one.table: (4, 3)}, arbiter)
        assert seats(swiss, 3) == [("Dov", "Cas"), ("Bea", None)]
        seat(opened, {1: None}, arbiter)
        assert seats(swiss, 3) == [("Bea", None)]
        assert not Override.objects.exists()

    @pytest.mark.parametrize(
        "wrong",
        [
            Seats(1, 2),
            Seats(9, 3),
            Seats(3, 3),
            Seats(3, 4, table=1),
            Seats(3, kind="played"),
        ],
        ids=["paired twice", "nobody", "himself", "table taken", "no kind of round off"],
    )
    def test_impossible_pairings_are_refused(self, opened: Round, arbiter: User, wrong: Seats) -> None:
        add_pairing(opened, Seats(1), arbiter)
        with pytest.raises(Refused):
            add_pairing(opened, wrong, arbiter)

    def test_it_is_not_set_without_pairings(self, opened: Round, arbiter: User) -> None:
        with pytest.raises(Refused):
            publish_pairings(opened, arbiter)


class TestARoundThatIsSet:
    def test_a_closed_round_is_opened_first(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="Open it again"):
            add_pairing(round_of(swiss, 1), Seats(1), arbiter, "Why not.")


class TestUndoing:
    def test_a_swap_is_undone_for_both(self, swiss: Event, third: Round, arbiter: User) -> None:
        seat(third, SWAPPED, arbiter, "They share a car.")
        records = undo_override(Override.objects.get(number=2), arbiter, "They do not.")
        assert seats(swiss, 3) == [("Ann", "Dov"), ("Bea", "Cas")]
        assert [(each.number, each.undoes and each.undoes.number) for each in records] == [(3, 1), (4, 2)]
        with pytest.raises(Refused, match="undone already"):
            undo_override(Override.objects.get(number=1), arbiter, "Again.")
        with pytest.raises(Refused, match="not undone"):
            undo_override(records[0], arbiter, "Again.")

    def test_not_once_a_result_depends_on_it(self, swiss: Event, third: Round, arbiter: User) -> None:
        seat(third, SWAPPED, arbiter, "They share a car.")
        enter(swiss, [typed(at(swiss, 3, 2), "2-0")], arbiter)
        with pytest.raises(Refused, match="depend"):
            undo_override(Override.objects.get(number=1), arbiter, "They do not.")

    def test_the_later_change_first(self, swiss: Event, third: Round, arbiter: User) -> None:
        seat(third, SWAPPED, arbiter, "They share a car.")
        seat(third, {1: (3, 1)}, arbiter, "Colours.")
        with pytest.raises(Refused, match="later"):
            undo_override(Override.objects.get(number=1), arbiter, "They do not.")
        undo_override(Override.objects.get(number=3), arbiter, "Colours were right.")
        undo_override(Override.objects.get(number=1), arbiter, "They do not.")
        assert seats(swiss, 3) == [("Ann", "Dov"), ("Bea", "Cas")]

    def test_undoing_an_added_pairing_restores_the_absence(self, swiss: Event, arbiter: User) -> None:
        opened = open_round(swiss, arbiter)
        add_pairing(opened, Seats(1, 4), arbiter)
        publish_pairings(opened, arbiter)
        add_pairing(opened, Seats(2, 3), arbiter, "They came late.")
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


def test_a_match_with_a_single_finished_board_has_a_result(match: Event, arbiter: User) -> None:
    enter(match, [typed(at(match, 1, 1), "1", 2)], arbiter)
    with pytest.raises(Refused, match="has a result"):
        seat(round_of(match, 1), {1: (2, 1)}, arbiter, "Colours.")
    assert Game.objects.count() == 1
