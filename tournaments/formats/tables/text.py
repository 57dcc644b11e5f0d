"""CSV and pasted text → tables."""

import csv
import re
from collections.abc import Iterator
from itertools import islice
from statistics import median

from tournaments.event.finding import Finding, Place, error
from tournaments.formats.tables.fixed_width import columns_of, parted
from tournaments.formats.tables.grid import (
    LONGEST_CELL,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    Grid,
    GridRow,
    as_cell,
)
from tournaments.formats.tables.single_blanks import (
    BlankHeading,
    can_be_parted,
    heading_in,
    lines_below,
    parted_by_single_blanks,
)

SEPARATORS = ("\t", ";", "|", ",")
BLANKS = re.compile(r"[ \xa0]{2,}")
SPREADSHEET_SIGNS = r"\s*[=+\-@\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n]"
"""What a text begins with that spreadsheets run as a formula; some take the full-width signs as well."""

FORMULA = re.compile(rf"(^|[;|\t])(?={SPREADSHEET_SIGNS})")
"""Where a text is a formula to a spreadsheet.

Where it parts cells at `;`, one of ours is several to it, and each may begin so.
"""

MARK = re.compile(rf"(?:^|(?<=[;|\t]))'(?={SPREADSHEET_SIGNS})")
"""The apostrophe that keeps them from it, which we write too; it is no part of the text."""

_NAMED = re.compile(r"sep=([;,|\t])\r?$", re.IGNORECASE | re.MULTILINE)
"""The first line of files for Excel may name what separates; `match` looks at the beginning alone."""

_TITLE = 2  # cells of a line that is no row of a table
_FEWEST_ROWS = 3  # besides remarks, which are no rows
_LOOKED_AT = 50  # lines that tell what separates


def grids_of_text(text: str) -> tuple[list[Grid], list[Finding]]:
    """Return the tables of a text: an empty line ends one. Row numbers are those of its lines."""
    rows: list[GridRow] = []
    cells = 0
    lines = text.splitlines()
    heading = None if any(each in text for each in "\t;|") else heading_in(lines[: _LOOKED_AT * 2])
    below = lines_below(lines, heading) if heading else []
    if heading and below and not can_be_parted(lines, heading):
        return [], [_lost_tabs(heading.line + 1)]
    parted_ = _parted_by_heading(lines, heading) if heading and below else _rows(text)
    try:
        for at, row in enumerate(parted_):
            cells += len(row.cells)
            if problem := _refusal(at, row, cells):
                return [], [problem]
            rows.append(row)
    except csv.Error as fault:
        text = f"This is no CSV: {fault}. Mend that, or save the table again."
        return [], [error("unreadable-table", Place(), text)]
    return [Grid(rows) for rows in _blocks(rows)], []


def _parted_by_heading(lines: list[str], heading: BlankHeading) -> Iterator[GridRow]:
    for number, cells in enumerate(parted_by_single_blanks(lines, heading), start=1):
        yield GridRow(number, tuple(map(cleaned, cells)))


def _lost_tabs(line: int) -> Finding:
    text = (
        "Single blanks part the columns here, so nobody can tell where a name ends. Copy the table again "
        "with its tabs, save the page as HTML, or take the file for spreadsheets."
    )
    return error("lost-tabs", Place(f"line {line}"), text)


def _rows(text: str) -> Iterator[GridRow]:
    named = _NAMED.match(text)
    separator = named[1] if named else _separator(text)
    text = text[named.end() :] if named else text  # the end of its line stays, so that lines are counted on
    if separator:
        # Line ends are kept: a quoted cell may hold some.
        lines = text.splitlines(keepends=True)
        # The blank line at the end is a row of its own, unless a quoted cell that nobody closes takes it in.
        reader = csv.reader([*lines, ""], delimiter=separator)
        before = 0
        for cells in reader:
            if reader.line_num > len(lines) and cells:
                fault = f"a quotation mark in row {before + 1} opens a cell that none closes"
                raise csv.Error(fault)
            # What has too many is refused as it is.
            yield GridRow(before + 1, tuple(map(cleaned, cells) if len(cells) <= MOST_COLUMNS else cells))
            before = reader.line_num
        return
    yield from _parted_by_blanks(text.splitlines())


def _parted_by_blanks(lines: list[str]) -> Iterator[GridRow]:
    """Yield the rows of lines that two blanks part, or whose columns stand below each other."""
    cells = [BLANKS.split(line.strip()) if line.strip() else [] for line in lines]
    start = 0
    for at in range(len(lines) + 1):
        if at < len(lines) and cells[at]:
            continue
        columns = columns_of(lines[start:at], cells[start:at])
        for number in range(start, min(at + 1, len(lines))):
            found = cells[number]
            if columns and len(found) > _TITLE:
                found = parted(lines[number], columns)
            yield GridRow(number + 1, tuple(map(cleaned, found) if len(found) <= MOST_COLUMNS else found))
        start = at + 1


def cleaned(cell: str) -> str:
    """Return the text of a cell without what only a spreadsheet needs."""
    return as_cell(MARK.sub("", cell))


def _separator(text: str) -> str:
    """Return what stands between cells most often; blank for two spaces or more."""
    lines = [line for line in islice(text.splitlines(), _LOOKED_AT * 2) if line.strip()][:_LOOKED_AT]
    if not lines:
        return ""
    rows = [line for line in lines if not line.startswith("#")]
    lines = rows if len(rows) >= _FEWEST_ROWS else lines
    # The median: a title or a remark above the table has separators of its own.
    counts = {sign: median(line.count(sign) for line in lines) for sign in SEPARATORS}
    best = max(SEPARATORS, key=lambda sign: counts[sign])
    blanks = median(len(BLANKS.findall(line.strip())) for line in lines)
    return best if counts[best] and counts[best] >= blanks else ""


def _blocks(rows: list[GridRow]) -> Iterator[tuple[GridRow, ...]]:
    block: list[GridRow] = []
    for row in rows:
        if row.cells:
            block.append(row)
        elif block:
            yield tuple(block)
            block = []
    if block:
        yield tuple(block)


def _refusal(at: int, row: GridRow, cells: int) -> Finding | None:
    """Return the finding why a row is one too many or too large; `cells` are those of all rows so far."""
    place = Place(f"row {row.number}")
    if at == MOST_ROWS:
        return error("too-many-rows", Place(), f"More than {MOST_ROWS} rows. Cut the table.")
    if len(row.cells) > MOST_COLUMNS:
        text = f"{len(row.cells)} columns; at most {MOST_COLUMNS} are read. Cut the table."
        return error("too-many-columns", place, text)
    if cells > MOST_CELLS:
        return error("too-many-rows", place, f"More than {MOST_CELLS} cells. Cut the table.")
    if any(len(cell) > LONGEST_CELL for cell in row.cells):
        return error("too-long", place, f"A cell has more than {LONGEST_CELL} characters. Shorten it.")
    return None
