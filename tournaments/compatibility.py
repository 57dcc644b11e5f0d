"""Refuse a database that a newer version of this program has migrated (ADR 0043).

A migration after which older programs still work ends with the operation `KeepsOlderPrograms`. It stores that
in Django's table of applied migrations, under an app label of its own, where every older program can read it.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core import checks
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

from tournaments.schema import APP

FOLDER = Path(__file__).parent / "migrations"

COMPATIBLE = f"{APP} compatible"
"""The app label of the rows that mark migrations; no app has it, because it contains a space."""

HINT = (
    "Install the newer version again, or restore a backup that was made before the update"
    " (docs/deployment.md, “If an update fails”)."
)

log = logging.getLogger(__name__)


class NewerDatabaseError(Exception):
    """Raised if a newer version of the program has migrated the database."""


class KeepsOlderPrograms(Operation):
    """Mark a migration, by its name, as compatible with programs that do not know it."""

    reversible = True
    reduces_to_sql = False

    def __init__(self, name: str) -> None:
        self.name = name

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change no models."""

    def database_forwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_states: ProjectState
    ) -> None:
        """Store the mark, in the transaction of the migration."""
        MigrationRecorder(schema_editor.connection).record_applied(COMPATIBLE, self.name)

    def database_backwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_states: ProjectState
    ) -> None:
        """Remove the mark."""
        MigrationRecorder(schema_editor.connection).record_unapplied(COMPATIBLE, self.name)

    def describe(self) -> str:
        """Return what `migrate --plan` prints."""
        return "Mark the migration as compatible with older programs"


def newer_migrations(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return the applied migrations that are newer than this program and not compatible with it, by name."""
    recorder = MigrationRecorder(connections[using])
    if not recorder.has_table():
        return []
    rows = list(recorder.migration_qs.filter(app__in=(APP, COMPATIBLE)).values_list("app", "name"))
    known = _known_migrations()
    # Older unknown names are those of migrations that were squashed and then deleted.
    newer = {name for app, name in rows if app == APP and name not in known and name[:4] >= known[-1][:4]}
    return sorted(newer - {name for app, name in rows if app == COMPATIBLE})


def reason_to_refuse(using: str = DEFAULT_DB_ALIAS) -> str:
    """Return why this program must not work on the database, or an empty string; one or two queries."""
    newer = newer_migrations(using)
    if not newer:
        return ""
    return (
        f"A newer version of this program has migrated the database: it has {', '.join(newer)},"
        f" and this version ends at {_known_migrations()[-1]}."
    )


def refuse_newer_database() -> None:
    """Raise NewerDatabaseError if a newer program has migrated the database.

    If the database is down, the process starts without the check and waits for it as usual.
    """
    try:
        reason = reason_to_refuse()
    except (DatabaseError, InterfaceError) as away:
        log.warning("Whether the database is newer could not be checked (%s).", type(away).__name__)
        return
    finally:
        connections[DEFAULT_DB_ALIAS].close()
    if reason:
        raise NewerDatabaseError(f"{reason} {HINT}")


def refuse_to_migrate(using: str, **_: object) -> None:
    """Raise CommandError before a `migrate` of a database that a newer program has migrated."""
    if reason := reason_to_refuse(using):
        raise CommandError(f"{reason} {HINT}")


@checks.register(checks.Tags.database)
def check_newer_migrations(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Return an error if a newer program has migrated the database."""
    return [
        checks.Error(reason, hint=HINT, id="tournaments.E001")
        for using in databases or []
        if (reason := reason_to_refuse(using))
    ]


def _known_migrations() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))
