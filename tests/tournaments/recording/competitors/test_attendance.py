"""Attendance before a round, and competitors who are not to be paired."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import file_of, round_of
from tournaments.event.choices import Kind
from tournaments.models import Attendance, Event, Round
from tournaments.recording.competitors.attendance import (
    AttendanceCount,
    AttendanceMark,
    count_attendance,
    mark,
    mark_others_absent,
    rounds_off,
    seat_rounds_off,
)
from tournaments.recording.locking import lock_event
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.results.submissions import SubmissionOutcome
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings, take_back_pairings


def marked(event: Event, number: int, text: str, by: User, seen: int = 0) -> SubmissionOutcome:
    """Return the outcome of a mark before round 3."""
    key = event.competitors.get(number=number).pk
    [outcome] = mark(event, [AttendanceMark(uuid4(), key, 3, text, seen)], by)
    return outcome


def test_all_are_paired_but_for_byes_absences_and_withdrawals(
    swiss: Event, arbiter: User, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    swiss.competitors.filter(number=1).update(requested_byes={"3": "half-bye"})
    swiss.competitors.filter(number=2).update(withdrawn_after=2)
    marked(swiss, 3, "absent", arbiter)
    marked(swiss, 4, "late", arbiter)

    with django_assert_num_queries(2):  # type: ignore[operator]  # a fixture
        off = rounds_off(swiss, 3)
    assert off == {1: Kind.HALF_BYE, 2: None, 3: Kind.ABSENT}
    assert rounds_off(swiss, 4) == {2: None}
    with django_assert_num_queries(1):  # type: ignore[operator]  # a fixture
        counted = count_attendance(swiss, 3)
    assert counted == AttendanceCount(expected=2, present=0, late=1, absent=1, off=2)
    assert counted.there == 1


def test_a_requested_bye_precedes_an_absence(swiss: Event, arbiter: User) -> None:
    marked(swiss, 1, "absent", arbiter)
    swiss.competitors.filter(number=1).update(requested_byes={"3": "half-bye"})
    assert rounds_off(swiss, 3) == {1: Kind.HALF_BYE}


def test_two_at_the_door_never_overwrite_each_other(swiss: Event, arbiter: User, other: User) -> None:
    first = marked(swiss, 1, "absent", arbiter)
    assert first.state == "saved"
    second = marked(swiss, 1, "present", other)
    assert (second.state, second.text, second.mine, second.by) == (
        "conflict",
        "absent",
        "present",
        "Anna Maas",
    )
    assert marked(swiss, 1, "absent", other).agrees
    third = marked(swiss, 1, "present", other, seen=second.version)
    assert third.state == "saved"
    assert [(each.state, each.by) for each in Attendance.objects.all()] == [
        ("absent", arbiter),
        ("present", other),
    ]
    assert marked(swiss, 1, "", other, seen=third.version).state == "saved"
    assert rounds_off(swiss, 3) == {}


def test_a_repeated_mark_is_stored_once(swiss: Event, arbiter: User) -> None:
    entry = AttendanceMark(uuid4(), swiss.competitors.get(number=1).pk, 3, "late", 0)
    mark(swiss, [entry], arbiter)
    [again] = mark(swiss, [entry], arbiter)
    assert again.repeated
    assert Attendance.objects.count() == 1


@pytest.mark.parametrize("text", ["ill", "PRESENT"])
def test_unknown_states_are_refused(swiss: Event, arbiter: User, text: str) -> None:
    assert marked(swiss, 1, text, arbiter).state == "refused"


def test_withdrawn_competitors_cannot_be_marked(swiss: Event, arbiter: User) -> None:
    swiss.competitors.filter(number=1).update(withdrawn_after=2)
    assert "withdrew after round 2" in marked(swiss, 1, "present", arbiter).message


def test_the_others_are_absent(swiss: Event, arbiter: User) -> None:
    marked(swiss, 1, "present", arbiter)
    marked(swiss, 2, "late", arbiter)
    with lock_event(swiss) as event:
        assert mark_others_absent(event, 3, arbiter) == 2
        assert mark_others_absent(event, 3, arbiter) == 0
    assert rounds_off(swiss, 3) == {3: Kind.ABSENT, 4: Kind.ABSENT}


def test_rounds_off_are_seated_once(swiss: Event, arbiter: User) -> None:
    Round.objects.filter(number=2).update(state="closed")
    opened = open_round(swiss, arbiter)
    swiss.competitors.filter(number=1).update(requested_byes={"3": "half-bye"})
    swiss.competitors.filter(number=2).update(withdrawn_after=2)
    marked(swiss, 3, "absent", arbiter)
    add_pairings(opened, [Seats(4)], arbiter)

    assert seat_rounds_off(opened, arbiter) == 2
    assert seat_rounds_off(opened, arbiter) == 0
    seats = round_of(swiss, 3).pairings.values_list("table", "first__number", "kind", "first_score")
    assert list(seats) == [(1, 4, "bye", 4), (2, 1, "half-bye", 2), (3, 3, "absent", 0)]


def test_marks_are_internal_to_the_desk(swiss: Event, arbiter: User) -> None:
    before = file_of(swiss)
    marked(swiss, 1, "absent", arbiter)
    assert file_of(swiss) == before


def test_a_late_arrival_is_paired_after_unpublishing(swiss: Event, arbiter: User) -> None:
    Round.objects.filter(number=2).update(state="closed")
    opened = open_round(swiss, arbiter)
    late = marked(swiss, 3, "absent", arbiter)
    add_pairings(opened, [Seats(1, 4), Seats(2, kind="half-bye")], arbiter)
    publish_pairings(opened, arbiter)
    assert [*opened.pairings.values_list("first__number", "kind")][-1] == (3, "absent")

    taken = take_back_pairings(opened, arbiter)
    assert taken.is_draft
    # A bye given by hand is not from the attendance, and stays.
    seats = opened.pairings.values_list("first__number", "kind")
    assert [*seats] == [(1, "pending"), (2, "half-bye")]
    marked(swiss, 3, "present", arbiter, seen=late.version)
    assert rounds_off(swiss, 3) == {}
