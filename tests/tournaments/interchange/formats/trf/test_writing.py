"""Reports from documents: records, restored data, and data without a record."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.demo import DEMO, EACH_DEMO_EVENT
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.trf.reports import PLAYERS, TEAMS, document_of, reading_of
from tournaments.event.document import Document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import what_trf_cannot_say, write_report


def back(document: Document) -> Document:
    """Return the document of its report, which has no findings."""
    reading = read_report(write_report(document).encode(), "elsewhere")
    assert reading.errors == ()
    assert reading.document is not None
    return reading.document


@pytest.mark.parametrize("slug", EACH_DEMO_EVENT)
def test_demo_events_are_restored_completely(slug: str) -> None:
    document = read(DEMO / f"{slug}.json").accepted
    assert document is not None
    report = write_report(document)
    assert write(back(document)) == write(document)
    assert write_report(back(document)) == report


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.changed_rules])
def test_all_keys_of_an_event_file_are_restored(sample: Any) -> None:
    document = samples.document(sample())
    assert write(back(document)) == write(document)


@pytest.mark.parametrize("report", [PLAYERS, TEAMS])
def test_second_report_equals_the_first(report: str) -> None:
    first = write_report(document_of(report))
    assert write_report(back(document_of(report))) == first


@pytest.mark.parametrize("report", [PLAYERS, TEAMS])
def test_records_are_written_as_read(report: str) -> None:
    written = write_report(document_of(report)).split("\r\n")
    own = (
        "062",
        "072",
        "082",
        "092",
        "142",
        "192",
        "310",
        "300",
        "320",
        "330",
        "102",
        "132",
        "152",
        "352",
        "XXC",
    )
    lines = [line for line in report.splitlines() if line.startswith(own)]
    lines = [line for line in lines if report == TEAMS or not line.startswith("142")]
    assert [line for line in lines if line not in written] == []


def test_columns_of_players_are_exact() -> None:
    lines = write_report(document_of(PLAYERS)).split("\r\n")
    absent = PLAYERS.replace("     2 w 1               1 b 0", "     2 w 1  0000 - Z     1 b 0")
    assert [line for line in absent.splitlines() if line.startswith("001")] == [
        line for line in lines if line.startswith("001")
    ]


def test_draughts_are_written_as_one_a_half_and_zero() -> None:
    report = write_report(samples.document(samples.players()))
    assert "\r\n162" not in report
    assert [line[80:84] for line in report.split("\r\n") if line.startswith("001")] == [
        " 2.0",
        " 0.0",
        " 0.5",
        " 1.5",
    ]


def test_other_scorings_have_a_record() -> None:
    data = samples.players()
    data["event"]["scoring"]["game"] = [3, 1, 0]
    data["rounds"] = data["rounds"][2:]
    document = samples.document(data)
    report = write_report(document)
    assert "\r\n162  W 3.0    D 1.0    L 0.0" in report
    assert "\r\nXXS WW=3.0 BW=3.0 FPB=3.0 FW=3.0 WD=1.0 BD=1.0 HPB=1.0 WL=0.0 BL=0.0 PAB=3.0" in report
    assert write(back(document)) == write(document)


def test_all_competitors_have_a_rank() -> None:
    data = samples.players()
    data["competitors"][0]["outside"] = True
    lines = write_report(samples.document(data)).split("\r\n")
    assert [line[85:89] for line in lines if line.startswith("001")] == ["   1", "   3", "   2", "   1"]


def test_manual_pairings_are_restored_from_comments() -> None:
    data = samples.players()
    data["overrides"] = [{"id": 1, "kind": "pairing", "round": 1, "table": 2, "was": "3-1", **samples.RULING}]
    document = samples.document(data)
    assert "### crosstable override {" in write_report(document)
    assert back(document).overrides == document.overrides


def test_postponed_game_is_open_in_records_and_has_a_comment() -> None:
    data = samples.players()
    pairing = data["rounds"][0]["pairings"][0]
    data["rounds"][0]["pairings"][0] = {
        **{key: pairing[key] for key in ("table", "first", "second")},
        "kind": "pending",
        "delayed": "postponed",
    }
    document = samples.document(data)
    records, *comments = write_report(document).split("### ")
    assert "postponed" not in records
    assert any('"delayed": "postponed"' in each for each in comments)
    assert write(back(document)) == write(document)


def test_data_without_a_record_is_listed() -> None:
    said = what_trf_cannot_say(samples.document(samples.players()))
    assert said == [
        "the event: slug, discipline, scoring, system, state, rules",
        "pairing round 1, table 2: advantage",
        "pairing round 2, table 3 and 1 more: kind",
    ]


def test_complete_report_needs_only_the_slug_comment() -> None:
    document = replace(document_of(f"{PLAYERS}212 PTS,BH\n"), published=None)
    assert what_trf_cannot_say(document) == ["the event: slug"]


def test_comments_on_changed_records_are_ignored() -> None:
    report = write_report(samples.document(samples.players()))
    changed = report.replace("   4 w =", "   4 w 1").replace("   3 b =", "   3 b 0")
    reading = reading_of(changed)
    assert reading.accepted is not None
    assert "outdated-comment" in {each.code for each in reading.findings}
    game = reading.accepted.rounds[0].pairings[1]
    assert (game.first_score, game.second_score, game.advantage) == (4, 0, "")


def test_records_of_the_event_have_priority() -> None:
    report = write_report(samples.document(samples.players())).replace("012 Four Players", "012 Four Friends")
    event = reading_of(report).document
    assert event is not None
    assert (event.event.name, event.event.slug, event.event.system) == (
        "Four Friends",
        "four-players",
        "fmjd-swiss",
    )


@pytest.mark.parametrize(
    "comment", ["event x {}", "pairing 1 -------- {", "nothing", "tables 1", "event -------- []"]
)
def test_invalid_comments_are_rejected_with_their_line(comment: str) -> None:
    reading = reading_of(f"{PLAYERS}### crosstable {comment}\n")
    assert [each.where.split(".")[0] for each in reading.errors][:1] == ["line 18"]


def test_long_names_are_restored() -> None:
    data = samples.players()
    data["competitors"][0]["name"] = "A" * 60
    document = samples.document(data)
    assert back(document).competitors == document.competitors
    assert json.dumps("A" * 60) in write_report(document)


def test_matches_without_games_are_filled_to_their_sum() -> None:
    data = samples.teams()
    match = data["rounds"][0]["pairings"][0]
    match.pop("games", None)
    match.pop("match_points", None)
    match["score"] = [1.5, 0.5]
    data["changes"], data["overrides"] = [], []
    document = samples.document(data)
    names = [line[14:47].strip() for line in write_report(document).split("\r\n") if line.startswith("001")]
    assert "Blues, board 2" in names
    assert write(back(document)) == write(document)


@pytest.mark.parametrize("score", [[2, 2], [3, 1], [4, 0], [0, 0], [0.5, 3.5]])
def test_forfeited_match_of_any_score_is_restored(score: list[float]) -> None:
    """Reports have only `+-`, `-+` and `--` for a match by forfeit; the score is in a comment."""
    data = samples.teams()
    data["event"]["boards"] = 4
    pairing = data["rounds"][0]["pairings"][0]
    for key in ("games", "match_points"):
        pairing.pop(key, None)
    pairing |= {"kind": "forfeit", "score": score}
    data["changes"] = data["overrides"] = []
    document = samples.document(data)
    assert write(back(document)) == write(document)


@pytest.mark.parametrize("score", [[1, 1], [2, 0], [0, 0], [1, 0]])
def test_forfeited_game_of_any_score_is_restored(score: list[float]) -> None:
    data = samples.players()
    pairing = data["rounds"][0]["pairings"][0]
    pairing.pop("advantage", None)
    pairing |= {"kind": "forfeit", "score": score}
    document = samples.document(data)
    assert write(back(document)) == write(document)
