"""The worker runs as long as the command and is restarted after a crash."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from pytest_django import Settings

from tournaments.operations.jobs import lock_file, worker_runs

LONGEST = 120.0
"""Timeout in seconds; the worker imports the whole site at its start."""


@pytest.fixture
def beside(settings: Settings, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A waiting command with a worker, on an empty database."""
    settings.ARCHIVES = tmp_path / "archives"
    variables = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}",
        "ARCHIVES": str(settings.ARCHIVES),
        "DEBUG": "1",
    }
    waits = [sys.executable, "-c", "import sys, time; time.sleep(3600); sys.exit(3)"]
    command = [sys.executable, "-m", "config.withworker", "--", *waits]
    process = subprocess.Popen(command, env=variables, start_new_session=True)
    yield process
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # also the command, if only its parent was killed
    process.wait()


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
def test_worker_is_restarted_and_ends_with_the_command(beside: subprocess.Popen[bytes]) -> None:
    assert until(worker_runs)
    [first] = workers_of(beside)
    os.kill(int(first), signal.SIGKILL)
    assert until(lambda: workers_of(beside) not in ([], [first]) and worker_runs())
    beside.terminate()
    assert beside.wait(LONGEST) == 128 + signal.SIGTERM
    assert not worker_runs()


def test_worker_ends_if_its_parent_is_killed(beside: subprocess.Popen[bytes]) -> None:
    assert until(worker_runs)
    beside.kill()
    assert until(lambda: not worker_runs())
    assert lock_file().exists()
