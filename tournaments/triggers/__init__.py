"""The triggers: the database counts revisions, and refuses what constraints cannot say."""

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.revision import EVENTS_OF, REVISION, SITE_REVISION
from tournaments.triggers import postgresql, sqlite

DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}
NEXT_REVISIONS = f"UPDATE {REVISION} SET number = number + 1"
FIRST_REVISIONS = (
    f"INSERT INTO {REVISION} (event_id, number) SELECT id, 1 FROM tournaments_event e"
    f" WHERE NOT EXISTS (SELECT 1 FROM {REVISION} r WHERE r.event_id = e.id)"
)


def set_triggers_aside(using: str, **_: object) -> None:
    """Drop the triggers before a `migrate` on SQLite, whose copies of tables they would break."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for name in DIALECTS[connection.vendor].triggers():
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def install_triggers(using: str, **_: object) -> None:
    """Install every trigger and give every event a revision; after each `migrate`, any number of times.

    Where triggers were missing, nothing counted what was written meanwhile: every event is at a new revision.
    """
    connection = connections[using]
    if not _has_tables(connection):
        return
    # Asked before they are installed: a database without them may have been written to.
    uncounted = missing_triggers(using)
    with connection.cursor() as cursor:
        for statements in DIALECTS[connection.vendor].triggers().values():
            for statement in statements:
                cursor.execute(statement)
        cursor.execute(FIRST_REVISIONS)
        if uncounted:
            cursor.execute(NEXT_REVISIONS)


def missing_triggers(using: str) -> list[str]:
    """Return the triggers that the database should have and has not, by name."""
    connection = connections[using]
    dialect = DIALECTS[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(dialect.INSTALLED)
        installed = {name for (name,) in cursor.fetchall()}
    return sorted(dialect.triggers().keys() - installed)


@checks.register(checks.Tags.database)
def check_triggers(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Return a warning where triggers are missing; an error would stop the `migrate` that mends it."""
    return [
        checks.Warning(
            f"{len(missing)} triggers are missing in the database {using!r}: {', '.join(missing)}.",
            hint="Run manage.py migrate, which installs them.",
            id="tournaments.W001",
        )
        for using in databases or []
        if _has_tables(connections[using]) and (missing := missing_triggers(using))
    ]


def _has_tables(connection: BaseDatabaseWrapper) -> bool:
    # A `migrate` to an early state runs this too, when some tables are not there yet.
    needed = {REVISION, SITE_REVISION, *(model._meta.db_table for model in EVENTS_OF)}
    return needed <= set(connection.introspection.table_names())
