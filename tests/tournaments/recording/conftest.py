"""An arbiter, and events under way."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import stored_event
from tournaments.models import Event


@pytest.fixture
def arbiter(db: None) -> User:
    return User.objects.create_user("mia", first_name="Mia", last_name="Maas")


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create_user("ben")


@pytest.fixture
def swiss(db: None) -> Event:
    """Four draughts players under a frozen system: round 1 closed, round 2 open with one game awaited."""
    return stored_event(swiss_file())


@pytest.fixture
def match(db: None) -> Event:
    """Two chess teams on three boards, one match of one round, no board in."""
    return stored_event(match_file())


def swiss_file() -> dict[str, Any]:
    names = ("Ann", "Bea", "Cas", "Dov")
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "four-players", "name": "Four Players", "state": "live", "discipline": "draughts-100",
            "entrants": "players", "schedule": "swiss", "rounds": 4, "scoring": {"game": [2, 1, 0]},
            "system": "fmjd-swiss",
        },
        "competitors": [{"number": number, "name": name} for number, name in enumerate(names, start=1)],
        "rounds": [
            {"number": 1, "pairings": [
                {"table": 1, "first": 1, "second": 2, "score": [2, 0]},
                {"table": 2, "first": 3, "second": 4, "score": [1, 1]},
            ]},
            {"number": 2, "state": "open", "pairings": [
                {"table": 1, "first": 1, "second": 3, "kind": "pending"},
                {"table": 2, "first": 4, "second": 2, "score": [2, 0]},
            ]},
        ],
    }  # fmt: skip


def match_file() -> dict[str, Any]:
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "one-match", "name": "One Match", "state": "live", "discipline": "chess",
            "entrants": "teams", "schedule": "swiss", "rounds": 1, "boards": 3,
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "league",
        },
        "competitors": [{"number": 1, "name": "Reds"}, {"number": 2, "name": "Blues"}],
        "rounds": [
            {"number": 1, "state": "open", "pairings": [
                {"table": 1, "first": 1, "second": 2, "kind": "pending"},
            ]},
        ],
    }  # fmt: skip
