"""A folder of published archives in parts. Unchanged files are not touched."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from standings.archive.builder import File, checksum_lines, sha256_hex
from tournaments.interchange.formats.sources import STATIC, SUMS

PARTS = ".parts"
"""The folder with the key and the checksums of each part."""


TEMPORARY_SUFFIX = ".half"
"""The suffix of files that are being written."""


class Part(NamedTuple):
    """Files that are written together. `key` identifies the source; `make` returns the files."""

    name: str
    key: str
    make: Callable[[], Iterable[File]]


class WrittenPart(NamedTuple):
    """A written part: its key, and the checksum of each file."""

    key: str
    files: dict[str, str]


class Folder:
    """A folder, created if needed. Methods raise OSError if writing fails."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def has(self, part: Part) -> bool:
        written = self._written(part.name)
        if written is None or written.key != part.key:
            return False
        return all((self.path / name).exists() for name in written.files)

    def put(self, part: Part) -> int:
        """Write the changed files of the part, delete obsolete ones, and return the number written.

        The part is recorded after all its files. If writing fails, as on a full disk, the folder is
        unchanged.
        """
        before = self._written(part.name)
        sums, halves = dict[str, str](), set[Path]()
        was_there = self.path.exists()
        try:
            for name, content in part.make():
                sums[name] = sha256_hex(content)
                halves |= set(self._half(name, content, sums[name]))
            note = WrittenPart(part.key, sums)._asdict()
            content = json.dumps(note, indent=0, sort_keys=True).encode()
            notes = list(self._half(f"{PARTS}/{part.name}.json", content, sha256_hex(content)))
        except BaseException:
            for half in halves:
                half.unlink(missing_ok=True)
                self._leave(half)
            if not was_there:
                _remove_if_empty(self.path)
            raise
        # Rename all at the end: until then the old part is complete.
        for half in halves:
            _become(half)
        changes = len(halves)
        gone = [name for name in before.files if name not in sums] if before else []
        self._take_away(name for name in gone if not name.startswith(STATIC))
        # Record last: an interrupted run finds no record and writes the part again.
        for half in notes:
            _become(half)
        return changes + len(gone)

    def parts(self) -> list[str]:
        return sorted(path.stem for path in (self.path / PARTS).glob("*.json"))

    def take_away(self, name: str) -> None:
        written = self._written(name)
        (self.path / PARTS / f"{name}.json").unlink(missing_ok=True)
        if written:
            # Events share flags and styles. The record of this part is already deleted.
            needed = self._sums()
            self._take_away(each for each in written.files if each not in needed)

    def write_sums(self) -> None:
        content = checksum_lines(self._sums().items())
        for half in self._half(SUMS, content, sha256_hex(content)):
            _become(half)

    def _sums(self) -> dict[str, str]:
        written = (self._written(name) for name in self.parts())
        return {file: digits for part in written if part for file, digits in part.files.items()}

    def _half(self, name: str, content: bytes, digits: str) -> Iterator[Path]:
        """Write the file under a temporary name unless it is up to date; yield that name."""
        path = self.path / name
        with suppress(FileNotFoundError):
            if sha256_hex(path.read_bytes()) == digits:
                return
        path.parent.mkdir(parents=True, exist_ok=True)
        # Renaming is atomic. The temporary file is in the same folder, and so on the same file system.
        half = path.with_name(f".{path.name}{TEMPORARY_SUFFIX}")
        try:
            half.write_bytes(content)
        except OSError as problem:
            half.unlink(missing_ok=True)
            self._leave(half)
            # The operating system names no file if writing fails, as on a full disk.
            raise OSError(problem.errno, problem.strerror, str(path)) from problem
        yield half

    def _take_away(self, names: Iterable[str]) -> None:
        for name in names:
            path = self.path / name
            path.unlink(missing_ok=True)
            self._leave(path)

    def _leave(self, path: Path) -> None:
        for folder in path.relative_to(self.path).parents[:-1]:
            _remove_if_empty(self.path / folder)

    def _written(self, name: str) -> WrittenPart | None:
        try:
            return WrittenPart(**json.loads((self.path / PARTS / f"{name}.json").read_text()))
        except (
            FileNotFoundError,
            ValueError,
            TypeError,
        ):  # never written, or in another format
            return None


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # the folder is not empty
        folder.rmdir()


def _become(half: Path) -> None:
    half.replace(half.with_name(half.name.removeprefix(".").removesuffix(TEMPORARY_SUFFIX)))
