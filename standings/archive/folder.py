"""A folder that archives are published into, part by part; what has not changed is not touched."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from standings.archive.making import File, checksum_lines, sum_of
from tournaments.formats.sources import STATIC, SUMS

PARTS = ".parts"
"""The file in which the folder keeps, for each part, what it was made of and the checksums of its files."""


HALF = ".half"
"""How the names of files end that are not in their place yet."""


class Part(NamedTuple):
    """Files that are made together: `key` says of what, `make` makes them."""

    name: str
    key: str
    make: Callable[[], Iterable[File]]


class Written(NamedTuple):
    """A part as it was written: its key, and the checksum of each file."""

    key: str
    files: dict[str, str]


class Folder:
    """The folder at a path; it need not exist. OSError where something cannot be written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def has(self, part: Part) -> bool:
        """Say whether the part is there, all of it, as it would be made now."""
        written = self._written(part.name)
        if written is None or written.key != part.key:
            return False
        return all((self.path / name).exists() for name in written.files)

    def put(self, part: Part) -> int:
        """Make the part, write those of its files that differ, take away those it has no more; their number.

        The part is noted as written only when all of it is. If it cannot be written, as on a full disk, the
        folder is as it was before.
        """
        before = self._written(part.name)
        sums, halves = dict[str, str](), set[Path]()
        was_there = self.path.exists()
        try:
            for name, content in part.make():
                sums[name] = sum_of(content)
                halves |= set(self._half(name, content, sums[name]))
            notes = list(self._note(part.name, Written(part.key, sums)))
        except BaseException:
            for half in halves:
                half.unlink(missing_ok=True)
                self._leave(half)
            if not was_there:
                _remove_if_empty(self.path)
            raise
        # All at the end: until it is made whole, the part stays as it was.
        for half in halves:
            _become(half)
        changes = len(halves)
        gone = [name for name in before.files if name not in sums] if before else []
        self._take_away(name for name in gone if not name.startswith(STATIC))
        # Noted last: a run that is stopped half-way finds no note, and makes the part again.
        for note in notes:
            _become(note)
        return changes + len(gone)

    def parts(self) -> list[str]:
        """The names of the parts that were written, in their order."""
        return sorted(path.stem for path in (self.path / PARTS).glob("*.json"))

    def take_away(self, name: str) -> None:
        """Delete a part and what no other part needs."""
        written = self._written(name)
        (self.path / PARTS / f"{name}.json").unlink(missing_ok=True)
        if written:
            # The pages of several events show the same flags and styles; the part's own note is gone by now.
            needed = self._sums()
            self._take_away(each for each in written.files if each not in needed)

    def write_sums(self) -> None:
        """Write the checksums of all parts."""
        content = checksum_lines(self._sums().items())
        self._put(SUMS, content, sum_of(content))

    def _sums(self) -> dict[str, str]:
        written = (self._written(name) for name in self.parts())
        return {file: digits for part in written if part for file, digits in part.files.items()}

    def _put(self, name: str, content: bytes, digits: str) -> None:
        """Write a file unless it is there; nobody who reads meanwhile sees half of it."""
        for half in self._half(name, content, digits):
            _become(half)

    def _half(self, name: str, content: bytes, digits: str) -> Iterator[Path]:
        """Write what a file will be beside it, unless it is so already; yield where."""
        path = self.path / name
        with suppress(FileNotFoundError):
            if sum_of(path.read_bytes()) == digits:
                return
        path.parent.mkdir(parents=True, exist_ok=True)
        # Replacing is atomic where writing is not, and the half lies beside it: a rename crosses no disks.
        half = path.with_name(f".{path.name}{HALF}")
        try:
            half.write_bytes(content)
        except OSError as problem:
            half.unlink(missing_ok=True)
            self._leave(half)
            # The system names no file if writing fails, as on a full disk.
            raise OSError(problem.errno, problem.strerror, str(path)) from problem
        yield half

    def _take_away(self, names: Iterable[str]) -> None:
        for name in names:
            path = self.path / name
            path.unlink(missing_ok=True)
            self._leave(path)

    def _leave(self, path: Path) -> None:
        """Remove the folders of a file that is gone, if they are empty."""
        for folder in _within(path, self.path):
            _remove_if_empty(folder)

    def _written(self, name: str) -> Written | None:
        try:
            return Written(**json.loads((self.path / PARTS / f"{name}.json").read_text()))
        except (FileNotFoundError, ValueError, TypeError):  # never written, or not by us: it is made again
            return None

    def _note(self, name: str, written: Written) -> Iterator[Path]:
        """Write the note of a part beside its place, unless it is the same; yield where."""
        content = json.dumps(written._asdict(), indent=0, sort_keys=True).encode()
        yield from self._half(f"{PARTS}/{name}.json", content, sum_of(content))


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # something else is in it
        folder.rmdir()


def _become(half: Path) -> None:
    half.replace(half.with_name(half.name.removeprefix(".").removesuffix(HALF)))


def _within(path: Path, top: Path) -> Iterator[Path]:
    """The folders around a file, the innermost first, below the top one."""
    for folder in path.parents:
        if folder == top:
            return
        yield folder
