"""Manual tie-breaks for competitors who are tied on all other criteria."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import file_of
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event, ManualTiebreak, Round
from tournaments.models.versioned import past_of
from tournaments.recording.corrections import places_by_number
from tournaments.recording.events.tiebreaks import Tiebreak, enter_tiebreaks, level_competitors
from tournaments.recording.refusal import Conflict, Refused


@pytest.fixture
def level(swiss: Event) -> Event:
    """After a round with two draws all four are tied."""
    Round.objects.filter(number=2).delete()
    Round.objects.get().pairings.update(first_score=2, second_score=2)
    return swiss


def test_tied_competitors_stay_listed_after_a_manual_tiebreak(level: Event, arbiter: User) -> None:
    assert level_competitors(level) == [[1, 2, 3, 4]]
    assert enter_tiebreaks(level, [Tiebreak(2, 2, 0), Tiebreak(4, 1, 0)], arbiter) == [2, 4]
    assert places_by_number(level) == {2: 1, 4: 2, 1: 3, 3: 3}
    assert level_competitors(level) == [[1, 2, 3, 4]]  # the other criteria still leave them tied
    assert set(ManualTiebreak.objects.values_list("after", flat=True)) == {1}
    assert read(file_of(level)).errors == ()


def test_competitors_separated_by_a_criterion_are_not_tied(swiss: Event) -> None:
    assert all(len(numbers) > 1 for numbers in level_competitors(swiss))
    assert not any(1 in numbers for numbers in level_competitors(swiss))


def test_a_second_simultaneous_number_is_a_conflict(level: Event, arbiter: User, other: User) -> None:
    enter_tiebreaks(level, [Tiebreak(2, 2, 0)], other)
    with pytest.raises(Conflict) as conflict:
        enter_tiebreaks(level, [Tiebreak(1, 5, 0), Tiebreak(2, 1, 0)], arbiter)
    assert (conflict.value.by, conflict.value.version) == ("ben", 1)
    assert ManualTiebreak.objects.count() == 1


def test_a_removed_and_added_number_has_a_new_version(level: Event, arbiter: User) -> None:
    enter_tiebreaks(level, [Tiebreak(2, 2, 0)], arbiter)
    assert enter_tiebreaks(level, [Tiebreak(2, 2, 1)], arbiter) == []
    enter_tiebreaks(level, [Tiebreak(2, None, 1)], arbiter)
    with pytest.raises(Conflict):
        enter_tiebreaks(level, [Tiebreak(2, 7, 1)], arbiter)
    enter_tiebreaks(level, [Tiebreak(2, 3, 0)], arbiter)
    assert ManualTiebreak.objects.get().version == 2
    with pytest.raises(Conflict):
        enter_tiebreaks(level, [Tiebreak(2, 4, 1)], arbiter)
    past = past_of(ManualTiebreak).objects.order_by("history_id")
    assert list(past.values_list("history_type", "history_user")) == [(each, arbiter.pk) for each in "+-+"]


@pytest.mark.parametrize("wrong", [Tiebreak(9, 1, 0), Tiebreak(1, 40_000, 0)])
def test_invalid_numbers_are_refused(level: Event, arbiter: User, wrong: Tiebreak) -> None:
    with pytest.raises(Refused):
        enter_tiebreaks(level, [wrong], arbiter)
