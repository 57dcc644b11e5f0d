"""The watchdog kills hanging processes and no others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.watchdog import HUNG, SILENT, Watchdog, main


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"]) as process:
        yield process
        process.kill()


def beat(folder: Path, pid: int, at: int) -> None:
    file = folder / str(pid)
    file.touch()
    os.utime(file, (at, at))


def test_process_without_heartbeat_is_killed(
    tmp_path: Path, process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    watchdog = Watchdog(tmp_path, "127.0.0.1:1")
    monkeypatch.setattr(watchdog, "_answers", lambda: True)
    beat(tmp_path, process.pid, 1)
    assert watchdog.look(0.0) == []
    beat(tmp_path, process.pid, 2)
    assert watchdog.look(HUNG + 1) == []  # a new heartbeat
    assert watchdog.look(2 * HUNG) == []
    assert watchdog.look(2 * HUNG + 2) == [process.pid]
    assert process.wait() < 0
    assert watchdog.look(9 * HUNG) == []
    assert list(tmp_path.iterdir()) == []


def test_all_processes_are_killed_if_healthz_stops_responding(
    tmp_path: Path, process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    watchdog, answers = Watchdog(tmp_path, "127.0.0.1:1"), [True, False, False]
    monkeypatch.setattr(watchdog, "_answers", lambda: answers.pop(0))
    for at, moment in enumerate((0.0, SILENT, SILENT + 1)):
        beat(tmp_path, process.pid, at)
        assert watchdog.look(moment) == ([] if answers else [process.pid])


def test_starting_server_is_not_killed(tmp_path: Path, process: "subprocess.Popen[bytes]") -> None:
    watchdog = Watchdog(tmp_path, str(tmp_path / "no.sock"))
    for at in range(3):
        beat(tmp_path, process.pid, at)
        assert watchdog.look(at * SILENT) == []


def test_watchdog_returns_the_exit_code_of_the_command() -> None:
    assert main([sys.executable, "-c", "import os, sys; sys.exit(7 if os.environ['HEARTBEATS'] else 1)"]) == 7
