"""Eight simultaneous results: the first wins, seven are conflicts, and no data are lost."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.cast import create_account, stored_event, swiss_file
from tests.tournaments.recording.desk import at, typed
from tournaments.models import Event, Pairing, Receipt
from tournaments.models.versioned import past_of
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import SubmissionOutcome, enter

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 8


def at_once(event: Event, entries: list[SubmittedResult]) -> list[SubmissionOutcome]:
    """Store every entry by another arbiter in a thread, all started together."""
    arbiters = [create_account(f"arbiter-{number}") for number in range(MANY)]
    ready = Barrier(MANY)

    def one(entry: SubmittedResult, by: User) -> SubmissionOutcome:
        try:
            ready.wait(timeout=60)
            [outcome] = enter(event, [entry], by)
            return outcome
        finally:
            connection.close()

    with ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(one, entries, arbiters))


@pytest.fixture
def hall(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database file, because SQLite's in-memory database has other locks than the file of a site."""
    if connection.vendor != "sqlite":
        yield
        return
    memory, name = connection.connection, connection.settings_dict["NAME"]
    with closing(sqlite3.connect(tmp_path / "hall.sqlite3")) as file:
        memory.backup(file)
    connection.settings_dict["NAME"], connection.connection = str(tmp_path / "hall.sqlite3"), None
    yield
    connection.close()
    connection.settings_dict["NAME"], connection.connection = name, memory


@pytest.fixture
def event(hall: None) -> Event:
    return stored_event(swiss_file())


@pytest.mark.parametrize("texts", [["2-0"] * MANY, ["2-0", "1-1", "0-2", "w", "b", "+-", "-+", "?"]])
def test_the_first_of_eight_wins_and_seven_are_conflicts(event: Event, texts: list[str]) -> None:
    outcomes = at_once(event, [typed(at(event, 2, 1), text) for text in texts])
    assert sorted(outcome.state for outcome in outcomes) == ["conflict"] * (MANY - 1) + ["saved"]
    [winner] = [outcome for outcome in outcomes if outcome.state == "saved"]
    told = [outcome for outcome in outcomes if outcome.state == "conflict"]
    [stored] = past_of(Pairing).objects.filter(id=at(event, 2, 1).pk).select_related("history_user")
    assert {(each.text, each.version, each.by) for each in told} == {
        (winner.text, 2, stored.history_user.username)
    }
    assert at(event, 2, 1).version == 2


def test_an_id_sent_eight_times_is_stored_once(event: Event) -> None:
    outcomes = at_once(event, [typed(at(event, 2, 1), "2-0")] * MANY)
    assert {outcome.state for outcome in outcomes} == {"saved"}
    assert sorted(outcome.repeated for outcome in outcomes) == [False] + [True] * (MANY - 1)
    assert at(event, 2, 1).version == 2
    assert Receipt.objects.count() == 1


def test_eight_simultaneous_boards_of_a_match_add_up(hall: None) -> None:
    event = stored_event(wide_match())
    outcomes = at_once(event, [typed(at(event, 1, 1), "1", board) for board in range(1, MANY + 1)])
    assert {outcome.state for outcome in outcomes} == {"saved"}
    assert at(event, 1, 1).first_score == 2 * MANY


def wide_match() -> dict[str, Any]:
    data = swiss_file()
    data["event"] |= {"discipline": "chess", "entrants": "teams", "boards": MANY, "system": "league"}
    data["event"]["scoring"] = {"game": [1, 0.5, 0], "match": [2, 1, 0]}
    data["rounds"] = [
        {
            "number": 1,
            "state": "published",
            "pairings": [{"table": 1, "first": 1, "second": 2, "kind": "pending"}],
        }
    ]
    return data
