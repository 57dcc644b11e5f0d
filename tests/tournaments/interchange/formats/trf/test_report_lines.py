"""Lines from bytes: encodings, line ends, columns counted in bytes."""

from unittest.mock import patch

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, document_of, reading_of
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.report_lines import (
    MOST_LINES,
    report_lines,
    reported_half_points,
    whole,
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_report_is_equal_in_all_encodings_and_line_ends(encoding: str, end: str) -> None:
    reading = read_report(PLAYERS.replace("\n", end).encode(encoding), "of-four")
    assert [each.code for each in reading.findings] == ["proposed-rules"]
    assert reading.document == document_of(PLAYERS)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("Müller, Jürgen", "cp1252"), ("Łukasz Żak, Paweł", "cp1250"), ("Иванов, Пётр", "cp1251")],
)
def test_windows_code_page_is_detected_with_a_warning(name: str, encoding: str) -> None:
    report = PLAYERS.replace("Ash, Ann".ljust(len(name)), name, 1)
    reading = read_report(report.encode(encoding), "of-four")
    assert reading.document is not None
    assert reading.document.competitors[0].name == name
    assert ("not-utf-8", "line 14") in [(each.code, each.where) for each in reading.findings]


def test_columns_counted_in_bytes_are_corrected() -> None:
    by_bytes = PLAYERS.replace("Ash, Ann   ", "Äsh, Änn ", 1)
    assert len(by_bytes.encode()) == len(PLAYERS.encode())
    document = document_of(by_bytes)
    assert document.competitors[0].name == "Äsh, Änn"
    assert document.rounds == document_of(PLAYERS).rounds


def test_invalid_characters_are_rejected_with_their_line() -> None:
    reading = reading_of(PLAYERS.replace("Ash", "A\x01h", 1))
    assert ("line 14", "bad-character") in [(each.where, each.code) for each in reading.errors]


def test_long_line_is_rejected() -> None:
    _, findings = report_lines(b"012 " + b"x" * 30_000)
    assert [(each.code, each.where) for each in findings] == [("too-long", "line 1")]


@pytest.mark.parametrize("content", [b"", b"\x00", b"Hello.\n", b"{}", b"\xff\xfe", b"012 A name\n"])
def test_other_file_is_rejected(content: bytes) -> None:
    assert [each.code for each in read_report(content, "x").findings][-1:] == ["not-a-report"]


def test_blank_lines_and_dos_end_are_ignored() -> None:
    report = PLAYERS.replace("022 Gent", "\n   \n022 Gent\t") + "\x1a"
    assert write(document_of(report)) == write(document_of(PLAYERS))


def test_numbers() -> None:
    assert [whole(text) for text in ("   7", "0", "", "x", "-1", "1.0")] == [7, 0, None, None, None, None]
    points = [reported_half_points(text) for text in (" 3.5", "10", "4.0", "-1.0", "3,5", "", "3.7")]
    assert points == [7, 20, 8, -2, 7, None, None]


def test_too_many_lines_are_rejected_before_splitting() -> None:
    with patch("tournaments.interchange.formats.trf.report_lines.LINE_END", None):
        lines, findings = report_lines(b"012 x\n" * (2 * MOST_LINES + 1))

    assert (lines, [each.code for each in findings]) == ([], ["too-many-lines"])
