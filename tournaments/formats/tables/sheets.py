"""XLSX → tables. Nothing in a workbook is run, followed or fetched: formulas give the value they had."""

import re
import warnings
from collections.abc import Iterator
from datetime import date, datetime, time
from io import BytesIO
from typing import Any

import openpyxl

from tournaments.event.finding import Finding, Place, error
from tournaments.formats import archives
from tournaments.formats.tables.counting import refusal_of
from tournaments.formats.tables.grid import (
    LONGEST_CELL,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_TABLES,
    Grid,
    GridRow,
)
from tournaments.formats.tables.text import cleaned

if not openpyxl.DEFUSEDXML:
    raise ImportError("openpyxl must parse with defusedxml; unset OPENPYXL_DEFUSEDXML")

_ESCAPED = re.compile("_x00(?:09|0A|0D)_")  # a line end or a tab inside a cell
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
MACROS = ("vbaproject", "macrosheets/", "activex/")
MOST_UNPACKED = 64 * 1024 * 1024  # a workbook, unlike an archive of events, is read whole
WIDEST = 1_000  # columns in use, empty ones too
_INEXACT = 1e15  # beyond it a float is no count any more


class _TooLargeError(Exception):
    """A sheet beyond the limits; the message is for people."""


def grids_of_workbook(content: bytes) -> tuple[list[Grid], list[Finding]]:
    """Return the sheets that hold anything, or the finding why none is read."""
    if content.startswith(OLD_OFFICE):
        text = "This is an old or an encrypted workbook. Save it as .xlsx without a password."
        return [], [error("old-workbook", Place(), text)]
    archive, problem = archives.opened(content, MOST_UNPACKED)
    if archive is None or problem:
        return [], [problem] if problem else []
    if found := next(filter(_is_macro, archive.namelist()), None):
        text = "The workbook has macros, which are never taken in. Save it as .xlsx without them."
        return [], [error("macros", Place(found), text)]
    problem = refusal_of(archive)
    return ([], [problem]) if problem else _read(content)


def _is_macro(name: str) -> bool:
    name = name.casefold()
    return any(sign in name for sign in MACROS)


def _read(content: bytes) -> tuple[list[Grid], list[Finding]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl leaves out of a workbook is not asked for
            return list(_grids(content)), []
    except _TooLargeError as problem:
        return [], [error("too-large-a-sheet", Place(), str(problem))]
    except Exception as problem:  # noqa: BLE001 - what a damaged workbook breaks has no common ancestor
        text = f"The workbook cannot be read: {type(problem).__name__}. Save it again as .xlsx."
        return [], [error("unreadable-workbook", Place(), text)]


def _grids(content: bytes) -> Iterator[Grid]:
    book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        if len(book.worksheets) > MOST_TABLES:
            text = f"The workbook has {len(book.worksheets)} sheets; at most {MOST_TABLES} are read. Cut it."
            raise _TooLargeError(text)
        budget = _CellBudget()
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # what a file says of its own size is not to be relied on
            rows = tuple(row for row in _rows(sheet, budget) if not row.is_blank)
            if rows:
                yield Grid(rows, cleaned(sheet.title)[:60])
    finally:
        book.close()


class _CellBudget:
    """The cells that may still be read: a sheet has a row of a thousand for one at its far end."""

    left = 4 * MOST_CELLS

    def take(self, count: int) -> None:
        """Take so many; refuse the workbook where there are none left."""
        self.left -= count
        if self.left < 0:
            raise _TooLargeError(f"The workbook has more than {MOST_CELLS} cells. Cut the tables.")


def _rows(sheet: Any, budget: _CellBudget) -> Iterator[GridRow]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if number > MOST_ROWS:
            raise _TooLargeError(f"Sheet {sheet.title} has more than {MOST_ROWS} rows. Cut the table.")
        budget.take(len(cells))
        row = GridRow(number, _trimmed(tuple(map(text_of, cells))))
        if len(cells) > WIDEST or len(row.cells) > MOST_COLUMNS:
            raise _TooLargeError(f"Sheet {sheet.title} has more than {MOST_COLUMNS} columns. Cut the table.")
        if any(len(cell) > LONGEST_CELL for cell in row.cells):
            where = f"Sheet {sheet.title}, row {number}"
            raise _TooLargeError(f"{where}: a cell has more than {LONGEST_CELL} characters. Shorten it.")
        yield row


def _trimmed(cells: tuple[str, ...]) -> tuple[str, ...]:
    last = max((at for at, cell in enumerate(cells, start=1) if cell), default=0)
    return cells[:last]


def text_of(value: object) -> str:
    """Return a cell as text: numbers by their digits, days as 2018-09-24, true as `yes`."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _INEXACT else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return cleaned(_ESCAPED.sub(" ", str(value)))
