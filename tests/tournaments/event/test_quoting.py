"""A finding quotes only the beginning of a long value."""

import json

import pytest

from tests.tournaments.interchange.formats import samples
from tournaments.event.finding import MOST_QUOTED, MOST_SAID, Place, cut, cut_message, error
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.validating.validation import validate

LONG = "x" * 20_000


def test_a_message_cuts_each_quoted_value() -> None:
    found = error("code", Place(), f"“{LONG}” is not “short”, and “{LONG}” is not either.")

    assert found.message == f"“{cut(LONG)}” is not “short”, and “{cut(LONG)}” is not either."
    assert len(cut(LONG)) == MOST_QUOTED


def test_message_with_quotation_marks_in_values_is_cut_at_the_end() -> None:
    assert len(cut_message(f"“{'”' * 20_000}” is no name.")) == MOST_SAID
    assert len(cut_message(f"“{'“' * 20_000}” is no name.")) == MOST_SAID


def test_a_short_message_stays_as_it_is() -> None:
    text = "Round 3 is there already; “a” and “b” are not."

    assert cut_message(text) == text


def test_a_long_key_is_cut_in_the_place_and_still_found_in_the_file() -> None:
    data = samples.players()
    data["event"][LONG] = 1

    (found,) = validate(json.dumps(data, indent=1).encode(), "event.json").findings

    assert found.finding.where == f"event.{cut(LONG)}"
    assert found.line is not None
    assert len(found.finding.message) <= MOST_SAID


@pytest.mark.parametrize("key", ["slug", "name", "start", "system", "unplayed", "time_zone", "entrants"])
def test_no_finding_of_an_event_file_quotes_a_long_value(key: str) -> None:
    data = samples.players()
    data["event"][key] = LONG

    findings = validate(json.dumps(data).encode(), "event.json").findings

    assert findings
    assert all("x" * (MOST_QUOTED + 1) not in each.finding.message for each in findings)


def test_no_finding_of_a_table_quotes_a_long_value() -> None:
    table = f"No;Name;Pts;1\n1;Ann;1;{LONG[:1_000]}\n2;Bea;0;1b0\n".encode()

    found = read_by_layout(LayoutFile("table.csv", table))

    texts = [each.message for each in found.reading.findings] + list(found.recognition.evidence)
    assert all("x" * (MOST_QUOTED + 1) not in each for each in texts)
