"""Checksums, as `sha256sum --check` reads them."""

from collections.abc import Iterable, Iterator
from hashlib import sha256


def sum_of(content: bytes) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    return sha256(content).hexdigest()


def lines(sums: Iterable[tuple[str, str]]) -> bytes:
    """The file of checksums for names and their sums, in the order of the names."""
    return "".join(f"{digits}  {name}\n" for name, digits in sorted(sums)).encode()


class Sums:
    """The checksums of files that pass by."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def over(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
        """The same files, noted."""
        for name, content in files:
            self._found[name] = sum_of(content)
            yield name, content

    def text(self) -> bytes:
        """The checksums of all files so far."""
        return lines(self._found.items())
