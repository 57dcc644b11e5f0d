"""Whatever comes in: no exception, nothing stored in part, and every refusal says where and why.

A short run here; FUZZ=20000 tries as many inputs of each sort.
"""

import json
import os
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments.files import samples
from tournaments.files.document import Document
from tournaments.files.finding import Finding
from tournaments.files.importing import import_file, read_into
from tournaments.files.stored import load
from tournaments.files.tables.played import read_cell
from tournaments.files.writer import write
from tournaments.models import Change, Competitor, Event, Pairing, Round, Upload

EXAMPLES = int(os.environ.get("FUZZ", "60"))
LONG = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)
BASES = [samples.document(samples.players()), samples.document(samples.teams())]
EVENT_FILE = samples.text(samples.teams()).encode()
ROWS = [["No", "Name", "Rating", "R1", "R2"], [1, "Ann", 2000, "2w2", "BYE"], [2, "Bea", 1.5, "1b0", "–"]]

CELLS = st.one_of(
    st.sampled_from([
        "12w1", "+12", "W12", "54b½", "BYE", "½bye", "–", "2w2", "1b0", "3w+", "Ann", "1", "", "Round",
        "Name", "White", "Black", "Result", "No", "R1", "R2", "Board", "Player", "2-0", "+-", "½-½", "1:0",
    ]),
    st.from_regex(r"[0-9]{0,6}[wb]?[0-9½+=?-]{0,3}", fullmatch=True),
    st.text(max_size=12),
    st.integers().map(str),
)  # fmt: skip
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=8), min_size=1, max_size=8)


def said(findings: tuple[Finding, ...]) -> None:
    """Every finding has a code and a sentence, and one about a row says which."""
    for each in findings:
        assert each.code
        assert each.message.strip()
        assert str(each)


def tried(base: Document, name: str, content: bytes) -> None:
    reading = read_into(base, name, content)
    said(reading.findings)
    assert reading.findings or reading.document
    if reading.accepted:
        write(reading.accepted)


def mutated(draw: Any, content: bytes) -> bytes:
    """The bytes with some replaced, taken out or put in."""
    raw = bytearray(content)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(raw) - 1, 0)))
        until = at + draw(st.integers(0, 8))
        raw[at:until] = draw(st.binary(max_size=8))
    return bytes(raw)


@LONG
@given(TABLES, st.sampled_from(["\t", ";", ",", "  "]), st.sampled_from(BASES))
def test_pasted_tables(rows: list[list[str]], separator: str, base: Document) -> None:
    text = "\n".join(separator.join(row) for row in rows)
    tried(base, "pasted.csv", text.encode("utf-8", "replace"))


@LONG
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


@LONG
@given(st.binary(max_size=300), st.sampled_from([".csv", ".xlsx", ".tsv"]), st.sampled_from(BASES))
def test_any_bytes(content: bytes, ending: str, base: Document) -> None:
    tried(base, f"file{ending}", content)


@LONG
@given(st.text(max_size=20))
def test_any_cell(text: str) -> None:
    read_cell(text)


@pytest.fixture(scope="module")
def workbook() -> bytes:
    book, out = openpyxl.Workbook(), BytesIO()
    assert book.active
    for row in ROWS:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


@LONG
@given(data=st.data())
def test_mutated_workbooks(data: st.DataObject, workbook: bytes) -> None:
    """Damaged as a whole, or in one of the files inside."""
    if data.draw(st.booleans()):
        tried(BASES[0], "file.xlsx", mutated(data.draw, workbook))
        return
    with ZipFile(BytesIO(workbook)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = data.draw(st.sampled_from(sorted(files)))
    files[name] = mutated(data.draw, files[name])
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    tried(BASES[0], "file.xlsx", out.getvalue())


@pytest.mark.django_db
@LONG
@given(data=st.data())
def test_mutated_event_files_are_stored_whole_or_not_at_all(data: st.DataObject) -> None:
    Event.objects.all().delete()
    content = data.draw(st.one_of(st.just(_changed(data.draw)), st.just(mutated(data.draw, EVENT_FILE))))
    findings = import_file("event.json", content, announce=lambda _: None)
    said(findings)
    if Event.objects.exists():
        write(load(Event.objects.get().slug))
    else:
        assert [each for each in findings if each.severity == "error"]
        assert not any(model.objects.exists() for model in (Competitor, Round, Pairing, Change, Upload))


def _changed(draw: Any) -> bytes:
    """The event file with one value anywhere replaced by another, still JSON."""
    value = json.loads(EVENT_FILE)
    parent, here = None, value
    key: Any = None
    while isinstance(here, dict | list) and here and draw(st.integers(0, 4)):
        parent, key = (
            here,
            draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here)))),
        )
        here = here[key]
    if parent is not None:
        parent[key] = draw(
            st.sampled_from([None, True, -1, 0, 3, 1e9, 0.25, "", "x", "1-0", [], {}, [1], "☃" * 300])
        )
    return json.dumps(value).encode()
