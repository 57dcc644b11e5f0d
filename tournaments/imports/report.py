"""The report of an import of many files: a row for each, which also tells where to go on."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from tournaments.formats.tables.text import FORMULA

IMPORTED, UNCHANGED, FAULTY = "imported", "unchanged", "with errors"
SKIPPED, PASSED_OVER = "skipped", "passed over"
"""Of no known format; not tried, because it is hidden or made from another file."""

DONE = (IMPORTED, UNCHANGED, PASSED_OVER)
"""What became of a file that need not be read again."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A file, the checksum of its bytes, what became of it, and of which event it is.

    `summary` is what changed, `findings` are all that was found, one a line.
    """

    file: str
    sha256: str
    state: str
    event: str = ""
    summary: str = ""
    findings: str = ""


COLUMNS = tuple(each.name for each in fields(ReportLine))


def write_lines(stream: Any, lines: Sequence[ReportLine], *, with_heading: bool) -> None:
    """Write lines to a text stream as CSV; no cell is a formula to a spreadsheet."""
    writer = csv.writer(stream)
    if with_heading:
        writer.writerow(COLUMNS)
    writer.writerows([FORMULA.sub(r"\1'", cell) for cell in astuple(line)] for line in lines)


class ImportReport:
    """A report on the disk, which is written as the import goes, and read when it is begun again.

    The last line of a file holds. OSError where the place cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._done = {line.file: line.sha256 for line in _read(path) if line.state in DONE}
        self._is_new = not path.exists() or not path.stat().st_size
        with path.open("a", encoding="utf-8", newline="") as stream:
            # A line that was cut off by the end of the process must not swallow the next.
            if not self._is_new and not path.read_bytes().endswith(b"\n"):
                stream.write("\r\n")

    def is_done(self, name: str, digest: str) -> bool:
        """Say whether a file with these very bytes was imported before."""
        return self._done.get(FORMULA.sub(r"\1'", name)) == digest

    def add(self, line: ReportLine) -> None:
        """Write a line to the disk at once."""
        with self.path.open("a", encoding="utf-8", newline="") as stream:
            write_lines(stream, [line], with_heading=self._is_new)
        self._is_new = False


def _read(path: Path) -> Iterator[ReportLine]:
    if not path.exists():
        return
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        for cells in csv.reader(stream):
            if len(cells) == len(COLUMNS):
                yield ReportLine(*cells)
