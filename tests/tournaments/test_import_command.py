"""import_event over folders, archives and tables: a report for each file, and what stays."""

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.formats import samples
from tournaments.models import Backup, Change, Competitor, Event, Pairing, Round, Upload
from tournaments.stored import load

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(*arguments: str | Path, err: io.StringIO | None = None, **options: Any) -> tuple[str, str, str]:
    """Standard output, standard error, and the message of a CommandError."""
    out, failure = io.StringIO(), ""
    err = err or io.StringIO()
    try:
        call_command("import_event", *map(str, arguments), stdout=out, stderr=err, **options)
    except CommandError as error:
        failure = str(error)
    return out.getvalue(), err.getvalue(), failure


def put(file: Path, data: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(data if isinstance(data, str) else samples.text(data), encoding="utf-8")
    return file


def named(slug: str) -> dict[str, Any]:
    data = samples.players()
    data["event"]["slug"] = slug
    return data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two events, one of them below, a bad file, and what is no event."""
    put(tmp_path / "a.json", named("a"))
    put(tmp_path / "below" / "b.json", named("b"))
    put(tmp_path / "bad.json", "{")
    put(tmp_path / "readme.md", "Hello.")
    put(tmp_path / ".hidden.json", named("hidden"))
    return tmp_path


def test_a_folder_is_imported_file_by_file(folder: Path) -> None:
    out, err, failure = run(folder)

    assert [line for line in out.splitlines() if line.startswith("[")] == [
        "[1/3] a.json",
        "[2/3] bad.json",
        "[3/3] below/b.json",
    ]
    assert out.splitlines()[-1].startswith("3 files: 2 imported, 1 with errors; ")
    assert err.startswith("bad.json: error: line 1, column 2")
    assert failure == "1 of 3 files had errors and were not imported."
    assert set(Event.objects.values_list("slug", flat=True)) == {"a", "b"}


def test_the_same_folder_again_changes_nothing_and_keeps_no_file_twice(folder: Path) -> None:
    run(folder)
    out, _, _ = run(folder)

    assert out.count(": 0 changes") == 2
    assert "3 files: 2 unchanged, 1 with errors; " in out
    assert Upload.objects.count() == 2
    assert not Backup.objects.exists()


def test_an_archive_is_read_without_being_unpacked(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "events.zip"
    with ZipFile(file, "w") as archive:
        archive.writestr("2024/a.json", samples.text(named("a")))
        archive.writestr("2024/inner.zip", b"PK\x03\x04")
    out, err, failure = run(file)

    assert "[1/2] events.zip/2024/a.json" in out
    assert "[nested-archive]" in err
    assert failure
    assert Event.objects.get().slug == "a"


def test_an_archive_that_leads_out_imports_nothing(tmp_path: Path) -> None:
    file = tmp_path / "events.zip"
    with ZipFile(file, "w") as archive:
        archive.writestr("a.json", samples.text(named("a")))
        archive.writestr("../b.json", samples.text(named("b")))

    assert "[leads-out]" in run(file)[1]
    assert not Event.objects.exists()


def test_a_bar_shows_on_a_terminal_only(folder: Path) -> None:
    assert "█" in run(folder, err=Terminal())[1]
    assert "█" not in run(folder)[1]


def test_nothing_to_import_is_an_error(tmp_path: Path) -> None:
    assert run(tmp_path)[2] == "No file with a known ending is there."


def test_a_table_goes_into_the_event_that_is_named(tmp_path: Path) -> None:
    run(put(tmp_path / "four.json", samples.players()))
    table = put(tmp_path / "list.csv", "Name;Rating\nAnn;2200\nZed;2000\n")

    assert "Say into which event" in run(table)[1]
    assert "There is no event “five”" in run(table, into="five")[1]
    out, _, failure = run(table, into="four-players")
    assert out.splitlines()[-3] == "four-players: 2 changes: 1 competitor changed, 1 competitor added"
    assert not failure
    assert [each.name for each in load("four-players").competitors] == ["Ann", "Bea", "Cas", "Dov", "Zed"]


def test_a_published_result_changes_with_a_reason_and_is_logged(tmp_path: Path) -> None:
    file = put(tmp_path / "four.json", samples.players())
    run(file)
    data = samples.players()
    data["rounds"][0]["pairings"][0]["score"] = [1, 1]
    data["rounds"][0]["pairings"][1] |= {"score": [2, 0]}
    del data["rounds"][0]["pairings"][1]["advantage"]
    put(file, data)

    assert "[reason-needed]" in run(file)[1]
    assert not Change.objects.exists()
    _, err, failure = run(file, reason="The cards were mixed up.")
    assert (err, failure) == ("", "")
    first, last = Change.objects.order_by("table")
    assert (first.was, first.now, first.moved) == ("2-0", "1-1", [])
    assert (last.was, last.now, bool(last.moved)) == ("1+ 1-", "2-0", True)
    assert {first.by, last.by} == {"manage.py import_event"}
    assert run(file)[0] == "four-players: 0 changes\ncompetitors: 4 read\npairings: 7 read\n"


def test_a_file_of_an_unknown_ending_says_which_are_known(tmp_path: Path) -> None:
    assert "none of the known endings: .json, .trf" in run(put(tmp_path / "a.pgn", "1. e4"))[1]


TABLE = "Four players\nName;Rating;Shoe\nAnn;2200;42\nZed;2000;44\n"


def test_it_ends_with_what_was_read_and_what_not(tmp_path: Path) -> None:
    run(put(tmp_path / "four.json", samples.players()))
    out, _, failure = run(put(tmp_path / "list.csv", TABLE), into="four-players")

    assert not failure
    assert out.splitlines()[-2:] == [
        "columns: 2 read, 1 not read: “Shoe”",
        "lines: 3 read, 1 not read: “Four players”",
    ]


def test_the_encoding_and_the_order_of_dates_can_be_said(tmp_path: Path) -> None:
    run(put(tmp_path / "four.json", samples.players()))
    table = tmp_path / "round.csv"
    table.write_bytes("Round;White;Black;Result;Date\n1;Ann;Bea;2-0;07/08/2022\n".encode("cp866"))
    names = tmp_path / "names.csv"
    names.write_bytes("No;Name\n1;Петрова\n".encode("cp866"))

    assert "[ambiguous-date]" in run(table, into="four-players")[1]
    assert not run(table, into="four-players", dates="dmy")[2]
    assert Round.objects.get(number=1).date == "2022-08-07"
    assert not run(names, into="four-players", encoding="cp866")[2]
    assert Competitor.objects.get(number=1).name == "Петрова"


def test_bytes_that_are_no_text_of_the_chosen_encoding_are_refused(tmp_path: Path) -> None:
    run(put(tmp_path / "four.json", samples.players()))
    names = tmp_path / "names.csv"
    names.write_bytes("No;Name\n1;Петрова\n".encode("cp866"))

    assert "[wrong-encoding]" in run(names, into="four-players", encoding="utf-8")[1]
    assert Competitor.objects.get(number=1).name == "Ann"


CHESS_RESULTS = """Winter Open;;;;;;
Rk.;Name;1.Rd;2.Rd;3.Rd;Pts. ;TB1
1;Ann; 4w1; 2b1; 5w½;2,5;3,5
2;Cas; 5w½; 1w0; 4w+;1,5;4
3;Eve;-1;-½;-0;1,5;0
4;Bea; 1b0; 5w1; 2b-;1;5
5;Dov; 2b½; 4b0; 1b½;1;5
#You find all details under http://example.org/1;;;;;;
"""


def winter(folder: Path) -> Path:
    """The file of an event in chess where nobody plays yet."""
    data = samples.players()
    data["event"] |= {"discipline": "chess", "scoring": {"game": [1, 0.5, 0]}, "system": "manual-swiss"}
    return put(folder / "four.json", data | {"competitors": [], "rounds": []})


def test_a_cross_table_of_chess_results_keeps_its_byes_and_points(tmp_path: Path) -> None:
    run(winter(tmp_path))
    out, err, failure = run(put(tmp_path / "table.csv", CHESS_RESULTS), into="four-players")

    assert (err, failure) == ("", "")
    assert out.splitlines()[-5:] == [
        "columns: 6 read, 1 not read: “TB1”",
        "lines: 6 read, 2 not read: “Winter Open”, “#You find all details under http://example.org/1”",
        "points: 5 read",
        "ranks: 5 read",
        "cells: 15 read",
    ]
    eve = Pairing.objects.filter(first__name="Eve").order_by("round__number")
    assert [(each.kind, each.first_score) for each in eve] == [("bye", 2), ("half-bye", 1), ("absent", 0)]


def test_an_objection_is_accepted_with_a_reason_that_is_kept(tmp_path: Path) -> None:
    run(winter(tmp_path))
    table = put(tmp_path / "table.csv", CHESS_RESULTS.replace("4b0; 1b½;1;", "4b0; 1b½;2;"))
    _, err, failure = run(table, into="four-players")
    assert failure
    assert "objection: row 7, column Pts.: 2 is printed for Dov" in err
    assert "[acceptance-needed]" in err
    assert not Pairing.objects.exists()

    _, err, failure = run(table, into="four-players", accept="A slip of the pen.")
    assert not failure
    kept = Upload.objects.get(name="table.csv").accepted
    assert kept["reason"] == "A slip of the pen."
    assert [each.startswith("objection: row 7") for each in kept["objections"]] == [True]


def test_rounds_that_nobody_reads_are_not_left_out_in_silence(tmp_path: Path) -> None:
    run(winter(tmp_path))
    text = "No;Name;R1;R2\n1;Ann;2:1-0;3:½\n2;Bea;1:0-1;4:½\n"
    _, err, failure = run(put(tmp_path / "table.csv", text), into="four-players")

    assert failure
    assert "4 cells in 2 columns of rounds are not read, such as “2:1-0”" in err
    assert not Competitor.objects.exists()
