"""Shared by the layouts of crosstables: printed columns, countries after names, titles around tables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournaments.event.federations import code_of_name
from tournaments.event.finding import Finding, warning
from tournaments.interchange.formats.layouts.layout import LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.titles import outline_of_titles, titles_of
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    CROSSTABLE,
    MATRIX,
    PRINTED,
    HeadedTable,
    MappedTable,
    TableMapping,
    all_match,
)
from tournaments.interchange.formats.tables.reading import mapped_tables

_FIGURE = re.compile(r"[+-]?\d+(?:[.,]\d+)?|\d*½|\d+[x+-]")
_WITH_COUNTRY = re.compile(r"(.*\S)\s*\(([^()]+)\)")


def crosstable_reading(
    file: LayoutFile,
    outline: EventOutline | None = None,
    more: Mapping[str, str] | None = None,
    changed: Sequence[HeadedTable] = (),
) -> LayoutReading:
    """Return the tables of a file by their headings, with printed columns and countries after names.

    `outline`: the facts that the layout implies; titles around the tables add others. `more`: fields by
    lower-case heading that have this meaning only in this layout. `changed`: tables in place of the file's.
    """
    read_tables = mapped_tables(changed or file.tables)
    tables: list[MappedTable] = []
    findings = [*file.grid_findings]
    for given, each in read_tables:
        cells = given.heading.cells if given.heading else ()
        further = {
            at: more[cell.casefold()] for at, cell in enumerate(cells) if more and cell.casefold() in more
        }
        mapping = with_printed(given, TableMapping(each.role, {**each.columns, **further}))
        table, mapping, problems = with_countries(given, mapping)
        tables.append((table, mapping))
        findings += problems
    return LayoutReading(
        tables=tuple(tables),
        outline=(outline or EventOutline()).completed_by(outline_of_titles(titles_of(read_tables))),
        findings=tuple(findings),
    )


def crosstables_of(file: LayoutFile) -> list[MappedTable]:
    return [(table, each) for table, each in file.mapped if each.role in (CROSSTABLE, MATRIX)]


def around(file: LayoutFile) -> str:
    """Return the text above, between and below the tables of a file, in lower case."""
    return " \n".join(cell for row in file.titles for cell in row.cells).casefold()


def with_printed(table: HeadedTable, mapping: TableMapping) -> TableMapping:
    """Return the mapping with the columns of figures after the results or points as printed columns."""
    if mapping.role not in (COMPETITORS, CROSSTABLE, MATRIX) or table.heading is None:
        return mapping
    starts = [at for at, field in mapping.columns.items() if field == "points" or ":" in field]
    behind = range(min(starts, default=table.grid.width) + 1, table.grid.width)
    columns = [
        at
        for at in behind
        if at not in mapping.columns and table.heading.cell(at) and all_match(table, at, _FIGURE)
    ]
    return replace(mapping, columns={**mapping.columns, **dict.fromkeys(columns, PRINTED)})


# --- country in brackets after the name -------------------------------------------------------------------


def with_countries(
    table: HeadedTable, mapping: TableMapping
) -> tuple[HeadedTable, TableMapping, list[Finding]]:
    """Return the table with a column of country codes if most names end with a country in brackets.

    Names with an unknown country remain as they are; a finding counts them.
    """
    at, heading = mapping.column("name"), table.heading
    if at is None or heading is None or mapping.column("code") is not None:
        return table, mapping, []
    found = {row.number: _WITH_COUNTRY.fullmatch(row.cell(at)) for row in table.rows}
    codes = {at: code_of_name(each[2], with_past=True) for at, each in found.items() if each}
    parts = {at: (each[1], code) for at, each in found.items() if each and (code := codes[at])}
    if 2 * len(parts) <= len(table.rows):
        return table, mapping, []
    width = table.grid.width
    table = with_split_column(table, at, "(country)", parts)
    findings = []
    if strange := [row for row in table.rows if "(" in row.cell(at)]:
        text = (
            f"The text in brackets after a name is not a known country: {len(strange)} times, such as "
            f"“{strange[0].cell(at)}”. These names were not changed."
        )
        place = table.grid.place(strange[0]).at(table.labels[at])
        findings.append(warning("unknown-country", place, text))
    columns = {**mapping.columns, width: "code"}
    return table, replace(mapping, columns=columns), findings


def with_split_column(
    table: HeadedTable, at: int, label: str, parts: Mapping[int, tuple[str, str]]
) -> HeadedTable:
    """Return the table with the second part of the cells of a column in a further column.

    `parts`: both parts by the number of the row. Other cells are unchanged.
    """
    width = table.grid.width

    def split(row: GridRow) -> GridRow:
        cells = [*row.cells, *("" for _ in range(width - len(row.cells))), ""]
        second = label if row is table.heading else ""
        cells[at], cells[width] = parts.get(row.number, (cells[at], second))
        return GridRow(row.number, tuple(cells))

    return table.with_rows(split)
