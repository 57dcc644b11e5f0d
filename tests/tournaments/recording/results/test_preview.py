"""A preview shows the effect of results or of other rules, and stores no data."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.cast import chess_swiss_file, stored_event
from tests.tournaments.recording.desk import at, file_of, typed
from tournaments.models import Change, Event, Receipt
from tournaments.models.versioned import past_of
from tournaments.operations.revision import revision_of
from tournaments.recording.events.systems import order_criteria
from tournaments.recording.results.preview import (
    ExplainedMove,
    MovedPlace,
    place_changes,
    preview_results,
    try_rules,
)

pytestmark = pytest.mark.django_db


def test_the_places_that_would_move(swiss: Event, arbiter: User) -> None:
    before = file_of(swiss), revision_of(swiss.pk)
    trial = preview_results(swiss, [typed(at(swiss, 1, 1), "0-2")], arbiter)

    assert trial.moved == [MovedPlace("Bea", 4, 2), MovedPlace("Ann", 2, 4)]
    assert [outcome.state for outcome in trial.outcomes] == ["saved"]
    assert (file_of(swiss), revision_of(swiss.pk)) == before
    assert (Receipt.objects.count(), Change.objects.count()) == (0, 0)
    assert past_of(type(at(swiss, 1, 1))).objects.count() == 0


def test_an_invalid_result_moves_no_place(swiss: Event, arbiter: User) -> None:
    trial = preview_results(swiss, [typed(at(swiss, 1, 1), "3-3")], arbiter)

    assert [outcome.state for outcome in trial.outcomes] == ["refused"]
    assert trial.moved == []


class TestOtherRules:
    def test_a_moved_competitor_is_listed_with_the_deciding_criterion(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        moves = try_rules(event, {"criteria": ["PTS", "BH/C1", "SB", "manual"]})

        assert moves == [
            ExplainedMove("Dov", 6, 5, "Ann", "BH/C1", ("4½", "4")),
            ExplainedMove("Ann", 4, 6, "Dov", "BH/C1", ("4", "4½")),
        ]

    def test_a_preview_stores_no_change(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        before = file_of(event)
        try_rules(event, {"criteria": ["PTS", "BH/C1"]})

        assert file_of(event) == before
        assert event.criteria == ["PTS", "SB", "manual"]

    def test_newly_shared_places_are_listed(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())

        assert try_rules(event, {"criteria": ["PTS"]}) == [ExplainedMove("Dov", 6, 4, "Eef")]

    def test_after_a_change_on_record_the_trial_is_of_the_rules_in_force(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        event = order_criteria(event, ["PTS", "BH/C1", "SB"], event.version, arbiter, "So ruled.")
        back = try_rules(event, {"criteria": ["PTS", "SB", "manual"]})

        assert [(each.name, each.was, each.now) for each in back] == [("Ann", 6, 4), ("Dov", 5, 6)]
        assert try_rules(event, {"criteria": ["PTS", "BH/C1", "SB"]}) == []

    def test_a_preview_equals_the_saved_change(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        tried = try_rules(event, {"criteria": ["PTS", "BH/C1", "SB"]})
        saved = place_changes(
            event, lambda: order_criteria(event, ["PTS", "BH/C1", "SB"], event.version, arbiter, "So ruled.")
        )

        assert [(each.name, each.was, each.now) for each in tried] == [
            (each.name, each.was, each.now) for each in saved
        ]

    def test_a_fixed_number_of_queries(
        self, arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        event = stored_event(chess_swiss_file())
        with django_assert_num_queries(6):
            try_rules(event, {"criteria": ["PTS", "BH/C1"]})
