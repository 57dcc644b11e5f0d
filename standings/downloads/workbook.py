"""An event as an XLSX workbook. Text cells stay text, whatever they start with; numbers are numbers."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from standings.downloads.lists import (
    Number,
    Row,
    competitor_rows,
    crosstable_rows,
    results_rows,
    standings_rows,
)
from standings.engine import Standings
from tournaments.event.choices import knows_results
from tournaments.event.dates import parse_day
from tournaments.event.document import Document

CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""A fixed date, so that the same event gives the same bytes."""

OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
LONGEST_TEXT = 32_767  # the maximum length of a cell
WIDTHS = {
    "name": 26,
    "Name": 26,
    "Team": 26,
    "first": 22,
    "second": 22,
    "first player": 22,
    "second player": 22,
    "player": 22,
    "note": 40,
}
DECIMAL = re.compile(r"-?\d+(\.\d+)?")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
MOST_DIGITS = 15
"""The precision of spreadsheets. Longer numbers are written as text."""


def workbook(document: Document, standings: Standings, further: Mapping[str, Iterable[Row]]) -> bytes:
    sheets: dict[str, Iterable[Row]] = {"standings": standings_rows(document, standings)}
    if knows_results(document.event):
        sheets |= {"crosstable": crosstable_rows(document, standings), "results": results_rows(document)}
    sheets |= {"competitors": competitor_rows(document), **further}
    return workbook_of_sheets(document.event.name, sheets)


def workbook_of_sheets(title: str, sheets: Mapping[str, Iterable[Row]], headed_by: int = 0) -> bytes:
    """Return a workbook of these sheets; `headed_by`: the index of the heading line in each."""
    out = BytesIO()
    book = Workbook(out, OPTIONS)
    book.set_properties({"title": title[:255], "created": CREATED})
    heading, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
    for name, lines in sheets.items():
        _fill_sheet(book.add_worksheet(name), lines, heading, day, headed_by)
    book.close()
    return out.getvalue()


def _fill_sheet(sheet: Worksheet, lines: Iterable[Row], heading: Format, day: Format, headed_by: int) -> None:
    sheet.freeze_panes(headed_by + 1, 0)
    columns: list[str] = []
    for row, line in enumerate(lines):
        cells = list(line)
        if row == headed_by:
            columns = [str(cell) for cell in cells]
            for at, column in enumerate(columns):
                sheet.write_string(row, at, column, heading)
            for at, name in enumerate(columns):
                sheet.set_column(at, at, WIDTHS.get(name, max(7, len(name) + 2)))
            continue
        for at, cell in enumerate(cells):
            _write(sheet, row, at, cell, day if columns[at : at + 1] == ["date"] else None)


def _write(sheet: Worksheet, row: int, at: int, cell: object, day: Format | None) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, int):
        sheet.write_number(row, at, cell)
    elif (
        isinstance(cell, Number)
        and bool(DECIMAL.fullmatch(cell))
        and len(cell.strip("-").replace(".", "")) <= MOST_DIGITS
    ):
        sheet.write_number(row, at, Decimal(cell))
    elif day and (found := parse_day(str(cell))):
        sheet.write_datetime(row, at, found, day)
    else:
        sheet.write_string(row, at, UNPRINTABLE.sub("", str(cell))[:LONGEST_TEXT])
