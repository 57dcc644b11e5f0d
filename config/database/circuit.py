"""One thread tries a database that is away; the others are told at once, and few wait for a slow one."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from time import monotonic

from config.database.faults import DeadlineError

logger = logging.getLogger(__name__)

PAUSE = 1.5
"""Seconds from a failure to the next trial."""

TRIAL = 1.0
"""Seconds that a trial may take, which is somebody's page."""


class Circuit:
    """The state of one database as this process has seen it; all threads share it.

    It is closed while queries are answered. A failure opens it: queries fail at once, until after a pause
    one is let through, which closes it or opens it again.
    """

    def __init__(self, long_waits: int) -> None:
        """Take the number of threads that may wait longer than a moment, all at once."""
        self._lock = Lock()
        self._next_trial = 0.0  # by the monotonic clock; 0 while it is closed
        self._long_waits = BoundedSemaphore(long_waits)

    @property
    def is_open(self) -> bool:
        """Say whether the last failure was not followed by an answer yet."""
        return self._next_trial > 0

    def admit(self) -> bool:
        """Return whether this query is the trial; raise DeadlineError where it need not be tried."""
        if not self._next_trial:
            return False
        with self._lock:
            now = monotonic()
            if now < self._next_trial:
                raise DeadlineError("the database did not answer a moment ago")
            # Should the trial never come back to tell, the next one takes its place.
            self._next_trial = now + TRIAL + PAUSE
            return True

    def succeed(self) -> None:
        """Note that the database has answered."""
        if self._next_trial:
            self._next_trial = 0.0
            logger.warning("the database answers again")

    def fail(self) -> None:
        """Note that it has not."""
        with self._lock:
            was_closed = not self._next_trial
            self._next_trial = monotonic() + PAUSE
        if was_closed:
            logger.error("the database is away: it refused a connection, or did not answer in time")

    @contextmanager
    def long_wait(self) -> Iterator[None]:
        """Hold a place of the few that wait longer; DeadlineError, and a failure, where none is left.

        So many slow answers at once are no accident, and the other threads are for those who ask nothing of
        the database.
        """
        if not self._long_waits.acquire(blocking=False):
            self.fail()
            raise DeadlineError("too many wait for the database")
        try:
            yield
        finally:
            self._long_waits.release()
