"""Circuit breaker: one thread tests a database that is down while the others fail immediately."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from time import monotonic

from config.database.faults import DeadlineError

logger = logging.getLogger(__name__)

PAUSE = 1.5
"""Seconds between a failure and the next trial."""

TRIAL = 1.0
"""Maximum seconds of a trial, because a reader waits for it."""


class Circuit:
    """The state of the database as seen by this process, shared by its threads.

    The circuit is closed while queries succeed. A failure opens it: queries fail immediately until, after a
    pause, a trial query closes it or opens it again.
    """

    def __init__(self, long_waits: int, name: str = "database") -> None:
        """`long_waits` is the number of threads that may wait longer than a moment at the same time."""
        self._name = name
        self._lock = Lock()
        self._next_trial = 0.0  # monotonic clock; 0 if the circuit is closed
        self._long_waits = BoundedSemaphore(long_waits)

    @property
    def is_open(self) -> bool:
        return self._next_trial > 0

    def admit(self) -> bool:
        """Return whether this query is the trial. Raise DeadlineError if the circuit is open."""
        if not self._next_trial:
            return False
        with self._lock:
            now = monotonic()
            if now < self._next_trial:
                raise DeadlineError(f"the {self._name} did not answer a moment ago")
            # If the trial never reports a result, another query replaces it.
            self._next_trial = now + TRIAL + PAUSE
            return True

    def succeed(self) -> None:
        if self._next_trial:
            self._next_trial = 0.0
            logger.warning("the %s answers again", self._name)

    def fail(self) -> None:
        with self._lock:
            was_closed = not self._next_trial
            self._next_trial = monotonic() + PAUSE
        if was_closed:
            logger.error("the %s is away: it refused a connection, or did not answer in time", self._name)

    @contextmanager
    def long_wait(self) -> Iterator[None]:
        """Hold one of the slots for long waits. If none is free, note a failure and raise DeadlineError.

        This many slow responses at once mean that the database is slow; the other threads serve requests that
        do not need it.
        """
        if not self._long_waits.acquire(blocking=False):
            self.fail()
            raise DeadlineError(f"too many wait for the {self._name}")
        try:
            yield
        finally:
            self._long_waits.release()
