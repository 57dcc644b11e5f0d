"""Report of an import of many files, one row per file, which also allows an import to be resumed."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from tournaments.interchange.formats.tables.text import FORMULA

IMPORTED, UNCHANGED, FAULTY = "imported", "unchanged", "with errors"
SKIPPED, PASSED_OVER = "skipped", "passed over"
"""Of an unknown format; not tried because it is hidden or derived from another file."""

DONE = (IMPORTED, UNCHANGED, PASSED_OVER)
"""States of files that need not be read again."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A file with its checksum, state and event.

    `summary`: what changed. `findings`: all findings, one per line.
    """

    file: str
    sha256: str
    state: str
    event: str = ""
    summary: str = ""
    findings: str = ""


COLUMNS = tuple(each.name for each in fields(ReportLine))


def write_lines(stream: Any, lines: Sequence[ReportLine], *, with_heading: bool) -> None:
    """Write lines as CSV. Cells are escaped, so that spreadsheets do not interpret them as formulas."""
    writer = csv.writer(stream)
    if with_heading:
        writer.writerow(COLUMNS)
    writer.writerows([FORMULA.sub(r"\1'", cell) for cell in astuple(line)] for line in lines)


class ImportReport:
    """A report file, appended during the import and read when it is resumed.

    The last line of a file counts. Raise OSError if the path is not writable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._done = {line.file: line.sha256 for line in _lines_of_report_file(path) if line.state in DONE}
        self._is_new = not path.exists() or not path.stat().st_size
        with path.open("a", encoding="utf-8", newline="") as stream:
            # An interrupted line must not be joined with the next one.
            if not self._is_new and not path.read_bytes().endswith(b"\n"):
                stream.write("\r\n")

    def is_done(self, name: str, digest: str) -> bool:
        return self._done.get(FORMULA.sub(r"\1'", name)) == digest

    def add(self, line: ReportLine) -> None:
        with self.path.open("a", encoding="utf-8", newline="") as stream:
            write_lines(stream, [line], with_heading=self._is_new)
        self._is_new = False


def _lines_of_report_file(path: Path) -> Iterator[ReportLine]:
    if not path.exists():
        return
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        for cells in csv.reader(stream):
            if len(cells) == len(COLUMNS):
                yield ReportLine(*cells)
