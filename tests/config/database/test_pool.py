"""If PostgreSQL allows fewer connections than the site has threads, requests wait and none fails."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, close_old_connections, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from psycopg import errors
from pytest_django import Settings

from config.checks import check_connection_limit
from config.database.faults import DatabaseBusyError
from config.database.postgresql import base, pool
from config.database.postgresql.pool import OF_WORKER
from tests.cast import create_team_event
from tests.config.database.conftest import LONG

pytestmark = pytest.mark.usefixtures("postgresql_only")

READERS = 8
ROLE = "reader"


@pytest.fixture
def role(serving: Settings, postgresql_only: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The role of all other threads. It is no superuser, because superusers have no connection limit."""
    serving.THREADS = READERS
    serving.WORKERS = 1
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {ROLE} LOGIN IN ROLE {connection.settings_dict['USER']}")
    with monkeypatch.context() as patch:
        patch.setitem(connections.settings[DEFAULT_DB_ALIAS], "USER", ROLE)
        yield ROLE
    base.POOL.close()
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {connection.settings_dict['NAME']} CONNECTION LIMIT -1")
        cursor.execute(f"DROP ROLE {ROLE}")


def limit(what: str, most: int) -> None:
    name = ROLE if what == "ROLE" else connection.settings_dict["NAME"]
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER {what} {name} CONNECTION LIMIT {most}")


def elsewhere() -> psycopg.Connection[Any]:
    """Open a connection of the role outside of the pool."""
    return psycopg.connect(**connection.get_connection_params() | {"user": ROLE})


def read_together() -> list[int]:
    """Return the status codes of two pages requested by each of eight threads at once."""
    together = Barrier(READERS)

    def read(number: int) -> list[int]:
        client = Client()
        together.wait(LONG)
        statuses = []
        for address in (f"/events/two-teams/?{number}", "/events/two-teams/standings/"):
            statuses.append(client.get(address).status_code)
            close_old_connections()  # Django does this after a request, but not in the test client
        return statuses

    with ThreadPoolExecutor(READERS) as threads:
        return [status for each in threads.map(read, range(READERS)) for status in each]


@pytest.mark.parametrize(
    ("what", "most", "taken"),
    [("ROLE", 2, 0), ("DATABASE", 3, 0), ("ROLE", OF_WORKER + 3, OF_WORKER + 1), ("ROLE", 100, 0)],
)
def test_readers_wait_for_a_connection_and_none_fails(role: str, what: str, most: int, taken: int) -> None:
    create_team_event()
    limit(what, most)
    with ExitStack() as others:
        for _ in range(taken):
            others.enter_context(elsewhere())
        assert read_together() == [200] * READERS * 2
        assert not base.CIRCUIT.is_open


def test_refused_connection_is_tried_again_until_one_is_free(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit("ROLE", 1)
    other = elsewhere()
    wrapper = connections.create_connection(DEFAULT_DB_ALIAS)
    refusals: list[errors.TooManyConnections] = []

    def connected(self: base.DatabaseWrapper, parameters: dict[str, Any]) -> base.Connection:
        try:
            return usual(self, parameters)
        except errors.TooManyConnections as refusal:
            refusals.append(refusal)
            other.close()
            raise

    usual = base.DatabaseWrapper._connected
    monkeypatch.setattr(base.DatabaseWrapper, "_connected", connected)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT session_user")
        assert cursor.fetchone() == (ROLE,)
    assert refusals
    wrapper.close()


def test_request_past_its_deadline_is_refused_and_the_circuit_stays_closed(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit("ROLE", 1)
    wrapper = connections.create_connection(DEFAULT_DB_ALIAS)
    with monkeypatch.context() as patch, elsewhere():
        patch.setattr(pool, "WAIT", 0.01)
        with pytest.raises(DatabaseBusyError):
            wrapper.ensure_connection()
    assert not base.CIRCUIT.is_open
    wrapper.ensure_connection()
    wrapper.close()


def test_connection_is_reused_unless_it_is_in_a_transaction(another: BaseDatabaseWrapper) -> None:
    another.ensure_connection()
    first = another.connection
    another.close_if_unusable_or_obsolete()
    assert first not in base.POOL
    another.ensure_connection()
    assert another.connection is first
    another.set_autocommit(False)
    another.close()
    another.ensure_connection()
    assert another.connection is not first
    assert first.closed


def test_check_warns_if_the_limit_is_below_the_threads(role: str, settings: Settings) -> None:
    found = check_connection_limit(databases=[DEFAULT_DB_ALIAS])
    settings.WORKERS = 20
    warned = check_connection_limit(databases=[DEFAULT_DB_ALIAS])
    assert found == []
    assert [each.id for each in warned] == ["crosstable.W001"]
    assert "the site needs 164" in warned[0].msg
