"""`manage.py backup`: every dump is restored and compared."""

import json
import os
import re
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.files import locks
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from tests.cast import create_player_event, create_team_event
from tournaments.models import Competitor, Event
from tournaments.operations.upkeep import dumpfolder, dumping, fingerprints, postgresql
from tournaments.operations.upkeep.dumpfolder import DumpFolder, NotTriedError
from tournaments.operations.upkeep.fingerprints import take_fingerprint

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "backups"
    path.mkdir()
    return path


def back_up(folder: Path, **options: object) -> str:
    output = StringIO()
    call_command("backup", str(folder), stdout=output, **options)
    return output.getvalue()


def check(path: Path) -> str:
    output = StringIO()
    call_command("backup", check=path, stdout=output)
    return output.getvalue()


def dumps(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in {".sqlite3", ".dump"})


def test_dump_is_restored_and_compared(event: Event, folder: Path) -> None:
    told = back_up(folder)

    (path,) = dumps(folder)
    assert re.match(rf"{path.name}: [\d,]+ bytes, \d+ tables, \d+ rows, 1 events; restored and equal", told)
    assert re.fullmatch(r"crosstable-\d{8}T\d{6}Z\.(sqlite3|dump)", path.name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    names = {path.name, f"{path.name}.json", f"{path.name}.sha256", dumpfolder.LOCK}
    assert {each.name for each in folder.iterdir()} == names
    assert "restored and equal" in check(path)
    assert Event.objects.get() == event, "the site's own database is asked again"


def test_dump_that_differs_is_deleted(event: Event, folder: Path) -> None:
    dialect = dumping.DIALECTS[connection.vendor]
    restored = dialect.restored

    @contextmanager
    def restored_and_changed(*arguments: object) -> Iterator[dict[str, object]]:
        with restored(*arguments) as about:
            with dumping._looking_at(about):
                Competitor.objects.filter(number=1).update(name="Crimsons")
            yield about

    with (
        patch.object(dialect, "restored", restored_and_changed),
        pytest.raises(CommandError, match=r"no good.*_competitor.*_revision") as failure,
    ):
        back_up(folder)

    assert failure.value.returncode == 1
    assert [each.name for each in folder.iterdir()] == [dumpfolder.LOCK]


def test_changed_dump_is_detected(event: Event, folder: Path) -> None:
    back_up(folder)
    (path,) = dumps(folder)
    with path.open("r+b") as file:
        file.seek(-50, os.SEEK_END)
        file.write(b"\0" * 50)

    with pytest.raises(CommandError, match="checksum differs"):
        check(path)


def test_truncated_dump_cannot_be_restored(event: Event, folder: Path) -> None:
    back_up(folder)
    (path,) = dumps(folder)
    os.truncate(path, path.stat().st_size // 2)
    Path(f"{path}.sha256").write_text(f"{dumpfolder.digest_of(path)}  {path.name}\n")

    with pytest.raises(CommandError, match="no good") as failure:
        check(path)
    assert failure.value.returncode == 1


def test_backup_of_an_earlier_release_is_checked(event: Event, folder: Path) -> None:
    """Its record also has the revision of each event, and a digest of its file."""
    back_up(folder)
    (path,) = dumps(folder)
    record = Path(f"{path}.json")
    content = json.loads(record.read_text())
    assert content["holds"]["events"] is None, "release 1.0 can read it"
    content["holds"]["events"] = {event.slug: [1, "0" * 64]}
    record.write_text(json.dumps(content))
    digests = [f"{dumpfolder.digest_of(each)}  {each.name}\n" for each in (path, record)]
    Path(f"{path}.sha256").write_text("".join(digests))

    assert "restored and equal" in check(path)


def test_pruning_leaves_last_dumps_and_other_files(folder: Path) -> None:
    names = [f"crosstable-2026010{day}T000000Z.dump" for day in range(1, 6)]
    untried = [f"crosstable-2026020{day}T000000Z-untried.dump" for day in range(1, 4)]
    others = ["crosstable-2026-05-01.dump", "notes.txt", "crosstable-20260101T000000Z.dump.gpg"]
    for name in (*names, *untried, *others):
        (folder / name).write_text("")
        (folder / f"{name}.json").write_text("")

    gone = DumpFolder(folder).prune(2)

    assert sorted(path.name for path in gone) == [*names[:3], untried[0]]
    assert {path.name for path in dumps(folder)} == {*names[3:], *untried[1:], others[0]}
    assert (folder / "notes.txt.json").exists()
    assert not (folder / f"{names[0]}.json").exists()


def test_last_checked_dump_is_never_deleted(folder: Path) -> None:
    (folder / "crosstable-20260101T000000Z.dump").write_text("")

    assert DumpFolder(folder).prune(0) == []
    with pytest.raises(CommandError, match="at least 1"):
        back_up(folder, keep=0)


def test_second_concurrent_backup_is_refused(event: Event, folder: Path) -> None:
    with (folder / dumpfolder.LOCK).open("w") as lock:
        locks.lock(lock, locks.LOCK_EX)
        with pytest.raises(CommandError, match="Another backup") as failure:
            back_up(folder)
    assert failure.value.returncode == 75


def test_backup_needs_enough_free_space(event: Event, folder: Path) -> None:
    with (
        patch.object(dumpfolder, "SPARE", 1 << 60),
        pytest.raises(CommandError, match=r"has no room: [0-9,]+ bytes are free"),
    ):
        back_up(folder)
    assert dumps(folder) == []


def test_missing_backup_folder_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no folder"):
        back_up(tmp_path / "away")
    assert not (tmp_path / "away").exists()


def test_files_of_a_killed_backup_are_deleted(event: Event, folder: Path) -> None:
    (folder / ".unfinished-dump.sqlite3").write_text("half")
    (folder / ".unfinished-dump.dump").write_text("half")

    back_up(folder)

    assert [each.name for each in folder.glob(".unfinished*")] == []


class TestPostgresql:
    """Created and given scratch databases, and passwords."""

    pytestmark = pytest.mark.skipif(
        not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="asks for PostgreSQL"
    )

    def test_dump_is_compared_with_its_snapshot(self, event: Event, folder: Path) -> None:
        """Writes during a dump are no difference. For SQLite files the drill tests this."""
        dump = postgresql.dump

        def dump_and_save(path: Path, name: str, seconds: float) -> None:
            dump(path, name, seconds)
            with dumping._looking_at({}):
                Competitor.objects.filter(number=1).update(name="Crimsons")

        with patch.object(postgresql, "dump", dump_and_save):
            back_up(folder)

        assert Competitor.objects.get(number=1).name == "Crimsons"

    def test_scratch_database_is_dropped(self, event: Event, folder: Path) -> None:
        back_up(folder)

        with connection.cursor() as cursor:
            # Specific to this xdist worker, because others make backups at the same time.
            name = f"{connection.settings_dict['NAME']}{postgresql.SCRATCH}"
            cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
            assert cursor.fetchone() == (0,)

    def test_missing_createdb_privilege_is_reported(self, event: Event, folder: Path) -> None:
        with (
            patch.object(postgresql, "_created", side_effect=NotTriedError("No right.")),
            pytest.raises(CommandError) as failure,
        ):
            back_up(folder)

        assert failure.value.returncode == 3
        assert [path.name.split("-")[-1] for path in dumps(folder)] == ["untried.dump"]

    def test_given_scratch_database_is_emptied(self, event: Event, folder: Path, settings: Settings) -> None:
        with given_database() as settings.SCRATCH_DATABASE_URL:
            back_up(folder)
            assert "restored and equal" in back_up(folder)

    def test_given_scratch_database_with_tables_is_refused(
        self, event: Event, folder: Path, settings: Settings
    ) -> None:
        own = connection.settings_dict
        settings.SCRATCH_DATABASE_URL = os.environ["DATABASE_URL"].replace("/postgres", f"/{own['NAME']}")
        with pytest.raises(CommandError, match="of the site itself"):
            back_up(folder)
        with given_database() as settings.SCRATCH_DATABASE_URL:
            with dumping._looking_at({"NAME": given_name()}), connection.cursor() as cursor:
                cursor.execute("CREATE TABLE precious (id int)")
            with pytest.raises(CommandError, match="is not empty: it has 1 tables"):
                back_up(folder)

    def test_password_is_on_no_command_line(self, event: Event, folder: Path) -> None:
        lines: list[str] = []
        run = subprocess.run

        def noted(command: list[str], **options: object) -> object:
            lines.append(" ".join(command))
            assert options["env"]["PGPASSWORD"] == "not to be seen"  # type: ignore[index]  # any options
            return run(command, **options)  # type: ignore[call-overload]  # any options

        with (
            patch.dict(connection.settings_dict, PASSWORD="not to be seen"),
            patch.object(subprocess, "run", noted),
        ):
            back_up(folder)

        assert [line.split()[0].split("/")[-1] for line in lines] == ["pg_dump", "pg_restore"]
        assert "not to be seen" not in "".join(lines)

    def test_hanging_program_is_stopped(self, event: Event, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "pg_dump").write_text("#!/bin/sh\nexec sleep 60\n")
        (tmp_path / "pg_dump").chmod(0o755)
        with patch.dict(os.environ, PG_BINDIR=str(tmp_path)), pytest.raises(CommandError, match="in time"):
            back_up(folder, timeout=1)


def given_name() -> str:
    """Return the name of a second database of this xdist worker, because workers share the server."""
    return f"given_to_{connection.settings_dict['NAME']}"


@contextmanager
def given_database() -> Iterator[str]:
    name = given_name()
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        yield os.environ["DATABASE_URL"].replace("/postgres", f"/{name}")
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_fingerprint_includes_every_table(event: Event) -> None:
    before = take_fingerprint()
    User.objects.create_user("anna")
    now = take_fingerprint()

    changed = {name for name, table in now["tables"].items() if before["tables"][name] != table}
    assert changed == {"auth_user"}


def test_fingerprint_needs_event_that_can_be_exported(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprints, "EXPORTED", 1)
    Event.objects.filter(pk=event.pk).update(categories=["unreadable"])
    with pytest.raises(TypeError):
        take_fingerprint()

    create_player_event()
    assert take_fingerprint(), "only the event that changed last is exported"
