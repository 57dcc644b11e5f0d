"""The downloads of an event: content, file names and access."""

import csv
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from standings.downloads.lists import Cell, Number, safe
from standings.downloads.views import FORMATS, MAIN, event_csv
from tests.cast import create_player_event, create_team_event
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.tables.text import cleaned
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.models import Competitor, Event, FormerSlug
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    return create_team_event()


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text.removeprefix("\ufeff"))))


def test_documentation_lists_every_ending() -> None:
    text = Path(__file__).parents[3].joinpath("docs/import.md").read_text()
    rows = text.partition("| ending | content |\n|---|---|\n")[2].partition("\n\n")[0]
    listed = {ending for row in rows.splitlines() for ending in re.findall("`([^`]+)`", row.split("|")[1])}
    missing = {each.ending for each in FORMATS} - listed
    assert not missing, f"Add these endings to the table of docs/import.md, “Exports”: {sorted(missing)}"
    assert listed == {each.ending for each in FORMATS}


def test_event_file_is_the_same_as_export_event_writes(event: Event, client: Client) -> None:
    answer = client.get("/events/two-teams.json")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="two-teams.json"'
    assert answer.content.decode() == write(load("two-teams"))


def test_csv_has_the_standings_then_the_results(event: Event) -> None:
    text = event_csv(event, load(event.slug))
    assert text.startswith("\ufeff")
    made = lines(text)
    gap = made.index([])
    assert made[0][:5] == ["place", "number", "name", "code", "rating"]
    assert [line[:3] for line in made[1:gap]] == [
        ["1", "3", "Greens"],
        ["2", "1", "Reds"],
        ["3", "2", "Blues"],
    ]
    assert made[2][made[0].index("game-points")] == "1.5"
    assert made[0][-2:] == ["R1", "R2"]
    assert [line[-2] for line in made[1:gap]] == ["BYE", "2w1½", "1b½"]
    end = made.index([], gap + 1)
    results = [dict(zip(made[gap + 1], line, strict=True)) for line in made[gap + 2 : end]]
    assert [line["board"] for line in results] == ["", "1", "2", ""]
    assert (results[0]["first"], results[0]["first score"], results[0]["second score"]) == (
        "Reds",
        "1.5",
        "0.5",
    )
    assert (results[1]["first player"], results[1]["white"]) == ("Reds 1", "first")
    assert (results[3]["kind"], results[3]["second"]) == ("bye", "")


def test_csv_has_the_standings_of_each_category_after_the_results(event: Event) -> None:
    event.competitors.filter(name__in=("Greens", "Blues")).update(categories=["A"])
    made = lines(event_csv(event, load(event.slug)))
    at = made.index(["category", "place", "overall place", "number", "name"])
    assert made[at - 1 : at + 4] == [
        [],
        ["category", "place", "overall place", "number", "name"],
        ["A", "1", "1", "3", "Greens"],
        ["A", "2", "3", "2", "Blues"],
        [],
    ]
    Event.objects.update(categories=[])
    event.refresh_from_db()
    assert lines(event_csv(event, load(event.slug))).count([]) == 2


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+a", "'+a"),
        ("-a", "'-a"),
        ("@a", "'@a"),
        ("\ta", "'\ta"),
        ("\ra", "'\ra"),
        ("\na", "'\na"),
        ("＝1+1", "'＝1+1"),
        ("＋a", "'＋a"),
        ("－a", "'－a"),
        ("＠a", "'＠a"),
        ("﹦a", "'﹦a"),
        ("  =1", "'  =1"),
        ("Ann;=1+1;＠b", "Ann;'=1+1;'＠b"),
        ("Ann\t-1", "Ann\t'-1"),
        ("a=1", "a=1"),
        ("Ann; Bea", "Ann; Bea"),
        ("", ""),
        (-2, -2),
        (Number("-2"), "-2"),
        (None, None),
    ],
)
def test_no_text_is_a_formula_and_no_number_is_touched(cell: Cell, written: Cell) -> None:
    assert safe(cell) == written
    if isinstance(cell, str) and cell.isprintable():
        assert cleaned(str(written)) == " ".join(cell.split())


def test_names_are_no_formulas(event: Event) -> None:
    Competitor.objects.filter(event=event, number=1).update(name='=HYPERLINK("x")')
    assert lines(event_csv(event, load(event.slug)))[2][2] == '\'=HYPERLINK("x")'


@pytest.mark.parametrize("ending", ["json", "csv", "trf"])
class TestAnswers:
    def test_unchanged_until_something_changes(self, event: Event, client: Client, ending: str) -> None:
        address = f"/events/two-teams.{ending}"
        etag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"if-none-match": etag}).status_code == 304
        Competitor.objects.filter(event=event, number=1).update(name="Crimsons")
        assert b"Crimsons" in client.get(address, headers={"if-none-match": etag}).content

    def test_cached_files_are_still_attachments(self, event: Event, client: Client, ending: str) -> None:
        for _ in range(2):
            answer = client.get(f"/events/{event.slug}.{ending}")
            assert answer.headers["Content-Disposition"].startswith("attachment")
            assert "html" not in answer.headers["Content-Type"]

    def test_draft_removed_and_moved(self, event: Event, client: Client, ending: str) -> None:
        FormerSlug.objects.create(event=event, slug="old")
        moved = client.get(f"/events/old.{ending}")
        assert (moved.status_code, moved.headers["Location"]) == (301, f"/events/two-teams.{ending}")
        assert client.get(f"/events/nothing.{ending}").status_code == 404
        Event.objects.update(state=Event.State.DRAFT)
        assert client.get(f"/events/two-teams.{ending}").status_code == 404
        Event.objects.update(state=Event.State.REMOVED)
        assert client.get(f"/events/two-teams.{ending}").status_code == 410


def test_the_command_prints_the_same_csv(tmp_path: Path) -> None:
    event = create_player_event()
    out, printed = tmp_path / "out.csv", StringIO()
    call_command("export_event", event.slug, "--format", "csv", stdout=printed)
    call_command("export_event", event.slug, "--format", "csv", "--out", str(out))
    assert printed.getvalue() == event_csv(event, load(event.slug)) == out.read_bytes().decode()


def test_the_command_writes_the_same_report(tmp_path: Path, client: Client) -> None:
    event = create_player_event()
    out = tmp_path / "out.trf"
    call_command("export_event", event.slug, "--format", "trf", "--out", str(out))
    answer = client.get(f"/events/{event.slug}.trf")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content == out.read_bytes() == write_report(load(event.slug)).encode()


def test_report_takes_the_queries_of_the_event_file(event: Event, django_assert_num_queries: Any) -> None:
    for file in MAIN[2:]:
        found = Event.objects.select_related("series").get(pk=event.pk)
        with django_assert_num_queries(10):
            file.public(found)
