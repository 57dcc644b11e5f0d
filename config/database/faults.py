"""What is raised where the database, or a place in a queue, cannot be had in time."""

import sqlite3
from types import TracebackType

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import DatabaseErrorWrapper
from psycopg import Error as PostgresqlError
from psycopg import OperationalError as PostgresqlFault
from psycopg import errors


class UnavailableError(Exception):
    """Raised where something cannot be done now, and can a moment later.

    `retry_after` is the number of whole seconds after which asking again makes sense.
    """

    retry_after = 2


class DatabaseAwayError(UnavailableError, OperationalError):
    """Raised where the database cannot be reached, does not answer, or did not a moment ago.

    A transaction that was being committed may be stored or not: nobody told.
    """


class DatabaseBusyError(UnavailableError, OperationalError):
    """Raised where a lock, or an answer, was not to be had in time; its transaction is not stored."""


class DatabaseNotWritableError(UnavailableError, OperationalError):
    """Raised if the database can be read but not written: it is read-only, or its disk is full."""


class WaitedTooLongError(UnavailableError):
    """Raised where the time of a request went by in waiting for something that is no database."""


class DeadlineError(PostgresqlFault):
    """Raised by a connection to PostgreSQL that was given up because no answer came in time."""


class SpentError(PostgresqlFault):
    """Raised by a connection to PostgreSQL where a request has no time left for another query."""


BUSY = (
    SpentError,
    errors.TooManyConnections,
    errors.LockNotAvailable,
    errors.QueryCanceled,  # by statement_timeout
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.IdleInTransactionSessionTimeout,
)
"""What PostgreSQL answers, in good health, to who would have to wait too long."""

NOT_WRITABLE = (errors.ReadOnlySqlTransaction, errors.DiskFull)
"""Errors of a PostgreSQL server that is read-only, such as a standby, or has a full disk."""

NOT_WRITABLE_CODES = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL}
BUSY_CODES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT}
AWAY_CODES = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
LOWEST_BYTE = 0xFF
"""SQLite's extended codes have the plain one in it."""


def fault_of(error: BaseException) -> UnavailableError | None:
    """Return what an error of a database driver means for us; None where it is a fault of the query.

    PostgreSQL says of a connection that broke, or was never made, no more than OperationalError with a
    code of its classes 08 and 57, or none at all.
    """
    code = getattr(error, "sqlite_errorcode", 0) & LOWEST_BYTE
    if isinstance(error, NOT_WRITABLE) or code in NOT_WRITABLE_CODES:
        return DatabaseNotWritableError(*error.args)
    if isinstance(error, BUSY) or code in BUSY_CODES:
        return DatabaseBusyError(*error.args)
    is_away = isinstance(error, PostgresqlFault) and _is_of_the_connection(error)
    return DatabaseAwayError(*error.args) if is_away or code in AWAY_CODES else None


def _is_of_the_connection(error: PostgresqlError) -> bool:
    code = error.sqlstate or ""
    return code[:2] in {"", "08", "57"}


class FaultWrapper(DatabaseErrorWrapper):
    """Django's way from a driver's exceptions to its own, with ours among them."""

    wrapper: BaseDatabaseWrapper

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise the fault that the error means, or what Django raises."""
        found = exc_value and fault_of(exc_value)
        if found:
            self.wrapper.errors_occurred = True  # the next request asks whether the connection works
            if isinstance(found, DatabaseNotWritableError):
                # SQLite opens a file that it may not write as read-only, and keeps that for the connection.
                self.wrapper.close_at = 0.0  # the next request opens a new one
            raise found.with_traceback(traceback) from exc_value
        super().__exit__(exc_type, exc_value, traceback)
