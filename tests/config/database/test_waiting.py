"""The circuit, the slots of transactions, and SQLite's lock."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Barrier

import pytest
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from config.database import bulkhead, deadlines
from config.database.bulkhead import place_to_save, wait_in_time
from config.database.circuit import PAUSE, TRIAL, Circuit
from config.database.deadlines import MOMENT, within
from config.database.faults import (
    DatabaseBusyError,
    DatabaseNotWritableError,
    DeadlineError,
    WaitedTooLongError,
    fault_of,
)
from config.database.sqlite3 import base as sqlite
from config.database.sqlite3.base import DatabaseWrapper
from tests.clock import Clock
from tests.config.database.conftest import shorten

# --- the circuit ------------------------------------------------------------------------------------------


def test_closed_circuit_admits_every_query() -> None:
    assert [Circuit(1).admit() for _ in range(3)] == [False] * 3


def test_one_of_eight_threads_tests_a_database_that_was_down(clock: Clock) -> None:
    ours, together = Circuit(1), Barrier(8)
    ours.fail()
    with pytest.raises(DeadlineError):
        ours.admit()
    clock.now += PAUSE

    def ask(_: int) -> str:
        together.wait(60)
        try:
            return "tries" if ours.admit() else "asks"
        except DeadlineError:
            return "is told"

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(ask, range(8))) == ["is told"] * 7 + ["tries"]


@pytest.mark.parametrize("answers", [True, False])
def test_trial_closes_or_opens_the_circuit(clock: Clock, answers: bool) -> None:
    ours = Circuit(1)
    ours.fail()
    clock.now += PAUSE
    assert ours.admit()
    if answers:
        ours.succeed()
        assert not ours.admit()
    else:
        ours.fail()
        with pytest.raises(DeadlineError):
            ours.admit()


def test_trial_without_result_is_followed_by_another(clock: Clock) -> None:
    ours = Circuit(1)
    ours.fail()
    clock.now += PAUSE
    assert ours.admit()
    clock.now += TRIAL + PAUSE
    assert ours.admit()


def test_too_many_long_waits_open_the_circuit() -> None:
    ours = Circuit(2)
    with ExitStack() as waiting:
        for _ in range(2):
            waiting.enter_context(ours.long_wait())
        was_open = ours.is_open
        with pytest.raises(DeadlineError), ours.long_wait():
            pass
    assert (was_open, ours.is_open) == (False, True)
    with ours.long_wait():  # the slots were released
        pass


# --- slots ------------------------------------------------------------------------------------------------


@contextmanager
def taken_elsewhere(event: int) -> Iterator[None]:
    """Hold a slot for this event in another thread within the block."""
    held = place_to_save(event)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(held.__enter__).result()
        try:
            yield
        finally:
            thread.submit(held.__exit__, None, None, None).result()


def test_saves_of_one_event_leave_slots_for_other_events(serving: Settings) -> None:
    serving.THREADS = 8
    with taken_elsewhere(1), taken_elsewhere(1):
        with pytest.raises(DatabaseBusyError), place_to_save(1):
            pass
        with place_to_save(2), place_to_save(2), place_to_save(2):  # a single slot for nested blocks
            pass
    with place_to_save(1):
        pass
    assert not bulkhead._taken


def test_commands_have_no_slot_limit(settings: Settings) -> None:
    settings.THREADS = 4
    with ExitStack() as stack:
        for event in (1, 1, 1):
            stack.enter_context(place_to_save(event))


def test_at_most_half_the_threads_have_transactions(transactional_db: None, serving: Settings) -> None:
    with ExitStack() as stack:
        wrappers = [connections.create_connection(DEFAULT_DB_ALIAS) for _ in range(3)]
        for each in wrappers:
            stack.callback(each.close)
            each.ensure_connection()
        first, second, third = wrappers
        first.set_autocommit(False)
        second.set_autocommit(False)
        with pytest.raises(DatabaseBusyError):
            third.set_autocommit(False)
        assert third.autocommit
        first.rollback()
        first.set_autocommit(True)
        third.set_autocommit(False)
        third.close()
        first.set_autocommit(False)
        first.rollback()
    assert not bulkhead._taken


def test_only_a_few_threads_wait_long_for_another_thread(serving: Settings, clock: Clock) -> None:
    serving.THREADS = 4
    waited: list[float] = []

    def never(seconds: float) -> bool:
        waited.append(seconds)
        clock.sleep(seconds)
        if len(waited) == 2:  # while the first waits long, a second starts
            with pytest.raises(WaitedTooLongError):
                wait_in_time(never, 10)
        return False

    with within(5), pytest.raises(WaitedTooLongError):
        wait_in_time(never, 10)
    assert waited == [MOMENT, 5 - MOMENT, MOMENT]  # the second waits for the rest of its deadline
    assert not bulkhead._taken


# --- SQLite's lock ----------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.executescript("PRAGMA journal_mode=WAL; CREATE TABLE t (n); INSERT INTO t VALUES (1)")
    return path


@pytest.fixture
def site(serving: Settings, file: Path, django_db_blocker: object) -> Iterator[DatabaseWrapper]:
    options = {"transaction_mode": "IMMEDIATE"}
    rest = {"TIME_ZONE": None, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False, "AUTOCOMMIT": True}
    wrapper = DatabaseWrapper({"NAME": str(file), "OPTIONS": options} | rest, "site")
    with django_db_blocker.unblock():  # type: ignore[attr-defined]  # it is pytest-django's
        yield wrapper
        wrapper.close()


def test_writer_waits_for_the_lock_until_its_deadline_and_readers_never_wait(
    site: BaseDatabaseWrapper, file: Path, serving: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(sqlite, "monotonic", clock)
    monkeypatch.setattr(sqlite, "sleep", clock.sleep)
    began = clock.now
    with shorten(serving, lock=0.3), closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with site.cursor() as cursor:
            assert cursor.execute("SELECT n FROM t").fetchone() == (1,)
        assert clock.now == began
        with pytest.raises(DatabaseBusyError), site.cursor() as cursor:
            cursor.execute("INSERT INTO t VALUES (2)")
        assert 0.3 <= clock.now - began < 0.3 + 2 * sqlite.PAUSE
    with site.cursor() as cursor:
        cursor.execute("INSERT INTO t VALUES (3)")


def test_sqlite_itself_waits_for_the_lock_no_longer_than_a_pause(site: DatabaseWrapper) -> None:
    """SQLite's own busy handler holds a mutex that the garbage collector may wait for, with all threads."""
    with site.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (sqlite.PAUSE * 1000,)


def test_single_write_needs_a_slot(site: DatabaseWrapper, serving: Settings) -> None:
    serving.THREADS = 2
    with ThreadPoolExecutor(1) as thread, site.cursor() as cursor:
        held = bulkhead.place_to_write()
        thread.submit(held.__enter__).result()
        assert cursor.execute("SELECT n FROM t").fetchone() == (1,)
        with pytest.raises(DatabaseBusyError):
            cursor.execute("UPDATE t SET n = 2")
        thread.submit(held.__exit__, None, None, None).result()
        cursor.execute("UPDATE t SET n = 2")
    assert not bulkhead._taken


def test_query_is_interrupted_at_the_deadline_of_its_request(
    site: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT {}) SELECT max(n) FROM c"
    # the progress handler reads the clock continuously
    monkeypatch.setattr(deadlines, "monotonic", Clock(step=0.1))
    with within(0.3), pytest.raises(DatabaseBusyError), site.cursor() as cursor:
        cursor.execute(numbers.format(3_000_000))
    with site.cursor() as cursor:
        assert cursor.execute(numbers.format(3)).fetchone() == (3,)


def test_connection_that_cannot_write_is_replaced_before_the_next_request(
    site: DatabaseWrapper, file: Path
) -> None:
    site.settings_dict |= {
        "CONN_MAX_AGE": 600,
        "NAME": f"file:{file}?mode=ro",
    }
    with pytest.raises(DatabaseNotWritableError), site.cursor() as cursor:
        cursor.execute("INSERT INTO t VALUES (2)")
    with site.cursor() as cursor:
        assert cursor.execute("SELECT n FROM t").fetchone() == (1,)
    site.settings_dict |= {"NAME": str(file)}
    site.close_if_unusable_or_obsolete()  # Django does this before and after each request
    with site.cursor() as cursor:
        cursor.execute("INSERT INTO t VALUES (3)")


def test_full_disk_raises_database_not_writable(site: DatabaseWrapper) -> None:
    with site.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 2")
        with pytest.raises(DatabaseNotWritableError):
            cursor.execute("INSERT INTO t VALUES (zeroblob(100000))")
        cursor.execute("PRAGMA max_page_count = 1000")
        cursor.execute("INSERT INTO t VALUES (zeroblob(100000))")


def test_invalid_query_is_no_database_failure(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other, pytest.raises(sqlite3.OperationalError) as wrong:
        other.execute("SELECT nothing FROM nowhere")
    assert fault_of(wrong.value) is None
