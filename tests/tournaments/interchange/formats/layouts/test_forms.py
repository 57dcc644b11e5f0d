"""A layout is equal in all file formats: CSV, workbooks, a page, and text pasted from it."""

import csv
from collections.abc import Callable
from dataclasses import replace
from html import escape
from io import StringIO
from typing import Any

import pytest

from tests.tournaments.interchange.formats.test_sheets import Rows, Value, ods, xls, xlsx
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.tables.listed_games import ListedGame


def _value(text: str) -> Value:
    """Return a cell as a spreadsheet converts it: numbers are numbers."""
    text = text.strip()
    try:
        return float(text) if text.isascii() and not text.startswith(("0", "-", "+")) else text or None
    except ValueError:
        return text or None


def _rows(layout: Layout) -> list[list[str]]:
    sign = max(";,", key=layout.example.count)
    return list(csv.reader(StringIO(layout.example), delimiter=sign))


def _page(rows: list[list[str]]) -> bytes:
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<!DOCTYPE html><html><body><table>{lines}</table></body></html>".encode()


def _values(write: Callable[[Rows], bytes]) -> Callable[[list[list[str]]], bytes]:
    return lambda rows: write([[_value(cell) for cell in row] for row in rows])


FORMS: dict[str, Callable[[list[list[str]]], bytes]] = {
    "a.xlsx": _values(xlsx),
    "a.xls": _values(xls),
    "a.ods": _values(ods),
    "a.html": _page,
    "pasted.csv": lambda rows: "\n".join("\t".join(cell.strip() for cell in row) for row in rows).encode(),
}


USUAL = ("a.xlsx", "pasted.csv")


def content(reading: LayoutReading | None) -> tuple[list[Any], tuple[ListedGame, ...]]:
    """Return the fields by column and the rows of each table, and the games."""
    assert reading
    # A page collapses the blanks in a cell.
    tables = [
        (dict(each.columns), [[" ".join(cell.split()) for cell in row.cells] for row in table.rows])
        for table, each in reading.tables
        if each.role
    ]
    games = reading.games.games if reading.games else ()
    return tables, tuple(replace(each, line=0) for each in games)


@pytest.mark.parametrize(
    "name", [name if name in USUAL else pytest.param(name, marks=pytest.mark.exhaustive) for name in FORMS]
)
@pytest.mark.parametrize(
    "layout", [each for each in LAYOUTS if ".csv" in each.endings], ids=lambda each: each.code
)
def test_layout_is_read_from_all_file_formats(layout: Layout, name: str) -> None:
    written = read_by_layout(LayoutFile("a.csv", layout.example.encode()))
    read = read_by_layout(LayoutFile(name, FORMS[name](_rows(layout))))

    assert read.recognition.layout is not None
    assert read.recognition.layout.code == layout.code
    assert content(read.reading) == content(written.reading)
