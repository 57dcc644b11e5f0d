"""Build the same rows once per process; other tests replay the SQL that stored them.

A builder is a function that stores rows and returns them. Its statements are recorded if the test has stored
no other rows than those of builders. Another test with the same rows, arguments and settings executes them
again.
"""

import json
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

from django.conf import UserSettingsHolder, settings
from django.db import connection
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from django.utils import timezone

P = ParamSpec("P")
T = TypeVar("T")

OWN_FOLDERS = ("ARCHIVES", "LOCKS", "MARKS", "RATING_LISTS")
"""Settings with a different value in each test (tests/conftest.py)."""

_real_now = timezone.now


@dataclass
class _Recording:
    statements: list[tuple[str, Any, bool]] = field(default_factory=list)
    on_commit: list[Any] = field(default_factory=list)
    result: bytes = b""
    is_complete: bool = True

    def note(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        verb = sql.split(maxsplit=1)[0].upper()
        if verb in {"INSERT", "UPDATE", "DELETE"}:
            params = list(params) if many else params
            self.statements.append((_for_sqlite(sql, params), params, many))
        elif verb not in {"SELECT", "BEGIN", "SAVEPOINT", "RELEASE"}:
            self.is_complete = False
        return execute(sql, params, many, context)

    def note_rollback(self) -> None:
        self.is_complete = False
        connection.connection.rollback()


@dataclass
class _Test:
    """The known state of the rows that the running test has stored."""

    connection: sqlite3.Connection | None = None
    built: tuple[str, ...] = ()
    changes: int = 0
    is_building: bool = False


_test = _Test()
_recordings: dict[tuple[str, ...], _Recording] = {}


def begin_test() -> None:
    """Note that the database is as the migrations left it."""
    global _test  # noqa: PLW0603 - one test runs at a time
    _test = _Test()
    if connection.vendor == "sqlite" and connection.connection is not None:
        _test.connection, _test.changes = connection.connection, connection.connection.total_changes


def has_stored_nothing() -> bool:
    """Return whether the database is known to be as the migrations left it."""
    return not _test.built and _is_known()


def forget_rows() -> None:
    """Note that the contents of the database are unknown."""
    _test.connection = None


def built_once(build: Callable[P, T]) -> Callable[P, T]:
    """Replay the statements of the last call of the function for the same database.

    It must return models or data, and may depend on its arguments, the database and the settings only.
    """

    @wraps(build)
    def build_or_replay(*args: P.args, **kwargs: P.kwargs) -> T:
        key = None if _test.is_building else _key_of(build, args, kwargs)
        if key is None:
            return build(*args, **kwargs)
        chain = (*_test.built, key)
        if chain in _recordings:
            result: T = _replay(_recordings[chain])
        else:
            result = _record(chain, lambda: build(*args, **kwargs))
        _test.built, _test.changes = chain, connection.connection.total_changes
        return result

    return build_or_replay


def _key_of(build: Callable[..., Any], args: Any, kwargs: Any) -> str | None:
    """Return the key of the rows: code, arguments and settings. None if they cannot be replayed."""
    known = (
        _is_known()
        and not connection.savepoint_ids  # a savepoint could be rolled back
        and timezone.now is _real_now
        and not any(_holds_files(Path(getattr(settings, name))) for name in OWN_FOLDERS)
    )
    if not known:
        return None
    try:
        arguments = json.dumps([args, kwargs])
    except TypeError:
        return None
    name, commits = f"{build.__module__}.{build.__qualname__}", not connection.in_atomic_block
    return f"{name} {arguments} {commits} {timezone.localdate()} {_changed_settings()}"


def _is_known() -> bool:
    return (
        _test.connection is not None
        and _test.connection is connection.connection
        and _test.changes == connection.connection.total_changes
    )


def _holds_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _changed_settings() -> dict[str, Any]:
    changed: dict[str, Any] = {}
    holder = settings._wrapped  # type: ignore[misc]  # not in the stubs
    while isinstance(holder, UserSettingsHolder):
        changed = {name: value for name, value in vars(holder).items() if name.isupper()} | changed
        holder = holder.default_settings
    return {name: repr(value) for name, value in sorted(changed.items()) if name not in OWN_FOLDERS}


def _record(chain: tuple[str, ...], build: Callable[[], T]) -> T:
    recording, waiting = _Recording(), len(connection.run_on_commit)
    with (
        _building(),
        connection.execute_wrapper(recording.note),
        patch.object(connection, "_rollback", recording.note_rollback),
    ):
        result = build()
    if recording.is_complete:
        recording.on_commit = connection.run_on_commit[waiting:]
        recording.result = pickle.dumps(result)
        _recordings[chain] = recording
    return result


@contextmanager
def _building() -> Iterator[None]:
    _test.is_building = True
    try:
        yield
    finally:
        _test.is_building = False


def _replay(recording: _Recording) -> Any:
    cursor, commits = connection.connection.cursor(), not connection.in_atomic_block
    if commits:
        cursor.execute("BEGIN")
    for sql, params, many in recording.statements:
        if many:
            cursor.executemany(sql, params)
        elif params is None:
            cursor.execute(sql)
        else:
            cursor.execute(sql, params)
    if commits:
        cursor.execute("COMMIT")
    cursor.close()
    connection.run_on_commit += recording.on_commit
    return pickle.loads(recording.result)  # noqa: S301 - it was pickled by this process


def _for_sqlite(sql: str, params: Any) -> str:
    """Return the statement with the placeholders of SQLite, as Django's cursor passes it on."""
    return sql if params is None else FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")
