"""Pairing numbers: of late entries, renumbered and swapped, and of the rounds paired before."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.cast import browser_of, posted_rows
from tests.proposals import create_open, pairs_of, play_round, propose
from tests.tournaments.recording.desk import file_of
from tournaments.crosstable import crosstable_of
from tournaments.event.checks import check_document
from tournaments.event.finding import errors
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.trf.reading import document_of_records
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.models import Competitor, Event, Proposal, Round
from tournaments.recording.competitors.participation import enter_late
from tournaments.recording.competitors.pasted_list import enter_roster
from tournaments.recording.competitors.start_numbers import (
    renumber,
    swap_numbers,
    why_numbers_stand,
)
from tournaments.recording.pairings.drafts import ask_for_proposal, is_reproducible, make_proposal
from tournaments.recording.pairings.engine_checks import check_document_pairings, subject_of
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds.publishing import take_back_pairings
from tournaments.stored import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_(db: None, arbiter: User) -> Event:
    """An open with ten players, whose round 1 is played."""
    event = create_open(10)
    propose(event, arbiter)
    play_round(event, 1)
    return event


def pairing_numbers(event: Event) -> list[int]:
    """Return the pairing numbers by start number."""
    return [each.paired_as for each in event.competitors.order_by("number")]


class TestLateEntries:
    def test_the_pairing_number_belongs_to_the_rating_and_the_number_stays_the_last(
        self, open_: Event, arbiter: User
    ) -> None:
        eva, _texts = enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        assert eva.number == 11
        assert pairing_numbers(open_) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3]
        assert stored(open_).document.pairing_numbers(1) == {number: number for number in range(1, 12)}

    def test_the_others_keep_their_order(self, open_: Event, arbiter: User) -> None:
        Competitor.objects.filter(event=open_, number=10).update(rating=2600)
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        assert pairing_numbers(open_) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3]

    def test_round_2_is_paired_as_if_the_number_had_been_there_from_the_start(
        self, open_: Event, arbiter: User
    ) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        proposal = propose(open_, arbiter, 2)
        assert proposal.problem == ""
        assert is_reproducible(proposal)
        players = [line for line in proposal.input.splitlines() if line.startswith("001")]
        assert players[2][4:17].split() == ["3", "Eva"]  # start ranks are pairing numbers

        other = create_open(11, slug="all-from-the-start")
        was = [1, 2, 11, 3, 4, 5, 6, 7, 8, 9, 10]  # the numbers above, by the number here
        Competitor.objects.filter(event=other, number=3).update(requested_byes={"1": "zero-bye"})
        propose(other, arbiter)
        assert sorted((was[one - 1], was[two - 1]) for one, two in pairs_of(other, 1) if two) == sorted(
            pairs_of(open_, 1)
        )
        Competitor.objects.filter(event=other).update(rating=None)  # only the numbers decide
        for row in (
            other.rounds.get(number=1).pairings.filter(kind="pending").select_related("first", "second")
        ):
            assert row.second
            row.first_score, row.second_score = (2, 0) if row.first.number < row.second.number else (0, 2)
            row.kind = "played"
            row.save()
        Round.objects.filter(event=other).update(state="published")
        propose(other, arbiter, 2)
        there = {(was[one - 1], two and was[two - 1]) for one, two in pairs_of(other, 2)}
        assert there == set(pairs_of(open_, 2))

    def test_the_check_pairs_each_round_by_its_own_numbers(self, open_: Event, arbiter: User) -> None:
        before = subject_of(open_)
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        Competitor.objects.filter(event=open_, number=10).update(rating=2600)
        renumber(open_, "rating", arbiter)
        assert subject_of(open_) != before
        propose(open_, arbiter, 2)
        play_round(open_, 2)
        open_.refresh_from_db()
        _version, rounds = check_document_pairings(open_, stored(open_).document)
        assert [(each.round, each.agrees) for each in rounds] == [(1, True), (2, True)]
        # By the numbers of round 2, round 1 would have been paired otherwise.
        open_.rounds.filter(number=1).update(pairing_numbers={})
        _version, rounds = check_document_pairings(open_, stored(open_).document)
        assert [each.agrees for each in rounds] == [False, True]

    def test_the_page_of_the_player_and_the_criterion_have_the_pairing_number(
        self, client: Client, open_: Event, arbiter: User
    ) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        page = client.get("/events/small-open/competitors/11/").content.decode()
        assert "<span>pairing number 3</span>" in page
        assert crosstable_of(open_).pairing_numbers.tolist() == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3]

    def test_a_second_late_entry_leaves_the_numbers_of_both_rounds(self, open_: Event, arbiter: User) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        propose(open_, arbiter, 2)
        play_round(open_, 2)
        enter_late(open_, 3, arbiter, name="Fay", rating=2600)
        document = stored(open_).document
        assert pairing_numbers(open_) == [2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 4, 1]
        assert list(document.pairing_numbers(2).values()) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3, 12]
        assert list(document.pairing_numbers(1).values()) == list(range(1, 13))

    def test_once_round_4_is_paired_a_late_entry_is_the_last(self, open_: Event, arbiter: User) -> None:
        for number in (2, 3, 4):
            propose(open_, arbiter, number)
            play_round(open_, number)
        enter_late(open_, 5, arbiter, name="Eva", rating=2475)
        assert pairing_numbers(open_) == list(range(1, 12))

    def test_numbers_by_lot_stay(self, open_: Event, arbiter: User) -> None:
        Event.objects.filter(pk=open_.pk).update(start_order="lots", start_seed="2026")
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        assert pairing_numbers(open_) == list(range(1, 12))

    def test_a_file_has_the_numbers_and_a_number_given_twice_is_an_error(
        self, open_: Event, arbiter: User
    ) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        document = read(file_of(open_)).document
        assert document == stored(open_).document
        assert document is not None
        assert (document.competitors[2].pairing_number, document.rounds[0].pairing_numbers["3"]) == (4, 3)
        assert not [each for each in check_document(document) if each.code == "number-twice"]
        Competitor.objects.filter(event=open_, number=1).update(pairing_number=2)
        assert [each.code for each in check_document(stored(open_).document)].count("number-twice") == 2

    def test_pairings_taken_back_have_no_numbers_of_their_own(self, open_: Event, arbiter: User) -> None:
        propose(open_, arbiter, 2)
        second = open_.rounds.get(number=2)
        Round.objects.filter(pk=second.pk).update(state="published")
        enter_late(open_, 3, arbiter, name="Eva", rating=2475)
        assert open_.rounds.get(number=2).pairing_numbers
        assert take_back_pairings(open_.rounds.get(number=2), arbiter).pairing_numbers == {}

    def test_a_draft_keeps_the_numbers_from_which_it_was_paired(self, open_: Event, arbiter: User) -> None:
        propose(open_, arbiter, 2)
        enter_late(open_, 3, arbiter, name="Eva", rating=2475)
        document = stored(open_).document
        assert list(document.pairing_numbers(2).values()) == list(range(1, 12))
        propose(open_, arbiter, 2)
        assert open_.rounds.get(number=2).pairing_numbers == {}

    def test_numbers_changed_while_the_engine_works(self, open_: Event, arbiter: User) -> None:
        asked = ask_for_proposal(open_, arbiter, 2)
        Competitor.objects.filter(event=open_, number=10).update(rating=2600)
        renumber(open_, "rating", arbiter)
        make_proposal(Proposal.objects.select_related("round__event").get(pk=asked.pk), arbiter)
        numbers = open_.rounds.get(number=2).pairing_numbers
        assert numbers == {str(number): number for number in range(1, 11)}

    def test_a_pasted_list_is_numbered_after_all_pairing_numbers(self, open_: Event, arbiter: User) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)[0].delete()
        enter_roster(open_, "Fay;;2100", arbiter)
        assert pairing_numbers(open_) == [*range(1, 11), 12]
        assert not errors(check_document(stored(open_).document))

    def test_a_report_of_ours_has_the_numbers(self, open_: Event, arbiter: User) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        document = stored(open_).document
        reread = document_of_records(write_report(document).encode())
        assert reread is not None
        assert [each.pairing_number for each in reread.competitors] == [
            each.pairing_number for each in document.competitors
        ]
        assert reread.rounds[0].pairing_numbers == document.rounds[0].pairing_numbers != {}

    @pytest.mark.parametrize(("numbers", "code"), [({"3": 4}, "number-twice"), ({"99": 3}, "unknown-number")])
    def test_wrong_numbers_of_a_round_are_errors(
        self, open_: Event, arbiter: User, numbers: dict[str, int], code: str
    ) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        first = open_.rounds.get(number=1)
        open_.rounds.filter(number=1).update(pairing_numbers=first.pairing_numbers | numbers)
        assert [each.code for each in errors(check_document(stored(open_).document))] == [code]

    def test_a_player_added_in_the_form_gets_a_pairing_number_and_numbers_stay(self, open_: Event) -> None:
        browser = browser_of(User.objects.create_superuser("olga"))
        lists = ("requested_byes", "adjustments", "category_decisions")
        form = {"event": open_.pk, "number": 11, "name": "Eva", "rating": 2475}
        browser.post("/admin/tournaments/competitor/add/", form | posted_rows(**{each: [] for each in lists}))
        eva = open_.competitors.get(name="Eva")
        assert (eva.number, eva.pairing_number) == (11, 3)
        page = browser.get(f"/admin/tournaments/competitor/{eva.pk}/change/")
        assert "number" not in page.context["adminform"].form.fields


class TestBackBeforeRound1:
    @pytest.fixture
    def again(self, open_: Event, arbiter: User) -> Event:
        """Round 1 is a draft again, after a late entry."""
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        open_.rounds.update(state="draft")
        return open_

    def test_renumbering_changes_start_numbers(self, again: Event, arbiter: User) -> None:
        plan = renumber(again, "rating", arbiter)
        assert len(plan.changed) == 9
        assert again.competitors.get(name="Eva").number == 3
        assert set(again.competitors.values_list("pairing_number", flat=True)) == {None}

    def test_a_swap_exchanges_start_numbers(self, again: Event, arbiter: User) -> None:
        swap_numbers(again, 3, 11, arbiter)
        assert again.competitors.get(number=3).name == "Eva"
        assert again.competitors.get(number=11).name == "Player 3"
        assert pairing_numbers(again) == list(range(1, 12))


class TestRenumbering:
    def test_after_round_1_only_pairing_numbers_change(self, open_: Event, arbiter: User) -> None:
        Competitor.objects.filter(event=open_, number=10).update(rating=2600)
        plan = renumber(open_, "rating", arbiter)
        assert [(row.name, number) for row, number in plan.changed][:2] == [("Player 10", 1), ("Player 1", 2)]
        assert pairing_numbers(open_) == [*range(2, 11), 1]
        assert open_.competitors.get(name="Player 10").number == 10
        assert renumber(open_, "rating", arbiter).changed == []

    def test_lots_are_drawn_before_round_1(self, open_: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="before round 1"):
            renumber(open_, "lots", arbiter)

    def test_no_number_changes_once_round_4_is_paired(self, open_: Event, arbiter: User) -> None:
        for number in (2, 3):
            propose(open_, arbiter, number)
            play_round(open_, number)
        assert why_numbers_stand(open_) == ""
        propose(open_, arbiter, 4)
        assert why_numbers_stand(open_).startswith("Round 4 is paired")
        for change in (lambda: renumber(open_, "name", arbiter), lambda: swap_numbers(open_, 1, 2, arbiter)):
            with pytest.raises(Refused, match="Round 4 is paired"):
                change()

    def test_a_swap_exchanges_pairing_numbers(self, open_: Event, arbiter: User) -> None:
        enter_late(open_, 2, arbiter, name="Eva", rating=2475)
        first, second = swap_numbers(open_, 3, 4, arbiter)
        assert (first.name, second.name) == ("Eva", "Player 3")
        assert pairing_numbers(open_) == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 4]
        assert open_.competitors.get(number=3).pairing_number is None
        assert open_.rounds.get(number=1).pairing_numbers == {
            **{str(number): number for number in range(4, 11)},
            "11": 11,
        }
