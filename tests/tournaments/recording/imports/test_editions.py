"""The edition of FIDE's rules of an imported event follows from its start, and never changes
automatically.
"""

import json
from typing import Any

import pytest
from django.test import Client

from tournaments.interchange.formats.json.reader import EDITION_BY_START
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event
from tournaments.recording.imports.importing import import_file, read_upload
from tournaments.stored import load

pytestmark = pytest.mark.django_db


def event_file(**event: Any) -> dict[str, Any]:
    """Return an event file of a Swiss in chess with a round that one player missed."""
    about = {
        "slug": "autumn-open-2018", "name": "Autumn Open 2018", "start": "2018-10-01", "discipline": "chess",
        "entrants": "players", "schedule": "swiss", "rounds": 2, "scoring": {"game": [1, 0.5, 0]},
        "system": "fide-swiss",
    }  # fmt: skip
    players = [{"number": number, "name": name} for number, name in enumerate("ABC", start=1)]
    rounds = [
        {"number": 1, "pairings": [
            {"table": 1, "first": 1, "second": 2, "score": [1, 0]}, {"table": 2, "first": 3, "kind": "bye"},
        ]},
        {"number": 2, "pairings": [{"table": 1, "first": 2, "second": 3, "score": [0.5, 0.5]}]},
    ]  # fmt: skip
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": about | event,
        "competitors": players,
        "rounds": rounds,
    }


def imported(file: dict[str, Any]) -> list[str]:
    """Import an event file and return the codes of the findings."""
    content = json.dumps(file).encode()
    return [each.code for each in import_file("event.json", content, announce=lambda _: None)]


def test_an_event_without_a_start_gets_the_newest_edition_and_a_finding() -> None:
    file = event_file()
    del file["event"]["start"]
    assert imported(file) == [EDITION_BY_START]
    assert Event.objects.get().unplayed == "fide-2026"


@pytest.mark.parametrize(
    ("start", "edition"), [("2018-10-01", "fide-2009"), ("2024", "fide-2024"), ("2026-06-01", "fide-2026")]
)
def test_a_file_without_an_edition_gets_that_of_the_start(start: str, edition: str) -> None:
    assert imported(event_file(start=start)) == [EDITION_BY_START]
    assert Event.objects.get().unplayed == edition


def test_an_edition_in_the_file_counts() -> None:
    assert EDITION_BY_START not in imported(event_file(rules={"unplayed": "fide-2024"}))
    assert Event.objects.get().unplayed == "fide-2024"


def test_importing_again_keeps_the_stored_edition() -> None:
    """An earlier release ranked the event by the newest edition, which the migration wrote into it."""
    imported(event_file())
    Event.objects.update(unplayed="fide-2026")

    assert imported(event_file(place="Leiden")) == []
    assert (Event.objects.get().unplayed, Event.objects.get().place) == ("fide-2026", "Leiden")


def test_a_later_change_of_the_start_changes_no_edition() -> None:
    imported(event_file())
    imported(event_file(start="2025-10-01", end="2025-10-02"))
    assert Event.objects.get().unplayed == "fide-2009"


def test_the_export_names_the_edition() -> None:
    imported(event_file())
    reading = read_upload("event.json", write(load("autumn-open-2018")).encode())
    assert [each.code for each in reading.findings] == []


@pytest.mark.parametrize("address", ["standings/", "crosstable/", "standings/after/1/"])
def test_the_edition_is_shown_under_every_table(address: str) -> None:
    imported(event_file(schedule="round-robin", system="fide-round-robin", rounds=3))
    page = Client().get(f"/events/autumn-open-2018/{address}").text
    assert "Unplayed rounds count by FIDE&#x27;s rules of 2009." in page
