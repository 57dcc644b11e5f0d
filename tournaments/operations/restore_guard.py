"""Detects a restored database by the last served revisions, and starts a new epoch before serving.

After a restore `manage.py renew_epoch` may be forgotten, and a power cut or a failover to a replica can lose
writes too. Therefore a small file outside the database stores the epoch and the highest served revisions. It
is written before a revision is first served, and only then, so that readers, proxies and caches never have a
higher revision than the file (ADR 0034).
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from logging import getLogger
from pathlib import Path
from secrets import token_hex
from threading import Lock
from time import monotonic as clock
from typing import NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config.database.replica import ReplicaBehindError, is_on_replica
from tournaments.models import Revision, SiteRevision
from tournaments.operations.compatibility import columns_of
from tournaments.operations.epoch import ONLY_SITE, replace_epoch

Height = tuple[int, ...]
"""The revision of an event; for the site its number, and the sum of all revisions if it is known."""

OF_SITE, OF_PEOPLE, OF_TIMELINE = 0, -1, -2
"""Keys of the site, of all persons and teams, and of PostgreSQL's timeline, next to primary keys of events.

A promoted replica has a new timeline. It may lack revisions that only other machines have served.
"""

_PARTS = {OF_SITE: "the site", OF_PEOPLE: "all persons and teams"}

STATE = f"""
    SELECT epoch, {{people}}, number, (SELECT COALESCE(SUM(number), 0) FROM {Revision._meta.db_table}),
        {{timeline}}
    FROM {SiteRevision._meta.db_table} WHERE id = {ONLY_SITE}
"""  # noqa: S608 - our own names of tables
TIMELINE = """
    CASE WHEN NOT pg_is_in_recovery()
    THEN CAST(CAST('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS bit(32)) AS integer) END
"""
"""The first eight digits of the name of a WAL file, hexadecimal; unlike checkpoints it changes at once."""

REVISIONS = f"SELECT event_id, number FROM {Revision._meta.db_table}"  # noqa: S608 - our own name of a table

TABLES = """
    CREATE TABLE IF NOT EXISTS epoch (
        turn INTEGER PRIMARY KEY, base TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (base, name)
    );
    CREATE TABLE IF NOT EXISTS served (
        base TEXT, what INTEGER, number INTEGER NOT NULL, total INTEGER NOT NULL, PRIMARY KEY (base, what)
    );
"""
"""`base` identifies the database by its address, so that a scratch copy does not affect the site's own."""
RAISE = """
    INSERT INTO served VALUES (?, ?, ?, ?) ON CONFLICT (base, what) DO UPDATE
    SET number = excluded.number, total = excluded.total
    WHERE (excluded.number, excluded.total) > (number, total)
"""
SERVED = "SELECT number, total FROM served WHERE base = ? AND what = ?"
LAST_EPOCH = "SELECT name FROM epoch WHERE base = ? ORDER BY turn DESC LIMIT 1"
BUSY_SECONDS = 2.0
"""Timeout for other processes that are writing, which takes milliseconds."""

AGAIN_SECONDS = 5.0
"""Seconds between attempts to write. In between, the process serves under an epoch of its own."""

CHECKED_SECONDS = 30.0
"""Seconds after which an open connection is checked again."""

log = getLogger(__name__)


class NotRenewedError(Exception):
    """The database is older than what was served, and a new epoch cannot be stored."""


FAULTS = (sqlite3.Error, OSError, NotRenewedError)
"""Errors that prevent a process from reading or writing the file."""


class Marks(NamedTuple):
    """The last served epoch, the epochs before it, and the heights served in it."""

    epoch: str
    former: frozenset[str]
    heights: Mapping[int, Height]


class ServedFile:
    """The file: an SQLite database, for atomic and durable writes by several processes."""

    def __init__(self, path: Path, base: str) -> None:
        self.path, self.base = path, base
        self._opened: sqlite3.Connection | None = None
        self._inode = 0

    def read(self) -> Marks | None:
        """Return the content of the file, or None if it is new."""
        opened = self._connection()
        epochs = opened.execute("SELECT name FROM epoch WHERE base = ? ORDER BY turn", [self.base])
        names = [name for (name,) in epochs]
        rows = opened.execute("SELECT what, number, total FROM served WHERE base = ?", [self.base])
        heights = {what: tuple(height) for what, *height in rows}
        return Marks(names[-1], frozenset(names[:-1]), heights) if names else None

    def begin(self, epoch: str) -> None:
        """Set the epoch and delete all heights, which belong to other epochs."""
        with self._turn() as opened:
            if self._epoch_in(opened) != epoch:
                opened.execute("DELETE FROM served WHERE base = ?", [self.base])
                opened.execute("INSERT INTO epoch (base, name) VALUES (?, ?)", [self.base, epoch])

    def raise_to(self, epoch: str, heights: Mapping[int, Height]) -> bool:
        """Store heights before they are served. Return False if the file has another epoch or is higher."""
        with self._turn() as opened:
            if self._epoch_in(opened) != epoch:
                return False
            for what, height in heights.items():
                opened.execute(RAISE, (self.base, what, *height, 0)[:4])
            there = [opened.execute(SERVED, [self.base, what]).fetchone() for what in heights]
        return not any(map(_is_below, heights.values(), there))

    @contextmanager
    def _turn(self) -> Iterator[sqlite3.Connection]:
        opened = self._connection()
        opened.execute("BEGIN IMMEDIATE")
        try:
            yield opened
            opened.execute("COMMIT")
        except BaseException:
            opened.execute("ROLLBACK")
            raise

    def _connection(self) -> sqlite3.Connection:
        # The file may be deleted under a running process, which then starts a new file.
        if self._opened and not (self.path.exists() and self.path.stat().st_ino == self._inode):
            self._opened.close()
            self._opened = None
        if self._opened is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            opened = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            opened.execute("PRAGMA journal_mode=WAL")  # one fsync per write instead of three
            opened.execute("PRAGMA synchronous=FULL")
            opened.executescript(TABLES)
            self._opened, self._inode = opened, self.path.stat().st_ino
        return self._opened

    def _epoch_in(self, opened: sqlite3.Connection) -> str:
        found = opened.execute(LAST_EPOCH, [self.base]).fetchone()
        return found[0] if found else ""


class Guard:
    """The heights that this process has served, and the file shared with the other processes.

    `own` is blank, or the suffix of the process's epochs while it can write neither the file nor a new epoch
    to the database. No other process has this epoch, so no other process considers its responses fresh.
    """

    def __init__(self, path: Path, base: str) -> None:
        self.file = ServedFile(path, base)
        self.lock = Lock()
        self.epoch = ""
        self.heights: dict[int, Height] = {}
        self.own = ""
        self.again_at = 0.0

    def vouched(self, epoch: str, heights: Mapping[int, Height]) -> str:
        """Return the epoch under which these heights may be served, after they are stored in the file."""
        # A local variable, because each access through the proxy takes microseconds on every page.
        database = connections[DEFAULT_DB_ALIAS]
        if database.in_atomic_block:  # uncommitted data are not served
            return epoch
        if not self._is_checked(epoch, database) or not self._has_served(heights):
            epoch = self._heed(epoch, heights)
        return self.named(epoch)

    def named(self, epoch: str) -> str:
        """Return the process's name for an epoch of the database."""
        own = self.own
        return f"{epoch}.{own}" if own and "." not in epoch else epoch

    def check(self, *, counts_people: bool = True) -> str:
        """Compare the database with the file, and return the epoch that is valid from now on.

        `counts_people` is False for a database from before migration 0042, which has no such column.
        """
        if is_on_replica():  # what follows reads the primary
            raise ReplicaBehindError
        with self.lock:
            marks = self.file.read()
        # Read after the file, so that everything served until then was in the database.
        epoch, state = _state(counts_people=counts_people)
        older = _sign_of_age(epoch, state, marks)
        if older:
            log.warning("%s: a new epoch begins.", older)
            try:
                epoch = replace_epoch(epoch)
            except DatabaseError as fault:
                raise NotRenewedError from fault
        with self.lock:
            if marks is None or marks.epoch != epoch:
                self.file.begin(epoch)
            timeline = {OF_TIMELINE: state[OF_TIMELINE]} if OF_TIMELINE in state else {}
            if timeline and (older or not marks or marks.epoch != epoch or OF_TIMELINE not in marks.heights):
                self.file.raise_to(epoch, timeline)
            if epoch != self.epoch:
                self.epoch, self.heights = epoch, {}
        connection.connection.guard = self, clock()
        return epoch

    def _is_checked(self, epoch: str, database: BaseDatabaseWrapper) -> bool:
        # A restore, or another server, usually breaks the connection, but not `pg_restore --clean`, nor
        # another server behind PgBouncer. Threads share the connections of the pool.
        guard, checked_at = getattr(database.connection, "guard", (None, 0.0))
        is_recent = guard is self and clock() < checked_at + CHECKED_SECONDS
        return is_recent and epoch == self.epoch and not self.own

    def _has_served(self, heights: Mapping[int, Height]) -> bool:
        return all(self.heights.get(what, ())[: len(height)] == height for what, height in heights.items())

    def _is_behind(self, heights: Mapping[int, Height]) -> bool:
        return any(_is_below(height, self.heights.get(what, ())) for what, height in heights.items())

    def _heed(self, epoch: str, heights: Mapping[int, Height]) -> str:
        """Handle heights that are new in any way, and return the epoch of the database."""
        if is_on_replica() and self._is_behind(heights):
            raise ReplicaBehindError
        if not self.own or clock() >= self.again_at:
            try:
                epoch = self._written(epoch, heights)
            except FAULTS:
                log.exception("What is served cannot be noted: this process has an epoch of its own.")
                self._stand_alone()
        with self.lock:
            if self.own and self._is_behind(heights):
                self.own, self.heights = token_hex(4), {}
            for what, height in heights.items():
                if not _is_below(height, self.heights.get(what, ())):
                    self.heights[what] = max(height, self.heights.get(what, ()))
        return epoch

    def _written(self, epoch: str, heights: Mapping[int, Height]) -> str:
        """Store heights, check the database if necessary, and return its epoch."""
        if not self._is_checked(epoch, connections[DEFAULT_DB_ALIAS]) or self._is_behind(heights):
            epoch = self.check()
        with self.lock:
            is_highest = self.file.raise_to(epoch, heights)
        if not is_highest:  # another process stored more: it read later, or its database is newer
            epoch = self.check()
            with self.lock:
                self.file.raise_to(epoch, heights)
        with self.lock:
            if self.own:  # heights served in the meantime were not stored
                self.own, self.heights = "", {}
        return epoch

    def _stand_alone(self) -> None:
        with self.lock:
            if not self.own:
                self.own, self.heights = token_hex(4), {}
            self.again_at = clock() + AGAIN_SECONDS


def checked_epoch(epoch: str, heights: Mapping[int, Height]) -> str:
    """Return the epoch under which content at these heights, just read from it, may be served and cached.

    Usually the database's own. No query for heights that were served before, but two on a connection that is
    new or was not checked for CHECKED_SECONDS.
    """
    guard = _guard()
    return epoch if guard is None else guard.vouched(epoch, heights)


def note(epoch: str, heights: Mapping[int, Height]) -> None:
    """Store heights of a snapshot before its content is cached. Newer rows are not visible inside it."""
    guard = _guard()
    if guard is not None:
        try:
            with guard.lock:
                guard.file.raise_to(epoch, heights)
        except FAULTS:
            log.exception("What is kept cannot be noted.")


def check_age(*, counts_people: bool = True) -> None:
    """Start a new epoch if the database is older than what was served, or if that is unknown."""
    guard = _guard()
    if guard is None or connection.in_atomic_block:
        return
    try:
        guard.check(counts_people=counts_people)
    except FAULTS:
        log.exception("The database cannot be held against what was served.")


def check_before_migrate(using: str, **_: object) -> None:
    """Check before a `migrate`, which on SQLite raises every revision, including restored ones."""
    columns = columns_of(SiteRevision, using)
    if using == DEFAULT_DB_ALIAS and "epoch" in columns:
        check_age(counts_people="people" in columns)


def _guard() -> Guard | None:
    path = settings.EPOCH_FILE
    if not path:
        return None
    database = connections.settings[DEFAULT_DB_ALIAS]
    return _guard_of(path, *(str(database[part]) for part in ("HOST", "PORT", "NAME")))


@cache
def _guard_of(path: str, *base: str) -> Guard:
    return Guard(Path(path), " ".join(base))


def _state(*, counts_people: bool) -> tuple[str, dict[int, Height]]:
    """Return the epoch, and the heights of the site and of every event; two queries."""
    with connection.cursor() as cursor:
        column = TIMELINE if connection.vendor == "postgresql" else "NULL"
        cursor.execute(STATE.format(people="people" if counts_people else "0", timeline=column))
        epoch, people, number, total, timeline = cursor.fetchone() or ("", 0, 0, 0, None)
        cursor.execute(REVISIONS)
        return epoch, {
            OF_SITE: (number, int(total)),
            OF_PEOPLE: (people,),
            **({OF_TIMELINE: (timeline,)} if timeline else {}),
            **{event: (height,) for event, height in cursor.fetchall()},
        }


def _sign_of_age(epoch: str, state: Mapping[int, Height], marks: Marks | None) -> str:
    """Return the evidence that the database is older than what was served; blank if there is none."""
    if marks is None:
        return "Nothing is known of what was served before"
    if epoch in marks.former:
        return "The database is of an epoch that was over"
    if epoch != marks.epoch:  # renewed by the command, or by another machine
        return ""
    for what, height in marks.heights.items():
        if what == OF_TIMELINE and state.get(what, height)[:1] != height[:1]:
            return f"PostgreSQL was promoted: timeline {height[0]} became {state[what][0]}"
        if _is_below(state.get(what, height), height):
            name = _PARTS.get(what, f"event {what}")
            return f"The revision of {name} is {state[what]}, and was served at {height}"
    return ""


def _is_below(height: Height, other: Height) -> bool:
    """Return whether a height is lower than another, as far as both are known."""
    known = min(len(height), len(other))
    return height[:known] < other[:known]
