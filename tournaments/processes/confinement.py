"""A process for work that nobody can foresee: what limits it sets itself, and how it is run with a file.

Neither a tournament that takes an engine for ever nor a file made to be slow costs the site more than that.
"""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from math import ceil
from pathlib import Path
from time import sleep

from tournaments.processes.slots import IN_SLOT, reading_slot

ROOT = Path(__file__).resolve().parents[2]

NICENESS = 10
"""The work steps back behind the site, but not behind the worker, which steps back itself."""

WATCH = 1.0
"""Seconds between two looks whether who asked is still there."""


def end_with(parent: int) -> None:
    """End this process once the one that asked is gone: nobody is left who wants an answer."""
    while os.getppid() == parent:
        sleep(WATCH)
    os._exit(1)


def step_back() -> None:
    """Let the site go first: lower the priority of this process, and of each process that it starts."""
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


def limited(seconds: int, megabytes: int) -> None:
    """Limit this process, and what it starts: memory, time on a processor, and its place among others."""
    step_back()
    limit_memory(megabytes)
    # Who asked ends it sooner; this is for what no signal of Python's reaches.
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
    _limit(resource.RLIMIT_CORE, 0, 0)


def limit_memory(megabytes: int) -> None:
    """Limit the address space of this process, and of each process that it starts."""
    size = megabytes * 1024 * 1024
    _limit(resource.RLIMIT_AS, size, size)


def _limit(kind: int, soft: int, hard: int) -> None:
    """Set a limit. A process inside a confined one has lower hard limits, which it may not raise."""
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def limit_processor(seconds: int) -> None:
    """Have the system kill this process after so many more seconds on a processor."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(used.ru_utime + used.ru_stime) + seconds, hard))


class TooMuchWorkError(Exception):
    """Raised if a process took more time or memory than it was given, or failed.

    `code` is its exit status, negative if a signal ended it, and None if it was killed because of its time.
    """

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class _MeasuredProcess(subprocess.Popen[bytes]):
    """A process whose CPU seconds are known after its end, with those of the processes that it waited for."""

    cpu_seconds = 0.0

    def _try_wait(self, flags: int) -> tuple[int, int]:
        # The only call by which Popen waits. Unlike os.waitpid, os.wait4 returns the resources of this child.
        try:
            pid, status, usage = os.wait4(self.pid, flags)
        except ChildProcessError:
            return self.pid, 0
        self.cpu_seconds = usage.ru_utime + usage.ru_stime
        return pid, status


def run_confined(
    module: str,
    arguments: Sequence[str],
    content: bytes,
    seconds: int,
    charge: Callable[[float | None], None] | None = None,
    *,
    errors: int = subprocess.DEVNULL,  # a traceback may quote the file, which is nobody's to keep
    slot: AbstractContextManager[tuple[int, ...]] | None = None,
) -> bytes:
    """Run a module in a process of its own with `content` as its input, and return its output.

    It waits for a slot of the machine first; `slot` is another way of waiting, which may raise BusyError.
    Raise TooMuchWorkError if it takes more than `seconds` by the clock, or fails, for example because it is
    out of memory. Processes that it started are killed at its end. `errors` is the file descriptor of its
    standard error. `charge` is called in every case, with the CPU seconds that the process used, or with None
    if it had to be killed: the time of processes that it started is not known then.
    """
    with (
        slot or reading_slot() as held,
        _MeasuredProcess(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            env=os.environ | {IN_SLOT: "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            process_group=0,
            pass_fds=held,
        ) as process,
    ):
        try:
            answer, _ = process.communicate(content, timeout=seconds)
        except subprocess.TimeoutExpired as late:
            raise TooMuchWorkError from late
        finally:
            is_killed = process.returncode is None
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if charge:
                charge(None if is_killed else process.cpu_seconds)
    if process.returncode:
        raise TooMuchWorkError(process.returncode)
    return answer
