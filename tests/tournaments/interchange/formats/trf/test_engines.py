"""Our reports in pairing engines: absences in records that all engines accept."""

import json
from typing import Any

import pytest

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.trf.reports import (
    PLAYERS,
    TEAMS,
    document_of,
    lines_with,
    reading_of,
)
from tournaments.event.document import Document
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report

# Eva is absent in the second round, and two rounds are not paired yet
UNDER_WAY = """\
012 Open of Five
032 BEL
142 4
001    1      Ash, Ann                          2300                             2.0    1     2 w 1     3 b 1
001    2      Bay, Ben                          2200                             1.0    3     1 b 0     4 w 1
001    3      Cox, Cas                          2100                             1.0    2     4 w 1     1 w 0
001    4      Dot, Dov                          2000                             0.0    5     3 b 0     2 b 0
001    5      Elm, Eva                          1900                             1.0    4  0000 - U
132                                                                                        26/05/14  26/05/15
"""


def cells(document: Document) -> dict[int, list[str]]:
    """Return the cells of the report by start number."""
    lines = [line for line in write_report(document).split("\r\n") if line.startswith("001")]
    return {int(line[4:8]): [line[at : at + 8] for at in range(91, len(line), 10)] for line in lines}


def as_data(document: Document) -> Any:
    return json.loads(write(document))


def tags(document: Document) -> list[str]:
    return [line[:3] for line in write_report(document).split("\r\n") if line[:3] not in {"###", ""}]


def back(document: Document) -> Document:
    reading = read_report(write_report(document).encode(), "elsewhere")
    assert reading.accepted is not None, reading.errors
    assert not reading.objections
    return reading.accepted


def under_way(**changed: Any) -> Document:
    """Return the event in progress, with keys of competitors changed by number."""
    document = document_of(UNDER_WAY)
    data = as_data(document)
    for number, keys in changed.items():
        data["competitors"][int(number.removeprefix("of_")) - 1] |= keys
    return samples.document(data)


def test_unpaired_player_is_absent_in_the_record() -> None:
    document = document_of(UNDER_WAY)

    assert cells(document)[5] == ["0000 - U", "0000 - Z"]
    assert "\r\n### crosstable unpaired 2 5\r\n" in write_report(document)
    assert write(back(document)) == write(document)


def test_withdrawal_and_requested_bye_are_absences_in_the_next_round() -> None:
    document = under_way(
        of_2={"withdrawn_after": 2}, of_3={"requested_byes": {"3": "half-bye", "4": "zero-bye"}}
    )

    assert {number: found[2:] for number, found in cells(document).items()} == {
        1: [], 2: ["0000 - Z"], 3: ["0000 - H"], 4: [], 5: [],
    }  # fmt: skip
    assert write(back(document)) == write(document)
    assert len(back(document).rounds) == 2


def test_stored_absence_is_in_the_record() -> None:
    document = under_way()
    data = as_data(document)
    data["rounds"][1]["pairings"].append({"table": 3, "first": 5, "kind": "absent"})
    stored = samples.document(data)

    assert cells(stored)[5] == ["0000 - U", "0000 - Z"]
    assert write(back(stored)) == write(stored)


def test_no_absences_after_the_event_or_while_pairing() -> None:
    assert cells(document_of(PLAYERS))[4] == ["   2 w 1", "0000 - Z", "   1 b 0"]
    data = as_data(under_way())
    data["rounds"][1]["pairings"] = data["rounds"][1]["pairings"][:1]
    data["rounds"][1] |= {"state": "published"}
    assert cells(samples.document(data))[2] == ["   1 b 0"]


def test_round_paired_by_another_program_counts() -> None:
    report = write_report(document_of(UNDER_WAY)).replace("0000 - Z", "0000 - H")
    again = reading_of(report.replace("unpaired 2 5", "unpaired 2 4"))

    assert "outdated-comment" in {each.code for each in again.findings}
    assert again.document is not None
    assert [each.kind for each in again.document.rounds[1].pairings if each.first == 5] == ["half-bye"]


def test_an_absent_team_is_announced() -> None:
    report = lines_with(
        TEAMS,
        at320="320  1.0  1.0   3",
        at310___2="310   2 Blues                            BLU     2050    0.0    0.5   2     3    4",
    )
    document = document_of(report)

    assert "\r\n240 Z   2    2\r\n" in write_report(document)
    assert write(back(document)) == write(document)


@pytest.mark.parametrize(("report", "is_over"), [(UNDER_WAY, False), (PLAYERS, True)])
def test_all_engines_read_the_records_of_players(report: str, is_over: bool) -> None:
    """An engine rejects 192 without a known system, another 132 of two rounds, and 142 in strict mode."""
    found = tags(document_of(report))
    assert not {"142", "192"} & set(found)
    assert ("132" in found) is is_over
    assert found.count("XXR") == 1


def test_dates_of_rounds_are_restored_without_a_record() -> None:
    rounds = back(document_of(UNDER_WAY)).rounds
    assert [each.date for each in rounds] == ["2026-05-14", "2026-05-15"]


def test_titles_of_other_games_are_in_a_comment() -> None:
    document = under_way(of_1={"title": "GMI"}, of_2={"title": "GM"})
    assert [line[10:13] for line in write_report(document).split("\r\n") if line.startswith("001")][:2] == [
        "   ", " GM",
    ]  # fmt: skip
    assert back(document).competitors[0].title == "GMI"
