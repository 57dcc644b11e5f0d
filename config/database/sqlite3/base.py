"""SQLite within deadlines: who writes waits for the lock as long as his process allows, and no longer."""

from typing import Any

from django.db.backends.sqlite3 import base
from django.utils.functional import cached_property

from config.database.bulkhead import FewTransactions
from config.database.deadlines import of_process, time_for, time_left
from config.database.faults import FaultWrapper

STEPS = 100_000
"""SQLite's instructions from one look at the clock to the next: some milliseconds."""


def _is_late() -> bool:
    left = time_left()
    return left is not None and left <= 0


class DatabaseWrapper(FewTransactions, base.DatabaseWrapper):
    """Django's backend for SQLite, with a busy timeout by process and no query after a request's time."""

    def get_connection_params(self) -> dict[str, Any]:
        """Return Django's parameters and the time to wait for the lock; OPTIONS go before."""
        return {"timeout": of_process("lock"), **super().get_connection_params()}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a new connection, which leaves a query in the middle where the request's time is over."""
        made = super().get_new_connection(conn_params)
        made.set_progress_handler(_is_late, STEPS)
        return made

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor; SpentError where the request has no time left, and no transaction to end."""
        time_for(0)
        return super().create_cursor(name)

    @cached_property
    def wrap_database_errors(self) -> FaultWrapper:
        """Return the way from a driver's exceptions to ours and Django's."""
        return FaultWrapper(self)
