"""A trial says what would become of results, and leaves no trace."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, file_of, typed
from tournaments.models import Change, Event, Receipt
from tournaments.models.versioned import past_of
from tournaments.recording.trials import MovedPlace, try_out
from tournaments.revision import revision_of

pytestmark = pytest.mark.django_db


def test_the_places_that_would_move(swiss: Event, arbiter: User) -> None:
    before = file_of(swiss), revision_of(swiss.pk)
    trial = try_out(swiss, [typed(at(swiss, 1, 1), "0-2")], arbiter)

    assert trial.moved == [MovedPlace("Bea", 4, 2), MovedPlace("Ann", 2, 4)]
    assert [outcome.state for outcome in trial.outcomes] == ["saved"]
    assert (file_of(swiss), revision_of(swiss.pk)) == before
    assert (Receipt.objects.count(), Change.objects.count()) == (0, 0)
    assert past_of(type(at(swiss, 1, 1))).objects.count() == 0


def test_what_is_no_result_moves_nothing(swiss: Event, arbiter: User) -> None:
    trial = try_out(swiss, [typed(at(swiss, 1, 1), "3-3")], arbiter)

    assert [outcome.state for outcome in trial.outcomes] == ["refused"]
    assert trial.moved == []
