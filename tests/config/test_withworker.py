"""The worker runs as long as the command and is restarted after a crash."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from django.db import connection

LONGEST = 120.0
"""Timeout in seconds; the worker imports the whole site at its start."""


@pytest.fixture
def database(tmp_path: Path, db: None) -> Path:
    """A migrated database without events."""
    if connection.vendor != "sqlite":
        pytest.skip("copies an SQLite database")
    path = tmp_path / "workers.sqlite3"
    connection.ensure_connection()
    path.write_bytes(connection.connection.serialize())
    return path


@pytest.fixture
def wrapped(database: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A waiting command with a worker."""
    # Other tests import benchmarks, which have settings and a database of their own.
    variables = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "DEBUG": "1"}
    variables["DJANGO_SETTINGS_MODULE"] = "config.settings"
    waits = [sys.executable, "-c", "import sys, time; time.sleep(3600); sys.exit(3)"]
    command = [sys.executable, "-m", "config.withworker", "--", *waits]
    process = subprocess.Popen(command, env=variables, start_new_session=True)
    yield process
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # also the command, if only its parent was killed
    process.wait()


def workers_in(database: Path) -> list[str]:
    with closing(sqlite3.connect(database, timeout=60)) as opened:
        return [name for (name,) in opened.execute("SELECT name FROM tournaments_worker")]


def until(holds: Callable[[], bool]) -> bool:
    """Wait for the condition; return False after the timeout."""
    end = monotonic() + LONGEST
    while not holds() and monotonic() < end:
        sleep(0.1)
    return holds()


def workers_of(process: subprocess.Popen[bytes]) -> list[str]:
    """Return the pids of its living workers; a child belongs to a thread."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    children = [child for each in threads for child in each.read_text().split()]
    return [each for each in children if b"work" in Path(f"/proc/{each}/cmdline").read_bytes().split(b"\0")]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds processes as Linux tells of them")
def test_worker_is_restarted_and_ends_with_the_command(
    wrapped: subprocess.Popen[bytes], database: Path
) -> None:
    assert until(lambda: len(workers_in(database)) == 1)
    [killed] = workers_in(database)
    [first] = workers_of(wrapped)
    os.kill(int(first), signal.SIGKILL)
    assert until(lambda: workers_of(wrapped) not in ([], [first]) and len(workers_in(database)) == 2)
    wrapped.terminate()
    assert wrapped.wait(LONGEST) == 128 + signal.SIGTERM
    assert until(lambda: workers_in(database) == [killed]), "which counts as a worker for some seconds"


def test_worker_ends_if_its_parent_is_killed(wrapped: subprocess.Popen[bytes], database: Path) -> None:
    assert until(lambda: len(workers_in(database)) == 1)
    wrapped.kill()
    assert until(lambda: not workers_in(database))
