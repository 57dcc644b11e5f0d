"""The runner of confined processes: it measures and charges their CPU seconds."""

from pathlib import Path

import pytest

from tournaments.processes.confinement import TooMuchWorkError, run_confined

BUSY = "x = 0\nwhile time.process_time() < 0.5: x += 1\n"
CHILD = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import time\\n' + BUSY])\n"


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that runs the program that it is given on standard input."""
    (tmp_path / "program.py").write_text("import signal, sys, time\nexec(sys.stdin.read())\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.parametrize(
    "program",
    [BUSY, f"BUSY = {BUSY!r}\n{CHILD}", f"{BUSY}sys.exit(1)"],
    ids=["itself", "its child", "failed"],
)
def test_cpu_seconds_of_the_process_are_charged(program: str) -> None:
    charged: list[float] = []
    try:
        run_confined("program", [], program.encode(), 120, charged.append)
    except TooMuchWorkError:
        assert "exit" in program
    assert len(charged) == 1
    assert charged[0] >= 0.5


def test_killed_process_is_charged_its_whole_time() -> None:
    charged: list[float] = []
    with pytest.raises(TooMuchWorkError):
        run_confined("program", [], b"signal.pause()", 1, charged.append)
    assert charged == [1]
