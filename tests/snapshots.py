"""Restore the tests' database in milliseconds.

After a test with transactions, Django truncates every table and then recreates permissions, roles and
triggers. Restoring a copy of the database from before the first test is faster.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction

from tests.replay import forget_rows

TRUNCATED_FROM = 256 * 1024
"""Bytes from which a table is truncated: deleting is faster in a small table, but leaves gaps."""


class Snapshot(Protocol):
    """The rows of all tables at one moment."""

    def restore(self) -> None:
        """Replace the contents of the database by these rows."""


def take_snapshot() -> Snapshot:
    """Copy the contents of the database."""
    if connection.vendor == "sqlite":
        copy = sqlite3.connect(":memory:")
        connection.ensure_connection()
        connection.connection.backup(copy)
        return SqliteSnapshot(copy)
    with connection.cursor() as cursor:
        rows = {}
        for table in _filled_tables():
            with cursor.copy(f'COPY "{table}" TO STDOUT') as copied:
                rows[table] = b"".join(copied)
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'")
        given = {name: last for name, last in cursor.fetchall() if last}
        return PostgresqlSnapshot({table: text for table, text in rows.items() if text}, given)


@dataclass(frozen=True)
class SqliteSnapshot:
    """A copy of the database in memory."""

    copy: sqlite3.Connection

    def restore(self) -> None:
        """Copy it back page by page, tables and triggers included."""
        connection.ensure_connection()
        self.copy.backup(connection.connection)
        forget_rows()
        ContentType.objects.clear_cache()


@dataclass(frozen=True)
class PostgresqlSnapshot:
    """The rows of each table that has any, in the format of COPY, and the last key of each sequence."""

    rows: Mapping[str, bytes]
    given: Mapping[str, int]

    def restore(self) -> None:
        """Truncate all tables with rows and fill them, without triggers and foreign keys."""
        sizes = _filled_tables()
        large = [f'"{table}"' for table, size in sizes.items() if size >= TRUNCATED_FROM]
        small = [f'DELETE FROM "{table}"' for table, size in sizes.items() if size < TRUNCATED_FROM]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("; ".join([*small, *([f"TRUNCATE {', '.join(large)} CASCADE"] if large else [])]))
            for table, text in self.rows.items():
                with cursor.copy(f'COPY "{table}" FROM STDIN') as copied:
                    copied.write(text)
            # A test that loads rows with keys resets sequences to numbers below the keys of the copy.
            for name, last in self.given.items():
                cursor.execute(
                    "SELECT setval(%s, greatest(%s, nextval(%s)))", [f'"{name}"', last, f'"{name}"']
                )
        ContentType.objects.clear_cache()


def _filled_tables() -> dict[str, int]:
    """Return the tables with rows, or with deleted rows, and their sizes in bytes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0"
        )
        return dict(cursor.fetchall())
