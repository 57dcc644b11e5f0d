"""Limits on how many threads of a process wait for locks, in total and for a single event."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock, local

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from config.database.deadlines import MOMENT, serves, time_left
from config.database.faults import DatabaseBusyError, TooManyAtOnceError, UnavailableError, WaitedTooLongError

ALL, LONG = "transactions", "long waits"

_lock = Lock()
_taken: Counter[object] = Counter()
_thread = local()


@contextmanager
def place_to_save(event: object) -> Iterator[None]:
    """Hold a slot for saving data of an event, which is identified by its key.

    A quarter of the threads have one; DatabaseBusyError is raised immediately if they are taken. A thread
    that waits for a locked row is lost for readers and for other events. Nested blocks share the slot, and
    commands have no limit.
    """
    if getattr(_thread, "saves", False) or not serves():
        yield
        return
    with place_among(event, settings.THREADS // 4, DatabaseBusyError):
        _thread.saves = True
        try:
            yield
        finally:
            _thread.saves = False


@contextmanager
def place_among(
    name: object, most: int, refusal: type[UnavailableError] = TooManyAtOnceError
) -> Iterator[None]:
    """Hold one of `most` slots of this name in the process. Raise `refusal` if all are taken."""
    if not serves():
        yield
        return
    _take(name, most, refusal)
    try:
        yield
    finally:
        _give_back(name)


def place_to_write() -> AbstractContextManager[None]:
    """Hold a transaction slot for a single statement. Raise DatabaseBusyError if all are taken."""
    return place_among(ALL, settings.THREADS // 2, DatabaseBusyError)


def wait_in_time(wait: Callable[[float], bool], seconds: float) -> None:
    """Wait for another thread or process. Raise WaitedTooLongError after `seconds` or the deadline of the
    request.

    `wait` takes a maximum number of seconds and returns whether it succeeded. At most a quarter of the
    threads wait longer than a moment.
    """
    if wait(MOMENT if serves() else seconds):
        return
    _take(LONG, settings.THREADS // 4, WaitedTooLongError)
    try:
        left = time_left()
        rest = seconds - MOMENT
        if not wait(max(0, rest if left is None else min(rest, left))):
            raise WaitedTooLongError("somebody else takes too long")
    finally:
        _give_back(LONG)


class FewTransactions(BaseDatabaseWrapper):
    """A backend in which half of the threads may have a transaction open; more raise DatabaseBusyError."""

    _holds_place = False

    def set_autocommit(
        self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False
    ) -> None:
        """Take or release a slot when `atomic` begins or ends a transaction."""
        if not autocommit and not self._holds_place and serves():
            self.close_if_health_check_failed()  # this would release the slot
            _take(ALL, settings.THREADS // 2)
            self._holds_place = True
        try:
            super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
        except BaseException:
            self._leave()
            raise
        if autocommit:
            self._leave()

    def close(self) -> None:
        """Release the slot of a transaction that was open on the connection."""
        try:
            super().close()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._holds_place:
            self._holds_place = False
            _give_back(ALL)


def _take(name: object, most: int, refusal: type[UnavailableError] = DatabaseBusyError) -> None:
    with _lock:
        if _taken[name] >= max(1, most):
            raise refusal("too many wait for the same")
        _taken[name] += 1


def _give_back(name: object) -> None:
    with _lock:
        _taken[name] -= 1
        if not _taken[name]:
            del _taken[name]
