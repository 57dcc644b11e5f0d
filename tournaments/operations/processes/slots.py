"""Locked files of this machine: one file is read per core at a time, and an update closes the desk.

The kernel unlocks a file when its process ends, even by a crash.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from math import ceil, inf
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

from django.conf import settings
from django.core.files import locks

IN_SLOT = "CROSSTABLE_IN_SLOT"
"""Environment variable of processes whose parent holds a slot. They need none of their own."""

LOOK = 0.1
"""Seconds between two attempts to lock a slot."""

_CGROUPS, _OWN_CGROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
_has_slot: ContextVar[bool] = ContextVar("has_slot", default=False)


class BusyError(Exception):
    """No slot became free in time."""


def usable_cores() -> int:
    """Return the number of cores of this process by affinity and cgroup quota, at least one."""
    # macOS has no affinity.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        *_, own = (line for line in _OWN_CGROUP.read_text().splitlines() if line.startswith("0::"))
        quota, period = (_CGROUPS / own[3:].lstrip("/") / "cpu.max").read_text().split()
        cores = min(cores, ceil(int(quota) / int(period)))  # the quota is "max" if there is none
    return max(1, cores)


@contextmanager
def reading_slot(patience: float = inf, *, after_others: bool = False) -> Iterator[tuple[int, ...]]:
    """Hold a slot and yield its file descriptors, for child processes that inherit it.

    Wait for a free slot for at most `patience` seconds, then raise BusyError. If `after_others`, all other
    waiting processes go first. Yield no descriptors if the caller has a slot already.
    """
    if _has_slot.get() or IN_SLOT in os.environ:
        yield ()
        return
    with _locked_slot(monotonic() + patience, after_others=after_others) as slot:
        token = _has_slot.set(True)
        try:
            yield (slot.fileno(),)
        finally:
            _has_slot.reset(token)


@contextmanager
def saving_to_desk() -> Iterator[bool]:
    """Yield whether the desk is open; an update waits until the block ends."""
    with _lock_file("desk-closed") as closed, _lock_file("desk") as saving:
        is_open = locks.lock(closed, locks.LOCK_SH | locks.LOCK_NB)
        is_open = is_open and locks.lock(saving, locks.LOCK_SH | locks.LOCK_NB)
        locks.unlock(closed)
        yield is_open


@contextmanager
def closed_desk() -> Iterator[None]:
    """Refuse all further requests of this machine that save; begin when no request saves any more."""
    # Two locks, because the kernel prefers new shared locks to a waiting exclusive one.
    with _lock_file("desk-closed") as closed, _lock_file("desk") as saving:
        locks.lock(closed, locks.LOCK_EX)
        locks.lock(saving, locks.LOCK_EX)
        yield


def _lock_file(name: str) -> BinaryIO:
    Path(settings.LOCKS).mkdir(parents=True, exist_ok=True)
    return (Path(settings.LOCKS) / name).open("ab")


def are_slots_taken() -> bool:
    for path in _slots():
        with suppress(FileNotFoundError), path.open("rb") as slot:
            # A shared lock, so that concurrent checks do not block each other.
            if not locks.lock(slot, locks.LOCK_SH | locks.LOCK_NB):
                continue
        return False
    return True


def _slots() -> list[Path]:
    return [Path(settings.LOCKS) / f"reader-{number}" for number in range(1, usable_cores() + 1)]


@contextmanager
def _locked_slot(deadline: float, *, after_others: bool) -> Iterator[BinaryIO]:
    # Locked by the process that gets the next slot. With `after_others`, only check whether it is locked.
    with _lock_file("next-reader") as queue:
        kind = locks.LOCK_SH if after_others else locks.LOCK_EX
        while True:
            slot = _free_slot() if locks.lock(queue, kind | locks.LOCK_NB) else None
            if slot or after_others:
                locks.unlock(queue)
            if slot:
                break
            if monotonic() >= deadline:
                raise BusyError
            sleep(LOOK)
    with slot:
        yield slot


def _free_slot() -> BinaryIO | None:
    for path in _slots():
        slot = path.open("ab")
        if locks.lock(slot, locks.LOCK_EX | locks.LOCK_NB):
            return slot
        slot.close()
    return None
