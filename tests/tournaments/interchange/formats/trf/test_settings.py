"""The records of the tournament, as settings of the event."""

import pytest

from tests.tournaments.interchange.formats.trf.reports import (
    PLAYERS,
    document_of,
    found,
    lines_with,
    reading_of,
)
from tournaments.event.values import LARGEST
from tournaments.interchange.formats.trf.writing import write_report


def test_dash_is_no_place() -> None:
    assert document_of(lines_with(PLAYERS, at022="022 -")).event.place == ""


@pytest.mark.parametrize("points", ["FPB=1.0", "HPB=0.5", "ZPB=0.0", "FW=1.0", "FL=0.0"])
def test_usual_points_of_byes_and_forfeits_are_read(points: str) -> None:
    report = PLAYERS + f"XXS WW=1.0 WD=0.5 WL=0.0 {points}\n"

    assert found(report) == []
    assert "XXS" not in write_report(document_of(report))


@pytest.mark.parametrize("points", ["FPB=0.5", "HPB=0.0", "ZPB=0.5", "FW=0.5", "FL=0.5"])
def test_other_points_of_byes_and_forfeits_are_reported_and_preserved(points: str) -> None:
    report = PLAYERS + f"XXS WW=1.0 WD=0.5 WL=0.0 {points}\n"

    assert [code for _, code in found(report)] == ["points-not-counted"]
    assert points in write_report(document_of(report))


def test_colour_may_be_a_capital() -> None:
    assert document_of(PLAYERS.replace(" w ", " W ").replace(" b ", " B ")) == document_of(PLAYERS)


@pytest.mark.parametrize(
    "kind", ["Individual: Round-Robin", "individual round robin", "ROUNDROBIN", "Berger"]
)
def test_round_robin_in_any_notation(kind: str) -> None:
    read = reading_of(lines_with(PLAYERS, at092=f"092 {kind}")).document

    assert read is not None
    assert read.event.schedule == "round-robin"


def test_report_without_dates() -> None:
    event = document_of(lines_with(PLAYERS, at042="", at052="", at132="")).event

    assert (event.start, event.end) == ("", "")


def test_order_of_dates_follows_from_a_date_that_has_only_one() -> None:
    event = document_of(lines_with(PLAYERS, at042="042 05/14/2026", at052="052 06/05/2026", at132="")).event

    assert (event.start, event.end) == ("2026-05-14", "2026-06-05")


@pytest.mark.parametrize(("points", "stored"), [("1.0", None), ("0.5", 1)])
def test_bye_worth_a_win_is_the_default(points: str, stored: int | None) -> None:
    reading = reading_of(PLAYERS + f"162  W 1.0    D 0.5    L 0.0    P {points}\n")

    assert reading.document is not None
    assert reading.document.event.bye_game == stored


def test_win_may_be_worth_the_largest_score() -> None:
    reading = reading_of(PLAYERS + f"162  W {LARGEST / 2}   D 0.5    L 0.0\n")

    assert reading.document is not None
    assert reading.document.event.game_win == LARGEST


def test_draw_worth_more_than_a_win_is_reported() -> None:
    assert "scoring-order" in [code for _, code in found(PLAYERS + "162  W 0.5   D 1.0   L 0.0\n")]
