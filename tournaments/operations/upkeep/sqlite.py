"""Dumps of an SQLite database: a copy of its pages in a snapshot, while others write."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from tournaments.operations.snapshot import snapshot
from tournaments.operations.upkeep.dumpfolder import NotDumpedError, NotEqualError

ENDING = ".sqlite3"
COPIES = 2
"""Maximum size during a check as a multiple of the database's: the dump and its copy."""


def size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


@contextmanager
def moment(_seconds: float) -> Iterator[str]:
    """Hold a snapshot of the database. Writers are not blocked."""
    with snapshot(), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM sqlite_schema")  # the first query takes the snapshot
        yield ""


def dump(path: Path, _snapshot: str, _seconds: float) -> None:
    """Write the snapshot to a new file. Raise NotDumpedError."""
    try:
        with closing(sqlite3.connect(path)) as copy:
            # Uses the connection that holds the snapshot; VACUUM INTO does not run in a transaction.
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file, without a WAL
    except sqlite3.Error as problem:
        raise NotDumpedError(f"SQLite could not write the dump: {problem}.") from problem


def restore(path: Path, _seconds: float) -> None:
    """Replace the content of the site's database in a transaction. Raise NotEqualError."""
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(path)) as dump:
            dump.backup(connection.connection)
    except sqlite3.Error as problem:
        raise NotEqualError([f"SQLite could not restore the dump: {problem}."]) from problem


@contextmanager
def restored(path: Path, folder: Path, _url: str, _seconds: float) -> Iterator[dict[str, Any]]:
    """Copy the dump, as a restore does, and yield the settings for Django. Raise NotEqualError."""
    scratch = folder / f".unfinished-scratch{ENDING}"
    try:
        shutil.copyfile(path, scratch)
        with closing(sqlite3.connect(scratch)) as copy:
            for check in ("integrity_check", "foreign_key_check"):
                faults = [row for row in copy.execute(f"PRAGMA {check}") if row != ("ok",)]
                if faults:
                    raise NotEqualError([f"SQLite's {check} finds {len(faults)} faults: {faults[0]}."])
        yield {"NAME": str(scratch)}
    except (sqlite3.Error, OSError) as problem:
        raise NotEqualError([f"The dump cannot be opened: {problem}."]) from problem
    finally:
        for each in folder.glob(f"{scratch.name}*"):
            each.unlink()
