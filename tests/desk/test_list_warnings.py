"""Warnings about lists of criteria, from C.07. They do not prevent saving."""

from typing import Any

import pytest

from tests.cast import chess_swiss_file, match_file, stored_event
from tournaments.admin.rulings.ranking import warnings_of_list
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def event(**settings: Any) -> Event:
    """Return an event of six players with other settings, which are not stored."""
    event = stored_event(chess_swiss_file())
    event.competitors.update(rating=2000)
    for name, value in settings.items():
        setattr(event, name, value)
    return event


def warned(event: Event, *codes: str) -> list[tuple[str, str]]:
    """Return abbreviation (blank for the entire list) and text of each warning."""
    return [(each.abbr, each.text) for each in warnings_of_list(event, codes)]


def test_list_with_own_and_fide_criteria_has_no_warning() -> None:
    assert warned(event(), "PTS", "BH/C1", "solkoff-plus", "SB", "buchholz@game", "DE", "manual") == []


@pytest.mark.parametrize(("code", "article"), [("BH/C1", "8.1"), ("FB", "8.3"), ("AOB", "8.2")])
def test_buchholz_in_round_robin_gives_warning(code: str, article: str) -> None:
    (warning,) = warned(event(schedule="round-robin"), "PTS", code)

    assert warning[0] == code.replace("/", "-")
    assert f"Made for Swiss tournaments ({article})" in warning[1]


def test_team_criterion_in_individual_event_gives_warning() -> None:
    (warning,) = warned(event(), "PTS", "TBR")

    assert "For team events only (12.2)" in warning[1]


@pytest.mark.parametrize("before", ["GPTS", "PTS:GP", "game-points"])
def test_board_count_after_game_points_has_no_warning(before: str) -> None:
    teams = stored_event(match_file())

    assert warned(teams, "MPTS", before, "BC") == []


def test_board_count_before_game_points_gives_warning() -> None:
    teams = stored_event(match_file())

    assert warned(teams, "MPTS", "BC", "GPTS") == [
        ("BC", "Fair only between teams level in Game points (12.1): put GPTS before it.")
    ]


def test_missing_ratings_give_warning() -> None:
    six = event()
    six.competitors.filter(number__lte=2).update(rating=None)
    (warning,) = warned(six, "PTS", "ARO", "rating-a")

    assert warning[0] == "ARO"
    assert warning[1].startswith("2 competitors have no rating. This criterion does not count unless")
    six.unrated = "1400"
    assert warned(six, "PTS", "ARO") == []


@pytest.mark.parametrize("code", ["STD", "TPN", "RTNG/R", "EDEBT"])
def test_criterion_newer_than_edition_gives_warning(code: str) -> None:
    six = event(unplayed="fide-2024", start="2025-05-01")
    texts = [text for _, text in warned(six, "PTS", code)]

    assert "New in 2026: FIDE's rules of 2024 do not have it." in texts


def test_other_edition_than_at_start_gives_warning() -> None:
    (warning,) = warned(event(unplayed="fide-2024"), "PTS")

    assert warning[0] == ""
    assert "starts on 2026-05-01, under FIDE's rules of 2026, but uses FIDE's rules of 2024" in warning[1]
    assert warned(event(unplayed="fmjd"), "PTS") == []
