"""Manifests have facts that files do not, and no field is ignored."""

import pytest

from tournaments.interchange.formats.manifest import read_manifest

FILES = ["1998/open.csv", "1999/open.csv", "1999/women.csv"]


def codes(content: str) -> list[tuple[str, str]]:
    return [(each.code, each.where) for each in read_manifest(content.encode(), FILES).findings]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_row_names_a_file_by_path_or_unique_name(separator: str) -> None:
    lines = ["File;Name;Start", "./1998/open.csv;Open;1998", "1999\\open.csv;Open;1999", "women.csv;;1999-07"]
    read = read_manifest("\n".join(lines).replace(";", separator).encode(), FILES)
    assert read.findings == ()
    assert read.rows["1998/open.csv"] == {"name": "Open", "start": "1998"}
    assert read.rows["1999/open.csv"] == {"name": "Open", "start": "1999"}
    assert read.rows["1999/women.csv"] == {"start": "1999-07"}
    assert read.rows.get("another.csv") is None


def test_date_is_the_start() -> None:
    read = read_manifest(b"file,Date\nwomen.csv,1999-07\n", FILES)
    assert read.rows["1999/women.csv"] == {"start": "1999-07"}
    assert codes("file;start;date\n") == [("column-twice", "manifest.csv")]


def test_question_mark_after_a_column_is_a_default() -> None:
    read = read_manifest(b"file,Time zone?,Date ?,License\nwomen.csv,Europe/Paris,1999,CC0-1.0\n", FILES)
    row = {"time_zone?": "Europe/Paris", "start?": "1999", "licence": "CC0-1.0"}
    assert read.rows["1999/women.csv"] == row
    assert codes("file;layout?\n") == [("unknown-column", "manifest.csv")]


def test_double_blanks_in_file_names_match() -> None:
    read = read_manifest(b"file,name\na  b.csv,Open\n", ["a  b.csv"])
    assert read.rows["a  b.csv"] == {"name": "Open"}


def test_file_without_a_row_is_a_warning() -> None:
    assert codes("file;name\n1998/open.csv;A\n1999/open.csv;B\n") == [("not-in-manifest", "1999/women.csv")]


ALL = "1998/open.csv;A\n1999/open.csv;B\nwomen.csv;C\n"


@pytest.mark.parametrize(
    ("content", "code", "where"),
    [
        ("", "empty-table", ""),
        (f"name;place\n{ALL}", "missing-column", "manifest.csv"),
        (f"file;nmae\n{ALL}", "unknown-column", "manifest.csv"),
        (f"file;name;name\n{ALL}", "column-twice", "manifest.csv"),
        (f"file;name\n{ALL}1997/open.csv;D\n", "no-such-file", "manifest.csv, row 5"),
        (f"file;name\n{ALL}open.csv;D\n", "no-such-file", "manifest.csv, row 5"),
        (f"file;name\n{ALL}women.csv;D\n", "file-twice", "manifest.csv, row 5"),
        (
            f"file;dash\n{ALL.replace('A', 'bye').replace(';B', ';').replace(';C', ';x')}",
            "no-choice",
            "manifest.csv, row 4",
        ),
        (f"file;name\n{ALL}x.csv;D;E\n", "unreadable-table", "manifest.csv, row 5"),
    ],
)
def test_findings_have_a_place(content: str, code: str, where: str) -> None:
    assert codes(content) == [(code, where)]
