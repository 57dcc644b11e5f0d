"""Reads of public pages from a streaming replica, if it has the current data (ADR 0049)."""

from collections.abc import Callable
from contextvars import ContextVar
from math import inf
from typing import TypeVar

from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.http import Http404

from config.database.deadlines import time_left, within
from config.database.faults import DatabaseBusyError, UnavailableError
from config.database.postgresql.base import REPLICA, REPLICA_CIRCUIT

PROBE = 0.5
"""Seconds in which the replica must return the state; a slower one is not used for a moment."""

LAG = """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN 'Infinity'
        WHEN pg_last_wal_replay_lsn() >= %s::pg_lsn THEN 0
        ELSE COALESCE(EXTRACT(EPOCH FROM now() - pg_last_xact_replay_timestamp()), 'Infinity') END::float8
"""
"""A promoted replica is no replica: its data may differ at the same revision."""

_alias: ContextVar[str] = ContextVar("alias", default=DEFAULT_DB_ALIAS)

Read = TypeVar("Read")


class ReplicaBehindError(Exception):
    """The replica lacks data that the primary has."""


class Router:
    """Sends all queries of a block to the same database. The replica refuses writes."""

    def db_for_read(self, _model: type[Model], **_hints: object) -> str:
        return _alias.get()

    db_for_write = db_for_read


def read_connection() -> BaseDatabaseWrapper:
    """Return the connection for SQL of pages: the replica's in `on_replica_if_current`."""
    return connections[_alias.get()]


def is_on_replica() -> bool:
    return _alias.get() == REPLICA


def on_replica_if_current(state: Callable[[], object], read: Callable[[], Read]) -> Read:
    """Return `read()`, which does not write, from the replica if `state()` is equal there and here.

    If the replica fails or refuses a write, the primary reads everything again, because a page must not
    combine two states.
    """
    if REPLICA not in connections.settings or connection.in_atomic_block:
        return read()
    now = state()  # again, because the request may have waited since it read the state
    token = _alias.set(REPLICA)
    try:
        with within((time_left() or 0) / 2):  # the rest is for the primary
            with within(PROBE), read_connection().cursor() as cursor:
                cursor.execute("SELECT pg_is_in_recovery()")
                is_replica = cursor.fetchone() == (True,)
                is_current = is_replica and state() == now
            if is_current:
                return read()
            if not is_replica:  # the next request looks for the replica among the hosts
                read_connection().connection.close()
    except DatabaseBusyError:  # the next requests do not wait too
        REPLICA_CIRCUIT.fail()
    except (Error, UnavailableError, ReplicaBehindError, Http404):
        pass
    finally:
        _alias.reset(token)
    return read()


def replica_lag() -> float | None:
    """Return the seconds by which the replica is behind, infinity if it is away, None without a replica.

    It is the time since the last transaction that the replica replayed, if the primary has a later one.
    """
    if REPLICA not in connections.settings:
        return None
    try:
        with within(PROBE), connection.cursor() as primary, connections[REPLICA].cursor() as replica:
            primary.execute("SELECT pg_current_wal_lsn()")
            replica.execute(LAG, primary.fetchone())
            return float(replica.fetchone()[0])
    except Error:
        return inf
