"""PostgreSQL with deadlines on the server, and on the client in case the server is frozen."""

import re
from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.postgresql import base
from django.utils.functional import cached_property
from psycopg import IsolationLevel, errors
from psycopg.abc import RV, PQGen
from psycopg.pq import TransactionStatus

from config.database.bulkhead import FewTransactions
from config.database.circuit import TRIAL, Circuit
from config.database.deadlines import MOMENT, of_process, serves, time_for
from config.database.faults import CommitTimeoutError, DeadlineError, FaultWrapper
from config.database.postgresql.pool import Pool

REPLICA = "replica"
"""Alias of the database of REPLICA_URL."""

CIRCUIT = Circuit(max(1, settings.THREADS // 4))
REPLICA_CIRCUIT = Circuit(max(1, settings.THREADS // 4), REPLICA)

POOL = Pool()
"""Only used by serving processes; commands connect directly."""
REPLICA_POOL = Pool()

REFUSED = re.compile(
    "too many (clients|connections)|connection slots are reserved|no more connections allowed"
)
"""Messages of PostgreSQL and PgBouncer, because libpq does not pass on the code of a refused connection."""

CHECK = 2
"""Seconds after which the server checks whether the client of a running query is still connected."""

TCP = {"keepalives": 1, "keepalives_idle": 30, "keepalives_interval": 5, "keepalives_count": 3}
"""Seconds. A peer whose machine is gone is detected within a minute, even on an idle connection."""


class Connection(psycopg.Connection[Any]):
    """A connection that closes itself if an answer takes too long."""

    circuit: Circuit
    _is_ending = False

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """Return the generator's result. Raise QueryCanceled after the deadline.

        Raise DeadlineError and close the connection if the server does not react to the cancellation. Raise
        SpentError before sending if the request has no time left.
        """
        if timeout is not None:  # psycopg's own timeout, which psycopg handles
            return super().wait(gen, interval, timeout)
        is_trial = self.pgconn.transaction_status == TransactionStatus.IDLE and self.circuit.admit()
        most = TRIAL if is_trial else of_process("answer" if self.autocommit else "query")
        seconds = time_for(most, is_ending=self._is_ending)
        if seconds is None:
            return super().wait(gen, interval)
        try:
            answer = self._patiently(seconds, gen, interval)
        except errors._WaitTimeout as late:
            if is_trial:
                raise self._given_up() from late
            answer = self._cancelled(gen, interval, late)
        except DeadlineError:
            self._given_up()
            raise
        self.circuit.succeed()
        return answer

    def _patiently(self, seconds: float, gen: PQGen[RV], interval: float) -> RV:
        """Wait for the result. Few threads may wait longer than a moment.

        Transactions always may: they may wait for a lock, and their number is limited already.
        """
        if seconds <= MOMENT or not self.autocommit or not serves():
            return super().wait(gen, interval, seconds)
        try:
            return super().wait(gen, interval, MOMENT)
        except errors._WaitTimeout:
            with self.circuit.long_wait():
                return super().wait(gen, interval, seconds - MOMENT)

    def _cancelled(self, gen: PQGen[RV], interval: float, late: Exception) -> RV:
        """Cancel the query and raise QueryCanceled, or return an answer that arrives in the meantime.

        If the server is frozen or gone, close the connection and raise DeadlineError. A commit may wait for a
        synchronous replica that is away. It is not cancelled, because PostgreSQL would then report success:
        close the connection and raise CommitTimeoutError.
        """
        if self._is_ending:
            self.pgconn.finish()
            raise CommitTimeoutError("the database did not confirm a commit in time") from late
        try:
            self.cancel_safe(timeout=MOMENT)
            answer = super().wait(gen, interval, MOMENT)
        except errors.QueryCanceled:
            self.circuit.succeed()
            raise
        except psycopg.Error:
            raise self._given_up() from late
        if self.autocommit:
            self.pgconn.finish()
            raise CommitTimeoutError("the database did not confirm a statement in time") from late
        return answer

    def _given_up(self) -> DeadlineError:
        """Close the connection, because a late answer would be taken for that of the next query."""
        self.pgconn.finish()
        self.circuit.fail()
        return DeadlineError("the database did not answer in time")

    def commit(self) -> None:
        """Commit in the time left, or in `ENDING` seconds if there is none."""
        self._end(super().commit)

    def rollback(self) -> None:
        """Roll back, with the same deadline as a commit."""
        self._end(super().rollback)

    def _end(self, act: Callable[[], None]) -> None:
        self._is_ending = True
        try:
            act()
        finally:
            self._is_ending = False


class DatabaseWrapper(FewTransactions, base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        """Add the deadlines of this process to Django's parameters. OPTIONS override them."""
        given = super().get_connection_params()
        if {"pool", "isolation_level"} & self.settings_dict["OPTIONS"].keys():
            raise ImproperlyConfigured("This backend knows no pool, and acts rely on READ COMMITTED.")
        server = {
            "statement_timeout": of_process("statement"),
            "lock_timeout": of_process("lock"),
            "idle_in_transaction_session_timeout": of_process("idle"),
            "client_connection_check_interval": CHECK,
        }
        options = " ".join(f"-c {name}={round(seconds * 1000)}" for name, seconds in server.items())
        return {
            **TCP,
            "tcp_user_timeout": round(of_process("query") * 1000),
            "connect_timeout": ceil(of_process("connect")),
            **given,
            "options": f"{options} {given.get('options', '')}".rstrip(),
        }

    def connect(self) -> None:
        """Take a connection from the pool if the process serves requests, else open one."""
        super().connect()
        if serves():
            # Django closes the connection, which returns it to the pool, when the request ends
            self.close_at = 0.0

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        """Wait for a connection if the server allows no more."""
        self.isolation_level = IsolationLevel.READ_COMMITTED
        pool = self._pool if serves() else Pool(1)
        return pool.take(partial(self._connected, conn_params))

    @property
    def _pool(self) -> Pool:
        return REPLICA_POOL if self.alias == REPLICA else POOL

    def _connected(self, conn_params: dict[str, Any]) -> Connection:
        """Open a connection. Raise TooManyConnections if the server works but allows no more.

        Any other failure opens the circuit.
        """
        circuit = REPLICA_CIRCUIT if self.alias == REPLICA else CIRCUIT
        circuit.admit()
        left = time_for(of_process("connect"))
        try:
            made = Connection.connect(**conn_params | ({"connect_timeout": ceil(left)} if left else {}))
        except psycopg.OperationalError as error:
            if REFUSED.search(str(error)):
                circuit.succeed()
                raise errors.TooManyConnections(*error.args) from error
            circuit.fail()
            raise
        circuit.succeed()
        made.circuit = circuit
        return made

    def _close(self) -> None:
        if self.connection is not None and self.connection in self._pool:
            with self.wrap_database_errors:
                self._pool.give_back(self.connection)
        else:
            super()._close()  # type: ignore[misc]  # the stubs leave it out

    @cached_property
    def wrap_database_errors(self) -> FaultWrapper:
        return FaultWrapper(self)
