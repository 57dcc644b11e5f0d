"""CPU time of this process in milliseconds: waiting for others on the machine is not in it."""

import gc
from collections.abc import Callable
from time import process_time_ns

Work = Callable[[], object]
Clock = Callable[[], int]
"""Nanoseconds of something: of this process's work as a rule."""


def least(work: Work, times: int) -> float:
    """The least of some calls, without garbage collection: nobody pays for what others left behind."""
    gc.collect()
    gc.disable()
    try:
        return min(each(work, times))
    finally:
        gc.enable()


def each(work: Work, times: int, before: Work = lambda: None, clock: Clock = process_time_ns) -> list[float]:
    """What every one of some calls took; `before` is called before each, and not counted."""
    return [_after(before, work, clock) for _ in range(times)]


def _after(before: Work, work: Work, clock: Clock) -> float:
    before()
    start = clock()
    work()
    return (clock() - start) / 1e6
