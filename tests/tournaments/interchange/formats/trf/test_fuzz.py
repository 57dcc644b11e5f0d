"""Any file has a document or findings with lines, and never an exception."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.fuzzing import long_enough
from tests.tournaments.interchange.formats.trf.reports import PLAYERS, TEAMS
from tournaments.event.finding import Severity
from tournaments.interchange.formats.file_formats import is_report, read_event_file
from tournaments.interchange.formats.json.reader import Reading, read_to_import
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report

SAMPLES = [
    PLAYERS,
    TEAMS,
    write_report(samples.document(samples.players())),
    write_report(samples.document(samples.teams())),
]
PIECES = [line for sample in SAMPLES for line in sample.splitlines()]
SCRAPS = st.one_of(
    st.sampled_from(
        ["1", "0", "=", "+", "-", "U", "H", "Z", " ", "9999", "w", "b", "\r", "\t", "½", "É", "{", "\x00"]
    ),
    st.sampled_from(PIECES),
    st.text(max_size=12),
)


def holds(reading: Reading) -> None:
    """Check that the document can be written and read, or that errors have places."""
    for each in reading.findings:
        assert each.message.endswith("."), each
        if each.severity is Severity.ERROR and each.code not in {"not-a-report", "too-big"}:
            assert re.match("line [0-9]+", each.where), each
    if reading.accepted is None:
        assert reading.errors
        return
    first = write_report(reading.accepted)
    again = read_report(first.encode(), "fuzz")
    assert again.accepted is not None, again.errors
    assert write_report(again.accepted) == first


@given(st.binary(max_size=400))
@example(b"{")
@long_enough
def test_any_bytes(content: bytes) -> None:
    report = read_report(content, "fuzz")
    holds(report)
    expected = report if is_report("fuzz.trf", content) else read_to_import(content)
    assert read_event_file(content, "fuzz.trf") == expected


@pytest.mark.exhaustive
@given(st.lists(st.sampled_from(PIECES), max_size=30))
@long_enough
def test_any_lines_of_reports(lines: list[str]) -> None:
    holds(read_report("\n".join(lines).encode(), "fuzz"))


@pytest.mark.exhaustive
@given(st.sampled_from(SAMPLES), st.data())
@long_enough
def test_reports_with_overwritten_parts(sample: str, data: st.DataObject) -> None:
    text = sample
    for _ in range(data.draw(st.integers(1, 6))):
        at, scrap = data.draw(st.integers(0, len(text))), data.draw(SCRAPS)
        text = text[:at] + scrap + text[at + data.draw(st.sampled_from([0, len(scrap), 12])) :]
    holds(read_report(text.encode("utf-8", "replace"), "fuzz"))
