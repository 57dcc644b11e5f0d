"""Rounds are opened in order, closed when complete, and reopened with a reason."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.recording.desk import add_pairing, at, file_of, round_of, typed
from tournaments.models import Backup, Event, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.events.rulings import acknowledge, findings_of, open_findings
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import (
    before_closing,
    close_round,
    current_round,
    open_round,
    remove_round,
    reopen_round,
)
from tournaments.recording.rounds.schedules import generate_schedule


def test_backup_is_stored_before_the_first_pairing(swiss: Event, arbiter: User) -> None:
    opened = open_round(swiss, arbiter)
    assert (opened.number, opened.state) == (3, "draft")
    assert not Backup.objects.exists()
    before = file_of(swiss)
    add_pairing(opened, Seats(1, 4), arbiter)
    add_pairing(opened, Seats(2, 3), arbiter)
    [backup] = Backup.objects.all()
    assert (backup.reason, backup.by) == ("Before round 3", "Anna Maas")
    assert bytes(backup.file).decode() == before


def test_only_the_last_round_without_pairings_can_be_removed(swiss: Event, arbiter: User) -> None:
    third = open_round(swiss, arbiter)
    open_round(swiss, arbiter)
    with pytest.raises(Refused, match="Only the last round"):
        remove_round(swiss, 3, arbiter)
    remove_round(swiss, 4, arbiter)
    add_pairing(third, Seats(1, 4), arbiter)
    with pytest.raises(Refused, match="no pairings"):
        remove_round(swiss, 3, arbiter)
    assert list(swiss.rounds.values_list("number", flat=True)) == [1, 2, 3]


def test_no_more_rounds_than_planned(swiss: Event, arbiter: User) -> None:
    open_round(swiss, arbiter)
    open_round(swiss, arbiter)
    with pytest.raises(Refused, match="All 4"):
        open_round(swiss, arbiter)


def test_no_round_after_the_event_is_over(swiss: Event, arbiter: User) -> None:
    Event.objects.update(state="final")
    with pytest.raises(Refused, match="over"):
        open_round(swiss, arbiter)


def test_closing_lists_missing_results(swiss: Event, arbiter: User) -> None:
    closing = before_closing(round_of(swiss, 2))
    assert [pairing.table for pairing in closing.missing] == [1]
    assert not closing.is_possible
    with pytest.raises(Refused, match="missing at table 1"):
        close_round(round_of(swiss, 2), arbiter)
    assert round_of(swiss, 2).state == "published"


def test_unknown_is_a_result(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "?")], arbiter)
    assert close_round(round_of(swiss, 2), arbiter).is_possible
    assert round_of(swiss, 2).state == "closed"
    assert Backup.objects.get().reason == "After round 2"
    with pytest.raises(Refused, match="already"):
        close_round(round_of(swiss, 2), arbiter)


def test_unpaired_competitors_are_listed_but_do_not_prevent_closing(swiss: Event, arbiter: User) -> None:
    Pairing.objects.filter(pk=at(swiss, 2, 1).pk).delete()
    closing = close_round(round_of(swiss, 2), arbiter)
    assert [competitor.name for competitor in closing.unpaired] == ["Ann", "Cas"]


def test_an_error_keeps_it_open(swiss: Event, arbiter: User) -> None:
    Pairing.objects.filter(round__number=2).update(kind="played", first_score=3, second_score=3)
    with pytest.raises(Refused, match="error"):
        close_round(round_of(swiss, 2), arbiter)


def test_opened_again_for_a_reason(swiss: Event, arbiter: User) -> None:
    with pytest.raises(Refused, match="reason"):
        reopen_round(round_of(swiss, 1), arbiter, " ")
    reopen_round(round_of(swiss, 1), arbiter, "A slip was found.")
    past = past_of(Round).objects.get(id=round_of(swiss, 1).pk)
    assert (past.state, past.history_change_reason, past.history_user) == (
        "published",
        "A slip was found.",
        arbiter,
    )


def test_queries_before_closing(swiss: Event, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    round_ = round_of(swiss, 2)
    with django_assert_num_queries(14):
        before_closing(round_)


def test_a_warning_is_acknowledged_once(swiss: Event, arbiter: User) -> None:
    pairing = at(swiss, 2, 1)
    Pairing.objects.filter(pk=at(swiss, 2, 2).pk).delete()
    Pairing.objects.filter(pk=pairing.pk).update(second=swiss.competitors.get(number=2))
    [warning] = findings_of(swiss)
    assert (warning.code, warning.round, warning.table) == ("met-before", 2, 1)
    with pytest.raises(Refused):
        acknowledge(swiss, "met-before", arbiter, "", 2, 1)
    acknowledge(swiss, "met-before", arbiter, "Both agreed.", 2, 1)
    assert open_findings(swiss) == ()
    assert findings_of(swiss) == (warning,)
    with pytest.raises(Refused, match="no such warning"):
        acknowledge(swiss, "met-before", arbiter, "Both agreed.", 2, 1)


def test_an_error_is_not_acknowledged(swiss: Event, arbiter: User) -> None:
    Pairing.objects.filter(round__number=2, table=2).update(first_score=3, second_score=3)
    with pytest.raises(Refused, match="corrected"):
        acknowledge(swiss, "impossible-score", arbiter, "So it was.", 2, 2)


class TestSchedules:
    @pytest.fixture
    def robin(self, swiss: Event) -> Event:
        Round.objects.all().delete()
        swiss.competitors.get(number=4).delete()
        swiss.schedule = Event.Schedule.ROUND_ROBIN
        swiss.save()
        return swiss

    def test_every_round_at_once(self, robin: Event, arbiter: User) -> None:
        assert generate_schedule(robin, arbiter) == 3
        pairings = Pairing.objects.filter(round__event=robin).order_by("round__number", "table")
        assert list(
            pairings.values_list("round__number", "table", "first__name", "second__name", "kind")
        ) == [
            (1, 1, "Bea", "Cas", "pending"),
            (1, 2, "Ann", None, "bye"),
            (2, 1, "Ann", "Bea", "pending"),
            (2, 2, "Cas", None, "bye"),
            (3, 1, "Cas", "Ann", "pending"),
            (3, 2, "Bea", None, "bye"),
        ]
        robin.refresh_from_db()
        assert robin.planned_rounds == 3
        assert set(robin.rounds.values_list("state", flat=True)) == {"published"}
        assert findings_of(robin) == ()
        assert current_round(robin) == 0

    def test_a_resting_competitor_gets_no_points(self, robin: Event, arbiter: User) -> None:
        generate_schedule(robin, arbiter)
        assert set(Pairing.objects.filter(kind="bye").values_list("first_score", flat=True)) == {0}

    def test_twice_with_colours_reversed(self, robin: Event, arbiter: User) -> None:
        robin.schedule = Event.Schedule.DOUBLE_ROUND_ROBIN
        robin.save()
        assert generate_schedule(robin, arbiter) == 6
        met = list(Pairing.objects.filter(second__isnull=False).values_list("first__name", "second__name"))
        assert sorted(met) == sorted(
            {(one, two) for one in ("Ann", "Bea", "Cas") for two in ("Ann", "Bea", "Cas") if one != two}
        )

    def test_not_over_pairings_and_not_in_a_swiss(self, robin: Event, arbiter: User) -> None:
        generate_schedule(robin, arbiter)
        with pytest.raises(Refused, match="already"):
            generate_schedule(robin, arbiter)
        Event.objects.update(schedule="swiss")
        with pytest.raises(Refused, match="Swiss"):
            generate_schedule(robin, arbiter)

    def test_a_single_competitor_is_refused(self, robin: Event, arbiter: User) -> None:
        robin.competitors.exclude(number=1).delete()
        with pytest.raises(Refused, match="two competitors"):
            generate_schedule(robin, arbiter)
