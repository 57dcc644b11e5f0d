"""Records `299`: points that differ from the scoring, bonus and penalty points."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, TEAMS, document_of, found, reading_of
from tournaments.event.document import Document, PointsAdjustment
from tournaments.interchange.formats.trf.writing import write_report


def adjustments(document: Document) -> dict[int, tuple[PointsAdjustment, ...]]:
    return {each.number: each.adjustments for each in document.competitors if each.adjustments}


def lines_299(document: Document) -> list[str]:
    return [line for line in write_report(document).split("\r\n") if line.startswith("299")]


@pytest.mark.parametrize(
    ("report", "record", "expected"),
    [
        (PLAYERS, "299          -0.5    2    2", {2: (2, -1, 0, False)}),
        (PLAYERS, "299           1.0         1    3", {1: (0, 2, 0, False), 3: (0, 2, 0, False)}),
        (PLAYERS, "299          -2.0  999    4", {4: (0, -4, 0, True)}),
        (TEAMS, "299    -1.0  -0.5    2    3", {3: (2, -1, -2, False)}),
        (TEAMS, "299     3.0          1    2", {2: (1, 0, 6, False)}),
    ],
)
def test_bonus_and_penalty_points_are_of_competitors(
    report: str, record: str, expected: dict[int, tuple[int, int, int, bool]]
) -> None:
    document = document_of(f"{report}{record}\n")
    assert adjustments(document) == {
        number: (PointsAdjustment(round=round_, game=game, match=match, final=final, reason=""),)
        for number, (round_, game, match, final) in expected.items()
    }
    assert not any(line.startswith("299") for line in document.event.trf)
    assert adjustments(document_of(write_report(document))) == adjustments(document)
    assert write_report(document_of(write_report(document))) == write_report(document)


def test_printed_points_may_include_the_bonus() -> None:
    record = "299           1.0    1    2\n"
    assert found(PLAYERS + record) == []
    assert found(PLAYERS.replace(" 1.0    2 ", " 2.0    2 ") + record) == []
    assert found(PLAYERS.replace(" 1.0    2 ", " 3.0    2 ") + record) == [("line 15", "points-differ")]
    written = write_report(document_of(PLAYERS + record))
    assert " 2.0    2 " in written


def test_reason_is_in_a_comment() -> None:
    document = document_of(f"{PLAYERS}299          -0.5    2    2\n")
    bay = replace(
        document.competitors[1], adjustments=({**document.competitors[1].adjustments[0], "reason": "Late."},)
    )
    told = replace(document, competitors=(document.competitors[0], bay, *document.competitors[2:]))
    assert document_of(write_report(told)).competitors == told.competitors


def test_match_points_of_a_match() -> None:
    document = document_of(TEAMS + "299 D   1.0   1.5    1    1\n")
    match = document.rounds[0].pairings[0]
    assert (match.first_match_points, match.second_match_points) == (2, 0)
    assert lines_299(document) == ["299 D   1.0   1.5    1    1"]


def test_match_points_of_all_forfeits() -> None:
    """Greens are absent in the second round: the record gives them a match point, and is preserved."""
    report = TEAMS + "299 -   1.0\n"
    forfeit = document_of(report).rounds[1].pairings[0]
    assert (forfeit.numbers, forfeit.first_match_points, forfeit.second_match_points) == ((3, 1), 2, 4)
    assert lines_299(document_of(report)) == ["299 -   1.0"]
    assert "“299" not in " ".join(str(each) for each in reading_of(report).account)


@pytest.mark.parametrize("record", ["299 -   1.0               2", "299 -   1.0          1"])
def test_match_points_of_other_forfeits_change_nothing(record: str) -> None:
    assert document_of(f"{TEAMS}{record}\n").rounds == document_of(TEAMS).rounds


def test_game_points_by_the_arbiter() -> None:
    """A win remains a win to other programs, and the loser has half a point."""
    report = PLAYERS.replace(" 1.0    4 ", " 1.5    4 ") + "299 L         0.5    3    4\n"
    document = document_of(report)
    game = document.rounds[2].pairings[0]
    assert (game.numbers, game.first_score, game.second_score) == ((1, 4), 2, 1)
    assert "   1 b 0" in write_report(document).split("Dot, Dov")[1]
    assert document_of(write_report(document)) == document


@pytest.mark.parametrize(
    "record",
    [
        "299 Q         1.0    1    1", "299 W         9.0    1    1", "299           0.0    1    1",
        "299           1.0    1    9", "299           1.0    1", "299           1.0    x    1",
        "299 W         1.0    2    4", "299           1.0   12    1",
    ],
)  # fmt: skip
def test_impossible_points_are_reported(record: str) -> None:
    document = document_of(f"{PLAYERS}{record}\n")
    assert ("line 18", "points-not-counted") in found(f"{PLAYERS}{record}\n")
    assert record in document.event.trf
    assert adjustments(document) == {}
    assert document.rounds == document_of(PLAYERS).rounds


def test_game_points_are_those_of_the_boards() -> None:
    report = TEAMS.replace("4.0    3.5", "3.0    3.5") + "299 D   1.0   2.0    1    1\n"
    document = document_of(report)
    match = document.rounds[0].pairings[0]
    assert (match.first_score, match.first_match_points) == (3, 2)
    assert [code for _, code in found(report)] == ["points-not-counted"]


def test_match_with_all_boards_forfeited_is_forfeited() -> None:
    without = "".join(f"{line}\n" for line in TEAMS.splitlines() if not line.startswith("330"))
    together = without.replace("     5 b +", "     5 w +").replace("     1 w -", "     1 b -")
    match = next(each for each in document_of(together).rounds[1].pairings if each.second)
    assert (match.kind, len(match.games)) == ("forfeit", 2)
