"""XLSX, XLS and ODS have the same cells. Damaged, encrypted or large files are rejected with a message."""

from collections.abc import Callable
from datetime import date, time
from html import escape
from io import BytesIO
from unittest.mock import patch
from zipfile import ZipFile

import openpyxl
import pytest
import xlwt

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.test_layouts import CHESS, points
from tournaments.interchange.formats.tables import sheets
from tournaments.interchange.formats.tables.sheets import grids_of_workbook
from tournaments.interchange.formats.tables.text import grids_of_text

Value = str | int | float | bool | date | time | None
Rows = list[list[Value]]

CROSS_TABLE: Rows = [
    ["Winter Open"],
    [],
    ["Rk.", "Name", "Rtg", "1.Rd", "2.Rd", "Pts."],
    [1, "Łucja Żak", 2400, "2w1", "3b½", 1.5],
    [2, "Иванов Пётр", 2300.0, "1b0", "-1", 1],
    [3, "O’Neill", None, "-½", "1w½", 1],
]


def xlsx(rows: Rows) -> bytes:
    book, out = openpyxl.Workbook(), BytesIO()
    assert book.active
    for row in rows:
        book.active.append(row)
    for cell in (each for line in book.active.rows for each in line if each.data_type == "f"):
        cell.data_type = "s"  # a text that begins with =, not a formula
    book.save(out)
    return out.getvalue()


def xls(rows: Rows) -> bytes:
    """Return the workbook in the format of Excel 97."""
    book, out = xlwt.Workbook(), BytesIO()
    sheet, day = book.add_sheet("Sheet"), xlwt.easyxf(num_format_str="D-M-YYYY")
    for at, row in enumerate(rows):
        for column, value in enumerate(row):
            if value is not None:
                sheet.write(at, column, value, *([day] if isinstance(value, date) else []))
    book.save(out)
    return out.getvalue()


def _ods_cell(value: Value) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
    if isinstance(value, date):
        return f'<table:table-cell office:value-type="date" office:date-value="{value.isoformat()}"/>'
    if isinstance(value, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    text = escape(str(value))
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def ods(rows: Rows, manifest: str = "") -> bytes:
    """Return the workbook in the format of LibreOffice, which repeats empty rows up to the last one."""
    names = "office", "table", "text"
    spaces = " ".join(f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{each}:1.0"' for each in names)
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    far = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    body = (
        f'<office:spreadsheet><table:table table:name="Sheet">{lines}{far}</table:table></office:spreadsheet>'
    )
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", f"<manifest>{manifest}</manifest>")
        content = (
            f"<office:document-content {spaces}><office:body>{body}</office:body></office:document-content>"
        )
        archive.writestr("content.xml", content)
    return out.getvalue()


WRITERS = pytest.mark.parametrize("write", [xlsx, xls, ods])
Writer = Callable[[Rows], bytes]


def code(content: bytes) -> str:
    grids, findings = grids_of_workbook(content)
    assert not grids
    return findings[0].code


@WRITERS
def test_workbook_has_the_cells_of_its_csv(write: Writer) -> None:
    csv = "\n".join(";".join("" if cell is None else str(cell) for cell in row) for row in CROSS_TABLE)
    rows = [row for grid in grids_of_text(csv.replace("2300.0", "2300"))[0] for row in grid.rows]
    (grid,), findings = grids_of_workbook(write(CROSS_TABLE))

    assert findings == []
    assert [(row.number, row.cells) for row in grid.rows] == [
        (row.number, tuple(row.cells[:1]) if row.number == 1 else row.cells) for row in rows
    ]


@WRITERS
def test_crosstable_is_imported_from_all_formats(write: Writer) -> None:
    read = samples.read_into(CHESS, "table.xlsx", write(CROSS_TABLE))
    assert read.accepted, read.findings
    assert points(read) == {"Łucja Żak": 3, "Иванов Пётр": 2, "O’Neill": 2}


@WRITERS
def test_numbers_are_written_by_digits(write: Writer) -> None:
    rows: Rows = [[1, 2.5, 1e20, True, False, date(2024, 1, 3), "007", "1.0", None, "x"]]
    ((row,),) = [grid.rows for grid in grids_of_workbook(write(rows))[0]]
    assert row.cells == ("1", "2.5", "1e+20", "yes", "", "2024-01-03", "007", "1.0", "", "x")


@WRITERS
def test_result_converted_to_a_date_is_an_error(write: Writer) -> None:
    rows: Rows = [["Name", "1.Rd", "2.Rd"], ["Ann", "2w1", date(2024, 1, 3)], ["Bea", "1b0", "1w½"]]
    read = samples.read_into(CHESS, "table.xlsx", write(rows))

    assert read.accepted is None
    (finding,) = [each for each in read.findings if each.code == "no-cell"]
    assert finding.where == "Sheet, row 2, column 2.Rd"
    assert (
        "“2024-01-03” is no cell of a cross table. It is a day: a spreadsheet may have made it"
        in finding.message
    )

    games: Rows = [["Round", "White", "Black", "Result"], [1, "Ann", "Bea", date(2024, 3, 1)]]
    read = samples.read_into(CHESS, "table.xlsx", write(games))
    assert read.accepted is None
    (finding,) = [each for each in read.findings if each.code == "no-result"]
    assert finding.message.startswith("It is a day")


def test_distant_cell_is_rejected_before_it_needs_memory() -> None:
    book, out = openpyxl.Workbook(), BytesIO()
    assert book.active
    book.active["XFD1048576"] = 1
    book.save(out)
    assert code(out.getvalue()) == "too-large-a-sheet"


def test_encrypted_workbooks_are_rejected() -> None:
    old = xls([["Name"]])
    second = old.index(b"\x09\x08\x10\x00\x00\x06\x05\x00") + 20
    assert code(old[:second] + b"\x2f\x00" + old[second + 2 :]) == "encrypted"
    assert code(sheets.OLD_OFFICE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le")) == "encrypted"
    assert code(ods([["Name"]], "<encryption-data/>")) == "encrypted"


def test_macros_are_rejected_in_all_formats() -> None:
    assert code(xls([["Name"]]) + "_VBA_PROJECT_CUR".encode("utf-16-le")) == "macros"
    for name in ("Basic/Standard/Module1.xml", "xl/workbook.bin"):
        out = BytesIO(ods([["Name"]]))
        with ZipFile(out, "a") as archive:
            archive.writestr(name, "x")
        assert code(out.getvalue()) == "macros"


@WRITERS
def test_too_many_rows_and_cells_are_rejected(write: Writer) -> None:
    with patch.dict(sheets.LIMITS, rows=3):
        assert code(write([["x"]] * 4)) == "too-large-a-sheet"
    with patch.dict(sheets.LIMITS, cells=3):
        assert code(write([["x", "y"]] * 2)) == "too-large-a-sheet"
    with patch.dict(sheets.LIMITS, letters=3):
        assert code(write([["Anna"]])) == "too-large-a-sheet"


def test_parser_is_stopped_after_its_time() -> None:
    with patch.object(sheets, "_MOST_SECONDS", 0.001):
        assert code(xls([["x"]])) == "too-large-a-sheet"


@pytest.mark.exhaustive
@WRITERS
def test_damaged_workbook_is_rejected_or_read(write: Writer) -> None:
    content = write(CROSS_TABLE)
    for at in range(20, len(content), len(content) // 12):
        damaged = content[:at] + bytes([content[at] ^ 0xFF]) * 3 + content[at + 3 :]
        grids, findings = grids_of_workbook(damaged)
        assert bool(grids) != bool(findings)
    assert code(content[: len(content) // 2])


def test_cells_with_errors_are_named() -> None:
    book, out = openpyxl.Workbook(), BytesIO()
    assert book.active
    for row in (["No", "Name", "R1"], [1, "Ann", "2w1"], [2, "Bea", "#N/A"], [3, "Cas", "#REF!"]):
        book.active.append(row)
    book.save(out)
    (grid,), findings = grids_of_workbook(out.getvalue())

    assert [row.cell(2) for row in grid.rows] == ["R1", "2w1", "", ""]
    (objection,) = findings
    assert (objection.code, objection.severity, objection.where) == (
        "error-cells",
        "objection",
        "sheet 1, cell C3",
    )
    assert (
        "2 cells hold an error of the spreadsheet instead of a value, such as #N/A in C3" in objection.message
    )
