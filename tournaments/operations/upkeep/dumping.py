"""Backup of the database: dump while the site runs, restore the dump, compare it with the snapshot."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection, connections

from tournaments.operations.upkeep import dumpfolder, postgresql, sqlite
from tournaments.operations.upkeep.fingerprints import Fingerprint, compare_fingerprints, take_fingerprint

DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}


class FinishedBackup(NamedTuple):
    """A finished dump. `doubt` is the reason if the dump could not be checked, else blank."""

    path: Path
    holds: Fingerprint
    doubt: str


def make_backup(folder: dumpfolder.DumpFolder, seconds: float = 3600) -> FinishedBackup:
    """Dump the database into the folder and check the dump, in at most `seconds`.

    The dump is compared with its snapshot, because the site continues to write. Raise NotDumpedError, or
    NotEqualError if the restored data differ. In both cases there is no new file.
    """
    dialect, end = DIALECTS[connection.vendor], monotonic() + seconds
    folder.require_room(dialect.size() * dialect.COPIES)
    unfinished = folder.begin(dialect.ENDING)
    try:
        with dialect.moment(seconds) as name:
            dialect.dump(unfinished, name, end - monotonic())
            holds = take_fingerprint()
    except DatabaseError as problem:
        raise dumpfolder.NotDumpedError(f"The database cannot be read: {problem}") from problem
    doubt = ""
    try:
        _try_dump(unfinished, holds, folder.path, end - monotonic())
    except dumpfolder.NotTriedError as problem:
        doubt = str(problem)
    return FinishedBackup(folder.finish(unfinished, holds, tried=not doubt), holds, doubt)


def check_backup(path: Path, seconds: float) -> Fingerprint:
    """Restore an old dump and return its fingerprint.

    Raise NotEqualError if the data differ from the record, NotTriedError if the dump could not be restored.
    """
    dialect, folder = DIALECTS[connection.vendor], dumpfolder.DumpFolder(path.parent)
    if path.suffix != dialect.ENDING:
        raise dumpfolder.NotTriedError(f"{path.name} is no dump of a database such as the site has now.")
    holds = dumpfolder.read_record(path)
    with folder.alone():
        folder.require_room(path.stat().st_size * (dialect.COPIES - 1))
        _try_dump(path, holds, folder.path, seconds)
    return holds


def restore_backup(path: Path, seconds: float = 3600) -> None:
    """Replace the content of the database by a dump. Raise NotEqualError if they differ afterwards."""
    holds = dumpfolder.read_record(path)
    DIALECTS[connection.vendor].restore(path, seconds)
    if differences := compare_fingerprints(holds, take_fingerprint()):
        raise dumpfolder.NotEqualError(differences)


def _try_dump(path: Path, holds: Fingerprint, folder: Path, seconds: float) -> None:
    dialect = DIALECTS[connection.vendor]
    with dialect.restored(path, folder, settings.SCRATCH_DATABASE_URL, seconds) as about:
        try:
            with _looking_at(about):
                found = take_fingerprint()
        except DatabaseError as problem:
            raise dumpfolder.NotEqualError([f"Cannot read the restored database: {problem}"]) from problem
    if differences := compare_fingerprints(holds, found):
        raise dumpfolder.NotEqualError(differences)


@contextmanager
def _looking_at(about: Mapping[str, Any]) -> Iterator[None]:
    """Redirect all queries of the default database to another one."""
    own = connections[connection.alias]
    other = type(own)({**own.settings_dict, **about}, own.alias)
    connections[own.alias] = other
    try:
        yield
    finally:
        other.close()
        connections[own.alias] = own
