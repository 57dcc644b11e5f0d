"""A table of an unknown program, recognised by its headings or its cells.

    1. Arends, Bo NED 2447 7½ 45
    2-3. Brill, Claes 7

Places without games are the final table of an event without results if they have points, or if the title
names the last round. A title such as “after round 3 of 9”, or places without points, need your choice. Lines
of text are a place, a name, perhaps a title, a country and a rating, then points and figures.
"""

from collections.abc import Sequence

from tournaments.interchange.formats.layouts.crosstables import with_printed
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.titles import outline_of_titles, titles_of
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    CROSSTABLE,
    MATRIX,
    RESULTS,
    MappedTable,
    guessed_as,
)

TELLING = (RESULTS, CROSSTABLE, MATRIX, COMPETITORS)  # the most informative kind first

TABLES = (".csv", ".tsv", ".xlsx", ".txt")


def main_role(tables: Sequence[MappedTable]) -> str:
    roles = {each.role for _, each in tables}
    return next((role for role in TELLING if role in roles), "")


def _recognised(file: LayoutFile, role: str, *, is_final: bool) -> Signs:
    if main_role(file.mapped) != role:
        return ()
    table, mapping = next((table, each) for table, each in file.mapped if each.role == role)
    if role == COMPETITORS and is_final is (mapping.column("label") is None):
        return ()
    if table.heading is None or not table.heading.number:  # lines of text have no heading in the file
        texts = (row.cell(at) for row in table.rows for at in sorted(mapping.columns, reverse=True))
        return (f"its cells, such as “{next(filter(None, texts), '')}”",)
    headings = [table.heading.cell(at) for at in sorted(mapping.columns) if table.heading.cell(at)]
    shown = ", ".join(headings[:6]) + (", …" if len(headings) > 6 else "")
    return (f"its headings in row {table.heading.number}: {shown}",)


def _read_role(file: LayoutFile, role: str) -> LayoutReading:
    tables: Sequence[MappedTable] = file.mapped
    if main_role(tables) != role:
        tables = [(each, guessed_as(each, role)) for each in file.tables]
    return read_by_headings(file, [(table, with_printed(table, each)) for table, each in tables])


def read_by_headings(file: LayoutFile, tables: Sequence[MappedTable]) -> LayoutReading:
    return LayoutReading(
        tables=tuple(tables), outline=outline_of_titles(titles_of(tables)), findings=file.grid_findings
    )


def _layout(role: str, code: str, name: str, *, is_final: bool = False) -> Layout:
    return Layout(
        code=code,
        name=name,
        endings=(".txt", ".html") if is_final else TABLES,
        recognise=lambda file: _recognised(file, role, is_final=is_final),
        read=lambda file: _read_role(file, role),
        is_generic=True,
    )


COMPETITOR_LIST = _layout(COMPETITORS, "competitors", "a list of competitors")
FINAL_TABLE = _layout(COMPETITORS, "final-table", "a list of places and points", is_final=True)
RESULT_LIST = _layout(RESULTS, "results", "a list of results")
CROSS_TABLE = _layout(CROSSTABLE, "cross-table", "a cross table by rounds")
SQUARE = _layout(MATRIX, "square", "a square of everybody against everybody")
GENERIC = (COMPETITOR_LIST, FINAL_TABLE, RESULT_LIST, CROSS_TABLE, SQUARE)
