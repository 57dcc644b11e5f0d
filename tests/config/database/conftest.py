"""Fixtures: a serving process, a clock for deadlines, and a server that can freeze."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event as Signal
from threading import Thread

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from config.database import circuit, deadlines
from config.database.circuit import Circuit
from config.database.postgresql import base as postgresql
from config.database.postgresql.pool import Pool
from tests.clock import Clock

LONG = 60.0
"""Seconds that a healthy server never needs, even on a loaded machine."""


class Relay:
    """A TCP proxy to the tests' PostgreSQL that can freeze."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0), backlog=20)
        self.port = self.server.getsockname()[1]
        self.is_frozen = Signal()
        self.open: list[socket.socket] = [self.server]
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for each in self.open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.server.accept()
                self.open.append(client)
                if self.is_frozen.is_set():
                    continue
                there = socket.socket(socket.AF_UNIX)
                there.connect(f"{connection.settings_dict['OPTIONS']['host']}/.s.PGSQL.5432")
                self.open.append(there)
                for one, other in ((client, there), (there, client)):
                    Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while read := one.recv(65536):
                if self.is_frozen.is_set():
                    return  # swallowed without an error
                other.sendall(read)
            other.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A fake clock for the circuit and for requests."""
    clock = Clock()
    monkeypatch.setattr(circuit, "monotonic", clock)
    monkeypatch.setattr(deadlines, "monotonic", clock)
    return clock


@pytest.fixture
def serving(settings: Settings) -> Iterator[Settings]:
    """Make this a serving process with four threads.

    No deadline passes by itself. Tests that need one use `shorten`, and only while the server does not
    answer; otherwise a loaded machine would exceed it too.
    """
    names = ("connect", "lock", "idle", "answer", "query")
    settings.SERVED_DEADLINES = dict.fromkeys(names, LONG) | {"statement": 0}
    settings.THREADS = 4
    with pytest.MonkeyPatch.context() as patch:  # undone before the database is restored
        patch.setitem(deadlines._process, "serves", True)
        patch.setattr(postgresql, "CIRCUIT", Circuit(long_waits=1))
        patch.setattr(postgresql, "MOMENT", LONG)
        pool = Pool()
        patch.setattr(postgresql, "POOL", pool)
        yield settings
        pool.close()


@contextmanager
def shorten(settings: Settings, **seconds: float) -> Iterator[None]:
    """Shorten deadlines of the serving process within the block."""
    usual = settings.SERVED_DEADLINES
    settings.SERVED_DEADLINES = usual | seconds
    try:
        yield
    finally:
        settings.SERVED_DEADLINES = usual


@pytest.fixture
def another(transactional_db: None, serving: Settings) -> Iterator[BaseDatabaseWrapper]:
    """A second connection of this thread, which may be broken."""
    found = connections.create_connection(DEFAULT_DB_ALIAS)
    found.settings_dict = dict(found.settings_dict)  # all connections share the dict
    yield found
    found.close()


@pytest.fixture
def postgresql_only(transactional_db: None) -> None:
    """Skip the test on SQLite, which has no server."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server")


@pytest.fixture
def relay(postgresql_only: None) -> Iterator[Relay]:
    relay = Relay()
    yield relay
    relay.close()


@pytest.fixture
def relayed(another: BaseDatabaseWrapper, relay: Relay) -> BaseDatabaseWrapper:
    options = {name: value for name, value in another.settings_dict["OPTIONS"].items() if name != "host"}
    another.settings_dict |= {"HOST": "127.0.0.1", "PORT": str(relay.port), "OPTIONS": options}
    another.ensure_connection()
    return another
