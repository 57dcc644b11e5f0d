"""Databases that older versions of the program made are upgraded, also after an interruption or a restore."""

import lzma
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.apps import apps as current_apps
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations import (
    AddField,
    AddIndex,
    AlterField,
    CreateModel,
    RemoveField,
    RunPython,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from pytest_django import Settings

from standings.management.commands import update
from tests.tournaments.test_migrating import MIGRATIONS
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event, SiteRevision
from tournaments.operations import compatibility, restore_guard
from tournaments.operations.compatibility import (
    COMPATIBLE,
    FIRST_OF_1_0,
    KeepsOlderPrograms,
    OtherVersionError,
    columns_of,
    newer_migrations,
    refuse_other_database,
)
from tournaments.operations.epoch import ensure_epoch, epoch_now
from tournaments.operations.restore_guard import OF_PEOPLE, OF_SITE, check_before_migrate
from tournaments.operations.triggers import install_triggers, missing_triggers, set_triggers_aside
from tournaments.operations.upkeep.fingerprints import compare_fingerprints, take_fingerprint
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
EVENTS = ("2025-potsdam-swiss", "bavarian-club-teams")
"""The events in the stored databases, imported from tests/golden by that version."""

BEFORE_1_0 = "before-1.0"
RELEASE_BEFORE = BEFORE_1_0
"""The names of stored databases. Upgrades start from the second (CONTRIBUTING.md: Releases)."""

LATER = {"tournaments": "tests.tournaments.upgrading.migrations"}
NEWEST = "9002_sponsor_of_the_place"

KILLED_MIGRATE = f"""
import os, signal, django
from django.conf import settings
settings.MIGRATION_MODULES = {LATER!r}
django.setup()
from django.core.management import call_command
from django.db.migrations.migration import Migration
apply = Migration.apply
def killed(self, *args, **kwargs):
    state = apply(self, *args, **kwargs)
    if self.name == {NEWEST!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    return state
Migration.apply = killed
call_command("migrate", verbosity=0)
"""


@pytest.fixture
def epoch_file(settings: Settings, tmp_path: Path) -> Path:
    path = tmp_path / "served.sqlite3"
    settings.EPOCH_FILE = str(path)
    return path


@pytest.fixture
def address(tmp_path: Path, transactional_db: None) -> Iterator[str]:
    """Use a new, empty database, and yield its DATABASE_URL."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        memory, path = connection.connection, str(tmp_path / "site.sqlite3")
        connection.settings_dict["NAME"], connection.connection = path, None
        yield f"sqlite:///{path}"
        connection.close()
        connection.settings_dict["NAME"], connection.connection = name, memory
        return
    new = f"upgrade_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}_{uuid4().hex[:8]}"
    creation: Any = connection.creation
    connection.close()
    with creation._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {new}")
    connection.settings_dict["NAME"] = new
    try:
        yield os.environ["DATABASE_URL"].replace("/postgres?", f"/{new}?")
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
        with creation._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {new} WITH (FORCE)")


def use_stored(name: str, address: str) -> str:
    if connection.vendor == "sqlite":
        packed = (HERE / f"{name}.sqlite3.xz").read_bytes()
        Path(address.removeprefix("sqlite:///")).write_bytes(lzma.decompress(packed))
    else:
        with connection.cursor() as cursor:
            cursor.cursor.execute(lzma.decompress((HERE / f"{name}.sql.xz").read_bytes()))
        connection.close()  # the dump has changed the session's settings
    return address


@pytest.fixture
def before_1_0(address: str) -> str:
    """Use a database that the last version before 1.0 has filled; return its DATABASE_URL."""
    return use_stored(BEFORE_1_0, address)


@pytest.fixture
def release_before(address: str) -> str:
    """The same with a database of the release before."""
    return use_stored(RELEASE_BEFORE, address)


@pytest.fixture
def later_release(settings: Settings) -> None:
    settings.MIGRATION_MODULES = LATER


def golden(slug: str) -> str:
    return (ROOT / f"tests/golden/{slug}.json").read_text()


def note_as_served(epoch: str) -> None:
    """Note that this machine served higher revisions than the database has: it is a restored one."""
    guard = restore_guard._guard()
    assert guard is not None
    guard.file.begin(epoch)
    guard.file.raise_to(epoch, {OF_SITE: (900, 900), OF_PEOPLE: (900,)})


@pytest.mark.usefixtures("epoch_file")
def test_a_database_of_the_last_version_before_1_0_is_converted(before_1_0: str) -> None:
    note_as_served(before := epoch_now())
    call_command("migrate", verbosity=0)
    assert newest_applied() == MIGRATIONS[-1]
    assert missing_triggers("default") == []
    assert epoch_now() not in {"", before}
    assert [write(load(slug)) for slug in EVENTS] == [golden(slug) for slug in EVENTS]
    call_command("migrate", prune=True, app_label="tournaments", verbosity=0)
    call_command("migrate", verbosity=0)
    assert [write(load(slug)) for slug in EVENTS] == [golden(slug) for slug in EVENTS]


def test_a_database_of_an_earlier_version_is_refused(before_1_0: str) -> None:
    MigrationRecorder(connection).migration_qs.filter(app="tournaments", name__gte="0043").delete()
    with pytest.raises(CommandError, match=r"older than 1\.0.*docs/upgrading\.md"):
        call_command("migrate", verbosity=0)
    errors = run_checks(tags=["database"], databases=["default"])
    assert [each.id for each in errors if each.is_serious()] == ["tournaments.E001"]
    with pytest.raises(OtherVersionError, match=r"older than 1\.0"):
        refuse_other_database()


@pytest.mark.usefixtures("later_release")
def test_a_migrate_that_is_killed_is_finished_by_the_next(release_before: str, epoch_file: Path) -> None:
    note_as_served(before := epoch_now())
    connection.close()
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_MIGRATE],
        env=os.environ
        | {
            "DATABASE_URL": release_before,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DEBUG": "1",
            "EPOCH_FILE": str(epoch_file),
            "HIDDEN_FILE": "",
        },
        cwd=ROOT,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert newest_applied() == "9001_sponsor"
    call_command("migrate", verbosity=0)

    assert newest_applied() == NEWEST
    assert missing_triggers("default") == []
    assert epoch_now() not in {"", before}
    assert [write(load(slug)) for slug in EVENTS] == [golden(slug) for slug in EVENTS]


def newest_applied() -> str:
    applied = MigrationRecorder(connection).applied_migrations()
    return max(name for app, name in applied if app == "tournaments")


def interrupted_in(migration: str) -> Any:
    """Interrupt the process when all operations of the migration are done, before they are committed."""
    apply = Migration.apply

    def interrupted(self: Migration, *args: Any, **kwargs: Any) -> ProjectState:
        state = apply(self, *args, **kwargs)
        if self.name == migration:
            raise KeyboardInterrupt
        return state

    return patch.object(Migration, "apply", interrupted)


@pytest.mark.usefixtures("release_before", "later_release")
def test_a_partial_migrate_is_interrupted_and_goes_on(
    epoch_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    SiteRevision.objects.all().delete()  # as in a database whose first `migrate` was interrupted
    ensure_epoch("default")
    note_as_served(before := epoch_now())
    caplog.clear()
    with interrupted_in(NEWEST), pytest.raises(KeyboardInterrupt):
        call_command("migrate", verbosity=0)
    assert newest_applied() == "9001_sponsor"
    call_command("migrate", "tournaments", "9001", verbosity=0)
    call_command("migrate", verbosity=0)

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert epoch_now() not in {"", before}
    assert missing_triggers("default") == []
    assert [write(load(slug)) for slug in EVENTS] == [golden(slug) for slug in EVENTS]


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder


def dumps_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in {".sqlite3", ".dump"})


@pytest.mark.usefixtures("epoch_file", "release_before", "later_release")
def test_update_of_the_release_before_migrates_after_a_backup(backups: Path) -> None:
    call_command("update", backups, stdout=StringIO())

    assert newest_applied() == NEWEST
    assert len(dumps_in(backups)) == 1
    call_command("update", backups)
    assert len(dumps_in(backups)) == 1  # no migration, no backup


@pytest.mark.usefixtures("epoch_file", "release_before", "later_release")
@pytest.mark.parametrize("fault", ["migration", "page"])
def test_update_that_fails_restores_the_backup(backups: Path, fault: str) -> None:
    newest, before = newest_applied(), take_fingerprint()
    failing = (
        interrupted_in(NEWEST) if fault == "migration" else patch.object(update, "PAGES", ("/missing/",))
    )
    with failing, pytest.raises(CommandError, match="The database is as it was before"):
        call_command("update", backups, stdout=StringIO())

    assert newest_applied() == newest
    assert compare_fingerprints(before, take_fingerprint()) == []


@pytest.mark.usefixtures("epoch_file", "before_1_0")
def test_update_alongside_the_old_version_does_not_restore(settings: Settings, backups: Path) -> None:
    newest = newest_applied()
    with pytest.raises(CommandError, match=r"cannot run with 0060_\w+, .*\. Stop the other"):
        call_command("update", backups, alongside=True, stdout=StringIO())
    assert newest_applied() == newest

    call_command("migrate", verbosity=0)
    settings.MIGRATION_MODULES = LATER
    with (
        patch.object(update, "PAGES", ("/missing/",)),
        pytest.raises(CommandError, match=r"This failed\. /missing/"),
    ):
        call_command("update", backups, alongside=True, stdout=StringIO())
    assert (newest_applied(), dumps_in(backups)) == (NEWEST, [])


@pytest.mark.usefixtures("epoch_file", "release_before", "later_release")
def test_update_that_cannot_go_back_names_the_backup_to_restore(backups: Path) -> None:
    cannot = patch.object(update, "restore_backup", side_effect=OSError("The disk is full."))
    with cannot, interrupted_in(NEWEST), pytest.raises(CommandError) as failure:
        call_command("update", backups, stdout=StringIO())

    [dump] = dumps_in(backups)
    assert f"restore {dump} before you use the site. The disk is full." in str(failure.value)
    assert failure.value.returncode == update.NOT_RESTORED
    assert "as it was before" not in str(failure.value)


@pytest.mark.usefixtures("epoch_file", "release_before", "later_release")
def test_restore_replaces_the_database_and_migrates_it(backups: Path) -> None:
    call_command("update", backups, stdout=StringIO())
    [dump] = dumps_in(backups)
    epoch = epoch_now()
    Event.objects.all().delete()
    call_command("update", backups, restore=dump, stdout=StringIO())

    assert [write(load(slug)) for slug in EVENTS] == [golden(slug) for slug in EVENTS]
    assert (newest_applied(), missing_triggers("default")) == (NEWEST, [])
    assert epoch_now() not in {"", epoch}
    assert len(dumps_in(backups)) == 2  # the replaced database is backed up too


@pytest.mark.usefixtures("epoch_file", "release_before", "later_release")
def test_damaged_backup_is_not_restored(backups: Path) -> None:
    call_command("update", backups, stdout=StringIO())
    [dump] = dumps_in(backups)
    with dump.open("ab") as file:
        file.write(b"x")
    with pytest.raises(CommandError, match=r"Nothing was changed\..*checksum differs"):
        call_command("update", backups, restore=dump, stdout=StringIO())

    assert dumps_in(backups) == [dump]
    assert [write(load(slug)) for slug in EVENTS] == [golden(slug) for slug in EVENTS]


@pytest.fixture
def without_people() -> Iterator[None]:
    """Use a table of the site as it was before migration 0042."""
    set_triggers_aside("default", plan=[(None, True)])
    rename = f"ALTER TABLE {SiteRevision._meta.db_table} RENAME COLUMN {{}} TO {{}}"
    with connection.cursor() as cursor:
        cursor.execute(rename.format("people", "later"))  # a column that is added again would be the last
    yield
    with connection.cursor() as cursor:
        cursor.execute(rename.format("later", "people"))
    install_triggers("default")


@pytest.mark.usefixtures("without_people")
def test_a_schema_without_the_revision_of_people_is_checked(epoch_file: Path) -> None:
    assert "people" not in columns_of(SiteRevision)
    SiteRevision.objects.all()._raw_delete("default")
    ensure_epoch("default")
    note_as_served(before := epoch_now())
    check_before_migrate("default")
    assert epoch_now() not in {"", before}
    again = epoch_now()
    check_before_migrate("default")
    assert epoch_now() == again


# --- a database that a newer program has migrated ---------------------------------------------------------


@pytest.fixture
def newer() -> None:
    MigrationRecorder(connection).record_applied("tournaments", "9998_of_later")


@pytest.mark.usefixtures("newer")
def test_an_older_program_neither_migrates_nor_starts_on_a_newer_database() -> None:
    with pytest.raises(CommandError, match=r"A newer version .* 9998_of_later.* ends at 0") as refused:
        call_command("migrate", verbosity=0)
    assert "restore a backup" in str(refused.value)
    errors = run_checks(tags=["database"], databases=["default"])
    assert [each.id for each in errors if each.is_serious()] == ["tournaments.E001"]
    for start in (refuse_other_database, lambda: call_command("work", "--until-empty")):
        with pytest.raises(OtherVersionError, match="9998_of_later"):
            start()


@pytest.mark.usefixtures("newer")
def test_an_older_program_goes_on_if_every_newer_migration_is_marked_compatible() -> None:
    class Marked(Migration):
        operations = (KeepsOlderPrograms("9998_of_later"),)

    mark = Marked("9998_of_later", "tournaments")
    state = ProjectState()
    with connection.schema_editor() as editor:
        mark.apply(state, editor)
    assert newer_migrations() == []
    refuse_other_database()
    call_command("migrate", verbosity=0)

    MigrationRecorder(connection).record_applied("tournaments", "9999_not_marked")
    assert newer_migrations() == ["9999_not_marked"]
    with connection.schema_editor() as editor:
        mark.unapply(state, editor)
    assert newer_migrations() == ["9998_of_later", "9999_not_marked"]


def test_migrations_that_were_squashed_and_deleted_are_not_newer() -> None:
    MigrationRecorder(connection).record_applied("tournaments", "0003_deleted_since")
    MigrationRecorder(connection).record_applied("elsewhere", "9999_of_a_package")
    assert newer_migrations() == []


def test_a_process_starts_while_the_database_is_down(caplog: pytest.LogCaptureFixture) -> None:
    with patch.object(compatibility, "newer_migrations", side_effect=OperationalError("away")):
        refuse_other_database()
    assert "could not be checked" in caplog.text


def migrations_after_1_0() -> Iterator[Migration]:
    for folder in ("tournaments.migrations", LATER["tournaments"]):
        for path in sorted(ROOT.joinpath(*folder.split(".")).glob("[0-9]*.py")):
            if path.stem > FIRST_OF_1_0:
                yield import_module(f"{folder}.{path.stem}").Migration(path.stem, "tournaments")


def older_programs_can_run(migration: Migration) -> bool:
    """Return whether releases without the migration can still read and write the tables.

    They can if it only adds tables, indexes and columns, and every column is null or has a default in the
    database. Operations on rows are not checked.
    """
    return all(_is_addition(operation) for operation in migration.operations)


def _is_addition(operation: Operation) -> bool:
    if isinstance(operation, AddField):
        field = operation.field
        return bool(field.many_to_many or field.null or field.has_db_default())
    return isinstance(operation, CreateModel | AddIndex | RunPython | KeepsOlderPrograms)


def test_migrations_are_marked_if_older_programs_can_run_beside_them() -> None:
    found = list(migrations_after_1_0())
    assert [each.name for each in found][-2:] == ["9001_sponsor", NEWEST]
    for migration in found:
        marks = [each.name for each in migration.operations if isinstance(each, KeepsOlderPrograms)]
        changes_rows = any(isinstance(each, RunPython) for each in migration.operations)
        assert marks in ([], [migration.name])
        assert changes_rows or bool(marks) == older_programs_can_run(migration), migration.name
        assert older_programs_can_run(migration) or not marks, migration.name


@pytest.mark.parametrize(
    ("operation", "can_run"),
    [
        (AddField("event", "sponsor", models.CharField(db_default="")), True),
        (AddField("event", "sponsor", models.CharField(null=True)), True),
        (AddField("event", "sponsor", models.CharField(default="")), False),
        (RemoveField("event", "name"), False),
        (AlterField("event", "name", models.CharField(max_length=10)), False),
    ],
)
def test_older_programs_can_run_if_they_can_insert_rows(operation: Operation, *, can_run: bool) -> None:
    changed = type("Migration", (Migration,), {"operations": [operation]})
    assert older_programs_can_run(changed("9003_test", "tournaments")) is can_run


def test_the_last_migration_is_known() -> None:
    assert ("tournaments", MIGRATIONS[-1]) in MigrationLoader(None).disk_migrations
    assert COMPATIBLE not in current_apps.app_configs
