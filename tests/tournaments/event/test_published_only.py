"""Event files with only a published ranking: facts that the import adds, and files that it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tournaments.event.checks.published import with_complete_results
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


WON, LOST = (
    {"table": 1, "first": 1, "second": 2, "score": [1, 0]},
    {"table": 1, "first": 2, "second": 1, "score": [1, 0]},
)
BYE = {"table": 2, "first": 3, "kind": "bye", "score": [1, None]}


@pytest.mark.parametrize(
    ("pairings", "codes"),
    [
        ([[WON, BYE]], ["results-incomplete"]),
        ([[WON, BYE], [WON, BYE]], ["results-complete"]),
        ([[WON, BYE], [LOST, BYE]], ["results-complete", "published-points", "published-points"]),
    ],
)
def test_recorded_results_are_compared_with_the_ranking(pairings: list[Any], codes: list[str]) -> None:
    data = case(rounds=2)
    data["published"] = {"order": [[1, 3], [2]], "columns": {"Pts": {"1": 2, "2": 0, "3": 2}}}
    data["rounds"] = [{"number": at, "pairings": each} for at, each in enumerate(pairings, start=1)]

    reading = read(json.dumps(data))

    assert not reading.errors
    found = [each.code for each in reading.findings if each.code != "met-before"]
    assert sorted(found) == sorted(codes)
    assert reading.document is not None
    known = with_complete_results(reading.document).event.unknown == ()
    assert known == ("results-complete" in codes)


def test_some_games_without_a_ranking_are_not_all_results() -> None:
    data = case(rounds=2)
    del data["published"]
    data["rounds"] = [{"number": 1, "pairings": [WON, BYE]}]

    document = read(json.dumps(data)).document

    assert document is not None
    assert with_complete_results(document).event.unknown == ("results",)


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
