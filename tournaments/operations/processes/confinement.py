"""Resource limits for work of unpredictable cost, such as a slow pairing engine or a malicious file."""

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

from tournaments.operations.processes.slots import IN_SLOT, reading_slot

ROOT = Path(__file__).resolve().parents[3]

NICENESS = 10
"""Lower priority than the web processes, higher than the worker, which lowers its own."""

WATCH = 1.0
"""Seconds between two checks whether the parent process is alive."""


def end_with(parent: int) -> None:
    """End this process when its parent ends, because its result is no longer needed."""
    while os.getppid() == parent:
        sleep(WATCH)
    os._exit(1)


def step_back() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


def limited(seconds: int, megabytes: int) -> None:
    """Limit memory, CPU time and priority of this process and its children."""
    step_back()
    limit_memory(megabytes)
    # The parent stops the process earlier. This is for code that blocks Python's signals.
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
    _limit(resource.RLIMIT_CORE, 0, 0)


def limit_memory(megabytes: int) -> None:
    size = megabytes * 1024 * 1024
    _limit(resource.RLIMIT_AS, size, size)


def _limit(kind: int, soft: int, hard: int) -> None:
    """Set a limit. A confined process may have a lower hard limit, which cannot be raised."""
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def limit_processor(seconds: int) -> None:
    """Have the kernel kill this process after `seconds` more of CPU time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(used.ru_utime + used.ru_stime) + seconds, hard))


class TooMuchWorkError(Exception):
    """A process exceeded its time or memory, or failed.

    `code` is its exit status, negative for a signal, and None if it was killed because of its time.
    """

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class MeasuredProcess(subprocess.Popen[bytes]):
    """A process that reports its CPU seconds, including those of its children that it waited for."""

    cpu_seconds = 0.0

    def _try_wait(self, flags: int) -> tuple[int, int]:
        # Popen waits only through this method. Unlike os.waitpid, os.wait4 returns the resources of this
        # child.
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
    errors: int = subprocess.DEVNULL,  # a traceback may quote the file, which must not be logged
    slot: AbstractContextManager[tuple[int, ...]] | None = None,
) -> bytes:
    """Run a module in a separate process with `content` as its stdin, and return its stdout.

    Wait for a slot of the machine first; `slot` replaces this wait and may raise BusyError. Raise
    TooMuchWorkError if the process takes more than `seconds` of wall time or fails, for example because it is
    out of memory. Its children are killed at its end. `errors` is the file descriptor of its stderr. `charge`
    is always called, with the CPU seconds of the process, or with None if it was killed, because the time of
    its children is unknown then.
    """
    with (
        slot or reading_slot() as held,
        MeasuredProcess(
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
