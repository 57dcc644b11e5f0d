"""Database triggers that count revisions and refuse rows that constraints cannot refuse."""

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import connections, transaction

from tournaments.operations.compatibility import is_current
from tournaments.operations.revision import COUNTED, PUBLIC_STATES, REVISION
from tournaments.operations.triggers import postgresql, sqlite

PREFIX = "crosstable_"
"""Prefix of the names of all triggers."""

DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}
FIRST_REVISIONS = (
    f"INSERT INTO {REVISION} (event_id, number, changed_at, public_at)"
    f" SELECT id, 1, {{now}}, CASE WHEN state IN ({PUBLIC_STATES}) THEN {{now}} END FROM tournaments_event e"
    f" WHERE NOT EXISTS (SELECT 1 FROM {REVISION} r WHERE r.event_id = e.id)"
)


def set_triggers_aside(using: str, plan: Sequence[tuple[Any, bool]] = (), **_: object) -> None:
    """Drop the triggers before a `migrate`, because they would break it.

    On SQLite they break the copies of tables; on both databases they write to columns that a backward
    migration removes. If there is nothing to migrate they remain: new revisions would make harvesters read
    all events again.
    """
    if not plan:
        return
    connection = connections[using]
    goes_back = any(is_backwards for _migration, is_backwards in plan)
    if connection.vendor != "sqlite" and not goes_back:
        return
    dialect = DIALECTS[connection.vendor]
    with connection.cursor() as cursor:
        # From the database, because older versions may have triggers with other names.
        for name in _installed(using):
            if name.startswith(PREFIX):
                cursor.execute(dialect.DROPPED.format(name=name))


def install_triggers(using: str, **_: object) -> None:
    """Install all triggers and give every event a revision. Runs after each `migrate` and is idempotent.

    If triggers were missing, writes may not have been counted, and every event gets a new revision.
    """
    connection = connections[using]
    if not is_current(using):
        return
    # Before the installation: a database without triggers may have been written to.
    uncounted = missing_triggers(using)
    dialect = DIALECTS[connection.vendor]
    with connection.cursor() as cursor:
        for statements in dialect.triggers().values():
            # the site may be writing, and must not be without triggers at any time
            with transaction.atomic(using=using):
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
    return sorted(DIALECTS[connections[using].vendor].triggers().keys() - _installed(using))


def _installed(using: str) -> set[str]:
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(DIALECTS[connection.vendor].INSTALLED)
        return {name for (name,) in cursor.fetchall()}


@checks.register(checks.Tags.database)
def check_triggers(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Warn if triggers are missing. An error would stop the `migrate` that installs them."""
    return [
        checks.Warning(
            f"{len(missing)} triggers are missing in the database {using!r}: {', '.join(missing)}.",
            hint="Run manage.py migrate, which installs them.",
            id="tournaments.W001",
        )
        for using in databases or []
        if is_current(using) and (missing := missing_triggers(using))
    ]
