"""Exceptions for a database or a queue that is not available in time."""

import sqlite3
from types import TracebackType

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import DatabaseErrorWrapper
from psycopg import OperationalError as PostgresqlFault
from psycopg import errors


class UnavailableError(Exception):
    """A temporary failure. `retry_after` is the number of whole seconds after which a retry makes sense."""

    retry_after = 2


class DatabaseAwayError(UnavailableError, OperationalError):
    """The database cannot be reached, does not answer, or has just failed.

    If this happens during a commit, it is unknown whether the transaction is stored.
    """


class DatabaseNotReplicatedError(DatabaseAwayError):
    """A commit was not confirmed in time, probably because a synchronous replica is away."""


class DatabaseBusyError(UnavailableError, OperationalError):
    """A lock or an answer was not available in time. The transaction is not stored."""


class DatabaseNotWritableError(UnavailableError, OperationalError):
    """The database can be read but not written: it is read-only, or its disk is full."""


class DeskClosedError(UnavailableError):
    """The database is being updated or restored. Pages can be read."""

    retry_after = 10


class WaitedTooLongError(UnavailableError):
    """The deadline of a request passed while it waited for something other than the database."""


class TooManyAtOnceError(UnavailableError):
    """An account has too many slow requests open."""


class DeadlineError(PostgresqlFault):
    """A connection to PostgreSQL was closed because no answer came in time."""


class CommitTimeoutError(PostgresqlFault):
    """A connection to PostgreSQL was closed because a commit was not confirmed in time."""


class SpentError(PostgresqlFault):
    """The request has no time left for another query."""


BUSY = (
    SpentError,
    errors.TooManyConnections,
    errors.LockNotAvailable,
    errors.QueryCanceled,  # statement_timeout
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.IdleInTransactionSessionTimeout,
)
"""Errors of a healthy PostgreSQL server for a query that would have to wait too long."""

NOT_WRITABLE = (errors.ReadOnlySqlTransaction, errors.DiskFull)
"""Errors of a PostgreSQL server that is read-only, such as a standby, or has a full disk."""

NOT_WRITABLE_CODES = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL}
BUSY_CODES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT}
AWAY_CODES = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
LOWEST_BYTE = 0xFF
"""Mask for SQLite's extended error codes: the lowest byte is the primary code."""


def fault_of(error: BaseException) -> UnavailableError | None:
    """Return the exception for an error of a database driver, or None if the query itself is wrong.

    For a connection that broke or was never made, PostgreSQL raises OperationalError with a code of class 08
    or 57, or without a code.
    """
    code = getattr(error, "sqlite_errorcode", 0) & LOWEST_BYTE
    if isinstance(error, NOT_WRITABLE) or code in NOT_WRITABLE_CODES:
        return DatabaseNotWritableError(*error.args)
    if isinstance(error, BUSY) or code in BUSY_CODES:
        return DatabaseBusyError(*error.args)
    if isinstance(error, CommitTimeoutError):
        return DatabaseNotReplicatedError(*error.args)
    is_away = isinstance(error, PostgresqlFault) and (error.sqlstate or "")[:2] in {"", "08", "57"}
    return DatabaseAwayError(*error.args) if is_away or code in AWAY_CODES else None


class FaultWrapper(DatabaseErrorWrapper):
    """Django's wrapper of database errors, extended by our exceptions."""

    wrapper: BaseDatabaseWrapper

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise our exception if there is one for the error, else Django's."""
        found = exc_value and fault_of(exc_value)
        if found:
            self.wrapper.errors_occurred = True  # the next request tests the connection
            if isinstance(found, DatabaseNotWritableError):
                # SQLite opens a file without write permission as read-only, and the connection remains
                # read-only.
                self.wrapper.close_at = 0.0  # the next request opens a new connection
            raise found.with_traceback(traceback) from exc_value
        super().__exit__(exc_type, exc_value, traceback)
