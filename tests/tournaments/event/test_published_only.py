"""Event files with only a published ranking: facts that the import adds, and files that it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tournaments.event.finding import Severity
from tournaments.interchange.formats.file_formats import read_event_file
from tournaments.interchange.formats.json.reader import read

CASE = Path(__file__).parents[2] / "cases" / "published-only.json"


def case(**event: Any) -> Any:
    """Return the data of the case, with other keys of the event."""
    data = json.loads(CASE.read_bytes())
    data["event"].update({"unknown": ["results"], **event})
    return data


def test_final_file_with_a_ranking_and_no_pairings_gets_unknown_results() -> None:
    reading = read_event_file(CASE.read_bytes(), CASE.name)

    assert reading.document is not None
    assert reading.document.event.unknown == ("results",)
    assert [(each.code, each.where) for each in reading.findings] == [("only-published", "event.unknown")]
    assert reading.document.event.unplayed == ""


@pytest.mark.parametrize("state", ["draft", "live"])
def test_unfinished_file_without_pairings_keeps_its_results(state: str) -> None:
    data = case(state=state)
    del data["event"]["unknown"]

    reading = read_event_file(json.dumps(data).encode(), CASE.name)

    assert reading.document is not None
    assert reading.document.event.unknown == ()


def test_file_with_pairings_and_unknown_results_is_refused() -> None:
    data = case()
    data["rounds"] = [{"number": 1, "pairings": [{"table": 1, "first": 1, "second": 2, "score": [1, 0]}]}]

    found = {each.code: each for each in read(json.dumps(data)).findings}

    assert found["pairings-without-results"].severity is Severity.ERROR
    assert "Remove `results`" in found["pairings-without-results"].message
    assert "published-points" not in found


def test_file_without_results_and_ranking_is_reported() -> None:
    data = case()
    del data["published"]
    assert "nothing-published" in [each.code for each in read(json.dumps(data)).findings]


def test_override_of_an_event_without_results_is_reported() -> None:
    data = case()
    ruling = {"reason": "Drawn lots.", "by": "Arbiter", "at": "2004-07-09T18:00:00Z"}
    data["overrides"] = [{"id": 1, "kind": "place", "competitor": 2, "place": 1, "after": 0, **ruling}]

    found = {each.code: each.severity for each in read(json.dumps(data)).findings}

    assert found["override-without-results"] is Severity.WARNING
