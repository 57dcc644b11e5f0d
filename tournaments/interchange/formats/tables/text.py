"""Grids from CSV and pasted text."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from statistics import median

from tournaments.event.federations import code_of_name
from tournaments.event.finding import Finding, Place, error, objection
from tournaments.interchange.formats.tables.fixed_width import columns_of_lines, split_at_columns
from tournaments.interchange.formats.tables.grid import (
    LONGEST_CELL,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    Grid,
    GridRow,
    as_cell,
)
from tournaments.interchange.formats.tables.heading_words import MEANINGS, names_a_column, word_of
from tournaments.interchange.formats.tables.single_blanks import (
    heading_in,
    lines_below,
    parted_by_single_blanks,
)

SEPARATORS = ("\t", ";", "|", ",")
BLANKS = re.compile(r"[ \xa0]{2,}")
SPREADSHEET_SIGNS = r"\s*[=+\-@\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n]"
"""The beginning of texts that spreadsheets run as formulas; some accept full-width characters too."""

FORMULA = re.compile(rf"(^|[;|\t])(?={SPREADSHEET_SIGNS})")
"""The beginning of a formula.

A spreadsheet may split a cell at `;`, so that each part may begin a formula.
"""

MARK = re.compile(rf"(?:^|(?<=[;|\t]))'(?={SPREADSHEET_SIGNS})")
"""The apostrophe that prevents this in our files. It is not part of the text."""

_NAMED = re.compile(r"sep=([;,|\t])\r?$", re.IGNORECASE | re.MULTILINE)
"""Files for Excel may name the separator in the first line. `match` compares only the beginning."""

_PARTED_CELL = re.compile(r"(?<!\S)([+=<>-])([ \xa0]++)(\d{1,4}[BN])(?!\S)")  # Papi's
_ENTRY = re.compile(
    r"(?P<tie>=?)(?P<place>\d{1,3})(?:(?:\.?e?[-–/]|\.?[ªº°]? (?:y|e) )(?P<last>\d{1,3}))?"
    r"(?:st|nd|rd|th|er|e|\.?[ªº°])?[.):]{0,2} "
    r"(?:(?P<title>W?[GIFC]M) )?(?P<name>[^\d½]{2,120}?)(?: \(?(?P<code>[A-Z]{3})\)?)?(?: (?P<rating>\d{4}))?"
    r"(?: (?:each|je|elk|ieder|chacun|cada uno|ciascuno|по))?"
    r"(?:(?P<figures>(?: \(?[\d½][\d½.,/]{0,7}\)?[,;]?){1,20})"
    r"(?: (?:uit|of|aus|sur|su|из|out of) \d{1,3}+| [^\W\d]{1,7}\.?)?)?"
)
"""A line of a final table: `2-3. GM Arends, Bo (NED) 2447 7½/9`."""

_BETWEEN = re.compile(r"(?:(?<=[\d½)])[;,.]?|[;,]) (?=\d{1,3}(?:\.?[-–/]\d{1,3})?[.)] )")
_TALLY = re.compile(r" \+\d{1,2}(?: [=–-]\d{1,2}){1,2}")  # games won, lost and drawn
_HALF, _AND = re.compile(r"(?<=\d) ?½| 1/2(?!\S)"), re.compile(r" (?:and|en|und|et|y|e|i|и) ")
_NAMES = re.compile(rf", ?|{_AND.pattern}")
_NO_NAME = re.compile(r"[\t;|]|\.{2,}|…")
_IN_BRACKETS, _LAST_STOP = re.compile(r"\(([^()\d]{4,40})\)"), re.compile(r"(?<=[^\W\d]{4})\.$")
_CELLS, _LARGEST_GAP = re.compile(r"[\t;|,]"), 3  # missing places of a final table
_TITLE = 2  # cells of a line outside tables
_LOST_TABS = (
    "Single blanks part the columns here, so nobody can tell where a name ends. Copy the table again with "
    "its tabs, save the page as HTML, or take the file for spreadsheets."
)
_FEWEST_HEADINGS = 4
_FEWEST_ROWS = 3  # not counting remarks
_LOOKED_AT = 50  # lines that decide the separator


def grids_of_text(text: str) -> tuple[list[Grid], list[Finding]]:
    """Return the tables of a text, which end at empty lines. Rows have the numbers of their lines."""
    rows: list[GridRow] = []
    cells = 0
    lines = text.splitlines()
    heading = None if any(each in text for each in "\t;|") else heading_in(lines[: _LOOKED_AT * 2])
    below = lines_below(lines, heading) if heading else []
    if heading and below and 2 * sum(heading.row(line) is not None for line in below) <= len(below):
        return [], [error("lost-tabs", Place(f"line {heading.line + 1}"), _LOST_TABS)]
    listed, unread = _grids_of_places(lines)
    if listed:
        return listed, unread
    parted: Iterable[GridRow] = _rows_of_text(text)
    if heading and below:
        cells_of_lines = parted_by_single_blanks(lines, heading)
        parted = (GridRow(at, tuple(map(cleaned, each))) for at, each in enumerate(cells_of_lines, start=1))
    try:
        for at, row in enumerate(parted):
            cells += len(row.cells)
            if problem := _refusal_of_row(at, row, cells):
                return [], [problem]
            rows.append(row)
    except csv.Error as fault:
        text = f"This is no CSV: {fault}. Mend that, or save the table again."
        return [], [error("unreadable-table", Place(), text)]
    for row in rows[:_LOOKED_AT]:
        words = row.cells[0].split() if len(row.cells) == 1 else []
        if sum(names_a_column(word_of(each)) for each in words) >= max(_FEWEST_HEADINGS, len(words) / 2):
            return [], [error("lost-tabs", Place(f"line {row.number}"), _LOST_TABS)]
    blocks = groupby(rows, key=lambda row: bool(row.cells))
    return [Grid(tuple(block)) for has_cells, block in blocks if has_cells], []


def _grids_of_places(lines: list[str]) -> tuple[list[Grid], list[Finding]]:
    """Return the other lines, and lines such as `1. Arends 7½` as a table; [] if the text is another table.

    The places begin with 1. A line may have several names. `12 April 1938` and `1. e4 e5` are remarks. An
    indented line without a place shares the place above if the points are equal.
    """
    heads = [[word_of(cell) for cell in _CELLS.split(line)] for line in lines[:_LOOKED_AT]]
    if any(sum(map(names_a_column, words)) > 1 for words in heads) or len(lines) > MOST_ROWS:
        return [], []
    found: list[tuple[int, str, re.Match[str], list[str]]] = []
    last, following = 1, 1
    for number, line in enumerate(lines, start=1):
        plain = _HALF.sub("½", " ".join(_NO_NAME.sub(" ", line[:LONGEST_CELL]).split()))
        plain = _TALLY.sub("", plain)
        plain = _IN_BRACKETS.sub(lambda each: code_of_name(each[1]) or each[0], plain)
        for text in _BETWEEN.split(plain):
            is_below = bool(found) and line[:1].isspace() and text[:1] not in "=0123456789"
            if not (entry := _ENTRY.fullmatch(f"{found[-1][1]} {text}" if is_below else text)):
                continue
            figures = [each.strip("(),;.").partition("/")[0] for each in (entry["figures"] or "").split()]
            is_alike = bool(figures) == bool(found[0][3]) if found else True
            is_alike = is_alike and (not is_below or figures[:1] == found[-1][3][:1] != [])
            if is_alike and last <= int(entry["place"]) <= following + _LARGEST_GAP * bool(found):
                end = f"-{entry['last']}" if entry["last"] else ""
                found.append((number, f"{entry['tie']}{entry['place']}{end}", entry, figures))
                last = int(entry["place"])
                following = max(following, int(entry["last"] or last), len(found)) + 1
    if len(found) < _FEWEST_ROWS:
        return [], []
    read, counts = {number for number, *_ in found}, Counter(label for _, label, *_ in found)
    # "Brill, Cas" is a single player if players with a place of their own have a comma too.
    has_given_names = any("," in entry["name"] for _, _, entry, _ in found if not entry["last"])
    rows, problems = [], []
    for number, label, entry, figures in found:
        names = (_AND if has_given_names else _NAMES).split(entry["name"])
        shared = int(entry["last"] or entry["place"]) - int(entry["place"]) + 1
        names = names if counts[label] == 1 and len(names) == shared else [entry["name"]]
        if counts[label] * len(names) < shared:
            text = f"“{label}” has {shared} places, but fewer names were read. Write a line for each name."
            problems.append(objection("unread-line", Place(f"row {number}"), text))
        for each in names:
            name = _LAST_STOP.sub("", each.strip(" ,:"))
            cells = [label, entry["title"], name, entry["code"], entry["rating"], *figures]
            rows.append(GridRow(number, tuple(cleaned(each or "") for each in cells)))
    words = [line.split() for line in lines]
    meant = [{of for word in each for of in MEANINGS.get(word_of(word), ())} for each in words]
    others = [GridRow(at, (cleaned(line),)) for at, line in enumerate(lines, start=1) if at not in read]
    others = [row for row in others if row.cell(0) and not {"name", "points"} <= meant[row.number - 1]]
    for row in others:
        if found[0][0] < row.number < found[-1][0]:
            text = f"“{row.cell(0)[:60]}” is inside the list and was not read. Write it as “2. Brill 6½”."
            problems.append(objection("unread-line", Place(f"row {row.number}"), text))
    points = (
        each[at:]
        for each in words
        for at in range(1, len(each))
        if "points" in MEANINGS.get(word_of(each[at]), ())
    )
    labels = ["Pl", "Title", "Name", "Fed", "Rtg", *next(points, ["Pts"])]
    width = max(len(row.cells) for row in rows)
    heading = GridRow(0, (*labels, *(f"Figure {at}" for at in range(len(labels) - 4, 21)))[:width])
    return [*([Grid(tuple(others))] if others else []), Grid((heading, *rows))], problems


def _rows_of_text(text: str) -> Iterator[GridRow]:
    named = _NAMED.match(text)
    separator = named[1] if named else _separator(text)
    text = text[named.end() :] if named else text  # with the line end, so that lines are counted
    if separator:
        # Line ends remain because quoted cells may contain them.
        lines = text.splitlines(keepends=True)
        # The last blank line is a row, unless it is part of an unclosed quoted cell.
        reader = csv.reader([*lines, ""], delimiter=separator)
        before = 0
        for cells in reader:
            if reader.line_num > len(lines) and cells:
                fault = f"the quotation mark in row {before + 1} is never closed"
                raise csv.Error(fault)
            # Texts with too many are rejected unchanged.
            yield GridRow(before + 1, tuple(map(cleaned, cells) if len(cells) <= MOST_COLUMNS else cells))
            before = reader.line_num
        return
    yield from _parted_by_blanks(text.splitlines())


def _parted_by_blanks(lines: list[str]) -> Iterator[GridRow]:
    # A cell such as `+  4B` has no blanks between its parts then, and is as wide as before.
    lines = [_PARTED_CELL.sub(r"\2\1\3", line) for line in lines]
    cells = [BLANKS.split(line.strip()) if line.strip() else [] for line in lines]
    start = 0
    for at in range(len(lines) + 1):
        is_below_heading = at - start == 1 and len(cells[start]) > _TITLE
        if at < len(lines) and (cells[at] or is_below_heading):
            continue
        columns = columns_of_lines(lines[start:at], cells[start:at])
        for number in range(start, min(at + 1, len(lines))):
            found = cells[number]
            if columns and len(found) > _TITLE:
                found = split_at_columns(lines[number], columns)
            yield GridRow(number + 1, tuple(map(cleaned, found) if len(found) <= MOST_COLUMNS else found))
        start = at + 1


def cleaned(cell: str) -> str:
    return as_cell(MARK.sub("", cell))


def _separator(text: str) -> str:
    lines = [line for line in islice(text.splitlines(), _LOOKED_AT * 2) if line.strip()][:_LOOKED_AT]
    if not lines:
        return ""
    rows = [line for line in lines if not line.startswith("#")]
    lines = rows if len(rows) >= _FEWEST_ROWS else lines
    # The median, because titles and remarks above the table have other separators.
    counts = {sign: median(line.count(sign) for line in lines) for sign in SEPARATORS}
    best = max(SEPARATORS, key=lambda sign: counts[sign])
    blanks = median(len(BLANKS.findall(line.strip())) for line in lines)
    return best if counts[best] and counts[best] >= blanks else ""


def _refusal_of_row(at: int, row: GridRow, cells: int) -> Finding | None:
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
