"""The tables of a file, for tests of how tables are read."""

from dataclasses import dataclass

from tournaments.event.finding import Finding
from tournaments.interchange.formats.tables.headings import HeadedTable
from tournaments.interchange.formats.tables.reading import grids_of_content, tables_in


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a file, or findings if there are none."""

    tables: tuple[HeadedTable, ...]
    findings: tuple[Finding, ...] = ()


def tables_of(content: bytes, name: str = "") -> Tables:
    """Return the tables of a file. Workbooks are recognised by their bytes; other files are text."""
    grids, findings = grids_of_content(content, name)
    tables, problems = tables_in(grids)
    return Tables(tables, (*findings, *problems))
