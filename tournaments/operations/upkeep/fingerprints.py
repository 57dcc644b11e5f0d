"""Fingerprints of databases, to compare a restored copy with the snapshot that was dumped.

Tables are read as they are, whatever version of the project created them. Equal rows give equal event files,
so that only a few events are exported, to prove that this version can read the tables.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple, TypedDict, TypeVar

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event
from tournaments.operations.compatibility import newer_migrations
from tournaments.operations.triggers import missing_triggers
from tournaments.stored import stored

Value = TypeVar("Value")

ROWS_AT_ONCE = 20
"""Rows in memory at a time; event backups and uploads have megabytes each."""

EXPORTED = 50
"""Events that are exported."""


class TableFingerprint(NamedTuple):
    """Number of rows, and a digest that does not depend on their order."""

    rows: int
    digest: str


class Fingerprint(TypedDict):
    """A database: tables by name, and missing triggers."""

    tables: dict[str, TableFingerprint]
    missing_triggers: list[str]


def take_fingerprint() -> Fingerprint:
    """Return the fingerprint of the default database, in the snapshot of an open transaction, if any.

    Raise an error if an event that was changed lately cannot be exported. If another version of the project
    created the tables, none is exported, because this version cannot read them.
    """
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not pending and not newer_migrations():
        for event in Event.objects.select_related("series").order_by("-revision__changed_at")[:EXPORTED]:
            write(stored(event).document)
    return {
        "tables": {name: _of_table(name) for name in sorted(connection.introspection.table_names())},
        "missing_triggers": missing_triggers(connection.alias),
    }


def compare_fingerprints(expected: Fingerprint, found: Fingerprint) -> list[str]:
    """Return the differences as sentences; empty if there are none."""
    differences = [
        f"Table {name}: expected {_table_text(before)}, found {_table_text(now)}."
        for name, before, now in _pairs(expected["tables"], found["tables"])
    ]
    if found["missing_triggers"] != expected["missing_triggers"]:
        differences.append(f"Triggers are missing: {', '.join(found['missing_triggers'])}.")
    return differences


def _of_table(name: str) -> TableFingerprint:
    """Return the fingerprint of a table. The sum of the rows' digests does not depend on their order."""
    rows = total = 0
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")  # noqa: S608 - a table's own name
        while fetched := cursor.fetchmany(ROWS_AT_ONCE):
            for row in fetched:
                # The drivers return memoryviews, whose repr is an address instead of the content.
                values = [bytes(value) if isinstance(value, memoryview) else value for value in row]
                content = repr(values).encode("utf-8", "surrogatepass")
                rows, total = rows + 1, total + int.from_bytes(blake2b(content, digest_size=16).digest())
    return TableFingerprint(rows, f"{total % (1 << 128):032x}")


def _pairs(
    expected: dict[str, Value], found: dict[str, Value]
) -> Iterator[tuple[str, Value | None, Value | None]]:
    for key in sorted(expected.keys() | found.keys()):
        if expected.get(key) != found.get(key):
            yield key, expected.get(key), found.get(key)


def _table_text(table: TableFingerprint | None) -> str:
    return f"{table.rows} rows ({table.digest[:8]})" if table else "none"
