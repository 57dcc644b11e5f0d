"""PostgreSQL that is late, frozen, refused or killed: what is raised, and how soon."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from time import monotonic

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from config.database.deadlines import MOMENT, within
from config.database.faults import DatabaseAwayError, DatabaseBusyError
from config.database.postgresql import base
from config.database.postgresql.base import CIRCUIT, DatabaseWrapper
from tests.cast import create_team_event
from tests.config.database.conftest import Relay
from tournaments.models import Event


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes every connection and says nothing, as a frozen one does."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=20)) as server:
        yield server.getsockname()[1]


def wrapper_of(port: int) -> DatabaseWrapper:
    """A backend for a server at that port of this machine."""
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


def asked(wrapper: BaseDatabaseWrapper, query: str = "SELECT 1") -> float:
    """Ask, and return after how many seconds the database was told to be away."""
    began = monotonic()
    with pytest.raises(DatabaseAwayError), wrapper.cursor() as cursor:
        cursor.execute(query)
    return monotonic() - began


# --- a server that says nothing ---------------------------------------------------------------------------


@pytest.mark.usefixtures("transactional_db")
def test_server_that_says_nothing_is_given_up_and_then_not_asked(serving: Settings, silent: int) -> None:
    wrapper = wrapper_of(silent)
    assert 1.5 < asked(wrapper) < 4
    assert asked(wrapper) < 0.2  # the circuit is open
    assert isinstance(DatabaseAwayError(), OperationalError)


@pytest.mark.usefixtures("transactional_db")
def test_server_that_refuses_is_away_at_once(serving: Settings) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    assert asked(wrapper_of(port)) < 1


# --- a query that gets no answer --------------------------------------------------------------------------

pg = pytest.mark.usefixtures("postgresql_only")


@pg
def test_deadlines_of_the_server_are_those_of_the_process(another: DatabaseWrapper) -> None:
    with another.cursor() as cursor:
        cursor.execute("SELECT current_setting('lock_timeout'), current_setting('statement_timeout')")
        assert cursor.fetchone() == ("300ms", "0")
        cursor.execute("SELECT current_setting('idle_in_transaction_session_timeout')")
        assert cursor.fetchone() == ("5s",)


@pg
def test_frozen_server_is_given_up_with_its_connection(relayed: DatabaseWrapper, relay: Relay) -> None:
    with relayed.cursor() as cursor:
        cursor.execute("SELECT 1")
    relay.is_frozen.set()
    assert 1 < asked(relayed) < 4  # the query, and whether it is left
    assert relayed.connection.closed
    assert base.CIRCUIT.is_open
    assert asked(relayed) < 0.2


@pg
def test_transaction_on_a_frozen_server_ends(relayed: DatabaseWrapper, relay: Relay) -> None:
    began = monotonic()
    relayed.set_autocommit(False)
    with relayed.cursor() as cursor:
        cursor.execute("SELECT 1")
    relay.is_frozen.set()
    with pytest.raises(DatabaseAwayError):
        relayed.commit()
    relayed.close()
    assert monotonic() - began < 5


@pg
def test_query_that_takes_too_long_is_left_by_a_server_in_good_health(another: DatabaseWrapper) -> None:
    with pytest.raises(DatabaseBusyError), another.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(20)")
    assert another.is_usable()
    assert not base.CIRCUIT.is_open
    with another.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%%'", [])
        assert cursor.fetchone() == (0,)


@pg
def test_transaction_that_takes_too_long_ends_and_the_next_one_works() -> None:
    ours = connections[DEFAULT_DB_ALIAS]
    with pytest.raises(DatabaseBusyError), within(0.5), transaction.atomic(), ours.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(20)")
    assert not ours.in_atomic_block
    assert not Event.objects.exists()


@pg
def test_statement_that_is_too_long_for_the_server_is_busy_and_the_connection_stays(
    another: DatabaseWrapper, serving: Settings
) -> None:
    serving.SERVED_DEADLINES = serving.SERVED_DEADLINES | {"statement": 0.1}
    with pytest.raises(DatabaseBusyError), another.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(20)")
    assert another.is_usable()
    assert not base.CIRCUIT.is_open


@pg
def test_backend_that_is_killed_is_away_and_the_next_connection_works(another: DatabaseWrapper) -> None:
    with another.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [number] = cursor.fetchone()
    with psycopg.connect(**connections[DEFAULT_DB_ALIAS].get_connection_params()) as killer:
        killer.execute("SELECT pg_terminate_backend(%s)", [number])
    assert asked(another) < 1
    another.close()
    with another.cursor() as cursor:
        cursor.execute("SELECT 1")


@pg
def test_few_threads_wait_long_and_the_others_are_told(
    another: DatabaseWrapper, serving: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    serving.SERVED_DEADLINES = serving.SERVED_DEADLINES | {"answer": 3}
    together = Barrier(4)

    def ask(_: int) -> float:
        own = connections.create_connection(DEFAULT_DB_ALIAS)
        try:
            own.ensure_connection()
            together.wait(10)
            began = monotonic()
            with pytest.raises((DatabaseAwayError, DatabaseBusyError)), own.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(20)")
            return monotonic() - began
        finally:
            own.close()

    with ThreadPoolExecutor(4) as threads:
        waited = sorted(threads.map(ask, range(4)))
    assert waited[2] < MOMENT + 1 < waited[3]
    assert "the database is away" in caplog.text


# --- locks, and the time of a request ---------------------------------------------------------------------


@pg
def test_row_that_is_locked_elsewhere_is_busy(another: DatabaseWrapper) -> None:
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
def test_request_whose_time_is_spent_asks_nothing_more() -> None:
    with within(-1):
        with pytest.raises(DatabaseBusyError):
            Event.objects.exists()
        with within(100), pytest.raises(DatabaseBusyError):  # the shorter one holds
            Event.objects.exists()
    assert not Event.objects.exists()


@pytest.mark.usefixtures("transactional_db")
def test_transaction_whose_time_is_spent_is_rolled_back() -> None:
    def save_late() -> None:
        with transaction.atomic():
            create_team_event()
            with within(-1):
                Event.objects.exists()

    with pytest.raises(DatabaseBusyError):
        save_late()
    assert not Event.objects.exists()


def test_circuit_of_the_module_is_closed() -> None:
    assert not CIRCUIT.is_open
