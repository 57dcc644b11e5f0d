"""The worker beside a command: there while it runs, back where it dies, and gone with it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from pytest_django import Settings

from tournaments.jobs import lock_file, worker_runs

TOOL = Path(__file__).resolve().parents[2] / "tools/withworker.py"
LONGEST = 30.0


@pytest.fixture
def beside(settings: Settings, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command that waits, with a worker that finds an empty database."""
    settings.ARCHIVES = tmp_path / "archives"
    variables = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}",
        "ARCHIVES": str(settings.ARCHIVES),
        "DEBUG": "1",
    }
    waits = [sys.executable, "-c", "import sys, time; time.sleep(60); sys.exit(3)"]
    command = [sys.executable, str(TOOL), "--", *waits]
    process = subprocess.Popen(command, env=variables, start_new_session=True)
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def until(holds: Callable[[], bool]) -> bool:
    """Wait until it holds, half a minute at most."""
    end = monotonic() + LONGEST
    while not holds() and monotonic() < end:
        sleep(0.1)
    return holds()


def worker_of(process: subprocess.Popen[bytes]) -> int:
    """The number of the worker's process."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    (worker,) = [
        each for each in children if b"work" in Path(f"/proc/{each}/cmdline").read_bytes().split(b"\0")
    ]
    return int(worker)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds processes as Linux tells of them")
def test_ends_with_the_command_and_comes_back_where_it_dies(beside: subprocess.Popen[bytes]) -> None:
    assert until(worker_runs)
    os.kill(worker_of(beside), signal.SIGKILL)
    assert until(lambda: not worker_runs())
    assert until(worker_runs)
    beside.terminate()
    assert beside.wait(LONGEST) == 128 + signal.SIGTERM
    assert not worker_runs()


def test_ends_where_the_command_is_killed_with_its_parent(beside: subprocess.Popen[bytes]) -> None:
    assert until(worker_runs)
    beside.kill()
    assert until(lambda: not worker_runs())
    assert lock_file().exists()
