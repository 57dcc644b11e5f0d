"""Our reports in FIDE's engine: without warnings, and with the same Buchholz if the rules are equal."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json
from py4swiss.trf import TrfParser

from standings.engine import SYSTEMS, RoundKind, rank
from tests.tournaments.interchange.formats.trf.reports import PLAYERS
from tests.tournaments.interchange.formats.trf.reports import document_of as document_of_report
from tournaments.event.document import Document
from tournaments.event.judging import crosstable_of_document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.trf.writing import write_report

DEMO = Path(__file__).parents[5] / "tournaments" / "demo"
LATEST = -1


@cache
def read_by_gacrux(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the status and the tournament of the engine for our report."""
    report = trf2json()
    report.parse_file(report_of(name), False)
    return report.chessjson["status"], report.get_tournament(1)


@cache
def report_of(name: str) -> str:
    return write_report(document_of(name))


@cache
def document_of(name: str) -> Document:
    document = read(DEMO / f"{name}.json").accepted
    assert document is not None
    return document


@pytest.mark.parametrize(
    ("name", "games", "matches"),
    [
        pytest.param("olympiad-2018-open", 4036, 1009 + 17, marks=pytest.mark.exhaustive),
        ("2022-ouagadougou-open", 306, 0),
        pytest.param("olympiad-2022-open", 4070, 1021 + 18, marks=pytest.mark.exhaustive),
    ],
)
def test_gacrux_reads_reports_without_warnings(name: str, games: int, matches: int) -> None:
    """The engine counts rounds without a match of a team as matches."""
    status, tournament = read_by_gacrux(name)
    assert (status["code"], status["error"]) == (0, [])
    assert (len(tournament["gameList"]), len(tournament["matchList"])) == (games, matches)


@pytest.mark.exhaustive
def test_gacrux_warns_of_matches_with_few_boards() -> None:
    """2-1 on three boards is not a win in a match on four here. The record 299 has this, and is warned of."""
    status, _ = read_by_gacrux("olympiad-2022-open")
    assert [
        line[19:].split() for line in report_of("olympiad-2022-open").split("\r\n") if line.startswith("299")
    ] == [
        ["8", "72"],
        ["9", "42"],
        ["11", "152"],
    ]
    assert all(f"team {team} declares" in status["info"] for team in (42, 72, 152))
    assert status["info"].count(" declares ") == 3


@pytest.mark.parametrize(
    ("name", "tags", "criteria", "unit", "least"),
    [
        ("2022-ouagadougou-open", ("PTS", "BH", "BH/C1", "BH/M1", "SB"),
         ("total-score", "buchholz", "solkoff-truncated-short", "buchholz-median", "sonneborn-berger"),
         (2, 2, 2, 2, 4), 40),
        pytest.param(
            "olympiad-2018-open", ("MPTS", "GPTS", "BH:MP"),
            ("match-points", "game-points", "buchholz@match"), (1, 1, 1), 90, marks=pytest.mark.exhaustive,
        ),
        ("olympiad-2022-open", ("MPTS", "GPTS", "BH:MP"), ("match-points", "game-points", "buchholz@match"),
         (1, 1, 1), 90),
    ],
)  # fmt: skip
def test_gacrux_calculates_the_same_values(
    name: str, tags: tuple[str, ...], criteria: tuple[str, ...], unit: tuple[int, ...], least: int
) -> None:
    """Only competitors without unplayed rounds, own or of opponents, for which the rules differ."""
    document = document_of(name)
    theirs = values_of_gacrux(name, tags)
    ours = values_of_ours(document, criteria, unit)
    alike = never_missed(document)
    assert len(alike) >= least
    assert {number: ours[number] for number in alike} == {number: theirs[number] for number in alike}


def values_of_gacrux(name: str, tags: tuple[str, ...]) -> dict[int, list[Fraction]]:
    _, tournament = read_by_gacrux(name)
    for match in tournament["matchList"]:
        match["games"] = [
            game for game in match["games"] if game
        ]  # the engine has no boards that both sides left empty
    params = {"tiebreak": list(tags), "check": False, "swiss": True}
    found = tiebreak(tournament, LATEST, params).compute_tiebreaks(tournament, params)
    return {
        each["cid"]: [Fraction(value) for value in each["tiebreakScore"]] for each in found["competitors"]
    }


def values_of_ours(
    document: Document, criteria: tuple[str, ...], unit: tuple[int, ...]
) -> dict[int, list[Fraction]]:
    """Return values by number. `unit`: how many of our points are a point of the report."""
    table = crosstable_of_document(document)
    standings = rank(table, SYSTEMS[document.event.system])
    columns = [standings.column(code) for code in criteria]
    return {
        number: [column.levels(row)[0] / each for column, each in zip(columns, unit, strict=True)]
        for row, number in enumerate(table.numbers.tolist())
    }


def never_missed(document: Document) -> list[int]:
    table = crosstable_of_document(document)
    missed = (table.kind != int(RoundKind.PLAYED)).any(axis=1)
    met = [row for row in range(len(missed)) if not missed[row] and not missed[table.opponent[row]].any()]
    return [int(table.numbers[row]) for row in met]


def test_officials_and_time_control_are_read_by_both(tmp_path: Path) -> None:
    """For a live event, because py4swiss reads the dates of rounds from other columns."""
    records = "112 FA Bea Deputy (200017)\n122 90 minutes + 30 s\n222 5400+30\n"
    document = document_of_report(PLAYERS + records)
    written = write_report(replace(document, event=replace(document.event, state="live")))
    report = trf2json()
    report.parse_file(written, False)
    event = report.chessjson["event"]
    path = tmp_path / "open.trf"
    path.write_bytes(written.encode())
    trf = TrfParser.parse(path)

    assert report.chessjson["status"] == {"code": 0, "error": []}
    named = {each["id"]: f"{each['firstName']} {each['lastName']}" for each in event["profiles"]}
    arbiters = event["eventInfo"]["arbiters"]
    assert "Arbiter" in named[arbiters["chiefArbiter"]]
    assert ["Deputy" in named[each] for each in arbiters["arbiters"]] == [True]
    points = {each.starting_number: each.points_times_ten for each in trf.player_sections}
    assert points == {1: 25, 2: 10, 3: 10, 4: 10}
