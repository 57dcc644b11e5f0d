"""The triggers: the database counts revisions, and refuses what constraints cannot say."""

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.models import TeamRevision
from tournaments.revision import COUNTED, EVENTS_OF, PUBLIC_STATES, REVISION, SITE_REVISION
from tournaments.triggers import postgresql, sqlite

DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}
FIRST_REVISIONS = (
    f"INSERT INTO {REVISION} (event_id, number, changed_at, public_at)"
    f" SELECT id, 1, {{now}}, CASE WHEN state IN ({PUBLIC_STATES}) THEN {{now}} END FROM tournaments_event e"
    f" WHERE NOT EXISTS (SELECT 1 FROM {REVISION} r WHERE r.event_id = e.id)"
)


def set_triggers_aside(using: str, plan: Sequence[tuple[Any, bool]] = (), **_: object) -> None:
    """Drop the triggers before a `migrate` that they would break.

    On SQLite they break the copies of tables; on both databases they write columns that a way back takes out.
    A `migrate` with nothing to do leaves them, and so counts nothing: harvesters would read all events anew.
    """
    if not plan:
        return
    connection = connections[using]
    goes_back = any(is_backwards for _migration, is_backwards in plan)
    if connection.vendor != "sqlite" and not goes_back:
        return
    dialect = DIALECTS[connection.vendor]
    with connection.cursor() as cursor:
        for name in dialect.triggers():
            cursor.execute(dialect.DROPPED.format(name=name))


def install_triggers(using: str, **_: object) -> None:
    """Install every trigger and give every event a revision; after each `migrate`, any number of times.

    Where triggers were missing, nothing counted what was written meanwhile: every event is at a new revision.
    """
    connection = connections[using]
    if not _has_tables(connection):
        return
    # Asked before they are installed: a database without them may have been written to.
    uncounted = missing_triggers(using)
    dialect = DIALECTS[connection.vendor]
    with connection.cursor() as cursor:
        for statements in dialect.triggers().values():
            with transaction.atomic(using=using):  # the site may be writing, and no moment is without it
                for statement in statements:
                    cursor.execute(statement)
        cursor.execute(FIRST_REVISIONS.format(now=dialect.NOW))
        if uncounted:
            cursor.execute(dialect.NEXT_REVISION + dialect.NAMED)
            cursor.execute(dialect.RAISE_PEOPLE)
            for counted in COUNTED:
                cursor.execute(
                    f"UPDATE {counted.revisions._meta.db_table} SET number = number + 1{dialect.NAMED}"
                )


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
    # A `migrate` to an early state runs this too, when some tables and columns are not there yet.
    people = {model for counted in COUNTED for model in (counted.revisions, *counted.of)}
    needed = {REVISION, SITE_REVISION, *(model._meta.db_table for model in {*EVENTS_OF, *people})}
    if not needed <= set(connection.introspection.table_names()):
        return False
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, TeamRevision._meta.db_table)
    return "searched" in {column.name for column in columns}
