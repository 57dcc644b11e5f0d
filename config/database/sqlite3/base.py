"""SQLite within deadlines: who writes waits for the lock as long as his process allows, and no longer."""

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
"""Seconds from one try to get the lock to the next."""

STEPS = 100_000
"""SQLite's instructions from one look at the clock to the next: some milliseconds."""


def _is_late() -> bool:
    left = time_left()
    return left is not None and left <= 0


class Cursor(base.SQLiteCursorWrapper):
    """A cursor that waits for the lock of writers in Python.

    SQLite's own waiting keeps the connection's mutex. Where Python collects a cursor of that connection
    meanwhile, in any thread, it waits for the mutex, and with it every thread of the process: for as long as
    somebody else keeps the lock.
    """

    def execute(self, query: str, params: Any = None) -> Any:
        """Execute a statement; DatabaseBusyError where too many wait to write already.

        A single write has a place, as transactions have: it waits for the same lock.
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


class DatabaseWrapper(FewTransactions, base.DatabaseWrapper):
    """Django's backend for SQLite, with a busy timeout by process and no query after a request's time."""

    def get_connection_params(self) -> dict[str, Any]:
        """Return Django's parameters; SQLite itself waits a moment only, and its cursors the rest."""
        return {**super().get_connection_params(), "timeout": PAUSE}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a new connection, which leaves a query in the middle where the request's time is over."""
        made = super().get_new_connection(conn_params)
        made.set_progress_handler(_is_late, STEPS)
        return made

    def create_cursor(self, name: str | None = None) -> Any:  # noqa: ARG002 - Django's own ignores it too
        """Return a cursor; SpentError where the request has no time left, and no transaction to end."""
        time_for(0)
        return self.connection.cursor(factory=Cursor)

    @cached_property
    def wrap_database_errors(self) -> FaultWrapper:
        """Return the way from a driver's exceptions to ours and Django's."""
        return FaultWrapper(self)
