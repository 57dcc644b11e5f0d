"""A league with recorded match scores but no boards: criteria on boards have no value."""

import json
from pathlib import Path

import pytest
from django.test import Client

from tests.cast import stored_event

pytestmark = pytest.mark.django_db

CASE = Path(__file__).parents[2] / "cases" / "league-boards.json"


def test_table_notes_that_boards_are_not_recorded() -> None:
    stored_event(json.loads(CASE.read_text()))
    client = Client()

    rows = client.get("/api/events/league-boards/standings/").json()["rows"]
    page = client.get("/events/league-boards/standings/").text
    duel = client.get("/events/league-boards/compare/1/2/").text

    assert [(each["name"], each["place"]) for each in rows[:2]] == [("Team A", 1), ("Team B", 1)]
    assert rows[0]["values"]["wins@game"] == {"text": "?", "levels": []}
    assert "?: no value, because the boards of 3 matches are not all recorded." in page
    assert "level by every known value" in page
    assert "level by every known value" in duel
    assert "They are also level by" not in duel
    assert "Not known, so not used: number of boards won" in duel
    assert duel.count("not known, so not used") == 2
