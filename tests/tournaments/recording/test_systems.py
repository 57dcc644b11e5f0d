"""Another ranking system, and what an act would move before anybody does it."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import file_of
from tournaments.models import Event, Override
from tournaments.recording.overrides import override_place, undo_override
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.rules import criteria_override
from tournaments.recording.systems import choose_system, order_criteria
from tournaments.recording.trials import MovedPlace, moved_by


def test_a_new_system_starts_with_its_own_list(swiss: Event, arbiter: User) -> None:
    opened = choose_system(swiss, "manual-swiss", swiss.version, arbiter, "So ruled.")
    ordered = order_criteria(opened, ["wins"], opened.version, arbiter, "So ruled.")
    closed = choose_system(ordered, "fmjd-swiss-median", ordered.version, arbiter, "So ruled.")

    assert (opened.system, opened.criteria) == ("manual-swiss", [])
    assert (closed.system, closed.criteria, closed.version) == ("fmjd-swiss-median", [], swiss.version + 3)


def test_a_stale_choice_is_a_conflict(swiss: Event, arbiter: User) -> None:
    choose_system(swiss, "manual-swiss", swiss.version, arbiter, "So ruled.")
    with pytest.raises(Conflict):
        choose_system(swiss, "league", swiss.version, arbiter, "So ruled.")


@pytest.mark.parametrize(("code", "why"), [("luck", "no ranking system"), ("fmjd-swiss", "the event has")])
def test_what_is_no_other_system_is_refused(swiss: Event, arbiter: User, code: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        choose_system(swiss, code, swiss.version, arbiter)


def test_a_list_by_an_older_record_is_undone_first(swiss: Event, arbiter: User) -> None:
    ruling = {"event": swiss, "kind": "criteria", "reason": "By the book.", "by": "Anna Maas", "after": 2}
    first = Override.objects.create(number=1, criteria=["wins"], **ruling)
    second = Override.objects.create(number=2, criteria=["wins", "manual"], **ruling)
    assert criteria_override(swiss) == second
    with pytest.raises(Refused, match="Override 2"):
        choose_system(swiss, "manual-swiss", swiss.version, arbiter, "So ruled.")
    undo_override(second, arbiter, "Wrong.")
    assert criteria_override(swiss) == first
    undo_override(first, arbiter, "Wrong.")
    assert criteria_override(swiss) is None
    chosen = choose_system(swiss, "manual-swiss", swiss.version, arbiter, "So ruled.")
    assert chosen.system == "manual-swiss"


def test_what_it_would_move_is_told_and_nothing_is_stored(swiss: Event, arbiter: User) -> None:
    before = file_of(swiss)
    moved = moved_by(swiss, lambda: override_place(swiss, 3, 1, arbiter, "By the jury."))

    assert moved == [MovedPlace("Cas", 3, 1), MovedPlace("Dov", 1, 2), MovedPlace("Ann", 2, 3)]
    assert file_of(swiss) == before
    assert not Override.objects.exists()


def test_what_would_be_refused_is_refused(swiss: Event, arbiter: User) -> None:
    with pytest.raises(Refused):
        moved_by(swiss, lambda: override_place(swiss, 3, 9, arbiter, "By the jury."))
