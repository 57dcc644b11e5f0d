"""Database triggers that count revisions and refuse rows that constraints cannot refuse."""

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from django.core import checks
from django.db import connections, transaction

from tournaments.models import Event
from tournaments.operations.compatibility import is_current
from tournaments.operations.revision import (
    COUNTED,
    EVENTS_OF,
    LEADING,
    PUBLIC_STATES,
    REVISION,
    SEARCHED,
    SITE_WIDE,
)
from tournaments.operations.triggers import postgresql, sqlite
from tournaments.operations.triggers.expressions import NAMED, RAISE_PEOPLE, RAISE_SITE, SET_LISTED

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
        for statements in _triggers(dialect).values():
            # the site may be writing, and must not be without triggers at any time
            with transaction.atomic(using=using):
                for statement in statements:
                    cursor.execute(statement)
        cursor.execute(FIRST_REVISIONS.format(now=dialect.NOW))
        if uncounted:
            cursor.execute(dialect.NEXT_REVISION + NAMED)
            cursor.execute(RAISE_PEOPLE)
            for counted in COUNTED:
                cursor.execute(f"UPDATE {counted.revisions._meta.db_table} SET number = number + 1{NAMED}")


def missing_triggers(using: str) -> list[str]:
    return sorted(_triggers(DIALECTS[connections[using].vendor]).keys() - _installed(using))


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


def _triggers(dialect: ModuleType) -> dict[str, tuple[str, ...]]:
    return dict([*_counting(dialect), *_counting_people(dialect), *dialect.other_triggers()])


def _counting(dialect: ModuleType) -> Iterator[tuple[str, tuple[str, ...]]]:
    for model, events in EVENTS_OF.items():
        table = model._meta.db_table
        for action in dialect.ROWS:
            touched = dialect.events_of(events, action)
            shown = f", public_at = COALESCE(public_at, {dialect.SHOWN_AT})"
            set_too = shown if model is Event and action == "update" else ""
            set_too += NAMED if model in SEARCHED else ""
            work = [f"{dialect.NEXT_REVISION}{set_too} WHERE event_id IN ({touched})"]
            if model is Event and action == "insert":
                work = [dialect.FIRST_REVISION]
            # The list of events, search and series read these tables and depend on the revision of the
            # site.
            if model in SITE_WIDE:
                work += [RAISE_SITE, f"{SET_LISTED} WHERE event_id IN ({touched})"]
            if model is Event and action == "delete":
                work += dialect.REMOVED
            yield dialect.trigger(f"crosstable_{table}_{action}", table, action, work)


def _counting_people(dialect: ModuleType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the triggers that raise the revisions of persons and teams, and of pages that link to them."""
    for counted in COUNTED:
        revisions, column = counted.revisions._meta.db_table, counted.column
        for model, owner in counted.of.items():
            table = model._meta.db_table
            for action in dialect.ROWS:
                raised = "number = number + 1" + (NAMED if model in counted.searched else "")
                touched = dialect.owners_of(owner, action)
                work = [f"UPDATE {revisions} SET {raised} WHERE {column} IN ({touched})"]
                if model is counted.owner and action == "insert":
                    again = f"number = {revisions}.number + 1, named = {revisions}.number + 1"
                    first = f"INSERT INTO {revisions} ({column}, number) {dialect.FIRST_OF_OWNER}"
                    work = [f"{first} ON CONFLICT ({column}) DO UPDATE SET {again}"]
                if model is counted.owner and action == "delete":
                    work += dialect.leaving_hundreds(counted)
                if model in LEADING:
                    events = dialect.events_of(LEADING[model], action)
                    work.append(f"{dialect.NEXT_REVISION}{NAMED} WHERE event_id IN ({events})")
                name = f"crosstable_{table}_people_{action}"
                yield dialect.trigger(name, table, action, [*work, RAISE_PEOPLE])
