"""The tables that this site offers as CSV and XLSX: standings and results, and in workbooks competitors.

    place,number,name,code,rating,PTS,won,drawn,lost,remarks,R1
    round,date,table,board,first number,first,first player,first score,second score,…

The competitors are those of the standings, and printed values are compared with the results. The cross
table, the categories, the prizes and the lines about the table repeat other data and are not read.
"""

from collections.abc import Iterator

from tournaments.event.arrays import POINTS_LABELS
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import (
    Layout,
    LayoutFile,
    LayoutReading,
    Signs,
    table_of_rows,
)
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.headings import COMPETITORS, PRINTED, RESULTS, MappedTable

STANDINGS_AHEAD = ("place", "number", "name", "code", "rating")
STANDINGS_BEHIND = ("won", "drawn", "lost", "remarks")
OUTSIDE = "outside the competition"  # remark on competitors who are not ranked

RESULT_COLUMNS = (
    "round", "date", "table", "board", "first number", "first", "first player", "first score",
    "second score", "second player", "second number", "second", "kind", "white", "advantage",
    "games played", "note",
)  # fmt: skip
COMPETITOR_COLUMNS = (
    "number", "name", "code", "flag", "title", "rating", "rating class", "outside", "withdrawn after",
    "board", "player", "player title", "player rating", "FIDE id",
)  # fmt: skip
# criteria that are the points
POINTS = frozenset({"total-score", "match-points", "game-points", "PTS", "MPTS", "GPTS"})

# beginnings of headings of tables that repeat others
_NOT_READ = (
    ("place", "number", "name", "R1"), ("category", "place"), ("prize", "place"), ("about", "text"),
)  # fmt: skip


def _begins(row: GridRow, heading: tuple[str, ...]) -> bool:
    return tuple(row.cells[: len(heading)]) == heading


def _is_of_standings(row: GridRow) -> bool:
    return _begins(row, STANDINGS_AHEAD) and set(STANDINGS_BEHIND) <= set(row.cells)


def _headed_blocks(file: LayoutFile) -> Iterator[tuple[Grid, GridRow | None, list[GridRow]]]:
    for grid in file.grids:
        heading: GridRow | None = None
        rows: list[GridRow] = []
        for row in grid.rows:
            if row.is_blank:
                continue
            headings = (RESULT_COLUMNS, COMPETITOR_COLUMNS, *_NOT_READ)
            if _is_of_standings(row) or any(_begins(row, each) for each in headings):
                yield grid, heading, rows
                heading, rows = row, []
            else:
                rows.append(row)
        yield grid, heading, rows


def recognise_own_tables(file: LayoutFile) -> Signs:
    rows = [row for grid in file.grids for row in grid.rows]
    results = next((row for row in rows if _begins(row, RESULT_COLUMNS)), None)
    standings = next((row for row in rows if _is_of_standings(row)), None)
    # Without results, only the published ranking is known.
    if standings is None or (results is None and "R1" in standings.cells):
        return ()
    signs = (f"the columns of standings of this site in row {standings.number}",)
    return (*signs, f"the columns of its results in row {results.number}") if results else signs


def read_own_tables(file: LayoutFile) -> LayoutReading:
    tally = ReadingTally()
    tables: list[MappedTable] = []
    for grid, heading, rows in _headed_blocks(file):
        made = _known_table(grid, heading, rows) if heading else None
        read = ([heading] if heading else []) if made is None else [heading, *rows]
        tally.read("lines", len(read))
        for row in rows if made is None else ():
            tally.unread("lines", " ".join(filter(None, row.cells)))
        if made:
            tables.append(made)
    return LayoutReading(tables=tuple(tables), findings=file.grid_findings, account=tally.account())


def _known_table(grid: Grid, heading: GridRow, rows: list[GridRow]) -> MappedTable | None:
    if _is_of_standings(heading):
        first, remarks = heading.cells.index("won"), heading.cells.index("remarks")
        criteria = heading.cells[len(STANDINGS_AHEAD) : first]
        points = next((each for each in criteria if each in POINTS or each.casefold() in POINTS_LABELS), None)
        fields = [
            "label",
            *STANDINGS_AHEAD[1:],
            *("points" if each == points else PRINTED for each in criteria),
        ]
        fields += [""] * (remarks - len(fields)) + ["outside"]
        known = [(row, "yes" if OUTSIDE in row.cell(remarks) else "") for row in rows]
        cells = [GridRow(row.number, (*map(row.cell, range(remarks)), outside)) for row, outside in known]
        return table_of_rows(COMPETITORS, fields, cells, grid.name, heading.cells[: remarks + 1])
    for role, columns in ((RESULTS, RESULT_COLUMNS), (COMPETITORS, COMPETITOR_COLUMNS)):
        if _begins(heading, columns):
            fields = [each.casefold().replace(" ", "_") for each in columns]
            # A workbook has no cells after the last cell with a value.
            whole = [GridRow(row.number, tuple(map(row.cell, range(len(columns))))) for row in rows]
            return table_of_rows(role, fields, whole, grid.name, columns)
    return None


OWN_TABLES = Layout(
    code="own-tables",
    name="CSV or XLSX of this site: standings and results",
    endings=(".csv", ".xlsx"),
    recognise=recognise_own_tables,
    read=read_own_tables,
)
