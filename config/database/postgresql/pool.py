"""Connection pool of a serving process, within the connection limit of the server."""

import logging
from collections.abc import Callable
from threading import Condition
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.conf import settings
from psycopg import errors
from psycopg.pq import TransactionStatus

from config.database.deadlines import time_for
from config.database.faults import SpentError

Connection = psycopg.Connection[Any]

logger = logging.getLogger(__name__)

WAIT = 15.0
"""Seconds to wait for a free connection, or less if the request has less time left."""

PAUSE = 0.2
"""Seconds between a refused connection and the next attempt of this process."""

OLDEST = 600.0
"""Maximum age in seconds of a pooled connection."""

OF_WORKER = 4
"""Number of connections of the worker's processes."""

LIMIT = """
    SELECT LEAST(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - COALESCE(current_setting('reserved_connections', true)::int, 0),
        NULLIF(rolconnlimit, -1), NULLIF(datconnlimit, -1)
    )
    FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database()
"""
"""Query for the smallest connection limit of the server, the role and the database."""


def connections_needed() -> int:
    """Return the number of connections with which no thread has to wait for another."""
    return int(settings.WORKERS * settings.THREADS + OF_WORKER)


class Pool:
    """Idle connections and the number of connections in use.

    A process takes at most its share of the limit, so that a busy process leaves connections to the others.
    If the server refuses a connection nevertheless, the thread waits for a returned connection or tries
    again.
    """

    def __init__(self, share: int | None = None) -> None:
        """If `share` is None, it is computed from the limit that the first connection reads."""
        self.share = share
        self._given_back = Condition()
        self._idle: list[tuple[Connection, float]] = []
        # Weak, so that a thread that ends without closing its connection frees its place.
        self._used: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()
        self._taking = 0
        self._next_attempt = 0.0

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._used

    def take(self, connect: Callable[[], Connection]) -> Connection:
        """Return an idle or a new connection. Raise SpentError if none is free in time."""
        seconds = time_for(WAIT)
        end = monotonic() + (WAIT if seconds is None else seconds)
        while True:
            with self._given_back:
                found = self._idle.pop() if self._idle else None
                if found is None and not self._may_connect():
                    left = end - monotonic()
                    if left <= 0:
                        raise SpentError("no connection to the database became free in time")
                    self._given_back.wait(min(PAUSE, left))
                    continue
                self._taking += 1
            try:
                if found is None:
                    found = self._made(connect)
                elif not _is_alive(found[0]):
                    found = None
            finally:
                with self._given_back:
                    self._taking -= 1
                    if found is not None:
                        self._used[found[0]] = found[1]
                    self._given_back.notify()
            if found is not None:
                return found[0]

    def give_back(self, connection: Connection) -> None:
        """Return a connection to the pool, or close it if it is old, broken or in a transaction."""
        made = self._used.pop(connection)
        is_free = connection.autocommit and connection.pgconn.transaction_status == TransactionStatus.IDLE
        is_kept = is_free and monotonic() - made < OLDEST
        if not is_kept:
            connection.close()
        with self._given_back:
            if is_kept:
                self._idle.append((connection, made))
            self._given_back.notify()

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[0].close()

    def _may_connect(self) -> bool:
        most = settings.THREADS if self.share is None else self.share
        return len(self._used) + self._taking < most and monotonic() >= self._next_attempt

    def _made(self, connect: Callable[[], Connection]) -> tuple[Connection, float] | None:
        try:
            made = connect()
        except errors.TooManyConnections:
            self._next_attempt = monotonic() + PAUSE
            return None
        if self.share is None:
            try:
                self.share = _share(made)
            except BaseException:
                made.close()
                raise
        return made, monotonic()


def _share(connection: Connection) -> int:
    connection.autocommit = True  # Django sets this too
    [(limit,)] = connection.execute(LIMIT).fetchall()
    share: int = max(1, min(settings.THREADS, (limit - OF_WORKER) // settings.WORKERS))
    if share < settings.THREADS:
        logger.warning(
            "PostgreSQL allows %d connections and %d are needed: the %d threads of this process share %d.",
            *(limit, connections_needed(), settings.THREADS, share),
        )
    return share


def _is_alive(connection: Connection) -> bool:
    try:
        connection.execute("")
    except psycopg.OperationalError:
        connection.close()
        return False
    return True
