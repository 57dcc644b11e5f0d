"""The schedule: dates and times of all rounds."""

from datetime import date

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, file_of, round_of, typed
from tournaments.models import Event, Round
from tournaments.models.versioned import past_of
from tournaments.recording.events.publication import publish
from tournaments.recording.events.rulings import findings_of
from tournaments.recording.pairings.drafts import ask_for_proposal
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.dates import RoundStart, StartsChanged, set_starts, spread, starts_of
from tournaments.recording.rounds.opening import close_round

MAY = [RoundStart(f"2026-05-0{day}", "14:00") for day in range(1, 10)]


@pytest.fixture
def planned(swiss: Event, arbiter: User) -> Event:
    """Four rounds with dates: 1 is closed, 2 is open, 3 and 4 are not paired."""
    set_starts(swiss, dict(enumerate(MAY[:4], start=1)), starts_of(swiss), arbiter)
    return swiss


def test_planned_rounds_are_empty_drafts(planned: Event, arbiter: User) -> None:
    assert starts_of(planned) == dict(enumerate(MAY[:4], start=1))
    assert [each.state for each in planned.rounds.all()] == ["closed", "published", "draft", "draft"]
    assert findings_of(planned) == ()
    [saved] = past_of(Round).objects.filter(id=round_of(planned, 4).pk)
    assert saved.history_user == arbiter


def test_rounds_up_to_the_last_date_are_created(swiss: Event, arbiter: User) -> None:
    set_starts(swiss, {4: MAY[3]}, {}, arbiter)
    assert round_of(swiss, 3).date == ""


def test_planned_rounds_are_paired_in_order(planned: Event, arbiter: User) -> None:
    with pytest.raises(Refused, match="Results of round 2 are missing"):
        ask_for_proposal(planned, arbiter)
    enter(planned, [typed(at(planned, 2, 1), "1-1")], arbiter)
    close_round(round_of(planned, 2), arbiter)
    before = file_of(planned)
    assert ask_for_proposal(planned, arbiter).round == round_of(planned, 3)
    assert bytes(planned.backups.all()[0].file).decode() == before


def test_planned_rounds_do_not_prevent_the_end(planned: Event, arbiter: User) -> None:
    enter(planned, [typed(at(planned, 2, 1), "1-1")], arbiter)
    close_round(round_of(planned, 2), arbiter)
    publish(planned, "final", arbiter)
    assert Event.objects.get().state == "final"


@pytest.mark.parametrize(
    "later", [RoundStart("2026-05-01"), RoundStart("2026-05-02", "09:00"), RoundStart("2025")]
)
def test_no_round_begins_before_an_earlier_one(planned: Event, arbiter: User, later: RoundStart) -> None:
    with pytest.raises(Refused, match="Round 3 begins before round 2"):
        set_starts(planned, {3: later}, starts_of(planned), arbiter)
    assert starts_of(planned)[3] == MAY[2]


def test_old_disorder_prevents_no_other_change(planned: Event, arbiter: User) -> None:
    Round.objects.filter(number=1).update(date="2026-06-01")
    set_starts(planned, {4: MAY[8]}, starts_of(planned), arbiter)
    assert starts_of(planned)[4] == MAY[8]


@pytest.mark.parametrize(
    ("start", "why"),
    [
        (RoundStart("", "14:00"), "after the date"),
        (RoundStart("2026", "14:00"), "after the date"),
        (RoundStart("2026-02-31"), "is not a date"),
    ],
)
def test_wrong_starts_are_refused(swiss: Event, arbiter: User, start: RoundStart, why: str) -> None:
    with pytest.raises(Refused, match=why):
        set_starts(swiss, {2: start}, starts_of(swiss), arbiter)


def test_no_round_beyond_the_planned_ones(swiss: Event, arbiter: User) -> None:
    with pytest.raises(Refused, match="All 4"):
        set_starts(swiss, {5: MAY[4]}, {}, arbiter)
    Event.objects.update(state="final")
    assert list(starts_of(Event.objects.get())) == [1, 2]
    with pytest.raises(Refused, match="over"):
        set_starts(swiss, {3: MAY[2]}, {}, arbiter)


def test_only_own_changes_conflict_with_those_of_others(planned: Event, arbiter: User, other: User) -> None:
    seen = starts_of(planned)
    set_starts(planned, seen | {3: MAY[3], 4: MAY[4]}, seen, other)
    with pytest.raises(StartsChanged, match="round 4: 2026-05-05 14:00") as found:
        set_starts(planned, seen | {4: MAY[5]}, seen, arbiter)
    assert found.value.stored == {4: MAY[4]}
    set_starts(planned, seen | {4: MAY[5]}, seen | dict(found.value.stored), arbiter)
    assert starts_of(planned) == {1: MAY[0], 2: MAY[1], 3: MAY[3], 4: MAY[5]}


def test_days_are_filled_until_the_calendar_ends() -> None:
    times = [["14:00"]] * 5 + [["10:00", "15:00"], []]
    filled = spread([2, 3, 5, 6], date(2026, 5, 1), times)
    assert [str(start) for start in filled.values()] == [
        "2026-05-01 14:00", "2026-05-02 10:00", "2026-05-02 15:00", "2026-05-04 14:00",
    ]  # fmt: skip
    assert spread([1, 2], date.max, times) == {}
