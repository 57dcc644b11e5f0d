"""The limit on reading files at a time, over all processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import pytest
from django.core.files import locks
from pytest_django import Settings

from tournaments.operations.processes import slots
from tournaments.operations.processes.confinement import ROOT, run_confined
from tournaments.operations.processes.slots import BusyError, are_slots_taken, reading_slot, saving_to_desk

HOLDER = """
import sys
from tournaments.operations.processes import slots
slots.usable_cores = lambda: 2
with slots.reading_slot():
    print(flush=True)
    sys.stdin.read()
"""
"""Holds a slot until the end of its stdin."""

ASKER = """
import sys
from tournaments.operations.processes import confinement, slots
slots.usable_cores = lambda: 2
program = b"import os\\nprint(os.getpid(), file=sys.stderr)\\nsignal.pause()"
confinement.run_confined("program", [], program, 120, errors=1)
"""
"""Reads a file in a confined process that prints its pid and never ends."""

CLOSER = """
from tournaments.operations.processes import slots
print("waits", flush=True)
with slots.closed_desk():
    print("closed", flush=True)
"""


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    """Two slots, and a module that executes its stdin."""
    monkeypatch.setattr(slots, "usable_cores", lambda: 2)
    (tmp_path / "program.py").write_text("import signal, sys\nexec(sys.stdin.read())\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("LOCKS", str(settings.LOCKS))
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "config.settings")
    monkeypatch.setenv("DEBUG", "1")


@contextmanager
def another_process(program: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run a program in another process; yield it and the first line of its output."""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            yield process, process.stdout.readline()
        finally:
            process.kill()


def test_all_processes_together_hold_as_many_slots_as_there_are_cores() -> None:
    with another_process(HOLDER) as (first, _):
        assert not are_slots_taken()
        with another_process(HOLDER):
            assert are_slots_taken()
            with pytest.raises(BusyError), reading_slot(0):
                pass
            first.kill()
            first.wait()
            with reading_slot(60):
                assert are_slots_taken()


def test_nested_reading_needs_no_second_slot() -> None:
    with another_process(HOLDER), reading_slot(0):
        assert are_slots_taken()
        with reading_slot(0) as inner:
            assert inner == ()
        assert are_slots_taken()
        program = b"from %b import reading_slot\nwith reading_slot(0): print('read')"
        program %= b"tournaments.operations.processes.slots"
        assert run_confined("program", [], program, 120) == b"read\n"
    assert not are_slots_taken()


def test_slot_is_taken_until_the_confined_process_ends() -> None:
    with another_process(HOLDER), another_process(ASKER) as (asker, number):
        asker.kill()
        asker.wait()
        assert are_slots_taken()
        os.kill(int(number), signal.SIGKILL)
        with reading_slot(60):
            assert are_slots_taken()


def test_reader_after_others_takes_no_slot_while_another_waits(settings: Settings) -> None:
    with reading_slot(0, after_others=True):
        pass
    with (Path(settings.LOCKS) / "next-reader").open("ab") as queue:
        assert locks.lock(queue, locks.LOCK_EX)
        with pytest.raises(BusyError), reading_slot(0, after_others=True):
            pass
    with reading_slot(0, after_others=True):
        pass


@pytest.mark.parametrize(
    ("quota", "cores"),
    [("max 100000", 4), ("150000 100000", 2), ("10000 100000", 1), ("900000 100000", 4), (None, 4)],
)
def test_usable_cores_respect_affinity_and_quota(
    quota: str | None, cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2, 5})
    (tmp_path / "cgroup").write_text("9:name=systemd:/x\n0::/system.slice/a.service\n")
    monkeypatch.setattr(slots, "_OWN_CGROUP", tmp_path / "cgroup")
    monkeypatch.setattr(slots, "_CGROUPS", tmp_path)
    (tmp_path / "system.slice/a.service").mkdir(parents=True)
    if quota:
        (tmp_path / "system.slice/a.service/cpu.max").write_text(f"{quota}\n")
    assert slots.usable_cores() == cores


def test_usable_cores_without_affinity_are_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    monkeypatch.setattr(slots, "_OWN_CGROUP", Path("/none"))
    assert slots.usable_cores() == 6


def is_desk_open() -> bool:
    with saving_to_desk() as is_open:
        return is_open


def test_desk_refuses_further_requests_while_it_waits_for_one_that_saves() -> None:
    with ExitStack() as saving:
        assert saving.enter_context(saving_to_desk())
        with another_process(CLOSER) as (closer, first):
            assert first == "waits\n"
            end = monotonic() + 60
            while is_desk_open():
                assert monotonic() < end
            assert closer.poll() is None
            saving.close()
            assert closer.stdout
            assert closer.stdout.readline() == "closed\n"
    assert is_desk_open()
