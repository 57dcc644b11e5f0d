"""Exceptions for a slow, frozen, refusing or killed PostgreSQL, and fast failures afterwards."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from itertools import islice
from threading import Barrier
from time import sleep
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from pytest_django import Settings

from config import views
from config.database import deadlines
from config.database.deadlines import within
from config.database.faults import DatabaseAwayError, DatabaseBusyError, DatabaseNotReplicatedError
from config.database.postgresql import base
from config.database.postgresql.base import CIRCUIT, DatabaseWrapper
from tests.cast import create_team_event
from tests.clock import Clock
from tests.config.database.conftest import LONG, Relay, shorten
from tournaments.models import Event

SLEEP = f"SELECT pg_sleep({2 * LONG})"
"""A query that is always cancelled."""

ASLEEP = (
    "FROM pg_stat_activity"
    " WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'"
)


NOT_ASKED = "the database did not answer a moment ago"
"""Message of the open circuit."""


def wrapper_of(port: int) -> DatabaseWrapper:
    """Return a backend for a server at a local port."""
    given = {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "NAME": "no",
        "USER": "no",
        "PASSWORD": "",
        "OPTIONS": {},
    }
    rest = {"TIME_ZONE": None, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "AUTOCOMMIT": True}
    return DatabaseWrapper(given | rest, "silent")


def find_away(wrapper: BaseDatabaseWrapper) -> BaseException | None:
    """Query an unavailable database; return the driver's error."""
    with pytest.raises(DatabaseAwayError) as raised, wrapper.cursor() as cursor:
        cursor.execute("SELECT 1")
    return raised.value.__cause__


# --- silent servers ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("transactional_db")
def test_silent_server_opens_the_circuit_after_the_timeout(serving: Settings, clock: Clock) -> None:
    with closing(socket.create_server(("127.0.0.1", 0), backlog=20)) as silent:
        wrapper = wrapper_of(silent.getsockname()[1])
        with shorten(serving, connect=2):  # the minimum of libpq and psycopg
            assert isinstance(find_away(wrapper), psycopg.errors.ConnectionTimeout)
        assert str(find_away(wrapper)) == NOT_ASKED
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):  # a single connection was tried
            silent.accept()
    assert isinstance(DatabaseAwayError(), OperationalError)


@pytest.mark.usefixtures("transactional_db")
def test_refused_connection_raises_database_away_at_once(serving: Settings) -> None:
    with closing(socket.socket()) as bound:  # reserved, but without a listener
        bound.bind(("127.0.0.1", 0))
        assert "refused" in str(find_away(wrapper_of(bound.getsockname()[1])))


# --- queries without an answer ----------------------------------------------------------------------------

pg = pytest.mark.usefixtures("postgresql_only")


@pg
def test_server_deadlines_equal_those_of_the_process(another: DatabaseWrapper, serving: Settings) -> None:
    with shorten(serving, lock=0.3, idle=5), another.cursor() as cursor:
        cursor.execute("SELECT current_setting('lock_timeout'), current_setting('statement_timeout')")
        assert cursor.fetchone() == ("300ms", "0")
        cursor.execute("SELECT current_setting('idle_in_transaction_session_timeout')")
        assert cursor.fetchone() == ("5s",)


@pg
def test_connection_to_frozen_server_is_closed(
    relayed: DatabaseWrapper, relay: Relay, serving: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MOMENT", 0.1)
    with relayed.cursor() as cursor:
        cursor.execute("SELECT 1")
    relay.is_frozen.set()
    with shorten(serving, answer=0.1):
        find_away(relayed)
    assert relayed.connection.closed
    assert base.CIRCUIT.is_open
    relayed.close()
    assert str(find_away(relayed)) == NOT_ASKED


@pg
def test_transaction_on_a_frozen_server_ends_after_the_timeout(
    relayed: DatabaseWrapper, relay: Relay, serving: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MOMENT", 0.1)
    relayed.set_autocommit(False)
    with relayed.cursor() as cursor:
        cursor.execute("SELECT 1")
    relay.is_frozen.set()
    with shorten(serving, query=0.1), pytest.raises(DatabaseAwayError):
        relayed.commit()
    assert relayed.connection.closed  # later queries do not wait
    relayed.close()


@pg
def test_host_that_cannot_be_written_is_passed_over(another: DatabaseWrapper) -> None:
    options = another.settings_dict["OPTIONS"]
    hosts = f"/nowhere,{options['host']}"
    another.settings_dict["OPTIONS"] = options | {"host": hosts, "target_session_attrs": "read-write"}
    another.ensure_connection()
    assert another.is_usable()
    assert not base.CIRCUIT.is_open


@pytest.fixture
def replicated(another: DatabaseWrapper, postgresql_only: None) -> Iterator[DatabaseWrapper]:
    """A connection whose commits wait for a synchronous replica that is away; others do not wait."""

    def configure(names: str) -> None:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
            cursor.execute("SELECT pg_reload_conf()")

    with another.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        configure("away")
        while cursor.execute("SHOW synchronous_standby_names").fetchone() != ("away",):
            pass
    yield another
    configure("")


@pytest.mark.parametrize("autocommit", [False, True])
def test_commit_without_the_synchronous_replica_is_not_reported_as_saved(
    replicated: DatabaseWrapper,
    client: Client,
    serving: Settings,
    monkeypatch: pytest.MonkeyPatch,
    autocommit: bool,
) -> None:
    monkeypatch.setattr("config.views.WAITS_FOR_REPLICA", views.WAITS_FOR_REPLICA.replace("2 s", "0 s"))
    replicated.set_autocommit(autocommit)

    def save_repeatedly() -> None:
        """The server's checkpointer applies the setting a moment later."""
        for _ in range(1000):
            with replicated.cursor() as cursor:
                cursor.execute("UPDATE tournaments_siterevision SET number = number + 1")
                replicated.commit()
            sleep(0.01)

    with shorten(serving, query=0.5, answer=0.5), pytest.raises(DatabaseNotReplicatedError):
        save_repeatedly()
    assert not base.CIRCUIT.is_open
    replicated.close()
    if not autocommit:  # a cancelled statement waits no longer
        answer = client.get("/readyz")
        assert (answer.status_code, answer.content) == (503, b"no synchronous replica\n")


@pg
def test_healthy_server_cancels_query_that_takes_too_long(
    another: DatabaseWrapper, serving: Settings
) -> None:
    another.ensure_connection()
    with shorten(serving, answer=0.1), pytest.raises(DatabaseBusyError), another.cursor() as cursor:
        cursor.execute(SLEEP)
    assert another.is_usable()
    assert not base.CIRCUIT.is_open
    assert asleep("count(*)") == 0


@pg
def test_transaction_after_one_that_took_too_long_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(base, "MOMENT", LONG)
    monkeypatch.setattr(deadlines, "ENDING", LONG)
    ours = connections[DEFAULT_DB_ALIAS]
    with pytest.raises(DatabaseBusyError), within(0.2), transaction.atomic(), ours.cursor() as cursor:
        cursor.execute(SLEEP)
    assert not ours.in_atomic_block
    assert not Event.objects.exists()


@pg
def test_statement_timeout_raises_busy_and_keeps_the_connection(
    another: DatabaseWrapper,
) -> None:
    another.set_autocommit(False)
    with another.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 50")  # reset at the end of the transaction
        with pytest.raises(DatabaseBusyError):
            cursor.execute(SLEEP)
    another.rollback()
    assert another.is_usable()
    assert not base.CIRCUIT.is_open


@pg
def test_killed_backend_raises_away_and_the_next_connection_works(another: DatabaseWrapper) -> None:
    with another.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [number] = cursor.fetchone()
    with psycopg.connect(**connections[DEFAULT_DB_ALIAS].get_connection_params()) as killer:
        ended = killer.execute("SELECT pg_terminate_backend(%s, %s)", [number, int(LONG * 1000)]).fetchone()
        assert ended == (True,)
    find_away(another)
    another.close()
    with another.cursor() as cursor:
        cursor.execute("SELECT 1")


@pg
def test_only_a_few_threads_wait_long_and_the_others_fail(
    another: DatabaseWrapper, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # three threads fail after this; the fourth may wait for a minute
    monkeypatch.setattr(base, "MOMENT", 0.1)
    together = Barrier(4)

    def ask(_: int) -> str:
        own = connections.create_connection(DEFAULT_DB_ALIAS)
        try:
            own.ensure_connection()
            together.wait(LONG)
            with pytest.raises((DatabaseAwayError, DatabaseBusyError)) as raised, own.cursor() as cursor:
                cursor.execute(SLEEP)
            return str(raised.value)
        finally:
            own.close()

    with ThreadPoolExecutor(4) as threads:
        asking = [threads.submit(ask, number) for number in range(4)]
        told = [each.result() for each in islice(as_completed(asking), 3)]
        [waiting] = [each for each in asking if not each.done()]
        assert asleep("bool_and(pg_cancel_backend(pid))")
    assert told == ["too many wait for the database"] * 3
    assert "canceling statement due to user request" in waiting.result()
    assert "the database is away" in caplog.text


def asleep(expression: str) -> Any:
    """Return an aggregate over the sleeping queries of this database, on a new connection."""
    parameters = connections[DEFAULT_DB_ALIAS].get_connection_params()
    with psycopg.connect(**parameters) as connection:
        [value] = connection.execute(f"SELECT {expression} {ASLEEP}").fetchone() or [None]
    return value


# --- locks and deadlines of requests ----------------------------------------------------------------------


@pg
def test_locked_row_raises_database_busy(another: DatabaseWrapper, serving: Settings) -> None:
    with shorten(serving, lock=0.1):  # the setting is sent when it connects
        another.ensure_connection()
    create_team_event()
    query = "SELECT id FROM tournaments_event FOR UPDATE"
    with transaction.atomic():
        assert Event.objects.select_for_update().count() == 1
        list(Event.objects.select_for_update())
        with pytest.raises(DatabaseBusyError), another.cursor() as cursor:
            cursor.execute(query)
    with another.cursor() as cursor:
        cursor.execute(query)
        assert cursor.fetchone()


@pytest.mark.usefixtures("transactional_db")
def test_request_past_its_deadline_sends_no_query() -> None:
    with within(-1):
        with pytest.raises(DatabaseBusyError):
            Event.objects.exists()
        with within(100), pytest.raises(DatabaseBusyError):  # the shorter limit applies
            Event.objects.exists()
    assert not Event.objects.exists()


@pytest.mark.usefixtures("transactional_db")
def test_transaction_past_the_deadline_is_rolled_back() -> None:
    def save_late() -> None:
        with transaction.atomic():
            create_team_event()
            with within(-1):
                Event.objects.exists()

    with pytest.raises(DatabaseBusyError):
        save_late()
    assert not Event.objects.exists()


def test_circuit_of_the_process_is_closed_after_the_tests() -> None:
    assert not CIRCUIT.is_open
