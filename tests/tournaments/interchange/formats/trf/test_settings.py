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


def _days(dates: str, start: str, end: str) -> list[str]:
    columns = "  ".join(dates.split())
    report = lines_with(PLAYERS, at042=f"042 {start}", at052=f"052 {end}", at132=f"{'132':91}{columns}")
    event = document_of(report)
    return [event.event.start, *(each.date for each in event.rounds), event.event.end]


@pytest.mark.parametrize(
    ("dates", "start", "end", "expected"),
    [
        # Dots suggest that the day is first, but then the rounds do not ascend.
        ("10.09.13 10.10.11 10.11.11", "10.09.13", "10.11.11",
         ["2010-09-13", "2010-09-13", "2010-10-11", "2010-11-11", "2010-11-11"]),
        # Month, day, year ascends too, but in another year than that of the event.
        ("11.25.02 11.26.02 11.27.02", "25.02.2011", "27.02.2011",
         ["2011-02-25", "2011-02-25", "2011-02-26", "2011-02-27", "2011-02-27"]),
        ("01.02.11 02.02.11 03.02.11", "01.02.2011", "03.02.2011",
         ["2011-02-01", "2011-02-01", "2011-02-02", "2011-02-03", "2011-02-03"]),
        ("25/02/11 26/02/11 27/02/11", "2011/02/25", "2011/02/27",
         ["2011-02-25", "2011-02-25", "2011-02-26", "2011-02-27", "2011-02-27"]),
        ("11/02/25 11/02/26 11/02/27", "2011/02/25", "2011/02/27",
         ["2011-02-25", "2011-02-25", "2011-02-26", "2011-02-27", "2011-02-27"]),
    ],
)  # fmt: skip
def test_two_digit_years_are_read_so_that_rounds_lie_within_the_event(
    dates: str, start: str, end: str, expected: list[str]
) -> None:
    assert _days(dates, start, end) == expected
