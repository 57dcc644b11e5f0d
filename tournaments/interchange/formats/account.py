"""Counts of the data that a reader understood or did not, shown before an import is stored."""

from collections import Counter
from dataclasses import dataclass

MOST_EXAMPLES = 5
LONGEST_EXAMPLE = 60


@dataclass(frozen=True, slots=True)
class Count:
    """The number of columns, cells, lines, ranks or the like that were read and not read.

    `examples`: a few texts that were not read.
    """

    what: str
    read: int = 0
    unread: int = 0
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.unread:
            return f"{self.what}: {self.read} read"
        examples = ", ".join(f"“{each}”" for each in self.examples)
        more = ", …" if self.unread > len(self.examples) else ""
        return f"{self.what}: {self.read} read, {self.unread} not read" + (
            f": {examples}{more}" if examples else ""
        )


Account = tuple[Count, ...]  # in the order of the reader


class ReadingTally:
    """Counts data while a file is read."""

    def __init__(self) -> None:
        self._sorts: dict[str, None] = {}
        self._read: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self._examples: dict[str, dict[str, None]] = {}

    def read(self, what: str, count: int = 1) -> None:
        self._sorts[what] = None
        self._read[what] += count

    def unread(self, what: str, example: str, count: int = 1) -> None:
        self._sorts[what] = None
        self._unread[what] += count
        examples = self._examples.setdefault(what, {})
        # E-mail addresses are never quoted.
        if example and "@" not in example and len(examples) < MOST_EXAMPLES:
            examples[example[:LONGEST_EXAMPLE]] = None

    def account(self) -> Account:
        return tuple(
            Count(what, self._read[what], self._unread[what], tuple(self._examples.get(what, ())))
            for what in self._sorts
        )
