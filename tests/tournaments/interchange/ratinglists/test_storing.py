"""Conversion of a published list into a search file, complete or not at all."""

import os
from pathlib import Path
from tracemalloc import get_traced_memory, start, stop

import pytest
from pytest_django import Settings

from tests import ratinglists
from tests.ratinglists import imported
from tools.benchmarks.publishedlist import HEADING, write
from tournaments.interchange.ratinglists import storing
from tournaments.interchange.ratinglists.folder import folder, lists, newest, older
from tournaments.interchange.ratinglists.lookup import look_up
from tournaments.interchange.ratinglists.published import NoListError
from tournaments.interchange.ratinglists.storing import import_list


def files() -> list[str]:
    """Return the names of the files in the folder of the lists."""
    return sorted(path.name for path in folder().iterdir()) if folder().exists() else []


def test_a_list_has_the_number_of_skipped_rows(tmp_path: Path) -> None:
    again = ratinglists.line(703303, "Leko, P.", "HUN", "M", "", "", 1, 1, 1, "", "")

    made = imported(tmp_path, "12", again)

    assert (str(made), made.rows, made.bad) == ("FIDE 2026-05-01", len(ratinglists.PLAYERS), 2)
    assert made.examples == ("Line 9: The line is too short.", "Line 10: 703303 is there already.")
    assert made.kinds == ("standard", "rapid", "blitz")
    assert files() == ["fide-2026-05-01.sqlite3"]
    assert made.size == (folder() / files()[0]).stat().st_size


@pytest.mark.exhaustive
def test_thousands_of_players_come_in_order_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    write(path, 12_000)
    told: list[int] = []
    start()
    try:
        made = import_list(path, "fide", date="2026-05-01", tell=lambda done, _parts: told.append(done))
        most = get_traced_memory()[1]
    finally:
        stop()

    assert (made.rows, made.bad) == (12_000, 0)
    assert most < 12_000_000  # memory of Python: some batches, not the entire list
    assert told == sorted(told)
    assert told[-1] == storing.PARTS


def test_an_import_that_dies_leaves_the_list_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(tmp_path)

    def die(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(storing, "_index_words", die)
        with pytest.raises(KeyboardInterrupt):
            imported(tmp_path, ratinglists.line(77, "New, Player", "ENG", "F", "", "", 1, 1, 1, "", ""))

    assert files() == ["fide-2026-05-01.sqlite3"]
    used = newest("fide")
    assert used is not None
    assert look_up(used, "new player") == []
    assert len(look_up(used, "leko")) == 1


def test_the_file_of_a_killed_import_is_deleted(tmp_path: Path) -> None:
    imported(tmp_path)
    left = folder() / "fide-2026-06-01.part"
    left.write_bytes(b"half a list")

    assert len(lists()) == 1
    assert older(3) == []  # the import may still be running
    os.utime(left, (0, 0))
    assert older(3) == [left]
    imported(tmp_path)
    assert not left.exists()


def test_a_list_replaces_an_equal_list_and_the_oldest_are_deleted(tmp_path: Path, settings: Settings) -> None:
    settings.KEEP_RATING_LISTS = 2
    for date in ("2026-04-01", "2026-03-01", "2026-05-01", "2026-05-01"):
        imported(tmp_path, date=date)

    assert [each.date for each in lists("fide")] == ["2026-05-01", "2026-04-01"]


def test_the_newest_list_that_has_the_kind_is_used(tmp_path: Path) -> None:
    imported(tmp_path, date="2026-04-01")
    path = ratinglists.written(tmp_path / "list.txt")
    text = path.read_text().replace(
        "SRtng SGm SK RRtng RGm Rk BRtng BGm BK", "MAY26 SGm SK X     RGm Rk X     BGm BK"
    )
    path.write_text(text)
    import_list(path, "fide")

    assert str(newest("fide")) == "FIDE 2026-05-01 (standard)"
    assert str(newest("fide", "blitz")) == "FIDE 2026-04-01"
    assert newest("fmjd") is None


def test_a_list_without_a_date_needs_a_given_date(tmp_path: Path) -> None:
    with pytest.raises(NoListError, match="Give the day"):
        import_list(ratinglists.written(tmp_path / "list.txt"), "fide")
    path = tmp_path / "list.txt"
    path.write_text(f"{HEADING}\nnothing\n")
    with pytest.raises(NoListError, match="No player could be read"):
        import_list(path, "fide", date="2026-05-01")

    assert files() == []
