"""Requested byes, withdrawals, returns and late entries, with their reported effects."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import file_of
from tournaments.event.checks import check_document
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Competitor, Event, Round
from tournaments.recording.competitors.participation import (
    come_back,
    enter_late,
    next_to_pair,
    request_bye,
    withdraw_competitor,
)
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.rounds.opening import open_round
from tournaments.stored import stored


def ann(event: Event, number: int = 1) -> Competitor:
    return event.competitors.get(number=number)


class TestByes:
    def test_a_bye_is_requested_and_cancelled(self, swiss: Event, arbiter: User) -> None:
        told = request_bye(ann(swiss), 3, "half-bye", 1, arbiter)
        assert told == ["Ann has a half-point bye in round 3 and is not paired in it."]
        assert ann(swiss).requested_byes == {"3": "half-bye"}
        assert request_bye(ann(swiss), 3, "", 2, arbiter) == ["Ann plays in round 3."]
        assert ann(swiss).requested_byes == {}
        assert ann(swiss).history.count() == 2

    def test_a_draft_with_the_competitor_is_reported(self, swiss: Event, arbiter: User) -> None:
        add_pairings(open_round(swiss, arbiter), [Seats(1, 4)], arbiter)
        told = request_bye(ann(swiss), 3, "zero-bye", 1, arbiter)
        assert told[1] == "The draft of round 3 has them at table 1: pair it again."

    @pytest.mark.parametrize(
        ("number", "kind", "why"),
        [
            (2, "zero-bye", "are published"),
            (5, "zero-bye", "This event has no round"),
            (3, "bye", "half a point or no points"),
            (4, "half-bye", "until round 3"),
        ],
    )
    def test_byes_that_the_event_does_not_allow_are_refused(
        self, swiss: Event, arbiter: User, number: int, kind: str, why: str
    ) -> None:
        Event.objects.update(half_byes_until=3)
        with pytest.raises(Refused, match=why):
            request_bye(ann(swiss), number, kind, 1, arbiter)

    def test_as_many_as_the_event_allows(self, swiss: Event, arbiter: User) -> None:
        Event.objects.update(half_byes=1)
        request_bye(ann(swiss), 3, "half-bye", 1, arbiter)
        with pytest.raises(Refused, match="already used all half-point byes"):
            request_bye(ann(swiss), 4, "half-bye", 2, arbiter)
        request_bye(ann(swiss), 4, "zero-bye", 2, arbiter)
        request_bye(ann(swiss), 3, "half-bye", 3, arbiter)  # the existing bye

    def test_a_file_with_too_many_byes_has_a_finding(self, swiss: Event) -> None:
        Event.objects.update(half_byes=1, half_byes_until=3)
        swiss.competitors.filter(number=1).update(requested_byes={"3": "half-bye", "4": "half-bye"})
        swiss.refresh_from_db()
        document = read(file_of(swiss)).document
        assert document == stored(swiss).document
        codes = {each.code for each in check_document(document)}
        assert {"half-byes-too-many", "half-bye-too-late"} <= codes

    def test_a_second_simultaneous_request_is_a_conflict(self, swiss: Event, arbiter: User) -> None:
        request_bye(ann(swiss), 3, "half-bye", 1, arbiter)
        with pytest.raises(Conflict):
            withdraw_competitor(ann(swiss), 2, 1, arbiter)


class TestWithdrawals:
    def test_a_withdrawal_reports_the_affected_rounds(self, swiss: Event, arbiter: User) -> None:
        request_bye(ann(swiss), 4, "half-bye", 1, arbiter)
        told = withdraw_competitor(ann(swiss), 2, 2, arbiter)
        assert told == [
            "Ann has withdrawn and is not paired in rounds 3 to 4.",
            "Round 2 has a pairing without a result at table 1. Enter a result or a forfeit there first.",
        ]
        assert (ann(swiss).withdrawn_after, ann(swiss).requested_byes) == (2, {})

    def test_a_withdrawal_before_a_result_is_refused(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="result in round 2"):
            withdraw_competitor(ann(swiss, 4), 1, 1, arbiter)

    def test_a_returning_competitor_has_missed_the_rounds_between(self, swiss: Event, arbiter: User) -> None:
        withdraw_competitor(ann(swiss), 1, 1, arbiter)
        told = come_back(ann(swiss), 2, arbiter)
        assert told == [
            "Ann is back, and is paired from round 3 on.",
            "Round 2 gives no points: a zero-point bye.",
        ]
        with pytest.raises(Refused, match="has not withdrawn"):
            come_back(ann(swiss), 3, arbiter)

    def test_a_withdrawal_from_a_round_robin_reports_its_effect_on_results(
        self, swiss: Event, arbiter: User
    ) -> None:
        Event.objects.update(schedule="round-robin", system="league", planned_rounds=3)
        assert withdraw_competitor(ann(swiss, 4), 2, 1, arbiter)[-1] == (
            "With 2 of 3 games played the others are lost by forfeit."
        )


class TestLateEntries:
    def test_a_late_entry_has_the_next_number_and_no_points(self, swiss: Event, arbiter: User) -> None:
        row, told = enter_late(swiss, 4, arbiter, name="Eva", rating=2100)
        assert (row.number, row.requested_byes, row.rating) == (5, {"3": "zero-bye"}, 2100)
        assert told == [
            "Eva is number 5, and is paired from round 4 on. The pairing number is 1.",
            "Rounds 1 to 3 give no points: zero-point byes.",
        ]

    def test_only_rounds_that_can_still_be_paired(self, swiss: Event, arbiter: User) -> None:
        assert next_to_pair(swiss) == 3
        with pytest.raises(Refused, match="from 3 to 4"):
            enter_late(swiss, 2, arbiter, name="Eva")

    def test_the_checks_of_a_file_apply(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="greater than or equal"):
            enter_late(swiss, 3, arbiter, name="Eva", fide_id=-1)

    def test_a_draft_is_paired_again(self, swiss: Event, arbiter: User) -> None:
        Round.objects.filter(number=2).update(state="closed")
        add_pairings(open_round(swiss, arbiter), [Seats(1, 4)], arbiter)
        assert enter_late(swiss, 3, arbiter, name="Eva")[1][-1] == "Round 3 is paired already: pair it again."
