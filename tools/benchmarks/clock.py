"""CPU time of this process in milliseconds, which excludes waiting."""

import gc
from collections.abc import Callable
from time import process_time_ns

Work = Callable[[], object]
Clock = Callable[[], int]
"""Returns nanoseconds, usually of this process's CPU time."""


def least(work: Work, times: int) -> float:
    """Return the minimum over some calls, without garbage collection."""
    gc.collect()
    gc.disable()
    try:
        return min(each(work, times))
    finally:
        gc.enable()


def each(work: Work, times: int, before: Work = lambda: None, clock: Clock = process_time_ns) -> list[float]:
    """Return the time of every call. `before` is run before each call and is not measured."""
    return [_after(before, work, clock) for _ in range(times)]


def _after(before: Work, work: Work, clock: Clock) -> float:
    before()
    start = clock()
    work()
    return (clock() - start) / 1e6
