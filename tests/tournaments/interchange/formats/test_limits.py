"""Rejected before reading: zip bombs, macros, entities, outside paths, nested archives."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import openpyxl
import pytest

from tests.cast import swiss_file
from tests.tables import tables_of
from tournaments.event.finding import Finding
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.sources import only_file_of, sources
from tournaments.interchange.formats.tables import sheets
from tournaments.interchange.formats.tables.entrants import EntrantList
from tournaments.interchange.formats.tables.grid import MOST_CELLS, MOST_COLUMNS, MOST_ENTRANTS, MOST_ROWS
from tournaments.interchange.formats.tables.html import grids_of_page
from tournaments.interchange.formats.tables.reading import mapped_tables, read_tables
from tournaments.interchange.formats.tables.sheets import STEP, _problems
from tournaments.interchange.formats.tables.text import cleaned

ENTITIES = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


def packed(files: dict[str, bytes], packing: int = ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name) if packing == ZIP_STORED else name, content)
    return out.getvalue()


def workbook(**changed: bytes) -> bytes:
    """Return a workbook with files added or replaced."""
    book, out = openpyxl.Workbook(), BytesIO()
    assert book.active
    book.active.append(["No", "Name"])
    book.active.append([1, "Ann"])
    book.save(out)
    with ZipFile(out) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return packed(files | changed)


def code_of(found: Finding | None) -> str:
    return found.code if found else ""


def refusal(content: bytes, name: str = "") -> list[str]:
    return [each.code for each in tables_of(content, name).findings]


@pytest.mark.parametrize(
    "name", ["../out.json", "/etc/passwd", "a/../../b", "C:\\x.json", "..\\x", "\\\\host\\x"]
)
def test_path_outside_archive_is_rejected(name: str) -> None:
    assert code_of(archives.opened(packed({name: b"{}"}, ZIP_STORED))[1]) == "leads-out"


def test_zip_bomb_is_rejected_by_ratio() -> None:
    bomb = packed({"event.json": b"0" * 8 * 1024 * 1024})
    assert code_of(archives.opened(bomb)[1]) == "packed-too-tightly"


def test_too_many_files_or_bytes(settings: Any) -> None:
    settings.IMPORT_MOST_UNPACKED, settings.IMPORT_MOST_FILES = 100, 2
    assert code_of(archives.opened(packed({"a": b"x" * 60, "b": b"x" * 60}))[1]) == "too-big"
    assert code_of(archives.opened(packed({"a": b"", "b": b"", "c": b""}))[1]) == "too-many-files"


def test_unknown_compression_and_damaged_archive() -> None:
    assert code_of(archives.opened(packed({"a": b"x"}, ZIP_BZIP2))[1]) == "unknown-packing"
    assert code_of(archives.opened(b"PK\x03\x04nothing")[1]) == "broken-archive"


def test_message_about_a_broken_archive_quotes_no_contents() -> None:
    content = bytearray(packed({"event.json": b"{}" * 2000}, ZIP_STORED))
    content[27] = 8  # the length of the name in the header of the file: 2,058
    archive, _found = archives.opened(bytes(content))
    assert archive
    _inside, finding = archives.member(archive, archive.infolist()[0])
    assert finding
    assert finding.message.endswith("Pack the file again.")
    assert len(finding.message) < 150


def test_file_is_read_up_to_its_declared_size() -> None:
    content = bytearray(packed({"a.json": b"x" * 1000}, ZIP_STORED))
    for at in (content.find(b"PK\x03\x04") + 22, content.find(b"PK\x01\x02") + 24):
        content[at : at + 4] = (10).to_bytes(4, "little")
    archive, problem = archives.opened(bytes(content))
    assert archive, problem
    read, problem = archives.member(archive, archive.getinfo("a.json"))
    assert len(read) <= 10


def test_same_size_limit_inside_and_outside_archives(settings: Any) -> None:
    settings.IMPORT_MOST_BYTES = 1_000
    fits, large = packed({"a.csv": b"Ann,1\n" * 100}), packed({"a.csv": b"Ann,1\n" * 1_000})

    assert only_file_of(fits)[2] is None
    with patch.object(archives, "member", side_effect=AssertionError("it is not to be unpacked")):
        assert code_of(only_file_of(large)[2]) == "too-big"


def test_other_files_in_an_archive_are_named() -> None:
    name, content, problem = only_file_of(packed({"a.json": b"{}", "b.md": b"Hello.", ".hidden": b""}))
    assert (name, content) == ("a.json", b"{}")
    assert problem
    assert (problem.code, "not read: b.md." in problem.message) == ("files-not-read", True)


def test_report_of_any_name_in_an_archive() -> None:
    report = b"012 Open\n001    1 m    Ann, A\n"
    assert only_file_of(packed({"challengers.tab": report}))[:2] == ("challengers.tab", report)


def test_nested_archives_and_hidden_files(tmp_path: Path) -> None:
    file = tmp_path / "events.zip"
    inner = packed({"x.json": b"{}"})
    file.write_bytes(
        packed({"inner.zip": inner, "__MACOSX/._a.json": b"", "b/a.json": b"{}", "readme.md": b""})
    )
    every = list(sources([file]))
    found = {each.name: each.read() for each in every if not each.passed_over}

    assert found["events.zip/b/a.json"] == (b"{}", None)
    assert code_of(found["events.zip/inner.zip"][1]) == "nested-archive"
    assert sorted(found) == ["events.zip/b/a.json", "events.zip/inner.zip", "events.zip/readme.md"]
    assert {each.name: each.passed_over for each in every if each.passed_over} == {
        "events.zip/__MACOSX/._a.json": "a hidden file"
    }


@pytest.mark.parametrize("name", ["list.xlsm", "list.XLSB", "list.xltm", "list.xla"])
def test_macro_extension(name: str) -> None:
    assert refusal(workbook(), name) == ["macros"]


@pytest.mark.parametrize(
    "inside", ["xl/vbaProject.bin", "xl/macrosheets/sheet1.xml", "xl/activeX/activeX1.bin"]
)
def test_macros_in_renamed_file(inside: str) -> None:
    assert refusal(workbook(**{inside: b"x"}), "list.xlsx") == ["macros"]


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml"])
def test_entities(part: str) -> None:
    assert refusal(workbook(**{part: ENTITIES + b"<x>&b;</x>"})) == ["xml-entities"]


def test_declared_sheet_size_is_ignored() -> None:
    namespace = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    row = b'<row r="2"><c r="A2"><v>1</v></c></row>'
    small = b"<worksheet %s><dimension ref='A1:XFD1048576'/><sheetData>%s</sheetData></worksheet>" % (
        namespace,
        row,
    )
    assert len(tables_of(workbook(**{"xl/worksheets/sheet1.xml": small})).tables) == 1
    far = small.replace(b'r="2"', b'r="1048576"').replace(b'"A2"', b'"A1048576"')
    assert refusal(workbook(**{"xl/worksheets/sheet1.xml": far})) == ["too-large-a-sheet"]
    wide = small.replace(b'"A2"', b'"XFD2"')
    assert refusal(workbook(**{"xl/worksheets/sheet1.xml": wide})) == ["too-large-a-sheet"]


# --- counts before parsing --------------------------------------------------------------------------------

SHEET = "xl/worksheets/sheet1.xml"
HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
TAIL = b"</sheetData></worksheet>"
NEVER = patch.object(sheets, "run_confined", side_effect=AssertionError("this workbook is not to be opened"))


def sheet(rows: bytes) -> dict[str, bytes]:
    return {SHEET: HEAD + rows + TAIL}


@pytest.mark.parametrize(
    "rows",
    [
        b"<row/>" * (MOST_ROWS + 1),
        b"<row r='1' >\n</row>" * (MOST_ROWS + 1),
        b"<x:row></x:row>" * (MOST_ROWS + 1),
        b"<row>" + b"<c/>" * (MOST_CELLS + 1) + b"</row>",
        b"<row>" + b"<c r='A1'/>" * (MOST_CELLS + 1) + b"</row>",
        b"<any/>" * (10 * MOST_CELLS + 1),
    ],
)
def test_rows_and_cells_are_counted(rows: bytes) -> None:
    with NEVER:
        assert refusal(packed(sheet(rows), ZIP_STORED)) == ["too-large-a-sheet"]


def test_utf_16_and_all_sheets_are_counted() -> None:
    rows = b"<row></row>" * (MOST_ROWS // 2 + 1)
    with NEVER:
        sixteen = (HEAD + 2 * rows + TAIL).decode().encode("utf-16")
        assert refusal(packed({SHEET: sixteen}, ZIP_STORED)) == ["too-large-a-sheet"]
        two = {f"xl/worksheets/sheet{number}.xml": HEAD + rows + TAIL for number in (1, 2)}
        assert refusal(packed(two, ZIP_STORED)) == ["too-large-a-sheet"]


def test_shared_strings_are_counted() -> None:
    with NEVER:
        texts = b"<si><t>a</t></si>" * (MOST_CELLS + 1)
        assert refusal(packed({"xl/sharedStrings.xml": texts}, ZIP_STORED)) == ["too-large-a-sheet"]


def test_tag_across_pieces_is_counted_once() -> None:
    for before in range(STEP - 40, STEP + 5):
        filler = b" " * (before - len(HEAD))
        archive = ZipFile(BytesIO(packed(sheet(filler + b"<x:row r='1'><c r='A1'/></x:row>"), ZIP_STORED)))
        counted: Counter[bytes] = Counter()
        assert list(_problems(archive, archive.infolist()[0], counted)) == []
        assert (counted[b"row"], counted[b"c"]) == (1, 1)


def test_entities_across_pieces_are_found() -> None:
    for before in range(STEP - 12, STEP + 2):
        content = packed({SHEET: b" " * before + b"<!DOCTYPE x>"}, ZIP_STORED)
        assert refusal(content) == ["xml-entities"]


def test_cells_of_wide_rows_are_counted_while_reading() -> None:
    far = b"".join(b"<row><c r='ALK%d'><v>1</v></c></row>" % number for number in range(1, 3_000))

    assert refusal(workbook(**sheet(far))) == ["too-large-a-sheet"]


def test_workbook_with_too_many_rows_is_not_opened() -> None:
    book, out = openpyxl.Workbook(write_only=True), BytesIO()
    rows = book.create_sheet()
    for number in range(MOST_ROWS + 10):
        rows.append([number, "Ann"])
    book.save(out)

    with NEVER:
        assert refusal(out.getvalue()) == ["too-large-a-sheet"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ann,NED\n" * (MOST_ROWS + 1), "too-many-rows"),
        ("1,2\n" + "," * 1_000_000, "too-many-columns"),
        ("1;2\n" + ";" * 1_000_000 + "\n" + ";" * 1_000_000, "too-many-columns"),
        ("A  B\n" + "a  " * 300_000, "too-many-columns"),
        (("1," * 150 + "\n") * 4_000, "too-many-rows"),
        ("A" * (4 * 1024 * 1024 + 1), "too-big"),
    ],
)
def test_text_is_not_read_after_its_limit(text: str, code: str) -> None:
    calls = count()  # a mock would take seconds for this many

    def counted(cell: str) -> str:
        next(calls)
        return cleaned(cell)

    with patch("tournaments.interchange.formats.tables.text.cleaned", counted):
        assert refusal(text.encode()) == [code]
    assert next(calls) <= MOST_CELLS + MOST_COLUMNS


# --- small files with large contents ----------------------------------------------------------------------

HOSTILE = Path(__file__).parents[4] / "tools/drills/hostile"


def test_repeated_cells_of_a_workbook_are_counted() -> None:
    assert refusal((HOSTILE / "repeated-cells.ods").read_bytes()) == ["too-large-a-sheet"]


def test_cells_of_spans_are_counted() -> None:
    rows = "".join("<tr>" + "<td colspan=200 rowspan=20000>1</td></tr>" for _ in range(2))
    page = f"<table>{rows}{'<tr></tr>' * 3_000}</table>"
    assert refusal(page.encode()) == ["too-large-a-page"]


NESTED = "<table><tr><td>No<td>Name<tr><td>1<td>Ann</table>"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("<div>" * 300_000 + NESTED, ["too-large-a-page"]),
        ("<table><tr><td>" * 301 + NESTED, ["too-large-a-page"]),
        ("<div>" * 299 + NESTED, []),
        ("<p>one<br>" * 1_000 + NESTED, []),
        ("<div>one</div>" * 1_000 + NESTED, []),
        ("<table>" + "<tr><td><b><font>one<td>two" * 1_000 + "</table>" + NESTED, []),
    ],
)
def test_page_has_at_most_300_nested_elements(text: str, codes: list[str]) -> None:
    assert [each.code for each in grids_of_page(text)[1] if each.code == "too-large-a-page"] == codes


# --- linear time ------------------------------------------------------------------------------------------


def looked_at(make: Callable[[int], str], count: int) -> int:
    """Return the number of calls for reading the table."""
    calls = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    found = tables_of(make(count).encode())
    document = read(json.dumps(swiss_file() | {"rounds": []}).encode()).document
    assert document
    sys.setprofile(counted)
    try:
        read_tables(document, mapped_tables(found.tables))
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "make",
    [
        lambda count: "name;code\n" + "".join(f"N{number};C{number}\n" for number in range(count)),
        lambda count: "no;name;1;2\n" + "".join(f"{n};N{n};{n ^ 1}w1;{n ^ 1}b0\n" for n in range(2, count)),
        lambda count: "team;player\n" + "".join(f"Reds;P{number}\n" for number in range(count)),
        lambda count: "round;first;second;score\n" + "".join(f"1;C{n};C{n};1-0\n" for n in range(count)),
    ],
)
def test_calls_grow_linearly_with_the_list(make: Callable[[int], str]) -> None:
    assert looked_at(make, 800) < 3 * looked_at(make, 400)


def test_too_many_competitors_are_rejected() -> None:
    many = "name;code\n" + "".join(f"N{number};NED\n" for number in range(MOST_ENTRANTS + 1))
    found = tables_of(many.encode())
    document = read(json.dumps(swiss_file()).encode()).document
    assert document
    with patch.object(EntrantList, "read", side_effect=AssertionError("they are not to be read")):
        reading = read_tables(document, mapped_tables(found.tables))
    assert [each.code for each in reading.findings] == ["too-many-rows"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [["cup.json"] * 20, ["a/cup.json", "a//cup.json"]])
def test_repeated_file_name_in_archive_is_rejected(names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "events.zip"
    with ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"{}")
    opened, found = archives.opened(path)
    assert opened is None
    assert code_of(found) == "same-name"
    assert f"{len(names)} files of the archive have this name." in str(found)
    assert [code_of(each.read()[1]) for each in sources([path])] == ["same-name"]
