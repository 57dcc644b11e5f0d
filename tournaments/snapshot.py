"""Reading for a long time without holding anybody up: all of one moment, on both databases.

A page is made of a dozen queries, and what a write between two of them changed is found out by the revision.
An archive is made of thousands: while an event goes on, one would never be finished that way.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection, transaction

_in_snapshot = ContextVar("in_snapshot", default=False)


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all that is read in the block be of one moment; the block writes nothing, and no writer waits.

    Outside of any transaction, and for a worker or a command: it may last for minutes.
    """
    database: Any = connection  # the stubs know nothing of the mode
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        connection.ensure_connection()  # which reads the mode from the settings
        # IMMEDIATE, as in the settings, takes the turn of the writers; who reads SQLite's log needs none.
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
    """Say whether this is inside a snapshot, where nothing is written."""
    return _in_snapshot.get()


def reads_what_is_committed() -> bool:
    """Say whether a revision that is read now can come to mean nothing else."""
    return _in_snapshot.get() or not connection.in_atomic_block
