"""SQLite with deadlines: writers wait for the lock up to the limit of their kind of process."""

import sqlite3
from math import inf
from time import monotonic, sleep
from typing import Any

from django.db.backends.sqlite3 import base
from django.utils.functional import cached_property

from config.database.bulkhead import FewTransactions, place_to_write
from config.database.deadlines import of_process, time_for, time_left
from config.database.faults import LOWEST_BYTE, FaultWrapper

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")

PAUSE = 0.02
"""Seconds between two attempts to get the lock."""

STEPS = 100_000
"""Number of SQLite's instructions between two checks of the clock, some milliseconds."""


def _is_late() -> bool:
    left = time_left()
    return left is not None and left <= 0


class Cursor(base.SQLiteCursorWrapper):
    """A cursor that waits for the write lock in Python.

    SQLite's own busy handler holds the mutex of the connection while it waits. If Python's garbage collector
    then finalizes a cursor of that connection, in any thread, it waits for the mutex while it holds the GIL,
    so the process hangs until the lock is free.
    """

    def execute(self, query: str, params: Any = None) -> Any:
        """Execute a statement. Raise DatabaseBusyError if too many threads wait for the write lock.

        A single write needs a slot, as transactions do, because it waits for the same lock.
        """
        if self.connection.in_transaction:
            return super().execute(query, params)
        if query.startswith(WRITES):
            with place_to_write():
                return self._in_turn(query, params)
        return self._in_turn(query, params)

    def _in_turn(self, query: str, params: Any) -> Any:
        most = of_process("lock")
        end = monotonic() + most if most else inf
        while True:
            try:
                return super().execute(query, params)
            except sqlite3.OperationalError as busy:
                if busy.sqlite_errorcode & LOWEST_BYTE != sqlite3.SQLITE_BUSY or monotonic() >= end:
                    raise
            sleep(PAUSE)


class Connection(sqlite3.Connection):
    """Can have attributes, such as the guard of tournaments/operations/restore_guard.py."""


class DatabaseWrapper(FewTransactions, base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        """Return Django's parameters. SQLite itself waits only a moment; the cursor waits for the rest."""
        return {**super().get_connection_params(), "timeout": PAUSE, "factory": Connection}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection that interrupts its query at the deadline of the request."""
        made = super().get_new_connection(conn_params)
        made.set_progress_handler(_is_late, STEPS)
        return made

    def create_cursor(self, name: str | None = None) -> Any:  # noqa: ARG002 - Django's own ignores it too
        """Return a cursor. Raise SpentError if the request has no time left and no transaction is open."""
        time_for(0)
        return self.connection.cursor(factory=Cursor)

    @cached_property
    def wrap_database_errors(self) -> FaultWrapper:
        return FaultWrapper(self)
