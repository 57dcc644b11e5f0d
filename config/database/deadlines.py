"""How long a query may take: settings of the process, and what is left of the request's own time."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from time import monotonic

from django.conf import settings

from config.database.faults import SpentError

MOMENT = 1.0
"""Seconds that any thread may wait for another, or for an answer; few may wait longer."""

ENDING = 2.0
"""Seconds for a rollback or a commit where the request has none left."""

_process = {"serves": False}
_thread = local()


def serve() -> None:
    """Let the deadlines of requests hold in this process; those of commands are longer."""
    _process["serves"] = True


def serves() -> bool:
    """Say whether this process answers requests."""
    return _process["serves"]


def of_process(name: str) -> float:
    """Return the seconds that a setting gives to what this process does; 0 is no end."""
    found: float = (settings.SERVED_DEADLINES if serves() else settings.COMMAND_DEADLINES)[name]
    return found


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give this thread so many seconds for the block, or what an outer block has left; 0 is no end."""
    outer: float | None = getattr(_thread, "end", None)
    ends = [end for end in (outer, monotonic() + seconds if seconds else None) if end is not None]
    _thread.end = min(ends, default=None)
    try:
        yield
    finally:
        _thread.end = outer


def time_left() -> float | None:
    """Return the seconds that this thread has left, which may be negative; None where there is no end."""
    end: float | None = getattr(_thread, "end", None)
    return None if end is None else end - monotonic()


def time_for(seconds: float, *, is_ending: bool = False) -> float | None:
    """Return the seconds that a query may take: `seconds`, or what is left; None where there is no end.

    Raise SpentError where nothing is left, unless a transaction is being ended.
    """
    left = time_left()
    if left is None:
        return seconds or None
    if is_ending:
        left = max(left, ENDING)
    elif left <= 0:
        raise SpentError("the time of this request is spent")
    return min(left, seconds or left)
