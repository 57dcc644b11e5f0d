"""A process that serves, as the tests of deadlines want it: short ones, and a circuit of its own."""

from collections.abc import Iterator

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from config.database import deadlines
from config.database.circuit import Circuit
from config.database.postgresql import base as postgresql

SHORT = {"connect": 2, "statement": 0, "lock": 0.3, "idle": 5, "query": 0.5}


@pytest.fixture
def serving(settings: Settings) -> Iterator[Settings]:
    """This process answers requests, in four threads."""
    settings.SERVED_DEADLINES = SHORT
    settings.THREADS = 4
    with pytest.MonkeyPatch.context() as patch:  # gone before the database is put back
        patch.setitem(deadlines._process, "serves", True)
        patch.setattr(postgresql, "CIRCUIT", Circuit(long_waits=1))
        yield settings


@pytest.fixture
def another(transactional_db: None, serving: Settings) -> Iterator[BaseDatabaseWrapper]:
    """A connection of this thread beside Django's, which may be broken."""
    found = connections.create_connection(DEFAULT_DB_ALIAS)
    yield found
    found.close()


@pytest.fixture
def postgresql_only() -> None:
    """Leave the test out on SQLite, where no server can hang."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server")
