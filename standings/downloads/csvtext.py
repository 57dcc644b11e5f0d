"""CSV files that are safe from formulas in spreadsheets."""

import csv
from collections.abc import Iterable
from io import StringIO

from standings.downloads.lists import Cell, Line, Number
from tournaments.interchange.formats.tables.text import FORMULA

BOM = "\ufeff"
"""Excel detects UTF-8 only by this mark; others skip it. Without it, names with accents break."""


def csv_text(lines: Iterable[Line], delimiter: str = ",", decimal: str = ".") -> str:
    text = StringIO()
    written = csv.writer(text, delimiter=delimiter)
    for line in lines:
        written.writerow([_with_decimal(safe(cell), decimal) for cell in line])
    return BOM + text.getvalue()


def safe(cell: Cell) -> Cell:
    """Return the cell so that no spreadsheet reads it as a formula. Numbers are unchanged."""
    if isinstance(cell, Number) or not isinstance(cell, str):
        return cell
    return FORMULA.sub(r"\1'", cell)


def _with_decimal(cell: Cell, decimal: str) -> Cell:
    return cell.replace(".", decimal) if isinstance(cell, Number) else cell
