"""A cache that fails costs time only: pages are right without it, and /readyz says that it is away."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from time import monotonic, sleep
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCacheClient
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django import Settings

from config import backends
from tests.cast import create_team_event
from tests.clock import Clock
from tests.programs import need
from tournaments.models import Competitor, Event

STANDINGS = "/events/two-teams/standings/"
LONGEST = 60.0
"""Seconds that a Redis in good health never needs, however busy the machine is."""


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for what another has seen fail."""
    for kind in (backends.FileBasedCache, backends.RedisCache):
        monkeypatch.setattr(kind, "_next_trial", 0, raising=False)
        monkeypatch.setattr(kind, "_next_line", 0, raising=False)


class Redis:
    """A Redis server of the test's own, on a socket."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "redis.sock"
        self.start()

    def start(self) -> None:
        """Start it, and return when it answers."""
        program = need("redis-server")
        options = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            [program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = monotonic() + LONGEST
        while not self.answers():
            assert self.process.poll() is None, "Redis ended at once"
            assert monotonic() < end, "Redis did not answer within a minute"
            sleep(0.02)

    def answers(self) -> bool:
        """Return whether it takes connections: its socket is there a moment before."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(LONGEST)
            try:
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
            except OSError:
                return False

    def kill(self) -> None:
        """End it as a lack of memory would."""
        self.process.kill()
        self.process.wait(LONGEST)
        self.socket.unlink(missing_ok=True)


@pytest.fixture
def redis(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    # A socket's path has a hundred letters at most.
    server = Redis(tmp_path_factory.mktemp("r"))
    use(server, settings, LONGEST)
    yield server
    server.process.send_signal(signal.SIGCONT)
    server.kill()


def use(server: Redis, settings: Settings, seconds: float) -> None:
    """Make it the cache, given up after these seconds."""
    settings.CACHES = {
        "default": {
            "BACKEND": "config.backends.RedisCache",
            "LOCATION": f"unix://{server.socket}",
            "OPTIONS": {"socket_timeout": seconds, "socket_connect_timeout": seconds},
        }
    }


@pytest.fixture
def event(transactional_db: None) -> Event:
    return create_team_event()


def test_redis_without_its_client_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    monkeypatch.setenv("CACHE_URL", "redis://127.0.0.1/0")
    with pytest.raises(ImproperlyConfigured, match="pip install 'crosstable"):
        run_path(str(Path(backends.__file__).with_name("settings.py")))


def test_killed_redis_costs_time_only(redis: Redis, event: Event, client: Client) -> None:
    before = client.get(STANDINGS)
    assert cache.get("readyz") is None
    assert client.get("/readyz").status_code == 200
    redis.kill()
    pages = [client.get(STANDINGS) for _ in range(3)]
    assert {page.content for page in pages} == {before.content}
    Competitor.objects.filter(number=1).update(name="Crimsons")
    assert b"Crimsons" in client.get(STANDINGS).content
    assert (client.get("/readyz").status_code, client.get("/readyz").content) == (503, b"no cache\n")
    redis.start()
    backends.RedisCache._next_trial = 0
    assert client.get("/readyz").status_code == 200


def test_frozen_redis_is_waited_for_once(
    redis: Redis, event: Event, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(backends, "monotonic", clock)
    client.get(STANDINGS)
    redis.process.send_signal(signal.SIGSTOP)
    use(redis, settings, 0.1)

    with patch.object(
        RedisCacheClient, "get_client", autospec=True, side_effect=RedisCacheClient.get_client
    ) as asked:
        for _ in range(3):
            assert client.get(STANDINGS).status_code == 200
        assert asked.call_count == 1
        clock.now += backends.RedisCache.pause
        assert client.get(STANDINGS).status_code == 200
        assert asked.call_count == 2


@pytest.fixture
def no_folder(settings: Settings, tmp_path: Path) -> None:
    """A cache whose folder cannot be written, by nobody: a file stands there."""
    (tmp_path / "file").touch()
    location = str(tmp_path / "file" / "cache")
    settings.CACHES = {"default": {"BACKEND": "config.backends.FileBasedCache", "LOCATION": location}}


def test_folder_that_cannot_be_written(
    no_folder: None, event: Event, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("Reds", "Crimsons"):
        Competitor.objects.filter(number=1).update(name=name)
        assert name.encode() in client.get(STANDINGS).content
    assert client.get("/readyz").content == b"no cache\n"
    assert caplog.text.count("the cache is away") == 1


@pytest.mark.parametrize("kind", ["redis", "no_folder"])
def test_every_question_has_an_answer(kind: str, request: pytest.FixtureRequest) -> None:
    server: Any = request.getfixturevalue(kind)
    if server:
        server.kill()
    assert cache.get("a", "none") == "none"
    cache.set("a", 1)
    assert cache.add("a", 1) is True
    assert cache.delete("a") is False
    with pytest.raises(ValueError, match="a"):
        cache.incr("a")


def test_a_redis_that_works_counts(redis: Redis) -> None:
    cache.add("a", 1)
    assert (cache.add("a", 5), cache.incr("a"), cache.delete("a"), cache.get("a")) == (False, 2, True, None)
    with pytest.raises(ValueError, match="a"):
        cache.incr("a")
