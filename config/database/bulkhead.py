"""Transactions may wait for a lock, but never in all threads of a process, and one event's only in a few."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, local

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from config.database.deadlines import MOMENT, serves, time_left
from config.database.faults import DatabaseBusyError, UnavailableError, WaitedTooLongError

ALL, LONG = "transactions", "long waits"

_lock = Lock()
_taken: Counter[object] = Counter()
_thread = local()


@contextmanager
def place_to_save(event: object) -> Iterator[None]:
    """Hold one of the places of those who save something of an event, which is named by its key.

    A quarter of the threads may, and DatabaseBusyError is raised at once for more: whoever waits for a row
    that somebody else has locked keeps a thread from readers and from those who save something else. A block
    within such a block needs no other place, and commands have all the room.
    """
    if getattr(_thread, "saves", False) or not serves():
        yield
        return
    _take(event, settings.THREADS // 4)
    _thread.saves = True
    try:
        yield
    finally:
        _thread.saves = False
        _give_back(event)


@contextmanager
def place_to_write() -> Iterator[None]:
    """Hold one of the places of transactions for a single statement; DatabaseBusyError where none is left."""
    if not serves():
        yield
        return
    _take(ALL, settings.THREADS // 2)
    try:
        yield
    finally:
        _give_back(ALL)


def wait_in_time(wait: Callable[[float], bool], seconds: float) -> None:
    """Wait for another thread or process; WaitedTooLongError after the seconds, or what the request has left.

    `wait` waits for so many seconds at most, and returns whether that was long enough. A quarter of the
    threads may wait longer than a moment.
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
    """A backend of which half of the threads may have a transaction open; DatabaseBusyError for more."""

    _holds_place = False

    def set_autocommit(
        self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False
    ) -> None:
        """Begin or end a transaction, as `atomic` does, and take or give back its place."""
        if not autocommit and not self._holds_place and serves():
            self.close_if_health_check_failed()  # which would give the place back
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
        """Close the connection; a transaction that was open on it is none any more."""
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
