"""Changing the ranking system, and previews of place changes."""

import pytest
from django.contrib.auth.models import User

from tests.cast import chess_swiss_file, stored_event
from tests.tournaments.recording.desk import file_of
from tournaments.models import Event, Override
from tournaments.recording.events.rules import criteria_override
from tournaments.recording.events.systems import choose_system, edition_in_force, fide_system, order_criteria
from tournaments.recording.overrides import override_place, undo_override
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.preview import MovedPlace, place_changes


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
def test_an_unknown_or_current_system_is_refused(swiss: Event, arbiter: User, code: str, why: str) -> None:
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


def test_a_preview_lists_moved_places_and_stores_no_change(swiss: Event, arbiter: User) -> None:
    before = file_of(swiss)
    moved = place_changes(swiss, lambda: override_place(swiss, 3, 1, arbiter, "By the jury."))

    assert moved == [MovedPlace("Cas", 3, 1), MovedPlace("Dov", 1, 2), MovedPlace("Ann", 2, 3)]
    assert file_of(swiss) == before
    assert not Override.objects.exists()


def test_a_preview_raises_the_same_errors(swiss: Event, arbiter: User) -> None:
    with pytest.raises(Refused):
        place_changes(swiss, lambda: override_place(swiss, 3, 9, arbiter, "By the jury."))


class TestFidesSystems:
    @pytest.mark.parametrize(
        ("entrants", "schedule", "code"),
        [
            ("players", "swiss", "fide-swiss"),
            ("players", "double-round-robin", "fide-round-robin"),
            ("teams", "swiss", "fide-team-swiss"),
            ("teams", "round-robin", "fide-team-round-robin"),
        ],
    )
    def test_chess_has_a_system_of_its_kind(self, entrants: str, schedule: str, code: str) -> None:
        proposed = fide_system(Event(discipline="chess", entrants=entrants, schedule=schedule))

        assert proposed is not None
        assert proposed.code == code
        assert fide_system(Event(discipline="frisian", entrants=entrants, schedule=schedule)) is None

    @pytest.mark.parametrize(
        ("start", "edition"),
        [
            ("2023-07-31", "fide-2009"),
            ("2023-08-01", "fide-2024"),
            ("2026-02-28", "fide-2024"),
            ("2026-03-01", "fide-2026"),
            ("", "fide-2026"),
        ],
    )
    def test_it_comes_in_the_edition_of_the_start(self, arbiter: User, start: str, edition: str) -> None:
        data = chess_swiss_file()
        data["event"] |= {"system": "manual-swiss", "criteria": [], "rules": {}}
        event = stored_event(data)
        Event.objects.filter(pk=event.pk).update(start=start)
        chosen = choose_system(event, "fide-swiss", event.version, arbiter, "So ruled.")

        assert (chosen.system, edition_in_force(chosen)) == ("fide-swiss", edition)
        ruling = Override.objects.get()
        assert (ruling.kind, ruling.rules_to) == (
            "rules",
            {"system": "fide-swiss", "unplayed": edition},
        )

    def test_another_edition_is_the_arbiter_s_to_choose(self, arbiter: User) -> None:
        data = chess_swiss_file()
        data["event"] |= {"system": "manual-swiss", "criteria": [], "rules": {}}
        event = stored_event(data)
        with pytest.raises(Refused, match="no edition"):
            choose_system(event, "fide-swiss", event.version, arbiter, "So ruled.", edition="fide-1999")
        chosen = choose_system(event, "fide-swiss", event.version, arbiter, "So ruled.", edition="fide-2009")

        assert chosen.unplayed == "fide-2009"

    def test_the_same_system_in_another_edition_keeps_the_list(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        chosen = choose_system(event, "fide-swiss", event.version, arbiter, "So ruled.", edition="fide-2024")

        assert (chosen.unplayed, chosen.criteria) == ("fide-2024", ["PTS", "SB", "manual"])
        assert Override.objects.get().rules_to == {"unplayed": "fide-2024"}
        with pytest.raises(Refused, match="the rules that the event has"):
            choose_system(chosen, "fide-swiss", chosen.version, arbiter, "So ruled.", edition="fide-2024")

    def test_leaving_them_takes_the_edition_along(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        chosen = choose_system(event, "manual-swiss", event.version, arbiter, "So ruled.")

        assert (chosen.unplayed, edition_in_force(chosen)) == ("", "")

    def test_codes_are_stored_as_the_report_has_them(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        ordered = order_criteria(event, ["pts", "BH-C1", "solkoff"], event.version, arbiter, "So ruled.")

        assert ordered.criteria == ["PTS", "BH/C1", "solkoff"]

    @pytest.mark.parametrize(
        ("code", "why"),
        [("BH/K2", "BH does not take /K. BH takes"), ("DE/C1", "DE takes"), ("XX", "There are: ")],
    )
    def test_an_invalid_modifier_is_refused_with_the_valid_ones(
        self, arbiter: User, code: str, why: str
    ) -> None:
        event = stored_event(chess_swiss_file())
        with pytest.raises(Refused, match=why):
            order_criteria(event, ["PTS", code], event.version, arbiter, "So ruled.")

    def test_a_criterion_in_two_spellings_is_a_duplicate(self, arbiter: User) -> None:
        event = stored_event(chess_swiss_file())
        with pytest.raises(Refused, match="twice"):
            order_criteria(event, ["BH/C1", "BH-C1"], event.version, arbiter, "So ruled.")
