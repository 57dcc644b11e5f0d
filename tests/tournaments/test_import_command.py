"""import_event with folders, archives and tables: reports and stored data."""

import csv
import io
import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.trf.reports import PLAYERS
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.models import Backup, Change, Competitor, Event, Pairing, Person, Round, Upload
from tournaments.search.index import refresh
from tournaments.stored import load

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(*arguments: str | Path, err: io.StringIO | None = None, **options: Any) -> tuple[str, str, str]:
    """stdout, stderr and the message of a CommandError."""
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
    """Two events, one of them in a subfolder, a faulty file, and other files."""
    put(tmp_path / "a.json", named("a"))
    put(tmp_path / "below" / "b.json", named("b"))
    put(tmp_path / "bad.json", "{")
    put(tmp_path / "readme.md", "Hello.")
    put(tmp_path / ".hidden.json", named("hidden"))
    return tmp_path


def test_files_of_a_folder_are_imported_separately(folder: Path) -> None:
    out, err, failure = run(folder)

    assert [line for line in out.splitlines() if line.startswith("[")] == [
        "[1/4] a.json",
        "[2/4] bad.json",
        "[3/4] below/b.json",
        "[4/4] readme.md",
    ]
    assert "1 passed over (each is a hidden file): .hidden.json" in out.splitlines()
    assert out.splitlines()[-1].startswith("4 files: 2 imported, 1 with errors, 1 skipped; ")
    assert err.startswith("bad.json: error: line 1, column 2")
    assert "readme.md: error: “readme.md” has none of the known extensions" in err
    assert failure == (
        "1 of 4 files had errors and were not imported. 1 of 4 files were skipped: their format is not known."
    )
    assert set(Event.objects.values_list("slug", flat=True)) == {"a", "b"}


def exit_code(*arguments: Path) -> int:
    with pytest.raises(CommandError) as caught:
        call_command("import_event", *map(str, arguments), stdout=io.StringIO(), stderr=io.StringIO())
    return caught.value.returncode


@pytest.mark.parametrize("name", ["challengers.tab", "challengers.csv", "challengers.json", "challengers"])
def test_file_of_a_folder_is_read_by_its_content(name: str, tmp_path: Path) -> None:
    put(tmp_path / name, write_report(samples.document(samples.players())))
    out, err, failure = run(tmp_path)
    assert (failure, "error" in err) == ("", False), out
    assert Event.objects.get().name == "Four Players"


def test_event_file_is_read_by_its_content(tmp_path: Path) -> None:
    put(tmp_path / "a.csv", named("a"))
    put(tmp_path / "b.trf", named("b"))
    assert run(tmp_path)[2] == ""
    assert set(Event.objects.values_list("slug", flat=True)) == {"a", "b"}


def test_skipped_files_have_an_exit_code_of_their_own(folder: Path) -> None:
    assert exit_code(folder) == 1
    (folder / "bad.json").unlink()
    assert exit_code(folder) == 2
    (folder / "readme.md").unlink()
    assert run(folder)[2] == ""


def test_links_pipes_and_folders_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    put(tmp_path / "a.json", named("a"))
    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere.json")
    (tmp_path / "linked").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    out, err, _ = run(tmp_path)
    assert "1 passed over (each is a link to a folder): linked" in out
    assert "1 passed over (each is not a regular file): pipe.json" in out
    assert "gone.json: error" in err


def test_unused_manifest_is_reported(folder: Path, tmp_path: Path) -> None:
    put(folder / "manifest.csv", "file;slug\n")
    chosen = put(tmp_path / "below" / "other.csv", "file;slug\n")
    assert "(each is a manifest)" not in run(folder)[0]
    assert "1 passed over (each is a manifest): manifest.csv" in run(folder, "--manifest", chosen)[0]


@pytest.mark.django_db(transaction=True)
def test_import_command_leaves_the_search_index_up_to_date(folder: Path) -> None:
    Person.objects.create(name="Zoë", key="zoe")
    run(folder, "--dry-run")
    assert refresh() == 1
    Person.objects.update(name="Zoe")
    run(folder)
    assert refresh() == 0


def test_second_import_of_a_folder_changes_nothing(folder: Path) -> None:
    run(folder)
    out, _, _ = run(folder)

    assert out.count(": 0 changes") == 2
    assert "4 files: 2 unchanged, 1 with errors, 1 skipped; " in out
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


def test_archive_without_files_is_reported(folder: Path, tmp_path: Path) -> None:
    with ZipFile(folder / "empty.zip", "w"):
        pass
    report = tmp_path / "report.csv"
    out, _, _ = run(folder, report=report)

    assert "1 passed over (each is an archive without files): empty.zip" in out
    assert "empty.zip,,passed over,,,It is an archive without files." in report.read_text()


def test_archive_with_paths_outside_imports_nothing(tmp_path: Path) -> None:
    file = tmp_path / "events.zip"
    with ZipFile(file, "w") as archive:
        archive.writestr("a.json", samples.text(named("a")))
        archive.writestr("../b.json", samples.text(named("b")))

    assert "[leads-out]" in run(file)[1]
    assert not Event.objects.exists()


def test_progress_bar_of_the_import_is_only_shown_on_a_terminal(folder: Path) -> None:
    assert "█" in run(folder, err=Terminal())[1]
    assert "█" not in run(folder)[1]


def test_nothing_to_import_is_an_error(tmp_path: Path) -> None:
    assert run(tmp_path)[2] == "There is no file to import."


def test_table_is_imported_into_the_event_of_the_option(tmp_path: Path) -> None:
    run(put(tmp_path / "four.json", samples.players()))
    table = put(tmp_path / "list.csv", "Name;Rating\nAnn;2200\nZed;2000\n")

    assert "There is no event “five”" in run(table, into="five")[1]
    out, _, failure = run(table, into="four-players")
    assert out.splitlines()[0] == "Ann's rating" or "layout: a list of competitors (competitors): " in out
    assert out.splitlines()[-4] == "four-players: 2 changes: 1 competitor changed, 1 competitor added"
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


def test_error_for_unknown_file_extension_lists_known_ones(tmp_path: Path) -> None:
    assert "none of the known extensions (.json, .trf" in run(put(tmp_path / "a.exe", "MZ"))[1]


WHOLE = """;Harbour Open 1987 crosstable;
Federation : Netherlands ( NED )
No;Name;1;2;3;Pts
1;Arends, Bo;2w1;3b2;4w2;5
2;Brill, Cas;1b1;4w1;3b2;4
3;Claes, Dee;4b2;1w0;2w0;2
4;Dekker, Ed;3w0;2b1;1b0;1
"""


def test_table_with_given_facts_is_a_complete_event(tmp_path: Path) -> None:
    table = put(tmp_path / "harbour.csv", WHOLE)

    out, _, failure = run(table, start="1987-05-02", place="Veere")
    assert not failure
    assert "start: 1987-05-02 (as given)" in out
    assert "scoring: 2-1-0 (the cells, such as “2w1”)" in out
    event = load("harbour-open-1987").event
    assert (event.name, event.place, event.country, event.start) == (
        "Harbour Open 1987",
        "Veere",
        "NED",
        "1987-05-02",
    )
    assert (event.discipline, event.schedule, event.planned_rounds) == ("draughts-100", "round-robin", 3)
    assert (event.game_win, event.game_draw, event.system) == (4, 2, "manual-round-robin")
    assert (event.state, len(load("harbour-open-1987").competitors)) == ("final", 4)

    assert "harbour-open-1987: 0 changes" in run(table)[0]


def test_table_with_the_same_name_does_not_replace_another_event(tmp_path: Path) -> None:
    run(put(tmp_path / "one.csv", WHOLE))
    other = put(tmp_path / "two.csv", WHOLE.replace("Arends", "Zwart"))
    assert "[address-taken]" in run(other)[1]
    assert not run(other, slug="harbour-open-b")[2]
    assert {each.slug for each in Event.objects.all()} == {"harbour-open-1987", "harbour-open-b"}


def test_two_files_of_an_import_are_not_the_same_event(tmp_path: Path) -> None:
    for name, text in (("a", WHOLE), ("b", WHOLE.replace("Arends", "Zwart"))):
        put(tmp_path / name / "open.csv", text)
    assert "[address-taken]" in run(tmp_path)[1]
    assert Event.objects.count() == 1
    assert Event.objects.get().competitors.filter(name__contains="Arends").exists()


def test_report_of_another_edition_does_not_replace_the_event_of_the_file_name(tmp_path: Path) -> None:
    for year in ("2025", "2026"):
        report = put(tmp_path / year / "open.trf", PLAYERS.replace("2026/05", f"{year}/05"))
        assert not run(report)[2]
    events = Event.objects.order_by("start").values_list("slug", "start")
    assert list(events) == [("open", "2025-05-14"), ("open-of-four-2026", "2026-05-14")]
    corrected = put(report, PLAYERS.replace("Open of Four", "Open").replace("Dot, Dov", "Dot, Dave"))
    assert "open-of-four-2026: 1 change: 1 competitor changed" in run(corrected, slug="open-of-four-2026")[0]


def test_chosen_address_of_another_event_is_refused(tmp_path: Path) -> None:
    run(put(tmp_path / "open.trf", PLAYERS))
    file = put(tmp_path / "other.json", samples.text(samples.players()))
    for each in (file, put(tmp_path / "b.trf", PLAYERS.replace("2026/05", "2025/05"))):
        assert "[address-taken]" in run(each, slug="open")[1]
    assert not run(file, slug="other")[2]
    assert "other: 0 changes" in run(file, slug="other")[0]


def test_facts_missing_in_a_table_are_requested(tmp_path: Path) -> None:
    table = put(tmp_path / "list.csv", "Name;Rating\nAnn;2200\nZed;2000\n")
    err = run(table)[1]
    assert "The file lacks the date, or at least the year" in err
    assert "Give the missing facts with --start, --discipline, --entrants, --schedule, --rounds." in err
    assert "There is no event" not in err
    facts = ["--start=1987", "--discipline=chess", "--entrants=players", "--schedule=swiss", "--rounds=5"]
    assert not run(*facts, "--name=Club night", table)[2]
    assert load("club-night-1987").event.system == "fide-swiss"
    assert load("club-night-1987").event.state == "live"


TABLE = "Four players\nName;Rating;Shoe\nAnn;2200;42\nZed;2000;44\n"


def test_import_ends_with_numbers_of_read_and_unread_rows(tmp_path: Path) -> None:
    run(put(tmp_path / "four.json", samples.players()))
    out, _, failure = run(put(tmp_path / "list.csv", TABLE), into="four-players")

    assert not failure
    assert out.splitlines()[-2:] == [
        "columns: 2 read, 1 not read: “Shoe”",
        "lines: 3 read, 1 not read: “Four players”",
    ]


def test_encoding_and_order_of_dates_are_options(tmp_path: Path) -> None:
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


def test_bytes_invalid_in_the_chosen_encoding_are_refused(tmp_path: Path) -> None:
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
    """The file of a chess event without results."""
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


def test_objection_is_accepted_with_a_stored_reason(tmp_path: Path) -> None:
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


def test_unread_rounds_are_reported(tmp_path: Path) -> None:
    run(winter(tmp_path))
    text = "No;Name;R1;R2\n1;Ann;2:1-0;3:½\n2;Bea;1:0-1;4:½\n"
    _, err, failure = run(put(tmp_path / "table.csv", text), into="four-players")

    assert failure
    assert "4 cells in 2 columns of rounds are not read, such as “2:1-0”" in err
    assert not Competitor.objects.exists()


# --- several files ----------------------------------------------------------------------------------------


def lines_of(report: Path) -> list[tuple[str, str, str]]:
    """Return file, state and event of each line of a report."""
    with report.open(encoding="utf-8", newline="") as stream:
        return [(row["file"], row["state"], row["event"]) for row in csv.DictReader(stream)]


def test_repeated_import_continues_after_the_last_file(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv.part"
    run(folder, "--report", report)
    first = [
        (".hidden.json", "passed over", ""),
        ("a.json", "imported", "a"),
        ("bad.json", "with errors", ""),
        ("below/b.json", "imported", "b"),
        ("readme.md", "skipped", ""),
    ]
    assert lines_of(report) == first

    put(folder / "bad.json", named("c"))
    (folder / "readme.md").unlink()
    put(folder / "a.json", named("a2"))
    out, _, failure = run(folder, "--report", report)
    assert (out.splitlines()[-1].startswith("3 files: 2 imported, 1 done before; "), failure) == (True, "")
    assert lines_of(report) == [*first, ("a.json", "imported", "a2"), ("bad.json", "imported", "c")]


def test_truncated_line_of_the_report_is_ignored(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv.part"
    run(folder, "--report", report)
    report.write_bytes(report.read_bytes().splitlines(keepends=True)[0] + b"a.json,12")
    out, _, _ = run(folder, "--report", report)
    assert out.splitlines()[-1].startswith("4 files: 2 unchanged, 1 with errors, 1 skipped; ")
    assert [line[:2] for line in lines_of(report)[1:]] == [
        (".hidden.json", "passed over"),
        ("a.json", "unchanged"),
        ("bad.json", "with errors"),
        ("below/b.json", "unchanged"),
        ("readme.md", "skipped"),
    ]


def test_dry_run_writes_no_report(folder: Path, tmp_path: Path) -> None:
    run(folder, "--dry-run", "--report", tmp_path / "report.csv.part")
    assert not (tmp_path / "report.csv.part").exists()


def test_invalid_manifest_prevents_the_import(folder: Path) -> None:
    put(folder / "manifest.csv", "file;nmae\na.json;A\n")
    _, err, failure = run(folder)
    assert "manifest.csv: error: manifest.csv: The column “nmae” is unknown." in err
    assert failure == "The manifest has errors. No events were imported."
    assert not Event.objects.exists()


def test_manifest_must_be_named_if_there_are_several(folder: Path, tmp_path: Path) -> None:
    put(folder / "manifest.csv", "file;slug\n")
    put(folder / "below" / "manifest.csv", "file;slug\n")
    assert "several manifests: below/manifest.csv, manifest.csv" in run(folder)[2]
    assert run(folder, "--manifest", folder / "manifest.csv")[2].startswith("1 of 4 files")


def test_manifest_row_has_the_event_of_a_table(tmp_path: Path) -> None:
    table = "No;Name;R1\n1;Ann;2w1\n2;Bea;1b0\n"
    put(tmp_path / "1998" / "open.csv", table)
    put(tmp_path / "1999" / "open.csv", table)
    put(tmp_path / "bare.csv", table)
    rows = ["file;name;start;discipline;schedule", "1998/open.csv;Open 1998;1998-07-11;chess;swiss"]
    put(tmp_path / "manifest.csv", "\n".join([*rows, "1999/open.csv;Open 1999;1999;chess;swiss"]))
    _, err, failure = run(tmp_path)
    assert "manifest.csv: warning: bare.csv: The manifest has no row for it" in err
    assert (failure, sorted(Event.objects.values_list("name", "start"))) == (
        "1 of 3 files had errors and were not imported.",
        [("Open 1998", "1998-07-11"), ("Open 1999", "1999")],
    )


def test_manifest_replaces_facts_of_an_event_file(folder: Path) -> None:
    put(folder / "manifest.csv", "file;name;series?\na.json;Another name;Cup\nbelow/b.json;;Cup\n")
    _, err, _ = run(folder)
    assert "a.json: warning: name: “Another name” replaces “" in err
    assert Event.objects.get(slug="a").name == "Another name"
    assert set(Event.objects.values_list("series__name", flat=True)) == {"Cup"}
