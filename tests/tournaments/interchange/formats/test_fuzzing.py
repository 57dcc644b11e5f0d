"""Any input: no exception, nothing stored in part, and a place for each error."""

import re
from html import escape
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.fuzzing import changed, damaged, long_enough, said
from tests.tournaments.interchange.formats.test_html import PAGE
from tests.tournaments.interchange.formats.test_sheets import Rows, ods, xls, xlsx
from tournaments.event.document import Document
from tournaments.interchange.formats.file_formats import read_event_file
from tournaments.interchange.formats.json.reader import Reading, read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.sources import sources
from tournaments.interchange.formats.tables.crosstable_cells import read_cell
from tournaments.interchange.formats.tables.grid import as_cell
from tournaments.interchange.formats.tables.html import grids_of_page
from tournaments.interchange.formats.tables.sheets import OLD_OFFICE
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.interchange.public import publishable
from tournaments.models import Change, Competitor, Event, Pairing, Round, Upload
from tournaments.recording.imports.importing import import_file, read_upload
from tournaments.stored import load

ROOT = Path(__file__).parents[4]
REAL = [*(ROOT / "tournaments/demo").glob("*.json"), *(ROOT / "tests/golden").glob("*.json")]
SMALL = [file.read_bytes() for file in sorted(REAL) if file.stat().st_size < 40_000]
"""Real events, without two of thousands of games, which take as long as fifty others."""
REPORTS = [
    write_report(document).encode() for document in (read(each).accepted for each in SMALL) if document
]

BASES = [samples.document(samples.players()), samples.document(samples.teams())]
EVENT_FILE = samples.text(samples.teams()).encode()
ROWS: Rows = [
    ["No", "Name", "Rating", "R1", "R2"],
    [1, "Ann", 2000, "2w2", "BYE"],
    [2, "Bea", 1.5, "1b0", "–"],
]
WORKBOOKS = [xlsx(ROWS), xls(ROWS), ods(ROWS)]

CELLS = st.one_of(
    st.sampled_from([
        "12w1", "+12", "W12", "54b½", "BYE", "½bye", "–", "2w2", "1b0", "3w+", "Ann", "1", "", "Round",
        "Name", "White", "Black", "Result", "No", "R1", "R2", "Board", "Player", "2-0", "+-", "½-½", "1:0",
    ]),
    st.from_regex(r"[0-9]{0,6}[wb]?[0-9½+=?-]{0,3}", fullmatch=True),
    st.text(max_size=12),
    st.integers().map(str),
)  # fmt: skip
NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), max_size=8
)  # zipfile writes no other compression
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=8), min_size=1, max_size=8)


def held(reading: Reading) -> None:
    """Check that findings have places, or that the document can be written."""
    said(reading.findings)
    assert reading.findings or reading.document
    if reading.accepted:
        write(reading.accepted)


def tried(base: Document, name: str, content: bytes) -> None:
    held(samples.read_into(base, name, content))


def as_shown(text: str) -> str:
    """Return a text as in a table cell, in which a browser collapses blanks and line ends."""
    return as_cell(re.sub("[ \t\n\r\f]+", " ", text.replace("\0", "")))


def packed(files: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@long_enough
@given(TABLES, st.sampled_from(["\t", ";", ",", "  "]), st.sampled_from(BASES))
def test_pasted_tables(rows: list[list[str]], separator: str, base: Document) -> None:
    text = "\n".join(separator.join(row) for row in rows)
    tried(base, "pasted.csv", text.encode("utf-8", "replace"))


@pytest.mark.exhaustive
@long_enough
@given(st.data())
def test_crosstables(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    numbers = st.integers(0, count + 1).map(str)
    cell = st.builds(
        "".join, st.tuples(numbers, st.sampled_from(["w", "b", ""]), st.sampled_from("210½+-=?"))
    )
    rows = [
        [str(number), f"P{number}", *data.draw(st.lists(cell, max_size=4))] for number in range(1, count + 1)
    ]
    text = "No;Name;R1;R2;R3;R4\n" + "\n".join(";".join(row) for row in rows)
    tried(data.draw(st.sampled_from(BASES)), "pasted.csv", text.encode())


@long_enough
@given(st.binary(max_size=300), st.sampled_from([".csv", ".xlsx", ".tsv"]), st.sampled_from(BASES))
def test_any_bytes(content: bytes, ending: str, base: Document) -> None:
    tried(base, f"file{ending}", content)


@long_enough
@given(st.text(max_size=20))
def test_any_cell(text: str) -> None:
    read_cell(text)


@pytest.mark.exhaustive
@long_enough
@given(data=st.data())
def test_damaged_workbooks(data: st.DataObject) -> None:
    """The workbook or a file in it is damaged."""
    content = data.draw(st.sampled_from(WORKBOOKS))
    if content.startswith(OLD_OFFICE) or data.draw(st.booleans()):
        tried(BASES[0], "file.xlsx", damaged(data.draw, content))
        return
    with ZipFile(BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = data.draw(st.sampled_from(sorted(files)))
    tried(BASES[0], "file.xlsx", packed(files | {name: damaged(data.draw, files[name])}))


@pytest.mark.exhaustive
@long_enough
@given(data=st.data(), name=st.sampled_from(["page.html", "page.xls", "pasted"]))
def test_damaged_pages(data: st.DataObject, name: str) -> None:
    tried(BASES[0], name, damaged(data.draw, PAGE.encode()))


@pytest.mark.exhaustive
@long_enough
@given(st.lists(TABLES, min_size=1, max_size=4), st.booleans())
def test_all_texts_of_a_page_are_read_or_reported(tables: list[list[list[str]]], is_laid_out: bool) -> None:
    """Tables follow each other, or are inside a layout table."""
    pieces = [
        "<table>"
        + "".join(f"<tr>{''.join(f'<td>{escape(cell)}' for cell in row)}" for row in rows)
        + "</table>"
        for rows in tables
    ]
    page = "".join(pieces)
    grids, _ = grids_of_page(f"<table><tr><td>{page}</td></tr></table>" if is_laid_out else page)
    read = [cell for grid in grids for row in grid.rows for cell in row.cells if cell]
    # As in a browser: parsers replace invalid characters.
    written = [as_shown(cell) for rows in tables for row in rows for cell in row]
    assert read == [each for each in written if each]


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Return files of an archive by name."""
    return {
        "event.json": EVENT_FILE,
        "below/report.trf": write_report(BASES[0]).encode(),
        "list.csv": b"No;Name\n1;Ann\n",
        "list.xlsx": WORKBOOKS[0],
        "inner.zip": packed({"event.json": b"{}"}),
    }


@pytest.mark.exhaustive
@pytest.mark.django_db
@long_enough
@given(data=st.data())
def test_damaged_archives(data: st.DataObject, tmp_path: Path, files: dict[str, bytes]) -> None:
    """The archive is damaged, or a file in it is damaged or has another name."""
    name = data.draw(st.sampled_from(sorted(files)))
    named = data.draw(st.just("") | NAMES) + name
    content = packed(files | {named: damaged(data.draw, files[name])})
    file = tmp_path / "events.zip"
    file.write_bytes(damaged(data.draw, content) if data.draw(st.booleans()) else content)
    for source in sources([file]):
        inside, problem = source.read()
        if problem:
            said([problem])
        else:
            held(read_upload(source.name, inside))


@pytest.mark.exhaustive
@long_enough
@given(data=st.data())
def test_damaged_real_events(data: st.DataObject) -> None:
    """Bytes or a value of an event file are changed, or bytes of a report."""
    match data.draw(st.sampled_from(["bytes", "value", "report"])):
        case "bytes":
            reading = read_event_file(damaged(data.draw, data.draw(st.sampled_from(SMALL))), "event.json")
        case "value":
            reading = read_event_file(changed(data.draw, data.draw(st.sampled_from(SMALL))), "event.json")
        case _:
            reading = read_event_file(damaged(data.draw, data.draw(st.sampled_from(REPORTS))), "event.trf")
    held(reading)


@pytest.mark.exhaustive
@pytest.mark.django_db
@long_enough
@given(data=st.data())
def test_damaged_event_files_are_stored_completely_or_rejected(data: st.DataObject) -> None:
    content = data.draw(st.sampled_from([changed, damaged]))(data.draw, EVENT_FILE)
    with transaction.atomic():
        findings = import_file("event.json", content, announce=lambda _: None)
        said(findings)
        if Event.objects.exists():
            accepted = read(content).accepted
            assert accepted
            assert load(Event.objects.get().slug) == publishable(accepted)
        else:
            assert [each for each in findings if each.severity == "error"]
            assert not any(model.objects.exists() for model in (Competitor, Round, Pairing, Change, Upload))
        transaction.set_rollback(True)
