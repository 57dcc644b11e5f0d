"""Long reads from a single snapshot on both databases, without blocking writers.

A page takes a dozen queries, and its revision shows whether a write came in between. An archive takes
thousands, and would never be finished like this while an event is live.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection, transaction

_in_snapshot = ContextVar("in_snapshot", default=False)


@contextmanager
def snapshot() -> Iterator[None]:
    """Run all reads of the block in a snapshot. The block does not write, and does not block writers.

    Use it outside of transactions, in a worker or a command, because it may take minutes.
    """
    database: Any = connection  # the stubs lack the attribute
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        connection.ensure_connection()  # reads the mode from the settings
        # The settings' IMMEDIATE takes the write lock, which readers of SQLite's WAL do not need.
        mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            if not is_sqlite:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            token = _in_snapshot.set(True)
            try:
                yield
            finally:
                _in_snapshot.reset(token)
    finally:
        if is_sqlite:
            database.transaction_mode = mode


def is_snapshot() -> bool:
    """Return whether this is inside a snapshot, which does not allow writing."""
    return _in_snapshot.get()


def reads_what_is_committed() -> bool:
    """Return whether a revision that is read now is final, because it is committed."""
    return _in_snapshot.get() or not connection.in_atomic_block
