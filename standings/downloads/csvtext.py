"""Lines as the text of a CSV file, which no spreadsheet takes for formulas."""

import csv
from collections.abc import Iterable
from io import StringIO

from standings.downloads.lists import Cell, Line, Number
from tournaments.formats.tables.text import FORMULA

BOM = "\ufeff"
"""Excel reads a CSV as UTF-8 only behind this mark; others skip it. Without it, half of the names break."""


def csv_text(lines: Iterable[Line], delimiter: str = ",", decimal: str = ".") -> str:
    """Return the lines as a file, with that sign between cells and that one in the figures of numbers."""
    text = StringIO()
    written = csv.writer(text, delimiter=delimiter)
    for line in lines:
        written.writerow([_with_decimal(safe(cell), decimal) for cell in line])
    return BOM + text.getvalue()


def safe(cell: Cell) -> Cell:
    """Return the cell as no spreadsheet takes it for a formula; numbers are left alone."""
    if isinstance(cell, Number) or not isinstance(cell, str):
        return cell
    return FORMULA.sub(r"\1'", cell)


def _with_decimal(cell: Cell, decimal: str) -> Cell:
    return cell.replace(".", decimal) if isinstance(cell, Number) else cell
