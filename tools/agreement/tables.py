"""Import real tables of programs and sites, and compare them with their printed points and places.

    python -m tools.agreement.tables DATA

DATA is a folder with `tables`. Each file is recognised, read as a new event, and printed in a line: its
layout, the read and unread parts, the number of printed points and places that agree with the results, and
every finding. The lines are in docs/tables.md, with the reason for each disagreement. The exit code is 1 if a
line has changed.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()


from standings.checking.comparing import agreements_with_published
from tools.agreement.differences import cells_of
from tournaments.event.document import Document
from tournaments.event.judging import judge_document
from tournaments.interchange.formats.file_formats import address_of, is_report, read_event_file
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.outline import outline_of
from tournaments.interchange.formats.layouts.reading import outline_for, read_new_event
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.options import ReadingOptions

DOCUMENT = Path(__file__).parents[2] / "docs" / "tables.md"
COLUMNS = ("file", "layout", "holds", "account", "printed", "findings", "why")
NOTHING = "–"
DATES = ReadingOptions(dates="dmy")

FORM: dict[str, dict[str, str]] = {
    "chess-results-pairings-teams.html": {"rounds": "9"},
    "cross-table-german-lobaziewicza-2007.csv": {"discipline": "draughts-100"},
    "league-broken-off-2019.csv": {"discipline": "football", "rounds": "34"},
    "swiss-manager-text-san-sebastian.txt": {"start": "2009"},
    "uscf-cross-table.txt": {"start": "2000"},
}
"""Values for the import form by file, if the file lacks a fact or has it wrong."""


@dataclass(frozen=True)
class TableLine:
    """The outcome for a file, as in a row of the document; `why` is written by hand."""

    file: str
    layout: str
    read: str
    account: str
    printed: str
    findings: str

    @property
    def needs_reason(self) -> bool:
        return self.findings != NOTHING or "not read" in self.account or "differ" in self.printed


def lines_of(data: Path) -> Iterator[TableLine]:
    for path in sorted((data / "tables").iterdir()):
        if path.name != "index.json":
            yield line_of(path)


def line_of(path: Path) -> TableLine:
    layout, reading = reading_of(path)
    found = Counter(f"{each.severity} {each.code}" for each in reading.findings)
    return TableLine(
        file=path.name,
        layout=layout,
        read=_size(reading.document),
        account="; ".join(
            f"{each.what} {each.read}" + (f", {each.unread} not read" if each.unread else "")
            for each in reading.account
        ),
        printed=_printed(reading),
        findings="; ".join(f"{code} × {count}" for code, count in sorted(found.items())) or NOTHING,
    )


def reading_of(path: Path) -> tuple[str, Reading]:
    """Return the layout of a file or the kind of report, and the file as a new event."""
    content = path.read_bytes()
    if is_report(path.name, content) and path.suffix != ".txt":
        return "report", read_event_file(content, path.name, options=DATES)
    found = read_by_layout(LayoutFile(path.name, content, DATES))
    chosen = outline_of({"slug": address_of(path.name), **FORM.get(path.name, {})}, "the form")
    outline = outline_for(found.reading, chosen, path.name)
    layout = found.recognition.layout
    return (layout.code if layout else NOTHING), read_new_event(found, outline, DATES)


def _size(document: Document | None) -> str:
    if document is None:
        return NOTHING
    pairings = sum(1 for _ in document.pairings())
    return f"{len(document.competitors)} in {len(document.rounds)} rounds, {pairings} pairings"


def _printed(reading: Reading) -> str:
    """Return how many printed points follow from the results, and how each other printed column agrees."""
    document = reading.document
    if document is None:
        return NOTHING
    counts = {each.what: each for each in reading.account}
    told = []
    for what in ("points", "places"):
        account = counts.get({"places": "ranks"}.get(what, what))
        if account and account.read:
            differ = sum(each.code == f"printed-{what}" for each in reading.findings)
            told.append(f"{what} {account.read}" + (f", {differ} differ" if differ else ""))
    if document.published:
        agreements = agreements_with_published(judge_document(document), document.published)
        told += [f"{each.label} {each.agreeing} of {each.rows} equal" for each in agreements if each.checked]
    return "; ".join(told) or NOTHING


# --- document ---------------------------------------------------------------------------------------------


def row_of(line: TableLine, why: str = NOTHING) -> str:
    return f"| {' | '.join((*astuple(line), why))} |"


def known(document: Path = DOCUMENT) -> dict[str, tuple[TableLine, str]]:
    rows = (cells_of(text) for text in document.read_text().splitlines())
    return {
        cells[0]: (TableLine(*cells[:6]), cells[6]) for cells in rows if len(cells) == 7 and "." in cells[0]
    }


def compare_tables(data: Path) -> bool:
    in_document, agreed = known(), True
    for line in lines_of(data):
        before, why = in_document.pop(line.file, (None, NOTHING))
        is_same = line == before and (why != NOTHING or not line.needs_reason)
        agreed = agreed and is_same
        print("  " if is_same else "! ", row_of(line, why), sep="")
        if before and not is_same:
            print("   was", row_of(before, why))
    for file in in_document:
        print(f"! {file} is gone.")
    return agreed and not in_document


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.agreement.tables", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("data", metavar="DATA", type=Path, help="a folder with tables")
    return 0 if compare_tables(parser.parse_args().data) else 1


if __name__ == "__main__":
    sys.exit(main())
