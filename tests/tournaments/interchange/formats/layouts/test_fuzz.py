"""Damaged examples of each layout: no exception, a place for each error, all lines counted."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.fuzzing import INPUTS, damaged, long_enough, said
from tournaments.interchange.formats.json.reader import Reading, read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile
from tournaments.interchange.formats.layouts.outline import outline_of
from tournaments.interchange.formats.layouts.reading import outline_for, read_into_event, read_new_event
from tournaments.interchange.formats.layouts.recognition import RecognisedFile, read_by_layout
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.tables.grid import as_cell

SIGNS = [
    "12w1", "-1", "½", "99w-", "zwz", "Dummy", "bye", "not paired", "- - +", "x", "*", "(Netherlands)", "Br.",
    "1. Runde", ";", ";;", "\n", "\n\n", "\t", "11½", "0w½", "3z1", "+12", "2/7w", "99999", "٣", "²", "#",
    "> 5B", "EXE", "4:W", " : ", "1 (b4)", "- (  )", '"rank":', "{",
    "[w] ", "Rk.;Name;1.Rd;2.Rd\n", "- : -",
]  # fmt: skip
# inputs for each layout in a normal run; the long run has as many as for other properties
USUAL, FEW = 30, 12

EVENT = samples.document(samples.players())
FORM = outline_of(
    {
        "slug": "damaged",
        "name": "Damaged",
        "start": "2019",
        "discipline": "chess",
        "rounds": "40",
        "boards": "4",
    },
    "the form",
)


def changed(draw: Any, text: str) -> str:
    """Return the text with characters inserted, or with lines removed, repeated or moved."""
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 5))):
            at = draw(st.integers(0, len(text)))
            text = text[:at] + draw(st.sampled_from(SIGNS)) + text[at + draw(st.integers(0, 4)) :]
        return text
    lines = text.splitlines()
    return "\n".join(draw(st.lists(st.sampled_from(lines), max_size=len(lines) + 2)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.code)
@settings(long_enough, max_examples=INPUTS if INPUTS > USUAL else FEW)
@given(data=st.data())
def test_damaged_file_is_read_or_rejected(data: st.DataObject, layout: Layout) -> None:
    content = changed(data.draw, layout.example).encode()
    if data.draw(st.booleans()):
        content = damaged(data.draw, content)
    options = ReadingOptions(layout=data.draw(st.sampled_from(["", layout.code])))
    file = LayoutFile(f"file{layout.endings[0]}", content, options)
    found = read_by_layout(file)
    made = read_new_event(found, outline_for(found.reading, FORM, file.name), options)
    held(made, file, found)
    if made.accepted:
        written = write(made.accepted)
        again = read(written)
        assert again.accepted, again.errors
        assert write(again.accepted) == written
    held(read_into_event(EVENT, found, options), file, found)


def held(reading: Reading, file: LayoutFile, found: RecognisedFile) -> None:
    """Check that findings have places, or that the account of the document has all lines."""
    said(reading.findings)
    assert reading.findings or reading.document
    if reading.document is None:
        return
    counted = {each.what: each.read + each.unread for each in reading.account}
    if found.reading.account is None:
        fewest = most = sum(not row.is_blank for grid in file.grids for row in grid.rows)
    else:
        # A line of separators or control characters is a blank row to layouts of cells, but not of text.
        fewest = sum(bool(as_cell(line).strip("; ,|")) for line in file.lines)
        most = sum(bool(line.strip()) for line in file.lines)
        if '"' in file.text:  # a cell may have several lines
            fewest = min(fewest, sum(not row.is_blank for grid in file.grids for row in grid.rows))
    # The XML reader counts elements and attributes instead of lines.
    assert "elements" in counted or fewest <= counted.get("lines", 0) <= most, reading.account
