"""What is refused before it is read: bombs, macros, entities, names that lead out, archives in archives."""

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import openpyxl
import pytest

from tournaments.event.finding import Finding
from tournaments.formats import archives
from tournaments.formats.sources import sources
from tournaments.formats.tables.reading import tables_of

ENTITIES = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


def packed(files: dict[str, bytes], packing: int = ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name) if packing == ZIP_STORED else name, content)
    return out.getvalue()


def workbook(**changed: bytes) -> bytes:
    """A workbook, with files of it added or replaced."""
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
def test_a_name_that_leads_out(name: str) -> None:
    assert code_of(archives.opened(packed({name: b"{}"}, ZIP_STORED))[1]) == "leads-out"


def test_a_bomb_is_refused_by_its_ratio() -> None:
    bomb = packed({"event.json": b"0" * 8 * 1024 * 1024})
    assert code_of(archives.opened(bomb)[1]) == "packed-too-tightly"


def test_too_much_together_or_too_many(settings: Any) -> None:
    settings.IMPORT_MOST_UNPACKED, settings.IMPORT_MOST_FILES = 100, 2
    assert code_of(archives.opened(packed({"a": b"x" * 60, "b": b"x" * 60}))[1]) == "too-big"
    assert code_of(archives.opened(packed({"a": b"", "b": b"", "c": b""}))[1]) == "too-many-files"


def test_an_unknown_packing_and_a_broken_archive() -> None:
    assert code_of(archives.opened(packed({"a": b"x"}, ZIP_BZIP2))[1]) == "unknown-packing"
    assert code_of(archives.opened(b"PK\x03\x04nothing")[1]) == "broken-archive"


def test_a_file_that_lies_about_its_size_gives_no_more_than_it_said() -> None:
    content = bytearray(packed({"a.json": b"x" * 1000}, ZIP_STORED))
    for at in (content.find(b"PK\x03\x04") + 22, content.find(b"PK\x01\x02") + 24):
        content[at : at + 4] = (10).to_bytes(4, "little")
    archive, problem = archives.opened(bytes(content))
    assert archive, problem
    read, problem = archives.member(archive, archive.getinfo("a.json"))
    assert len(read) <= 10


def test_an_archive_in_an_archive_and_what_is_hidden(tmp_path: Path) -> None:
    file = tmp_path / "events.zip"
    inner = packed({"x.json": b"{}"})
    file.write_bytes(
        packed({"inner.zip": inner, "__MACOSX/._a.json": b"", "b/a.json": b"{}", "readme.md": b""})
    )
    found = {each.name: each.read() for each in sources([file])}

    assert found["events.zip/b/a.json"] == (b"{}", None)
    assert code_of(found["events.zip/inner.zip"][1]) == "nested-archive"
    assert len(found) == 2


@pytest.mark.parametrize("name", ["list.xlsm", "list.XLSB", "list.xltm", "list.xls"])
def test_an_ending_of_macros(name: str) -> None:
    assert refusal(workbook(), name) == ["macros"]


@pytest.mark.parametrize(
    "inside", ["xl/vbaProject.bin", "xl/macrosheets/sheet1.xml", "xl/activeX/activeX1.bin"]
)
def test_macros_under_a_harmless_name(inside: str) -> None:
    assert refusal(workbook(**{inside: b"x"}), "list.xlsx") == ["macros"]


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml"])
def test_entities(part: str) -> None:
    assert refusal(workbook(**{part: ENTITIES + b"<x>&b;</x>"})) == ["xml-entities"]


def test_a_sheet_that_pretends_to_be_huge_is_read_as_it_is() -> None:
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
