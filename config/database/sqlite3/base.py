"""SQLite within deadlines: who writes waits for the lock as long as his process allows, and no longer."""

from typing import Any

from django.db.backends.sqlite3 import base
from django.utils.functional import cached_property

from config.database.bulkhead import FewTransactions
from config.database.deadlines import of_process, time_for
from config.database.faults import FaultWrapper


class DatabaseWrapper(FewTransactions, base.DatabaseWrapper):
    """Django's backend for SQLite, with a busy timeout by process and no query after a request's time."""

    def get_connection_params(self) -> dict[str, Any]:
        """Return Django's parameters and the time to wait for the lock; OPTIONS go before."""
        return {"timeout": of_process("lock"), **super().get_connection_params()}

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor; SpentError where the request has no time left, and no transaction to end."""
        time_for(0)
        return super().create_cursor(name)

    @cached_property
    def wrap_database_errors(self) -> FaultWrapper:
        """Return the way from a driver's exceptions to ours and Django's."""
        return FaultWrapper(self)
