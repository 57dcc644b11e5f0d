"""Records `202` and `212`, and the rules proposed for a report without rules."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats.trf.reports import (
    PLAYERS,
    TEAMS,
    document_of,
    found,
    lines_with,
    reading_of,
    said,
)
from tournaments.event.document import Document
from tournaments.event.judging import judge_document
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report


def with_records(*records: str, report: str = PLAYERS) -> Document:
    return document_of(report + "".join(f"{each}\n" for each in records))


def written(document: Document) -> list[str]:
    lines = write_report(document).split("\r\n")
    return [line for line in lines if line[:3] in {"202", "212"}]


def changed(document: Document, **event: object) -> Document:
    return replace(document, event=replace(document.event, **event))  # type: ignore[arg-type]  # fields by name


# --- reading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "criteria"),
    [
        ("202 BH/C1,BH,SB", ("PTS", "BH/C1", "BH", "SB")),
        ("202 BH-C1 bh;SB", ("PTS", "BH/C1", "BH", "SB")),
        ("202 PTS,BH/P/C2,KS/L-1", ("PTS", "BH/C2/P", "KS/L-1")),
        ("212 PTS,DE/P,ARO", ("PTS", "DE/P", "ARO")),
        ("212 RTNG,PTS,BH", ("RTNG", "PTS", "BH")),
        ("212 BH,SB", ("PTS", "BH", "SB")),
        ("202 BH,BH,SB", ("PTS", "BH", "SB")),
    ],
)
def test_criteria_are_those_of_the_record(record: str, criteria: tuple[str, ...]) -> None:
    document = with_records(record)
    assert document.event.criteria == criteria
    assert not any(line[:3] in {"202", "212"} for line in document.event.trf)


def test_used_codes_are_counted() -> None:
    account = [str(each) for each in reading_of(f"{PLAYERS}202 BH/C1,BH\n").account]
    assert "tie-break codes: 2 read" in account


@pytest.mark.parametrize(
    ("record", "criteria"),
    [
        ("212 MPTS,GPTS,BH:GP/C1", ("MPTS", "GPTS", "BH:GP/C1")),
        ("202 EDEBT/P,EMGSB/C1,MPvGP,SSSC/K4/F", ("MPTS", "EDEBT/P", "EMGSB/C1", "MPvGP", "SSSC/K4/F")),
        ("202 GPTS,BC", ("MPTS", "GPTS", "BC")),
        ("212 GPTS,BC", ("GPTS", "BC")),
        ("202 MPTS,BH:MP", ("MPTS", "BH:MP")),
    ],
)
def test_criteria_of_teams(record: str, criteria: tuple[str, ...]) -> None:
    document = with_records(record, report=TEAMS)
    assert document.event.criteria == criteria
    assert document.event.system == "fide-team-swiss"
    again = document_of(write_report(document)).event
    assert (again.criteria, again.trf) == (criteria, document.event.trf)


def test_default_list_of_team_system_is_not_preserved() -> None:
    document = document_of(TEAMS)
    assert written(document) == ["202 GPTS,EDE,BH:MP/C1,EMGSB/C1", "212 MPTS,GPTS,EDE,BH:MP/C1,EMGSB/C1"]
    assert document_of(write_report(document)).event.trf == document.event.trf


@pytest.mark.parametrize(
    ("code", "primary", "first"),
    [
        ("FIDE_TEAM_MP_GP", "", "MPTS"), ("FIDE_TEAM_GP_MP", "game", "GPTS"), ("FIDE_TEAM", "", "MPTS"),
        ("FIDE_TEAM_TYPEB_GP_MP", "game", "GPTS"), ("CUSTOM_TEAM_SWISS", "", "MPTS"),
    ],
)  # fmt: skip
def test_kind_of_tournament_decides_the_primary_score(code: str, primary: str, first: str) -> None:
    report = lines_with(TEAMS, at192=f"192 {code}")
    assert document_of(report).event.primary == primary
    assert judge_document(document_of(report)).criteria[0] == first
    assert with_records("202 BH:GP", report=report).event.criteria == (first, "BH:GP")


@pytest.mark.parametrize(
    ("record", "criteria", "unread", "reason"),
    [
        ("202 BH/C1,XYZ,SB", ("PTS", "BH/C1"), "“XYZ”, “SB”", "it is no code of FIDE's"),
        ("212 buchholz,BH", ("PTS",), "“buchholz”, “BH”", "it is no code of FIDE's"),
        ("202 BH/K4", ("PTS",), "“BH/K4”", "BH does not take /K"),
    ],
)
def test_unknown_code_ends_the_list_with_a_finding(
    record: str, criteria: tuple[str, ...], unread: str, reason: str
) -> None:
    """Later codes would result in another ranking than that of the file."""
    reading = reading_of(PLAYERS + record + "\n")
    assert reading.document is not None
    assert reading.document.event.criteria == criteria
    assert record in reading.document.event.trf
    (finding,) = [each for each in reading.findings if each.code == "unknown-tie-break"]
    assert (finding.where, finding.severity) == ("line 18", "warning")
    assert reason in finding.message
    assert any(str(each).endswith(f"not read: {unread}") for each in reading.account)
    assert written(reading.document) == [record]
    assert document_of(write_report(reading.document)) == reading.document


def test_standings_list_wins_over_a_different_list() -> None:
    reading = reading_of(f"{PLAYERS}202 SB\n212 PTS,BH\n")
    assert reading.accepted is not None
    assert reading.accepted.event.criteria == ("PTS", "BH")
    assert said(reading) == [("line 18", "tie-breaks-differ")]
    assert found(f"{PLAYERS}202 BH\n212 PTS,BH\n") == []


def test_rating_of_unrated_opponents() -> None:
    document = with_records("202 ARO/U1400,BH")
    assert (document.event.criteria, document.event.unrated) == (("PTS", "ARO", "BH"), "1400")
    assert written(document) == ["202 ARO/U1400,BH"]


# --- writing ----------------------------------------------------------------------------------------------


def test_records_follow_the_grammar() -> None:
    document = with_records("202 BH-C1 bh")
    assert written(document) == ["202 BH/C1,BH", "212 PTS,BH/C1,BH"]
    assert document_of(write_report(document)).event == document.event


def test_list_of_the_system_is_written_by_default() -> None:
    assert written(document_of(PLAYERS)) == ["202 BH/C1,BH,SB,DE", "212 PTS,BH/C1,BH,SB,DE"]
    assert document_of(write_report(document_of(PLAYERS))).event.criteria == ()


def test_criteria_are_written_up_to_the_first_without_a_code() -> None:
    criteria = ("total-score", "BH/C1", "solkoff-plus", "SB")
    document = changed(document_of(PLAYERS), criteria=criteria)
    assert written(document) == ["202 BH/C1", "212 PTS,BH/C1"]
    assert document_of(write_report(document)).event.criteria == criteria


@pytest.mark.parametrize("criteria", [("total-score", "buchholz"), ("solkoff", "BH")])
def test_list_that_begins_without_a_code_is_not_written(criteria: tuple[str, ...]) -> None:
    document = changed(document_of(PLAYERS), criteria=criteria)
    assert written(document) == []
    assert document_of(write_report(document)).event.criteria == criteria


def test_changed_list_replaces_the_preserved_record() -> None:
    document = with_records("202 BH/C1,XYZ")
    assert written(changed(document, criteria=("PTS", "SB"))) == ["202 SB", "212 PTS,SB"]


def test_event_of_an_older_system_preserves_its_record() -> None:
    """The comment has criteria of this site and a manual system, and the record remains."""
    old = changed(
        document_of(PLAYERS),
        system="manual-swiss", unplayed="", criteria=("total-score", "buchholz"), trf=("202 BH",),
    )  # fmt: skip
    assert written(old) == ["202 BH"]
    again = document_of(write_report(old))
    assert (again.event, written(again)) == (old.event, written(old))


# --- proposals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "system"),
    [
        (PLAYERS, "fide-swiss"), (lines_with(PLAYERS, at092="092 Round-Robin"), "fide-round-robin"),
        (TEAMS, "fide-team-swiss"),
        (lines_with(TEAMS, at192="192 BERGER_DOUBLEROUNDROBIN"), "fide-team-round-robin"),
    ],
)  # fmt: skip
def test_system_of_the_kind_is_proposed(report: str, system: str) -> None:
    reading = reading_of(report)
    assert reading.document is not None
    assert reading.document.event.system == system
    assert "proposed-rules" in [each.code for each in reading.findings]


@pytest.mark.parametrize(
    ("start", "edition", "why"),
    [
        ("042 2026/03/01", "fide-2026", "by the start on 2026-03-01"),
        ("042 2026/02/28", "fide-2024", "by the start on 2026-02-28"),
        ("042 2023/08/01", "fide-2024", "by the start on 2023-08-01"),
        ("042 2023/07/31", "fide-2009", "by the start on 2023-07-31"),
        ("042 2018", "fide-2009", "by the year 2018 alone"), ("", "fide-2026", "by the start on 2026-05-14"),
    ],
)  # fmt: skip
def test_edition_follows_the_start(start: str, edition: str, why: str) -> None:
    """Without a start date, the first dated round decides."""
    reading = reading_of(lines_with(PLAYERS, at042=start, at052=""))
    assert reading.document is not None
    assert reading.document.event.unplayed == edition
    (finding,) = [each for each in reading.findings if each.code == "proposed-rules"]
    assert f"“{edition}” for unplayed rounds, {why}." in finding.message


def test_newest_edition_is_proposed_without_a_date() -> None:
    reading = reading_of(lines_with(PLAYERS, at042="", at052="", at132=""))
    assert reading.document is not None
    assert reading.document.event.unplayed == "fide-2026"
    assert any("the newest, for the report has no day of start" in each.message for each in reading.findings)


def test_own_report_names_its_rules() -> None:
    assert reading_of(write_report(document_of(PLAYERS))).findings == ()


def test_existing_event_retains_its_rules() -> None:
    """The only finding is that unplayed rounds count as in draughts."""
    stored = changed(document_of(PLAYERS), system="manual-swiss", unplayed="", criteria=())
    reading = read_report(PLAYERS.encode(), "of-four", base=stored)
    assert reading.document is not None
    assert (reading.document.event.system, reading.document.event.unplayed) == ("manual-swiss", "")
    assert [each.code for each in reading.findings] == ["unplayed-as-in-draughts"]
