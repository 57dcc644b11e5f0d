"""The folder of database dumps: names, checksums, records and retention; exceptions of backups."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from time import sleep

from django.core.files import locks

from tournaments.operations.upkeep.fingerprints import Fingerprint, TableFingerprint

NAME = re.compile(r"crosstable-\d{8}T\d{6}Z(?P<untried>-untried)?\.(sqlite3|dump)")
LOCK = ".crosstable-backup.lock"
UNFINISHED = ".unfinished-"
RECORD, CHECKSUM = ".json", ".sha256"
SPARE = 64 * 1024 * 1024
"""Bytes that remain free after a dump."""


class DumpFolder:
    """A folder of dumps, each with a record of its content and a file of checksums."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            # The folder is not created: if a disk is not mounted, the dumps would fill another disk.
            raise NotDumpedError(f"There is no folder {path}.")
        self.path = path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the folder and delete the files of a run that was killed. Raise BusyError."""
        with (self.path / LOCK).open("a") as lock:
            if not locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB):
                raise BusyError("Another backup writes into this folder.")
            self._clear()
            try:
                yield
            finally:
                self._clear()

    def require_room(self, size: int) -> None:
        """Raise NotDumpedError unless `size` bytes are free."""
        if (free := shutil.disk_usage(self.path).free) < size + SPARE:
            raise NotDumpedError(
                f"{self.path} has no room: {free:,} bytes are free, up to {size + SPARE:,} are needed."
            )

    def begin(self, ending: str) -> Path:
        path = self.path / f"{UNFINISHED}dump{ending}"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return path

    def finish(self, unfinished: Path, holds: Fingerprint, *, tried: bool) -> Path:
        """Rename a dump to its final name after it and its record are on the disk."""
        while (path := self._named(unfinished.suffix, tried=tried)).exists():
            sleep(0.2)  # wait if there was a dump in the same second
        # Release 1.0 asks for the events, and compares none if there is no value.
        record = self._written(json.dumps({"tried": tried, "holds": {**holds, "events": None}}, indent=1))
        sums = f"{digest_of(unfinished)}  {path.name}\n{digest_of(record)}  {path.name}{RECORD}\n"
        checksum = self._written(sums)
        record.replace(f"{path}{RECORD}")
        checksum.replace(f"{path}{CHECKSUM}")
        _to_disk(unfinished)
        unfinished.replace(path)  # renamed last, so that a dump with this name is complete and has its record
        _to_disk(self.path)
        return path

    def prune(self, last: int) -> list[Path]:
        """Delete all but the `last` dumps and return them. Other files in the folder are left alone.

        Dumps that could not be checked are counted separately, so that they never displace a checked dump.
        """
        going = []
        ours = sorted((path for path in self.path.iterdir() if NAME.fullmatch(path.name)), reverse=True)
        for untried in (False, True):
            alike = [path for path in ours if ("-untried" in path.name) is untried]
            going += alike[max(last, 1) :]
        for path in going:
            for each in (path, Path(f"{path}{RECORD}"), Path(f"{path}{CHECKSUM}")):
                each.unlink(missing_ok=True)
        return going

    def _named(self, ending: str, *, tried: bool) -> Path:
        return (
            self.path / f"crosstable-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{'' if tried else '-untried'}{ending}"
        )

    def _written(self, text: str) -> Path:
        path = self.begin(f".{sha256(text.encode()).hexdigest()[:8]}")
        path.write_text(text)
        _to_disk(path)
        return path

    def _clear(self) -> None:
        for path in self.path.glob(f"{UNFINISHED}*"):
            path.unlink()


def read_record(path: Path) -> Fingerprint:
    """Return the expected fingerprint of a dump.

    Raise NotEqualError if the dump or its record was changed.
    """
    try:
        for line in Path(f"{path}{CHECKSUM}").read_text().splitlines():
            digest, _, name = line.partition("  ")
            if digest_of(path.with_name(name)) != digest:
                raise NotEqualError([f"{name} has changed since it was written: its checksum differs."])
        holds = json.loads(Path(f"{path}{RECORD}").read_text())["holds"]
    except OSError as problem:
        raise NotEqualError([f"{problem.filename} cannot be read: {problem.strerror}."]) from problem
    return {
        "tables": {name: TableFingerprint(*each) for name, each in holds["tables"].items()},
        "missing_triggers": holds["missing_triggers"],
    }


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class NotDumpedError(Exception):
    """There is no dump; the message is the reason."""


class BusyError(Exception):
    """Another backup is running."""


class NotTriedError(Exception):
    """There is no scratch database to check the dump in; the message is the reason."""


class NotEqualError(Exception):
    """A restored dump differs from the original; `differences` are sentences."""

    def __init__(self, differences: Sequence[str]) -> None:
        super().__init__(" ".join(differences))
        self.differences = differences
