"""The example of each layout, damaged: no exception, every refusal says where, every line is counted."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats import samples
from tests.tournaments.formats.fuzzing import INPUTS, damaged, long_enough, said
from tournaments.formats.json.reader import Reading, read
from tournaments.formats.json.writer import write
from tournaments.formats.layouts import LAYOUTS
from tournaments.formats.layouts.layout import Layout, LayoutFile
from tournaments.formats.layouts.outline import outline_of
from tournaments.formats.layouts.reading import outline_for, read_into_event, read_new_event
from tournaments.formats.layouts.recognition import RecognisedFile, read_by_layout
from tournaments.formats.options import ReadingOptions
from tournaments.formats.tables.grid import as_cell

SIGNS = [
    "12w1", "-1", "½", "99w-", "zwz", "Dummy", "bye", "not paired", "- - +", "x", "*", "(Netherlands)", "Br.",
    "1. Runde", ";", ";;", "\n", "\n\n", "\t", "11½", "0w½", "3z1", "+12", "2/7w", "99999", "٣", "²", "#",
    "[w] ", "Rk.;Name;1.Rd;2.Rd\n", "- : -",
]  # fmt: skip
USUAL, FEW = 30, 12
"""Each of the layouts gets a few inputs in every run, and as many as any other property in the long one."""

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
    """The text with signs put in, or with lines taken out, twice, or in another order."""
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 5))):
            at = draw(st.integers(0, len(text)))
            text = text[:at] + draw(st.sampled_from(SIGNS)) + text[at + draw(st.integers(0, 4)) :]
        return text
    lines = text.splitlines()
    return "\n".join(draw(st.lists(st.sampled_from(lines), max_size=len(lines) + 2)))


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
    """Findings that say where and why, or a document, and then every line of the file in the account."""
    said(reading.findings)
    assert reading.findings or reading.document
    if reading.document is None:
        return
    counted = {each.what: each.read + each.unread for each in reading.account}
    if found.reading.account is None:
        fewest = most = sum(not row.is_blank for grid in file.grids for row in grid.rows)
    else:
        # A line of separators or control signs alone is a blank row to layouts of cells, not of text.
        fewest = sum(bool(as_cell(line).strip("; ,|")) for line in file.lines)
        most = sum(bool(line.strip()) for line in file.lines)
        if '"' in file.text:  # a cell may hold several lines
            fewest = min(fewest, sum(not row.is_blank for grid in file.grids for row in grid.rows))
    # XML has no lines that say anything: its reader counts elements and attributes.
    assert "elements" in counted or fewest <= counted.get("lines", 0) <= most, reading.account
