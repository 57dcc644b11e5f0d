"""Refuse a database that a newer release has migrated, or from before 1.0 (ADR 0043).

If older releases still work after a migration, the migration ends with the operation `KeepsOlderPrograms`. It
stores this in Django's table of applied migrations under a separate app label, which every older release can
read.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import checks
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.db.models import Model

APP = "tournaments"


# The models match the newest migration only, but signal handlers of `migrate` also run on older schemas:
# after a partial or interrupted migrate, and when an older backup is restored.


def columns_of(model: type[Model], using: str = DEFAULT_DB_ALIAS) -> frozenset[str]:
    """Return the columns of a model's table in the database; empty if the table does not exist."""
    connection, table = connections[using], model._meta.db_table
    if table not in connection.introspection.table_names():
        return frozenset()
    return _columns(connection, table)


def is_current(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Return whether the database has every table and column of the models."""
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    for model in apps.get_app_config(APP).get_models(include_auto_created=True):
        if not model._meta.managed:
            continue
        table = model._meta.db_table
        if table not in tables:
            return False
        if not {field.column for field in model._meta.local_concrete_fields} <= _columns(connection, table):
            return False
    return True


def _columns(connection: BaseDatabaseWrapper, table: str) -> frozenset[str]:
    # get_table_description takes SQLite a hundred times longer, because it parses the table's SQL.
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608 - a model's table
        return frozenset(column[0] for column in cursor.description)


FOLDER = Path(__file__).parents[1] / "migrations"

COMPATIBLE = f"{APP} compatible"
"""App label of the rows that mark migrations; no app can have it, because it contains a space."""

HINT = (
    "Install the newer version again, or restore a backup that was made before the update"
    " (docs/deployment.md, “If an update fails”)."
)

log = logging.getLogger(__name__)


LAST_BEFORE_1_0 = "0057_change_paired"
FIRST_OF_1_0 = "0058_release_1_0"

TOO_OLD = (
    "A version older than 1.0 made the database, and not the last of them. Update to that one first"
    " (docs/upgrading.md)."
)


class OtherVersionError(Exception):
    """This release does not work with the database."""


class KeepsOlderPrograms(Operation):
    """Mark a migration, by its name, as compatible with releases that do not have it."""

    reversible = True
    reduces_to_sql = False

    def __init__(self, name: str) -> None:
        self.name = name

    def state_forwards(self, app_label: str, state: ProjectState) -> None: ...

    def database_forwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_states: ProjectState
    ) -> None:
        MigrationRecorder(schema_editor.connection).record_applied(COMPATIBLE, self.name)

    def database_backwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_states: ProjectState
    ) -> None:
        MigrationRecorder(schema_editor.connection).record_unapplied(COMPATIBLE, self.name)

    def describe(self) -> str:
        return "Mark the migration as compatible with older programs"


def newer_migrations(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return the names of applied migrations that are newer than this release and not compatible with it."""
    rows = MigrationRecorder(connections[using]).applied_migrations()
    known = _known_migrations()
    # Older unknown names are squashed migrations that were deleted.
    newer = {name for app, name in rows if app == APP and name not in known and name[:4] >= known[-1][:4]}
    return sorted(newer - {name for app, name in rows if app == COMPATIBLE})


def reason_to_refuse(using: str = DEFAULT_DB_ALIAS) -> str:
    """Return why this release cannot use the database, with advice, or an empty string. Few queries."""
    rows = MigrationRecorder(connections[using]).applied_migrations()
    names = {name for app, name in rows if app == APP}
    if names and not names & {LAST_BEFORE_1_0, FIRST_OF_1_0}:
        return TOO_OLD
    newer = newer_migrations(using)
    if not newer:
        return ""
    return (
        f"A newer version of this program has migrated the database: it has {', '.join(newer)},"
        f" and this version ends at {_known_migrations()[-1]}. {HINT}"
    )


def refuse_other_database() -> None:
    """Raise OtherVersionError if the database was migrated by a newer release or is too old.

    If the database is down, the process starts without this check.
    """
    try:
        reason = reason_to_refuse()
    except (DatabaseError, InterfaceError) as away:
        log.warning("Whether the database is newer could not be checked (%s).", type(away).__name__)
        return
    finally:
        connections[DEFAULT_DB_ALIAS].close()
    if reason:
        raise OtherVersionError(reason)


def refuse_to_migrate(using: str, **_: object) -> None:
    """Raise CommandError before a `migrate` of an incompatible database."""
    if reason := reason_to_refuse(using):
        raise CommandError(reason)


@checks.register(checks.Tags.database)
def check_newer_migrations(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Return an error if this release cannot use the database."""
    return [
        checks.Error(reason, id="tournaments.E001")
        for using in databases or []
        if (reason := reason_to_refuse(using))
    ]


def _known_migrations() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))
