"""Grids from XLSX, XLS and ODS. No macro is run and no link is fetched; formulas have their stored values.

The rows and cells of packed files are counted before parsing. The parser is another process
(`workbook_process`), so that a damaged workbook cannot stop the site.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile, ZipInfo

from tournaments.event.finding import Finding, Place, cut, error, objection
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.tables import grid
from tournaments.operations.processes.confinement import TooMuchWorkError, run_confined

OLD_OFFICE = b"\xd0\xcf\x11\xe0"
MACROS = ("vbaproject", "macrosheets/", "activex/", "basic/", "scripts/")
"""Parts of packed workbooks with code, in XLSX and ODS."""

_BINARY = "xl/workbook.bin"
_OLD_MACROS = "_VBA_PROJECT".encode("utf-16-le")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MANIFEST = "META-INF/manifest.xml"
_FIRST_RECORD = b"\x09\x08\x10\x00\x00\x06\x05\x00"
_OF_PASSWORD = 0x2F
_RECORDS_LOOKED_AT = 8
HAS_MACROS = "The workbook has macros, which are never taken in. Save it as .xlsx without them."
LOCKED = "The workbook is encrypted. Save it without a password."
MOST_UNPACKED = 64 * 1024 * 1024  # a workbook, unlike an archive of events, is read at once
MOST_BYTES_OLD = 16 * 1024 * 1024  # an XLS, which is not packed
LIMITS = {
    "rows": grid.MOST_ROWS,
    "columns": 1_000,  # used columns, including empty ones
    "cells": 4 * grid.MOST_CELLS,  # a sheet has 1,000 rows for a single cell in its last row
    "filled": grid.MOST_CELLS,
    "letters": 32 * 1024 * 1024,
    "sheets": grid.MOST_TABLES,
    "megabytes": 1024,
    "seconds": 20,
}
"""Limits for a workbook. Megabytes of memory and CPU seconds are those of the parser process."""

_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,4})\.xml")
_ERRORS = re.compile(
    rb"<c\b([^>]{0,200})>(?:<f[^>]{0,500}>[^<]{0,9000}</f>|<f[^>]{0,500}/>)?<v>(#[^<]{1,20})</v>"
)
_REFERENCE = re.compile(rb'\br="([A-Z]{1,3}\d{1,7})"')
_PROCESS = "tournaments.interchange.formats.tables.workbook_process"
_MOST_SECONDS = 60  # wall-clock time, on a busy machine
_INEXACT = 1e15  # larger floats are not exact integers

MOST_TAGS = 10 * grid.MOST_CELLS  # in all files of a workbook; a cell has at most four tags

STEP = 1024 * 1024
_LONGEST_TAG = 80
_TAG = re.compile(rb"<(?:[\w.-]{1,40}:)?(row|c|si|table-row|(?:covered-)?table-cell)[\s/>]")
# no workbook has these; the parser also rejects entities, but without a message
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


class _RefusedError(Exception):
    """A rejected workbook, with its finding."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.finding = error(code, Place(), message)


def grids_of_workbook(content: bytes) -> tuple[list[grid.Grid], list[Finding]]:
    archive = None
    if content.startswith(OLD_OFFICE):
        problem = _refusal_of_old(content)
    else:
        archive, problem = archives.opened(content, MOST_UNPACKED)
        problem = problem or (_refusal_of_packed(archive) if archive else None)
    if problem:
        return [], [problem]
    try:
        grids = [each for each in map(_grid_of_sheet, _parse_in_process(content)) if each.rows]
        return grids, list(_errors_in(archive)) if archive else []
    except _RefusedError as refused:
        return [], [refused.finding]


def _refusal_of_old(content: bytes) -> Finding | None:
    if _ENCRYPTED in content or _is_locked(content):
        return error("encrypted", Place(), LOCKED)
    if _OLD_MACROS in content:
        return error("macros", Place(), HAS_MACROS)
    if len(content) > MOST_BYTES_OLD:
        most = archives.in_megabytes(MOST_BYTES_OLD)
        return error("too-large-a-sheet", Place(), f"An old workbook of more than {most}. Save it as .xlsx.")
    return None


def _is_locked(content: bytes) -> bool:
    at = content.find(_FIRST_RECORD)
    for _ in range(_RECORDS_LOOKED_AT if at >= 0 else 0):
        sort, length = (int.from_bytes(content[at + part : at + part + 2], "little") for part in (0, 2))
        if sort == _OF_PASSWORD:
            return True
        at += 4 + length
    return False


def _refusal_of_packed(archive: ZipFile) -> Finding | None:
    names = [each.casefold() for each in archive.namelist()]
    if found := next((name for name in names if any(sign in name for sign in MACROS)), None):
        return error("macros", Place(found), HAS_MACROS)
    if _BINARY in names:
        return error("macros", Place(_BINARY), "A binary workbook may contain macros. Save it as .xlsx.")
    problem = _refusal_of_size(archive)
    # The reader of the parts has found the archive undamaged.
    if problem is None and _MANIFEST in archive.namelist() and b"encryption-data" in archive.read(_MANIFEST):
        return error("encrypted", Place(), LOCKED)
    return problem


# --- counting of rows and cells ---------------------------------------------------------------------------
#
# Sizes that a workbook declares can be wrong: the directory of the archive, the dimensions of a sheet, the
# numbers of its rows. So the elements are counted while it is unpacked, in XLSX and ODS alike.


def _refusal_of_size(archive: ZipFile) -> Finding | None:
    counted: Counter[bytes] = Counter()
    for info in archive.infolist():
        try:
            if problem := next(_problems(archive, info, counted), None):
                return problem
        except archives.BROKEN as problem:
            text = f"It cannot be unpacked: {cut(str(problem))}. Pack the file again."
            return error("broken-archive", Place(info.filename[:120]), text)
    return None


def _problems(archive: ZipFile, info: ZipInfo, counted: Counter[bytes]) -> Iterator[Finding]:
    for text in _pieces(archive, info):
        if _DECLARATION.search(text):
            message = "The workbook declares its own entities or types, which are not allowed. Save it again."
            yield error("xml-entities", Place(info.filename[:120]), message)
        counted[b"<"] += text.count(b"<")
        if counted[b"<"] <= MOST_TAGS:
            counted.update(_TAG.findall(text))
        if counted[b"row"] + counted[b"table-row"] > grid.MOST_ROWS:
            message = f"The workbook has more than {grid.MOST_ROWS} rows. Cut the tables."
            yield error("too-large-a-sheet", Place(), message)
        cells = counted[b"c"] + counted[b"table-cell"] + counted[b"covered-table-cell"]
        if max(cells, counted[b"si"]) > grid.MOST_CELLS or counted[b"<"] > MOST_TAGS:
            message = f"The workbook has more than {grid.MOST_CELLS} cells. Cut the tables."
            yield error("too-large-a-sheet", Place(), message)


def _pieces(archive: ZipFile, info: ZipInfo) -> Iterator[bytes]:
    rest = b""
    with archive.open(info) as file:
        while step := file.read(STEP):
            # In UTF-16, every other byte of a tag is 0.
            text = rest + (step.replace(b"\0", b"") if b"\0" in step else step)
            begun = text.rfind(b"<", max(len(text) - _LONGEST_TAG, 0))
            whole = len(text) if begun < 0 else begun
            yield text[:whole]
            rest = text[whole:]
    yield rest


# --- cells ------------------------------------------------------------------------------------------------


def _errors_in(archive: ZipFile) -> Iterator[Finding]:
    for name in archive.namelist():
        found = _SHEET.fullmatch(name)
        part = archive.read(name) if found else b""
        cells = [each for each in _ERRORS.findall(part) if b't="e"' in each[0]] if b't="e"' in part else []
        if found and cells:
            where = _REFERENCE.search(cells[0][0])
            cell = where[1].decode() if where else "?"
            text = (
                f"{len(cells)} cells hold an error of the spreadsheet instead of a value, such as "
                f"{cells[0][1].decode('ascii', 'replace')} in {cell}, and are read as blank. Correct them "
                "there; accept this if they say nothing."
            )
            yield objection("error-cells", Place(f"sheet {found[1]}, cell {cell}"), text)


def _parse_in_process(content: bytes) -> list[dict[str, Any]]:
    try:
        answer = json.loads(run_confined(_PROCESS, [json.dumps(LIMITS)], content, _MOST_SECONDS))
    except TooMuchWorkError as much:
        text = "The workbook takes more memory or time than any table needs. Cut it, or save it again."
        raise _RefusedError("too-large-a-sheet", text) from much
    if "code" in answer:
        message = answer["message"]
        if answer["code"] == "unreadable-workbook":
            message = f"The workbook cannot be read: {message}. Save it again as .xlsx."
        raise _RefusedError(answer["code"], message)
    return list(answer["sheets"])


def _grid_of_sheet(sheet: dict[str, Any]) -> grid.Grid:
    name, filled = grid.as_cell(sheet["name"])[:60], []
    for number, cells in enumerate(sheet["rows"], start=1):
        texts = tuple(map(text_of_value, cells))
        last = max((at for at, text in enumerate(texts, start=1) if text), default=0)
        row = grid.GridRow(number, texts[:last])
        if len(row.cells) > grid.MOST_COLUMNS:
            text = f"Sheet {name} has more than {grid.MOST_COLUMNS} columns. Cut the table."
            raise _RefusedError("too-large-a-sheet", text)
        if any(len(cell) > grid.LONGEST_CELL for cell in row.cells):
            where = f"Sheet {name}, row {number}"
            text = f"{where}: a cell has more than {grid.LONGEST_CELL} characters. Shorten it."
            raise _RefusedError("too-large-a-sheet", text)
        if not row.is_blank:
            filled.append(row)
    return grid.Grid(tuple(filled), name)


def text_of_value(value: object) -> str:
    """Return a cell as text: numbers by digits, dates as 2018-09-24, true as `yes`."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _INEXACT else repr(value)
    if isinstance(value, dict):
        return str(value.get("day") or value.get("time") or "")
    return grid.as_cell(str(value))
