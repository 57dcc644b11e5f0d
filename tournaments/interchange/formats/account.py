"""Counts of the data that a reader understood or did not, shown before an import is stored."""

from dataclasses import dataclass, replace

MOST_EXAMPLES = 5
LONGEST_EXAMPLE = 60


@dataclass(slots=True)
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
        self._counts: dict[str, Count] = {}

    def read(self, what: str, count: int = 1) -> None:
        self._counts.setdefault(what, Count(what)).read += count

    def unread(self, what: str, example: str, count: int = 1) -> None:
        found = self._counts.setdefault(what, Count(what))
        found.unread += count
        # E-mail addresses are never quoted.
        if example and "@" not in example and len(found.examples) < MOST_EXAMPLES:
            found.examples = tuple(dict.fromkeys((*found.examples, example[:LONGEST_EXAMPLE])))

    def account(self) -> Account:
        return tuple(map(replace, self._counts.values()))
