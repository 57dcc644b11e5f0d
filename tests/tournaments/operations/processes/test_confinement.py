"""Confined processes: CPU seconds are counted, and children are killed."""

import os
from pathlib import Path
from select import select

import pytest

from tournaments.operations.processes.confinement import TooMuchWorkError, run_confined

BUSY = "x = 0\nwhile time.process_time() < 0.5: x += 1\n"
CHILD = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import time\\n' + BUSY])\n"


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that executes its stdin."""
    (tmp_path / "program.py").write_text("import signal, sys, time\nexec(sys.stdin.read())\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.parametrize(
    "program",
    [BUSY, f"BUSY = {BUSY!r}\n{CHILD}", f"{BUSY}sys.exit(1)"],
    ids=["itself", "its child", "failed"],
)
def test_cpu_seconds_of_the_process_are_charged(program: str) -> None:
    charged: list[float | None] = []
    try:
        run_confined("program", [], program.encode(), 120, charged.append)
    except TooMuchWorkError:
        assert "exit" in program
    [seconds] = charged
    assert seconds is not None
    assert seconds >= 0.5


def test_cpu_seconds_of_a_killed_process_are_not_known() -> None:
    charged: list[float | None] = []
    with pytest.raises(TooMuchWorkError):
        run_confined("program", [], b"signal.pause()", 1, charged.append)
    assert charged == [None]


def test_children_of_a_confined_process_are_killed_at_its_end() -> None:
    read, write = os.pipe()
    try:
        child = "[sys.executable, '-c', 'import signal; signal.alarm(60); signal.pause()']"
        program = f"import subprocess\nsubprocess.Popen({child}, stdin=-3, stdout=-3)\nprint('done')"
        assert run_confined("program", [], program.encode(), 120, errors=write) == b"done\n"
    finally:
        os.close(write)
    with os.fdopen(read, "rb", buffering=0) as errors:
        assert select([errors], [], [], 20)[0], "its child still has the standard error open"
        assert errors.read() == b""


@pytest.mark.parametrize(
    ("program", "code"),
    [("sys.exit(3)", 3), ("signal.raise_signal(signal.SIGKILL)", -9), ("signal.pause()", None)],
    ids=["exit status", "signal", "killed because of its time"],
)
def test_error_has_the_exit_status(program: str, code: int | None) -> None:
    with pytest.raises(TooMuchWorkError) as failed:
        run_confined("program", [], program.encode(), 3, errors=-3)
    assert failed.value.code == code
