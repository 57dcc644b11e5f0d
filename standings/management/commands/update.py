"""Migrate the database for a new version of the program, or restore a backup; undo both if they fail."""

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from standings.archive.builder import public_host
from tournaments.operations.compatibility import APP, KeepsOlderPrograms
from tournaments.operations.epoch import renew_epoch
from tournaments.operations.processes.slots import closed_desk
from tournaments.operations.upkeep import dumpfolder
from tournaments.operations.upkeep.dumping import make_backup, restore_backup

PAGES = ("/readyz", "/", "/admin/login/")
NOT_RESTORED = 3
"""Exit code for deploy/crosstable: the database is not as it was before."""


class Command(BaseCommand):
    help = (
        "Closes the desk, migrates the database, checks pages and opens the desk. Before a change it backs"
        " the database up into FOLDER, and after a failure it restores this backup (docs/deployment.md)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", type=Path)
        parser.add_argument("--restore", metavar="FILE", type=Path, help="Restore this backup first.")
        parser.add_argument("--closed", action="store_true", help="The caller has closed the desk.")
        parser.add_argument("--alongside", action="store_true", help="Other machines run the old version.")

    def handle(
        self, *_: Any, folder: Path, restore: Path | None, closed: bool, alongside: bool, **__: Any
    ) -> None:
        if alongside and (names := incompatible_migrations()):
            text = "Nothing was changed, because the old version cannot run with %s. Stop the other machines."
            raise CommandError(text % ", ".join(names))
        with nullcontext() if closed else closed_desk():
            try:
                if restore:
                    dumpfolder.read_record(restore.resolve())  # raises an error if the file is damaged
                # A restore would undo what other machines saved; the old version can use the new tables.
                before = (
                    None if alongside else self._back_up(dumpfolder.DumpFolder(folder.resolve()), restore)
                )
            except Exception as problem:
                raise CommandError(f"Nothing was changed. {problem}") from problem
            try:
                if restore:
                    restore_backup(restore.resolve())
                call_command("migrate", interactive=False, verbosity=0)
                if restore:
                    renew_epoch()
                if before or alongside:
                    check_health()
            except BaseException as problem:  # also Ctrl-C
                text = str(problem) or type(problem).__name__
                if before:
                    try:
                        restore_backup(before)
                    except Exception as second:
                        text += f" Going back failed: restore {before} before you use the site. {second}"
                        raise CommandError(f"This failed. {text}", returncode=NOT_RESTORED) from second
                    text = f"The database is as it was before. {text}"
                raise CommandError(f"This failed. {text}") from problem

    def _back_up(self, folder: dumpfolder.DumpFolder, restore: Path | None) -> Path | None:
        """Back up the database and return the path, or None if it is empty or nothing will change."""
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not executor.loader.applied_migrations or not (pending or restore):
            return None
        with folder.alone():
            path = make_backup(folder).path
        self.stdout.write(f"{path}: backup of the database before the update")
        return path


def incompatible_migrations() -> list[str]:
    """Return the migrations still to apply that the old version cannot run with."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [
        migration.name
        for migration, _ in plan
        if migration.app_label == APP
        and not any(isinstance(each, KeepsOlderPrograms) for each in migration.operations)
    ]


def check_health() -> None:
    """Raise CommandError if a system check fails or a page cannot be shown."""
    call_command("check", databases=[DEFAULT_DB_ALIAS])
    client = Client(raise_request_exception=False, SERVER_NAME=public_host() or "localhost")
    for path in PAGES:
        response = client.get(path, secure=True)
        if response.status_code != 200:
            raise CommandError(f"{path} has the status {response.status_code}.")
