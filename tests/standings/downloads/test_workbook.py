"""The XLSX workbook: a sheet per list, text that is never a formula, numbers as numbers."""

from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.downloads.views import FORMATS, event_xlsx
from tests.cast import create_player_event, create_team_event
from tests.demo import record
from tests.tables import tables_of
from tournaments.event.choices import Kind
from tournaments.interchange.formats.tables.reading import mapped_tables, read_tables
from tournaments.interchange.formats.tables.sheets import grids_of_workbook
from tournaments.interchange.imports.description import difference_lines
from tournaments.interchange.imports.differences import differences
from tournaments.models import Competitor, Event, Pairing
from tournaments.stored import load, stored

XLSX = next(each for each in FORMATS if each.ending == "xlsx")

pytestmark = pytest.mark.django_db


def sheets(content: bytes) -> dict[str, list[list[Any]]]:
    book = openpyxl.load_workbook(BytesIO(content))
    return {sheet.title: [[cell.value for cell in row] for row in sheet] for sheet in book}


def types(content: bytes, sheet: str) -> dict[str, str]:
    """Return the type of every non-empty cell: n, s, d, or f for a formula."""
    book = openpyxl.load_workbook(BytesIO(content))
    return {cell.coordinate: cell.data_type for row in book[sheet] for cell in row if cell.value is not None}


def test_the_sheets_of_a_team_event() -> None:
    found = sheets(event_xlsx(event := create_team_event(), load(event.slug)))

    assert " ".join(found) == "standings crosstable results competitors categories prizes about"
    assert found["crosstable"] == [
        ["place", "number", "name", "R1", "R2"],
        [1, 3, "Greens", "BYE", None],
        [2, 1, "Reds", "2w1½", None],
        [3, 2, "Blues", "1b½", None],
    ]
    assert found["competitors"][1][:2] == [1, "Reds"]
    assert found["competitors"][2][9:11] == [1, "Reds 1"]


@pytest.mark.parametrize(
    ("scores", "cells"),
    [
        ((4, 0), ["2w+", "1b-"]),
        ((2, 2), ["2w1f", "1b1f"]),
        ((3, 1), ["2w1½f", "1b½f"]),
        ((0, 0), ["2w-", "1b-"]),
    ],
)
def test_forfeit_with_an_unusual_score_shows_its_points(scores: tuple[int, int], cells: list[str]) -> None:
    """When a cross table is imported, `=` is a draw over the board."""
    event = create_team_event()
    own = {"kind": Kind.FORFEIT, "first_score": scores[0], "second_score": scores[1]}
    Pairing.objects.filter(round__event=event, second__isnull=False).update(**own)
    rows = {row[2]: row[3] for row in sheets(event_xlsx(event, load(event.slug)))["crosstable"][1:]}
    assert [rows["Reds"], rows["Blues"]] == cells


def test_fractional_points_are_numbers_and_dates_are_days() -> None:
    result = dict(
        zip(*sheets(event_xlsx(event := create_team_event(), load(event.slug)))["results"][:2], strict=True)
    )

    assert (result["first score"], result["second score"]) == (1.5, 0.5)
    assert result["date"] == datetime(2026, 5, 1)  # noqa: DTZ001 - a spreadsheet knows no zones


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "http://example.org"])
def test_no_text_is_a_formula_or_a_link(name: str) -> None:
    event = create_player_event()
    Competitor.objects.filter(event=event, number=1).update(name=name)
    content = event_xlsx(event, load(event.slug))

    for sheet in ("standings", "crosstable", "results", "competitors"):
        assert set(types(content, sheet).values()) <= {"s", "n", "d"}
    (competitors,) = [grid for grid in grids_of_workbook(content)[0] if grid.name == "competitors"]
    assert competitors.rows[1].cell(1) == name.strip()
    assert not any(
        "hyperlink" in ZipFile(BytesIO(content)).read(each).decode() for each in _sheet_files(content)
    )


def _sheet_files(content: bytes) -> list[str]:
    return [name for name in ZipFile(BytesIO(content)).namelist() if name.startswith("xl/worksheets/")]


def test_the_same_event_gives_the_same_bytes() -> None:
    event = create_team_event()
    assert event_xlsx(event, load(event.slug)) == event_xlsx(event, load(event.slug))


def test_it_takes_a_fixed_number_of_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for event, count in ((create_team_event(), 17), (create_player_event(), 14)):  # boards, categories
        with django_assert_num_queries(count):
            XLSX.public(event)


def test_it_is_a_page_like_any_other(client: Client) -> None:
    create_team_event()
    answer = client.get("/events/two-teams.xlsx")

    assert answer["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert answer["Content-Disposition"] == 'attachment; filename="two-teams.xlsx"'
    assert client.get("/events/two-teams.xlsx", headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert b"/events/two-teams.xlsx" in client.get("/events/two-teams/").content


def test_the_command_writes_it(tmp_path: Path) -> None:
    event = create_player_event()
    call_command("export_event", event.slug, "--format", "xlsx", "--out", str(tmp_path / "out.xlsx"))
    assert (tmp_path / "out.xlsx").read_bytes() == event_xlsx(event, load(event.slug))


@pytest.mark.parametrize("slug", ["2022-ouagadougou-open", "1948-world-championship"])
def test_importing_the_workbook_changes_no_data(slug: str) -> None:
    """A workbook can be imported: competitors and results, and the cross table by itself."""
    record(slug)
    event = Event.objects.get(slug=slug)
    found = tables_of(event_xlsx(event, load(event.slug)))
    told = mapped_tables(found.tables)
    assert [each.role for _, each in told] == ["", "", "results", "competitors", ""]
    base = stored(event).document
    read = read_tables(base, told)
    assert read.accepted, read.findings
    assert difference_lines(differences(load(slug), read.accepted)) == []
