"""The pairing screen: actions and their checks, locks, undo, and conflicts."""

import re
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.cast import Hall, create_account, open_hall
from tests.desk.acts import act_in, seen_now
from tests.proposals import create_open, make_now, play_round, propose
from tests.tournaments.recording.desk import at, round_of, typed
from tournaments.accounts.services.roles import Role
from tournaments.admin.pairings import acts, proposing
from tournaments.models import Competitor, Override, Pairing, Proposal, Round
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.pairings.drafts import ask_for_proposal, departures
from tournaments.recording.pairings.unusual import ABSOLUTE, find_doubts
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import close_round, open_round
from tournaments.recording.rounds.publishing import publish_pairings

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """Return an event with round 3 as draft: 1-4, 2-3 and 5-6, while 7 and 8 are not paired."""
    hall = open_hall()
    Competitor.objects.bulk_create(
        Competitor(event=hall.event, number=number, name=f"Player {number}") for number in range(5, 9)
    )
    anna = hall.people["anna"]
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], anna)
    opened = open_round(hall.event, anna)
    add_pairings(opened, [Seats(1, 4), Seats(2, 3), Seats(5, 6)], anna)
    return hall


@pytest.fixture
def published(hall: Hall) -> Hall:
    publish_pairings(round_of(hall.event, 3), hall.people["anna"])
    return hall


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


class TestTable:
    def test_pair_has_points_colours_and_checkboxes(self, hall: Hall) -> None:
        page = text_of(hall.get("round-pairings", 3))

        assert '<tr class="group"><th colspan="9" scope="rowgroup">3 points</th></tr>' in page
        assert 'name="seat" value="1"><span class="number">1</span> <bdi>Ann</bdi></label>' in page
        assert '<td class="points">3</td><td class="colours">ww<b>w</b>' in page
        assert "Not paired yet: 2" in page

    def test_names_are_escaped(self, hall: Hall) -> None:
        Competitor.objects.filter(number=2).update(name='<b>"Bea"')
        page = text_of(hall.get("round-pairings", 3))

        assert '<b>"Bea"' not in page
        assert "&lt;b&gt;&quot;Bea&quot;" in page

    def test_doubt_is_shown_at_its_table(self, hall: Hall) -> None:
        act_in(hall, 3, "exchange", 2, 4, anyway="1")
        page = text_of(hall.get("round-pairings", 3))

        assert '<tr id="table-1" class="locked odd">' in page
        assert "thing to check" in page or "things to check" in page

    def test_closed_round_is_read_only(self, hall: Hall) -> None:
        page = text_of(hall.get("round-pairings", 1))

        assert "This round is closed: its pairings are settled." in page
        assert 'name="seat"' not in page
        assert "is settled" in text_of(act_in(hall, 1, "turn", 1, anyway="1", reason="Why not."))

    def test_published_round_shows_results(self, published: Hall) -> None:
        enter(published.event, [typed(at(published.event, 3, 1), "2-0")], published.people["anna"])

        assert '<td class="result">2-0</td>' in text_of(published.get("round-pairings", 3))

    def test_queries_do_not_depend_on_size_of_round(
        self, hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        players = [Competitor(event=hall.event, number=number, name=f"P {number}") for number in range(9, 69)]
        made = Competitor.objects.bulk_create(players)
        Pairing.objects.bulk_create(
            Pairing(round=round_of(hall.event, 3), table=table, first=first, second=second)
            for table, (first, second) in enumerate(zip(made[::2], made[1::2], strict=True), start=4)
        )
        with django_assert_num_queries(16):
            hall.get("round-pairings", 3)


class TestFixedTables:
    def test_game_is_there_with_a_note_and_undo_restores_all_tables(self, hall: Hall) -> None:
        act_in(hall, 3, "turn", 6)
        Competitor.objects.filter(event=hall.event, number=2).update(fixed_table=3)
        page = text_of(hall.get("round-pairings", 3))
        assert '<bdi>Bea</bdi> <span class="told">fixed table 3</span>' in page
        assert "Number the tables by score" in page
        act_in(hall, 3, "renumber")
        assert hall.seats(3) == ["1-4", "6-5", "2-3"]
        assert "Number the tables by score" not in text_of(hall.get("round-pairings", 3))
        act_in(hall, 3, "pair", text="7 8")
        act_in(hall, 3, "exchange", 2, 7, anyway="1")
        assert hall.seats(3) == ["1-4", "6-5", "2-8", "7-3"]
        act_in(hall, 3, "undo")
        assert hall.seats(3) == ["1-4", "6-5", "2-3", "7-8"]

    def test_change_that_they_take_back_is_no_step(self, hall: Hall) -> None:
        Competitor.objects.filter(event=hall.event, number=2).update(fixed_table=2)
        act_in(hall, 3, "lock", 2)
        act_in(hall, 3, "turn", 6)
        page = text_of(act_in(hall, 3, "pair", text="9;2-3", fragment="1"))
        assert "A player of this game has the fixed table 2, so the game stays there." in page
        act_in(hall, 3, "undo")
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]


class TestPairing:
    """Commands typed into the field."""

    def test_pairs_by_numbers_or_names(self, hall: Hall) -> None:
        answer = act_in(hall, 3, "pair", text="8 7")

        assert answer["Location"] == f"{hall.address('round-pairings', 3)}#table-4"
        act_in(hall, 3, "pair", text="player 6 - player 5")
        assert hall.seats(3) == ["1-4", "2-3", "6-5", "8-7"]
        assert "Table 3: 6 Player 6 – 5 Player 5." in text_of(hall.get("round-pairings", 3))

    def test_unpairs_and_gives_round_off(self, hall: Hall) -> None:
        act_in(hall, 3, "pair", text="6 ×")
        act_in(hall, 3, "pair", text="5 ½bye")

        assert hall.seats(3) == ["1-4", "2-3", "5 half-bye"]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", "No players entered."),
            ("7", "The opponent of 7 Player 7 is missing."),
            ("7 99", "There is no competitor 99."),
            ("1;7-8", "Table 1 is taken."),
            ("7 7", "cannot sit on both sides"),
        ],
    )
    def test_invalid_command_shows_reason_and_keeps_text(self, hall: Hall, text: str, why: str) -> None:
        page = act_in(hall, 3, "pair", text=text)

        assert why in text_of(page)
        assert f'id="command" value="{text}"' in text_of(page)
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]

    def test_existing_pair_is_not_an_error(self, hall: Hall) -> None:
        act_in(hall, 3, "pair", text="1 4")

        assert "They are paired so already." in text_of(hall.get("round-pairings", 3))


class TestChecks:
    """Rematches and other unusual pairings are confirmed first."""

    def test_unusual_change_is_confirmed_first(self, hall: Hall) -> None:
        asked = act_in(hall, 3, "exchange", 2, 4)
        page = text_of(asked)

        assert "This would be unusual" in page
        assert "Table 1: 1 Ann – 2 Bea" in page
        assert "round 1" in page
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]
        question = asked.context["question"]
        act_in(hall, 3, question.act, *question.picked, anyway="1")
        assert hall.seats(3) == ["1-2", "4-3", "5-6"]

    def test_check_while_typing(self, hall: Hall) -> None:
        answer = hall.browser.get(hall.address("round-check", 3), {"text": "1 2"})

        assert "Table 1: 1 Ann – 2 Bea" in text_of(answer)
        assert 'class="doubt"' in text_of(answer)
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]

    def test_check_shows_opponents_of_picked_player(self, hall: Hall) -> None:
        page = text_of(hall.browser.get(hall.address("round-check", 3), {"seat": ["1"]}))

        assert "<b>1 Ann</b> has met: 1. 2 Bea; 2. 3 Cas" in page
        assert 'data-met="2 3 "' in page

    def test_check_works_without_script(self, hall: Hall) -> None:
        page = text_of(act_in(hall, 3, "about", 1, 3))

        assert "<b>1 Ann</b> has met:" in page
        assert "Table 1: 3 Cas – 4 Dov" in page
        assert 'value="1" checked' in page

    def test_check_of_invalid_input_returns_200(self, hall: Hall) -> None:
        for asked in ({"text": "x y"}, {"seat": ["99", "1"]}, {"seat": ["a"]}, {}):
            assert hall.browser.get(hall.address("round-check", 3), asked).status_code == 200


class TestPicked:
    def test_actions_on_picked_players(self, hall: Hall) -> None:
        act_in(hall, 3, "turn", 6)
        act_in(hall, 3, "part", 2)
        act_in(hall, 3, "off-absent", 2)
        act_in(hall, 3, "exchange", 3, 7)

        assert hall.seats(3) == ["1-4", "3-7", "6-5", "2 absent"]

    @pytest.mark.parametrize(
        ("act", "picked", "why"),
        [
            ("exchange", [1], "Select two players"),
            ("exchange", [], "No player is selected."),
            ("turn", [99], "There is no competitor 99."),
            ("off-played", [1], "This page is an old one."),
            ("dance", [1], "This page is an old one."),
            ("lock", [], "No player is selected."),
        ],
    )
    def test_impossible_action_is_refused(self, hall: Hall, act: str, picked: list[int], why: str) -> None:
        assert why in text_of(act_in(hall, 3, act, *picked))
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]

    def test_fragment_contains_only_changed_part(self, hall: Hall) -> None:
        answer = act_in(hall, 3, "turn", 6, fragment="1")

        assert answer.status_code == 200
        assert "<html" not in text_of(answer)
        assert 'data-table="3">Table 3: 6 Player 6 – 5 Player 5.</div>' in text_of(answer)
        assert 'name="csrfmiddlewaretoken"' in text_of(answer)
        refused = act_in(hall, 3, "exchange", 6, fragment="1")
        assert '<p class="errornote" role="alert">Select two players' in text_of(refused)


class TestLocks:
    def locked(self, hall: Hall) -> list[int]:
        rows = Pairing.objects.filter(round=round_of(hall.event, 3), locked=True)
        return list(rows.order_by("table").values_list("table", flat=True))

    def test_pairing_by_hand_is_locked(self, hall: Hall) -> None:
        assert self.locked(hall) == []
        act_in(hall, 3, "turn", 6)
        assert self.locked(hall) == [3]

    def test_locks_table_picked_players_and_unlocks_all(self, hall: Hall) -> None:
        act_in(hall, 3, "lock 2")
        act_in(hall, 3, "lock", 1, 5)
        assert self.locked(hall) == [1, 2, 3]
        act_in(hall, 3, "unlock 2")
        assert self.locked(hall) == [1, 3]
        act_in(hall, 3, "unlock-all")
        assert self.locked(hall) == []


class TestUndo:
    def test_last_step_and_its_undo_can_be_undone(self, hall: Hall) -> None:
        act_in(hall, 3, "exchange", 6, 7)
        act_in(hall, 3, "undo")
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]
        assert not at(hall.event, 3, 3).locked
        assert "Undone. Table 3: 5 Player 5 – 6 Player 6." in text_of(hall.get("round-pairings", 3))
        act_in(hall, 3, "undo")
        assert hall.seats(3) == ["1-4", "2-3", "5-7"]

    def test_undo_that_is_sent_again_after_a_lost_connection_is_refused(self, hall: Hall) -> None:
        act_in(hall, 3, "exchange", 6, 7)
        seen = seen_now(hall, 3)
        act_in(hall, 3, "undo", seen=seen)
        assert "anna has changed this." in text_of(act_in(hall, 3, "undo", seen=seen))
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]

    def test_renumbering_can_be_undone(self, hall: Hall) -> None:
        act_in(hall, 3, "part", 1)
        act_in(hall, 3, "pair", text="9;4-1")
        act_in(hall, 3, "renumber")
        assert hall.seats(3) == ["4-1", "2-3", "5-6"]
        act_in(hall, 3, "undo")
        assert hall.seats(3) == ["2-3", "5-6", "4-1"]

    def test_undo_removes_added_pairing(self, hall: Hall) -> None:
        act_in(hall, 3, "pair", text="7 8")
        act_in(hall, 3, "undo")
        assert hall.seats(3) == ["1-4", "2-3", "5-6"]

    def test_undo_is_refused_if_another_user_changed_the_table(self, hall: Hall) -> None:
        act_in(hall, 3, "turn", 6)
        act_in(hall, 3, "turn", 6, by="ben")

        assert "Table 3 has changed since" in text_of(act_in(hall, 3, "undo"))

    def test_users_can_undo_only_their_own_step(self, hall: Hall) -> None:
        act_in(hall, 3, "turn", 6)

        assert "There is nothing to undo." in text_of(act_in(hall, 3, "undo", by="ben"))


class TestPublished:
    def test_change_of_published_round_needs_reason(self, published: Hall) -> None:
        page = text_of(act_in(published, 3, "turn", 6))

        assert "These pairings are published" in page
        assert 'name="reason"' in page
        assert not Override.objects.exists()
        act_in(published, 3, "turn", 6, anyway="1", reason="Colours.")
        assert published.overrides() == [("pairing", 3, 3, "5-6")]
        assert '*<span class="spoken"> manually changed' in text_of(published.get("round-pairings", 3))

    def test_blank_reason_is_asked_again(self, published: Hall) -> None:
        page = text_of(act_in(published, 3, "turn", 6, anyway="1", reason=" "))

        assert "A manual change needs a reason" in page
        assert '<input type="hidden" name="seat" value="6">' in page

    def test_published_round_has_no_draft_actions(self, published: Hall) -> None:
        page = text_of(published.get("round-pairings", 3))

        for act in ("part", "lock", "renumber"):
            assert f'value="{act}"' not in page
        assert "cannot be locked" in text_of(act_in(published, 3, "lock 1"))
        assert "There is nothing to undo." in text_of(act_in(published, 3, "undo"))


class TestTwoArbiters:
    def test_conflict_shows_other_change_and_asks(self, hall: Hall) -> None:
        seen = seen_now(hall, 3)
        act_in(hall, 3, "exchange", 6, 7, by="ben")
        page = act_in(hall, 3, "exchange", 6, 8, seen=seen)

        assert "ben has changed this." in text_of(page)
        assert "Table 3: 5 Player 5 – 7 Player 7" not in text_of(page).split("<table")[0]
        assert hall.seats(3) == ["1-4", "2-3", "5-7"]
        assert page.context["question"].picked == [6, 8]

    def test_changes_of_different_tables_do_not_conflict(self, hall: Hall) -> None:
        seen = seen_now(hall, 3)
        act_in(hall, 3, "turn", 6, by="ben")

        assert act_in(hall, 3, "turn", 4, seen=seen).status_code == 302

    def test_repeated_post_changes_once(self, hall: Hall) -> None:
        seen = seen_now(hall, 3)
        for _attempt in range(2):
            act_in(hall, 3, "exchange", 6, 7, seen=seen)

        assert hall.seats(3) == ["1-4", "2-3", "5-7"]

    def test_change_needs_reason_if_round_was_published_in_between(self, hall: Hall) -> None:
        seen = seen_now(hall, 3)
        publish_pairings(round_of(hall.event, 3), hall.people["ben"])

        assert "These pairings are published" in text_of(act_in(hall, 3, "turn", 6, seen=seen))

    def test_change_is_refused_if_round_was_closed_in_between(self, hall: Hall) -> None:
        publish_pairings(round_of(hall.event, 3), hall.people["ben"])
        enter(hall.event, [typed(at(hall.event, 3, table), "1-1") for table in (1, 2, 3)], hall.people["ben"])
        Round.objects.filter(number=2).update(state="closed")
        close_round(round_of(hall.event, 3), hall.people["ben"])

        assert "settled" in text_of(act_in(hall, 3, "turn", 6, anyway="1", reason="Late."))


class TestDisplacedOpponents:
    """A typed pair of a draft displaces the opponents of both."""

    @pytest.fixture
    def open_(self, monkeypatch: pytest.MonkeyPatch) -> Hall:
        """Return an open of nine with round 2 proposed: 4-1, 2-8, 9-3, 6-5, and 7 has the bye."""
        event = create_open(9)
        anna = create_account("anna", Role.ARBITER)
        event.arbiters.add(anna)
        propose(event, anna)
        play_round(event, 1)
        propose(event, anna)
        monkeypatch.setattr(proposing, "wait_for", make_now)
        return Hall(event, anna)

    def marked(self, hall: Hall) -> list[str]:
        page = text_of(hall.get("round-pairings", 2))
        return re.findall(r'<tr id="table-(\d+)" class="[^"]*by-hand', page)

    def locked(self, hall: Hall) -> list[int]:
        rows = Pairing.objects.filter(round=round_of(hall.event, 2), locked=True)
        return list(rows.order_by("table").values_list("table", flat=True))

    def message(self, hall: Hall, text: str, **values: str) -> str:
        """Post a typed pair and return the message about it."""
        answer = act_in(hall, 2, "pair", text=text, fragment="1", **values)
        assert not answer.context["question"], answer.context["question"]
        return str(answer.context["outcome"].done or answer.context["outcome"].refused)

    def test_are_paired_with_each_other_and_only_the_typed_pair_is_marked(self, open_: Hall) -> None:
        shown = self.message(open_, "4 9")

        assert shown == (
            "“4 9”: 1 Player 1 and 2 Player 2, their opponents, are paired with each other."
            " Table 1: 4 Player 4 – 9 Player 9. Table 2: 2 Player 2 – 1 Player 1."
        )
        assert open_.seats(2) == ["4-9", "2-1", "5-3", "7-6", "8 bye"]
        assert (self.marked(open_), self.locked(open_)) == (["1"], [1])
        [departure] = departures(round_of(open_.event, 2))
        assert (departure.numbers, departure.proposed) == ((4, 9), (4, 1))

    def test_earlier_opponents_are_paired_with_the_nearest_others(self, open_: Hall) -> None:
        shown = self.message(open_, "4 3")

        assert "“4 3”: the engine paired 1 Player 1 and 5 Player 5 again." in shown
        assert "4-3" in open_.seats(2)
        # Five of nine competitors stay where they were.
        assert {"7-6", "8 bye"} < {*open_.seats(2)}
        assert len(self.marked(open_)) == len(self.locked(open_)) == 1
        assert not [each for each in find_doubts(round_of(open_.event, 2)) if each.code in ABSOLUTE]

    def test_opponent_of_a_competitor_with_the_bye_gets_it(self, open_: Hall) -> None:
        assert "3 Player 3, the opponent until now, has the bye." in self.message(open_, "5 8")
        assert "3 bye" in open_.seats(2)
        assert len(self.locked(open_)) == 1

    def test_no_second_bye_is_given(self, open_: Hall) -> None:
        self.message(open_, "2 8")

        assert "2-8" in open_.seats(2)
        assert "9 bye" not in open_.seats(2)
        assert sum(each.endswith("bye") for each in open_.seats(2)) == 1

    def test_may_stay_free_and_be_paired_by_the_engine_with_all_others(self, open_: Hall) -> None:
        shown = self.message(open_, "4 3", freed="left")
        assert shown == "Table 1: 4 Player 4 – 3 Player 3. Not paired any more: 1 Player 1; 5 Player 5."
        assert open_.seats(2) == ["4-3", "2-9", "7-6", "8 bye"]
        shown = self.message(open_, "7 9", freed="engine")
        assert "“7 9”: the engine paired 6 Player 6 and 2 Player 2 again." in shown
        assert {"4-3", "7-9", "8 bye"} < {*open_.seats(2)}
        assert len(open_.seats(2)) == 5

    def test_are_paired_against_the_rules_only_after_a_question(self, open_: Hall) -> None:
        asked = act_in(open_, 2, "pair", text="4 3", freed="each-other")
        assert "met in round 1" in text_of(asked)
        assert '<input type="hidden" name="freed" value="each-other">' in text_of(asked)
        assert '<option value="each-other" selected>' in text_of(asked)
        self.message(open_, "4 3", freed="each-other", anyway="1")
        assert {"4-3", "5-1"} < {*open_.seats(2)}
        assert self.locked(open_) == [1]

    def test_stay_free_until_the_engine_has_finished(
        self, open_: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(proposing, "wait_for", lambda _proposal: False)
        shown = self.message(open_, "4 9")

        assert shown.startswith("The engine is pairing them.")
        assert open_.seats(2) == ["4-9", "5-3", "7-6", "8 bye"]

    def test_change_of_another_arbiter_while_the_engine_runs_is_no_part_of_the_step(
        self, open_: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ben = create_account("ben", Role.ARBITER)
        open_.event.arbiters.add(ben)
        hall = Hall(open_.event, open_.people["anna"], ben)

        def turn_and_make(asked: Proposal) -> bool:
            act_in(hall, 2, "turn", 7, by="ben")
            return make_now(asked)

        monkeypatch.setattr(proposing, "wait_for", turn_and_make)
        shown = self.message(hall, "4 9")
        assert "6 Player 6 – 7 Player 7" not in shown
        act_in(hall, 2, "undo")
        assert hall.seats(2) == ["4-1", "2-9", "5-3", "6-7", "8 bye"]

    def test_teams_are_typed_by_number(self, open_: Hall) -> None:
        event = create_open(8, "teams", entrants="teams", system="fide-team-swiss", boards=4)
        event.arbiters.add(open_.people["anna"])
        propose(event, open_.people["anna"])
        hall = Hall(event, open_.people["anna"])
        assert hall.seats(1) == ["1-5", "6-2", "3-7", "8-4"]
        act_in(hall, 1, "pair", text="1 2")
        assert hall.seats(1)[0] == "1-2"
        assert "6 Player 6, their opponents, are paired with each other." in text_of(
            hall.get("round-pairings", 1)
        )

    def test_undo_restores_the_pairings_of_the_engine(self, open_: Hall) -> None:
        self.message(open_, "4 3")
        paired = open_.seats(2)
        act_in(open_, 2, "undo")
        assert open_.seats(2) == ["4-1", "2-9", "5-3", "7-6", "8 bye"]
        assert (self.marked(open_), self.locked(open_)) == ([], [])
        act_in(open_, 2, "undo")
        assert open_.seats(2) == paired
        assert len(self.marked(open_)) == 1

    def test_refusal_of_the_engine_changes_no_table(self, open_: Hall) -> None:
        for act, values in (("lock", [8]), ("off-zero-bye", [7])):
            act_in(open_, 2, act, *values)
        before = open_.seats(2)
        page = act_in(open_, 2, "pair", text="6 3")

        assert "8 Player 8 has the bye, and it is locked." in text_of(page)
        assert 'id="command" value="6 3"' in text_of(page)
        assert open_.seats(2) == before

    def test_refusal_of_the_engine_names_the_other_ways(self, open_: Hall) -> None:
        advice = "Or choose “with each other, even against the rules” or “later” for the opponents."
        before = open_.seats(2)
        Pairing.objects.filter(round=round_of(open_.event, 1), table=1).update(
            kind="pending", first_score=None, second_score=None
        )
        shown = self.message(open_, "4 9")
        assert "Results of round 1 are missing" in shown
        assert shown.endswith(advice)
        assert open_.seats(2) == before

    def test_are_not_left_to_an_open_proposal_of_all(self, open_: Hall) -> None:
        before = open_.seats(2)
        ask_for_proposal(open_.event, open_.people["anna"], 2)
        assert "The engine is pairing this round already." in self.message(open_, "4 9")
        assert open_.seats(2) == before

    def test_failed_proposal_names_a_way_that_keeps_the_other_tables(
        self, open_: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(asked: Proposal) -> bool:
            Proposal.objects.filter(pk=asked.pk).update(problem="It broke off.")
            return True

        monkeypatch.setattr(proposing, "wait_for", fail)
        assert self.message(open_, "4 9").startswith(
            "It broke off. A new proposal replaces other tables too. To keep them, type pairs of the free"
        )

    def test_are_not_searched_while_typing(self, open_: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_facts: object) -> None:
            raise AssertionError

        monkeypatch.setattr(acts, "pairable", refuse)
        page = open_.browser.get(open_.address("round-check", 2), {"text": "4 9"})
        assert "Not paired any more: 1 Player 1; 2 Player 2" in text_of(page)

    def test_entire_draft_is_not_paired_again(self, open_: Hall) -> None:
        event = create_open(8, "long-open", rounds=9)
        event.arbiters.add(open_.people["anna"])
        for number in range(1, 5):
            propose(event, open_.people["anna"])
            play_round(event, number)
        propose(event, open_.people["anna"])
        hall = Hall(event, open_.people["anna"])
        page = text_of(act_in(hall, 5, "pair", text="7 8", anyway="1"))
        assert "The rules require new pairings" in page
        assert hall.seats(5) == ["7-1", "2-8", "6-3", "4-5"]

    def test_without_a_proposal_no_other_table_changes(self, hall: Hall) -> None:
        act_in(hall, 3, "pair", text="5 1")
        assert hall.seats(3) == ["6-4", "2-3", "5-1"]
        assert not at(hall.event, 3, 1).locked
        act_in(hall, 3, "undo")
        # 3 and 4 have met.
        act_in(hall, 3, "pair", text="1 2", anyway="1")
        assert hall.seats(3) == ["1-2", "5-6"]


class TestProposalReasons:
    """Reasons from the engine, and its own pairs next to pairs made by hand."""

    @pytest.fixture
    def proposed(self) -> Hall:
        event = create_open(8)
        anna = create_account("anna", Role.ARBITER)
        event.arbiters.add(anna)
        propose(event, anna)
        return Hall(event, anna)

    def test_proposed_pairs_have_reasons(self, proposed: Hall) -> None:
        page = text_of(proposed.get("round-pairings", 1))

        assert proposed.seats(1) == ["1-5", "6-2", "3-7", "8-4"]
        assert page.count("by the initial colour, drawn by lot") == 4
        assert "by hand" not in page

    def test_pair_by_hand_shows_pairs_of_engine(self, proposed: Hall) -> None:
        act_in(proposed, 1, "exchange", 5, 2, anyway="1")

        assert "by hand; the proposal had 1–5, 6–2" in text_of(proposed.get("round-pairings", 1))
