"""Events: created with defaults, cloned, published step by step."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.cast import create_team_event
from tests.tournaments.recording.desk import at, file_of, typed
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event, FormerSlug, Round
from tournaments.models.versioned import past_of
from tournaments.recording.events.creation import clone_event, create_event
from tournaments.recording.events.publication import MEANING, needs_reason_for, publish
from tournaments.recording.events.rulings import findings_of
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter

DISCIPLINES = ("chess", "draughts-100", "draughts-64", "frisian", "something-new")


@pytest.mark.parametrize("discipline", DISCIPLINES)
@pytest.mark.parametrize("entrants", Event.Entrants.values)
@pytest.mark.parametrize("schedule", Event.Schedule.values)
def test_every_sort_has_defaults_that_fit(
    arbiter: User, discipline: str, entrants: str, schedule: str
) -> None:
    event = create_event("new", "New", discipline, entrants, schedule, arbiter)
    assert (event.state, event.game_win) == ("draft", 2 if discipline == "chess" else 4)
    assert findings_of(event) == ()
    assert list(event.arbiters.all()) == [arbiter]
    assert past_of(Event).objects.filter(history_type="+").get().history_user == arbiter
    assert read(file_of(event)).errors == ()


@pytest.mark.parametrize(
    ("entrants", "schedule", "system"),
    [
        ("players", "swiss", "fide-swiss"),
        ("players", "round-robin", "fide-round-robin"),
        ("teams", "swiss", "fide-team-swiss"),
        ("teams", "double-round-robin", "fide-team-round-robin"),
    ],
)
def test_chess_is_ranked_by_fide_s_system_of_its_kind(
    arbiter: User, entrants: str, schedule: str, system: str
) -> None:
    event = create_event("new", "New", "chess", entrants, schedule, arbiter, start="2025-12-01")

    assert (event.system, event.criteria, event.unplayed) == (system, [], "fide-2024")


@pytest.mark.parametrize(
    ("start", "edition"), [("2022", "fide-2009"), ("2026-03-01", "fide-2026"), (None, "fide-2026")]
)
def test_the_edition_is_that_of_the_first_day(arbiter: User, start: str | None, edition: str) -> None:
    event = create_event("new", "New", "chess", "players", "swiss", arbiter, start=start)

    assert event.unplayed == edition
    assert create_event("other", "Other", "frisian", "players", "swiss", arbiter).unplayed == ""


@pytest.mark.parametrize(
    "wanted",
    [{"boards": 4}, {"system": "luck"}, {"criteria": ["luck"]}, {"slug": "a b"}, {"start": "soon"}],
)
def test_settings_that_do_not_fit(arbiter: User, wanted: dict[str, Any]) -> None:
    facts = {"slug": "new", "name": "New", "discipline": "chess", "entrants": "players", "schedule": "swiss"}
    with pytest.raises(Refused):
        create_event(**{**facts, **wanted}, by=arbiter)
    assert not Event.objects.exists()


def test_slugs_are_unique_among_events_and_former_slugs(swiss: Event, arbiter: User) -> None:
    FormerSlug.objects.create(event=swiss, slug="earlier")
    for slug in ("four-players", "earlier"):
        with pytest.raises(Refused):
            create_event(slug, "New", "chess", "players", "swiss", arbiter)
        with pytest.raises(Refused):
            clone_event(swiss, slug, "Again", arbiter)


def test_a_clone_has_the_structure_and_no_rounds(arbiter: User) -> None:
    event = create_team_event()
    copy = clone_event(event, "next-year", "Cup of Teams, again", arbiter)
    assert (copy.state, copy.series, copy.boards, copy.system) == ("draft", event.series, 2, event.system)
    assert list(copy.competitors.values_list("number", "name")) == [(1, "Reds"), (2, "Blues"), (3, "Greens")]
    assert copy.competitors.get(number=1).players.count() == 2
    assert not copy.rounds.exists()


def test_a_clone_has_no_line_of_the_report_that_its_pattern_came_from(arbiter: User) -> None:
    event = create_team_event()
    values = {
        "sources": ["Report of the arbiter"],
        "notes": "Rained.",
        "trf": ["### made by hand", "XXZ 1 2"],
    }
    Event.objects.filter(pk=event.pk).update(**values)
    copy = clone_event(Event.objects.get(pk=event.pk), "next-year", "Cup, again", arbiter)
    assert (copy.sources, copy.notes, copy.trf) == ([], "", [])


class TestPublication:
    def test_forward_and_back(self, swiss: Event, arbiter: User) -> None:
        enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
        Round.objects.update(state="closed")
        for state in ("final", "archived"):
            assert publish(swiss, state, arbiter).state == state
        with pytest.raises(Refused, match="reason"):
            publish(swiss, "live", arbiter)
        publish(swiss, "live", arbiter, "One round more.")
        past = past_of(Event).objects.filter(id=swiss.pk).first()
        assert (past.state, past.history_change_reason, past.history_user) == (
            "live", "One round more.", arbiter,
        )  # fmt: skip

    def test_it_is_not_over_while_a_result_is_missing(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="Round 2, table 1"):
            publish(swiss, "final", arbiter)
        enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
        with pytest.raises(Refused, match="Round 2 is open"):
            publish(swiss, "final", arbiter)

    def test_removal_needs_a_reason(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="reason"):
            publish(swiss, "removed", arbiter)
        assert publish(swiss, "removed", arbiter, "Two names were wrong.").state == "removed"

    def test_an_event_without_competitors_cannot_be_published(self, arbiter: User) -> None:
        event = create_event("new", "New", "chess", "players", "swiss", arbiter)
        with pytest.raises(Refused, match="no competitors yet"):
            publish(event, "live", arbiter)

    def test_the_state_it_has(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="already"):
            publish(swiss, "live", arbiter)

    def test_every_state_has_a_description(self) -> None:
        assert set(MEANING) == set(Event.State)
        assert needs_reason_for(Event(state="draft"), "removed")
        assert not needs_reason_for(Event(state="draft"), "final")
