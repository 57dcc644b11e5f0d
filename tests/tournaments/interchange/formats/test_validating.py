"""Validation of files: findings with lines, and a command with an exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.fuzzing import damaged, long_enough
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.interchange.formats.validating.validation import validate

ROOT = Path(__file__).parents[4]
PLAYERS = samples.text(samples.players())
FAULTY = """{"format": "crosstable-event", "version": 1,
 "event": {"slug": "x", "name": "X", "name": "Y",
  "colour": 3, "discipline": "chess", "entrants": "players", "schedule": "swiss", "rounds": 1,
  "scoring": {"game": [1, 0.25, 0]}, "system": "manual-swiss"},
 "competitors": [{"number": 1, "name": "A"},
  {"number": 2}], "rounds": []}
"""


def test_findings_are_in_line_order() -> None:
    found = validate(FAULTY.encode(), "faulty.json")
    assert [(each.finding.code, each.line, each.column, each.first_line) for each in found.findings] == [
        ("key-twice", 2, 38, 2),
        ("unknown-key", 3, 3, None),
        ("not-half-points", 4, 27, None),
        ("missing-key", 6, 3, None),
    ]
    assert (found.errors, found.document) == (4, None)


def test_notice_of_further_errors_is_not_counted_as_an_error() -> None:
    data = samples.players()
    data["competitors"] = [{} for _ in range(2000)]
    found = validate(samples.text(data).encode(), "hopeless.json")
    assert (len(found.findings), found.errors, found.errors_are_cut) == (1001, 1000, True)
    assert not validate(FAULTY.encode(), "faulty.json").errors_are_cut


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('{"format":\n', "invalid-json", 2),
        ('{\n"a": NaN}', "invalid-json", 2),
        ("\n" + "[" * 100_000, "too-deep", 2),
        ("[]", "wrong-format", 1),
        ('{"format": "crosstable-event",\n "version": 2}', "wrong-version", 2),
    ],
)
def test_invalid_event_file_has_a_line(text: str, code: str, line: int) -> None:
    (found,) = validate(text.encode(), "").findings
    assert (found.finding.code, found.line) == (code, line)


def test_checks_of_the_event_have_lines() -> None:
    data = samples.players()
    data["rounds"][0]["pairings"][0]["second"] = 77
    text = json.dumps(data, indent=1)
    found = next(
        each for each in validate(text.encode(), "x.json").findings if each.finding.code == "unknown-number"
    )
    assert found.line
    assert "77" in text.splitlines()[found.line - 1]


def test_findings_of_a_report_have_lines() -> None:
    report = write_report(samples.document(samples.players())).replace("001    1", "001    x", 1)
    found = validate(report.encode(), "")
    assert any(each.line for each in found.findings)


@long_enough
@given(st.data())
def test_damage_is_found_in_an_existing_line(data: st.DataObject) -> None:
    content = damaged(data.draw, samples.text(samples.teams()).encode())
    lines = content.count(b"\n") + content.count(b"\r") + 1
    for each in validate(content, "damaged.json").findings:
        assert each.line is None or 1 <= each.line <= lines
        assert each.line or each.finding.code in {"too-many-findings", "too-big"}


@long_enough
@given(st.data())
def test_valid_file_is_read_elsewhere(data: st.DataObject) -> None:
    content = damaged(data.draw, PLAYERS.encode())
    assert bool(validate(content, "x.json").errors) == (read(content).accepted is None)


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command without production settings and without a database."""
    environment = {name: text for name, text in os.environ.items() if name not in {"SECRET_KEY", "DEBUG"}}
    environment |= {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "validate", *arguments],
        input=given,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


TABLE = "Club Open 1999\nNo;Name;1;Pts\n1;Player 1;2w1;1\n2;Player 2;1b0;0\n"


def test_table_is_read_as_by_an_import() -> None:
    found = validate(TABLE.encode(), "open.csv")
    assert found.document
    assert (found.errors, found.document.event.name) == (0, "Club Open 1999")
    faulty = validate(TABLE.replace("2w1", "9w1").encode(), "open.csv")
    assert faulty.errors
    assert all("row" in each.finding.where for each in faulty.findings if each.finding.code != "missing-fact")


def test_place_of_a_finding_follows_content() -> None:
    named, renamed = (validate(FAULTY.encode(), name).findings for name in ("event.json", "event.trf"))
    assert [each.line for each in named] == [each.line for each in renamed]
    assert any(each.line for each in named)
    report = write_report(samples.document(samples.players())).encode()
    assert validate(report, "event.json").document == validate(report, "event.trf").document
    assert validate(report, "event.json").document is not None


class TestCommand:
    @pytest.mark.exhaustive
    def test_skipped_files_of_a_folder_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "good.json").write_text(PLAYERS, encoding="utf-8")
        (tmp_path / ".hidden").write_text("Hello.", encoding="utf-8")
        (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
        told, data = run(str(tmp_path)), json.loads(run(str(tmp_path), "--json").stdout)
        assert told.returncode == 2
        assert "photo.jpg: error: " in told.stdout
        assert ".hidden: passed over; it is a hidden file" in told.stdout
        assert data["passed_over"] == {".hidden": "a hidden file"}

    def test_valid_file_of_standard_input(self) -> None:
        told = run("-", "--json", given=PLAYERS)
        answer = json.loads(told.stdout)
        assert (told.returncode, told.stderr, answer["valid"]) == (0, "", True)
        assert answer["files"][0]["event"]["slug"] == samples.players()["event"]["slug"]

    def test_folder_and_archive_return_the_worst_code(self, tmp_path: Path) -> None:
        (tmp_path / "good.json").write_text(PLAYERS, encoding="utf-8")
        with ZipFile(tmp_path / "pack.zip", "w") as archive:
            archive.writestr("faulty.json", FAULTY)
        told = run(str(tmp_path))
        assert told.returncode == 1
        assert "pack.zip/faulty.json:3:3: error: event.colour: " in told.stdout
        assert "good.json: valid; 0 errors" in told.stdout

    def test_unreadable_file(self, tmp_path: Path) -> None:
        assert run(str(tmp_path / "none.json"), "-", given=FAULTY).returncode == 2

    @pytest.mark.exhaustive
    def test_warnings_fail_only_if_requested(self) -> None:
        data = samples.players()
        data["event"]["notes"] = "\u202eturned"
        text = json.dumps(data)
        assert [run("-", given=text).returncode, run("-", "--strict", given=text).returncode] == [0, 1]
