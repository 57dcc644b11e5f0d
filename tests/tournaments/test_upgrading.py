"""Databases that older versions of the program made are upgraded, also after an interruption or a restore."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.apps import apps as current_apps
from django.apps.registry import Apps
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from pytest_django import Settings

from tests.tournaments.test_migrating import MIGRATIONS
from tournaments import compatibility, served
from tournaments.compatibility import (
    COMPATIBLE,
    KeepsOlderPrograms,
    NewerDatabaseError,
    newer_migrations,
    refuse_newer_database,
)
from tournaments.epoch import ensure_epoch, epoch_now
from tournaments.formats.json.writer import write
from tournaments.models import SiteRevision
from tournaments.schema import columns_of, is_current
from tournaments.served import OF_PEOPLE, OF_SITE, check_before_migrate
from tournaments.stored import load
from tournaments.triggers import install_triggers, missing_triggers, set_triggers_aside

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[2]
SLUG = "upgraded"

KILL_IN = "0046_medals"
"""The migration in the middle of which the process is killed."""

KILLED_MIGRATE = f"""
import os, signal, django
django.setup()
from django.core.management import call_command
from django.db.migrations.migration import Migration
apply = Migration.apply
def killed(self, *args, **kwargs):
    state = apply(self, *args, **kwargs)
    if self.name == {KILL_IN!r}:
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


def models_at(migration: str) -> Apps:
    loader = MigrationLoader(connection)
    found: Apps = loader.project_state([("tournaments", migration)]).apps
    return found


def fill(apps: Apps) -> None:
    """Create an event of four players and two rounds with the models of any version."""

    def create(model: str, **values: Any) -> Any:
        return apps.get_model("tournaments", model)._default_manager.create(**values)

    event = create(
        "Event",
        slug=SLUG,
        name="Upgraded Open",
        discipline="chess",
        entrants="players",
        system="manual-swiss",
        schedule="swiss",
        planned_rounds=2,
        game_win=2,
        game_draw=1,
        state="live",
        start="2024-05-01",
        end="2024-05-02",
    )
    one, two, three, four = (
        create("Competitor", event=event, number=number, name=name, rating=2000 - number)
        for number, name in enumerate(("Ann Ash", "Bea Birch", "Cy Cedar", "Di Date"), start=1)
    )
    for number, pairs in enumerate((((one, three), (four, two)), ((two, one), (three, four))), start=1):
        round_ = create("Round", event=event, number=number, state="published")
        for table, (first, second) in enumerate(pairs, start=1):
            create(
                "Pairing",
                round=round_,
                table=table,
                first=first,
                second=second,
                kind="played",
                first_score=2,
                second_score=0,
            )


def note_as_served(epoch: str) -> None:
    """Note that this machine served higher revisions than the database has: it is a restored one."""
    guard = served._guard()
    assert guard is not None
    guard.file.begin(epoch)
    guard.file.raise_to(epoch, {OF_SITE: (900, 900), OF_PEOPLE: (900,)})


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", ["0019_epoch", "0042_persons_and_teams", "0050_refusals_of_each_act"])
def test_an_older_database_is_upgraded_although_the_first_migrate_is_killed(
    first: str, address: str, epoch_file: Path
) -> None:
    call_command("migrate", "tournaments", first, verbosity=0)
    assert is_current() is False
    fill(models_at(first))
    note_as_served(before := epoch_now())
    if first < KILL_IN:
        connection.close()
        killed = subprocess.run(
            [sys.executable, "-c", KILLED_MIGRATE],
            env=os.environ
            | {
                "DATABASE_URL": address,
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "DEBUG": "1",
                "EPOCH_FILE": str(epoch_file),
                "HIDDEN_FILE": "",
            },
            cwd=ROOT,
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL
    else:
        with interrupted_in("0051_names_form_and_doubts"), pytest.raises(KeyboardInterrupt):
            call_command("migrate", verbosity=0)
    assert first[:4] <= newest_applied() < MIGRATIONS[-1]
    call_command("migrate", verbosity=0)

    assert newest_applied() == MIGRATIONS[-1]
    assert missing_triggers("default") == []
    assert epoch_now() not in {"", before}
    upgraded = write(load(SLUG))
    current_apps.get_model("tournaments", "Event")._default_manager.all().delete()
    fill(current_apps)
    assert upgraded == write(load(SLUG))


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


@pytest.fixture
def one_step_back() -> Iterator[None]:
    """Use a schema without the newest migration that changed the row of the epoch."""
    call_command("migrate", "tournaments", "0050", verbosity=0)
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.usefixtures("one_step_back")
def test_a_partial_migrate_is_interrupted_and_goes_on(
    epoch_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert not is_current()
    fill(models_at("0050_refusals_of_each_act"))
    SiteRevision.objects.all().delete()  # as in a database whose first `migrate` was interrupted
    ensure_epoch("default")
    note_as_served(before := epoch_now())
    caplog.clear()
    with interrupted_in("0051_names_form_and_doubts"), pytest.raises(KeyboardInterrupt):
        call_command("migrate", verbosity=0)
    assert newest_applied() == "0050_refusals_of_each_act"
    call_command("migrate", "tournaments", "0050", verbosity=0)
    call_command("migrate", verbosity=0)

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert epoch_now() not in {"", before}
    assert missing_triggers("default") == []
    assert [each.name for each in load(SLUG).competitors] == ["Ann Ash", "Bea Birch", "Cy Cedar", "Di Date"]


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
    for start in (refuse_newer_database, lambda: call_command("work", "--until-empty")):
        with pytest.raises(NewerDatabaseError, match="9998_of_later"):
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
    refuse_newer_database()
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
        refuse_newer_database()
    assert "could not be checked" in caplog.text


def test_each_mark_names_its_own_migration() -> None:
    loader = MigrationLoader(None)
    for (app, name), migration in loader.disk_migrations.items():
        marks = [each.name for each in migration.operations if isinstance(each, KeepsOlderPrograms)]
        assert marks in ([], [name]), f"{app} {name}"
    assert ("tournaments", MIGRATIONS[-1]) in loader.disk_migrations
    assert COMPATIBLE not in current_apps.app_configs
