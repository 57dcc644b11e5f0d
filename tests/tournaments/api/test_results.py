"""Results of the write API: versions, repetition, corrections, and concurrent clients."""

import json
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client

from tests.cast import create_account, stored_event, swiss_file
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.roles import Role
from tournaments.accounts.services.tokens import create_token
from tournaments.api import results
from tournaments.models import Event, Pairing
from tournaments.models.versioned import past_of
from tournaments.operations.epoch import epoch_now
from tournaments.recording.results.submissions import BUSY, SubmissionOutcome

pytestmark = pytest.mark.django_db


class Caller:
    """A client with a token for results of round 2, in which a game is open."""

    def __init__(self) -> None:
        self.event: Event = stored_event(swiss_file())
        values = {"name": "laptop", "actions": ["results"], "all_events": True, "events": [], "ends": None}
        self.account = create_account("otto", Role.ORGANISER)
        self.token, self.secret = create_token(self.account, values)
        self.address = f"/api/write/events/{self.event.slug}/rounds/2/results"

    def send(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        known = {"Authorization": f"Bearer {self.secret}", **headers}
        sent = json.dumps(body) if body is not None else ""
        return Client().generic(method, address, sent, "application/json", headers=known)

    def listed(self) -> dict[int, Any]:
        return {each["table"]: each for each in self.send("GET", self.address).json()["results"]}

    def put(self, table: int, result: str, version: str | int, key: str = "", **more: Any) -> Any:
        body = {"result": result, "version": version, **more}
        return self.send("PUT", f"{self.address}/{table}", body, **{"Idempotency-Key": key or str(uuid4())})

    def put_all(self, *results: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
        answer = self.send("PUT", self.address, {"results": results, **more})
        assert answer.status_code == 200, answer.content
        return list(answer.json()["outcomes"])


@pytest.fixture
def caller(db: None) -> Caller:
    return Caller()


def open_table(caller: Caller) -> tuple[int, str]:
    """Return number and version of the table without a result."""
    return next((number, each["version"]) for number, each in caller.listed().items() if not each["result"])


def number_of(version: str) -> int:
    return int(version.partition(".")[0])


def following(version: str) -> str:
    number, epoch = version.split(".")
    return f"{int(number) + 1}.{epoch}"


def pairing(caller: Caller, table: int) -> Pairing:
    return Pairing.objects.get(round__event=caller.event, round__number=2, table=table)


def test_result_is_stored_with_history_and_raises_the_version(caller: Caller) -> None:
    table, version = open_table(caller)
    outcome = caller.put(table, "2-0", version).json()

    assert (outcome["state"], outcome["result"], outcome["version"]) == ("saved", "2-0", following(version))
    assert caller.listed()[table]["result"] == "2-0"
    stored = pairing(caller, table)
    last = past_of(Pairing).objects.filter(id=stored.pk).latest("history_id")
    assert last.history_user == caller.account
    assert "laptop: 1 results of round 2" in LogEntry.objects.latest("pk").change_message


def test_same_key_returns_the_same_outcome(caller: Caller) -> None:
    (table, version), key = open_table(caller), str(uuid4())
    first = caller.put(table, "2-0", version, key).json()
    again = caller.put(table, "2-0", version, key).json()

    assert again == {**first, "repeated": True}
    assert pairing(caller, table).version == number_of(version) + 1
    assert LogEntry.objects.filter(change_message__contains="results of round").count() == 1


def test_stale_result_returns_the_stored_value(caller: Caller) -> None:
    table, version = open_table(caller)
    caller.put(table, "2-0", version)
    stale = caller.put(table, "0-2", version)

    told = stale.json()
    assert (stale.status_code, stale["Content-Type"]) == (409, "application/problem+json")
    assert (told["result"], told["version"], told["by"]) == ("2-0", following(version), "otto")
    outcome = caller.put_all({"id": str(uuid4()), "table": table, "result": "0-2", "version": version})[0]
    assert (outcome["state"], outcome["result"], outcome["version"]) == (
        "conflict",
        "2-0",
        following(version),
    )
    assert caller.listed()[table]["result"] == "2-0"


def test_version_of_another_epoch_is_stale(caller: Caller) -> None:
    table, version = open_table(caller)
    number = number_of(version)
    assert version == f"{number}.{epoch_now()}"
    assert caller.put(table, "2-0", f"{number}.before-the-restore").status_code == 409
    assert caller.put(table, "2-0", "no-version").status_code == 422
    assert caller.put(table, "2-0", number).status_code == 200


def test_each_result_of_a_list_has_an_outcome_in_order(caller: Caller) -> None:
    table, version = open_table(caller)
    entries = [
        {"id": str(uuid4()), "table": table, "result": "nonsense", "version": version},
        {"id": str(uuid4()), "table": table, "board": 1, "result": "2-0", "version": version},
        {"id": str(uuid4()), "table": table, "result": "2-0", "version": version},
    ]
    outcomes = caller.put_all(*entries)

    assert [each["id"] for each in outcomes] == [each["id"] for each in entries]
    assert [each["state"] for each in outcomes] == ["refused", "refused", "saved"]
    assert "no table 99" in caller.put(99, "2-0", 0).json()["detail"]
    assert caller.put(table, "nonsense", version).status_code == 422


def test_unknown_table_is_refused_and_the_others_are_stored(caller: Caller) -> None:
    table, version = open_table(caller)
    entries = [
        {"id": str(uuid4()), "table": number, "result": "2-0", "version": version} for number in (99, table)
    ]
    outcomes = caller.put_all(*entries)
    assert [each["state"] for each in outcomes] == ["refused", "saved"]
    assert "no table 99" in outcomes[0]["message"]


def test_key_of_another_result_is_refused(caller: Caller) -> None:
    (table, version), key = open_table(caller), str(uuid4())
    caller.put(table, "2-0", version, key)
    for other, result in ((table, "0-2"), (table % 2 + 1, "2-0")):
        refused = caller.put(other, result, version, key)
        assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
        assert "another entry" in refused.json()["detail"]
    entry = {"id": key, "table": table, "result": "0-2", "version": version}
    assert [each["state"] for each in caller.put_all(entry)] == ["refused"]
    assert caller.put(table, "2-0", following(version), key).json()["repeated"]
    assert caller.listed()[table]["result"] == "2-0"


def test_body_must_be_complete(caller: Caller) -> None:
    table, version = open_table(caller)
    path = f"{caller.address}/{table}"
    for body, headers in (
        ({"result": "2-0"}, {"Idempotency-Key": str(uuid4())}),
        ({"result": "2-0", "version": version}, {}),
        ({"result": "2-0", "version": version}, {"Idempotency-Key": "1"}),
        ({"result": "2-0", "version": version, "tabel": 1}, {"Idempotency-Key": str(uuid4())}),
    ):
        assert caller.send("PUT", path, body, **headers).status_code == 422
    assert pairing(caller, table).version == number_of(version)


def test_busy_event_is_503(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    table, version = open_table(caller)

    def refuse(_event: Event, typed: list[Any], _by: Any) -> list[SubmissionOutcome]:
        return [SubmissionOutcome(str(each.id), BUSY) for each in typed]

    monkeypatch.setattr(results, "enter", refuse)
    answer = caller.put(table, "2-0", version)
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert int(answer["Retry-After"]) > 0
    outcome = caller.put_all({"id": str(uuid4()), "table": table, "result": "2-0", "version": version})[0]
    assert outcome["state"] == "busy"


@pytest.mark.django_db(transaction=True)
def test_concurrent_clients_get_a_conflict(caller: Caller) -> None:
    (table, version), statuses = open_table(caller), []

    def write(result: str) -> None:
        key = str(uuid4())
        while (answer := caller.put(table, result, version, key)).status_code == 503:
            assert int(answer["Retry-After"]) > 0  # the other client has locked the event
        statuses.append(answer.status_code)
        connection.close()

    threads = [Thread(target=write, args=[result]) for result in ("2-0", "0-2")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(statuses) == [200, 409]
    assert pairing(caller, table).version == number_of(version) + 1
    assert ApiToken.objects.get().last_used is not None


@pytest.mark.parametrize("board", [0, 32768])
def test_invalid_number_of_a_board_is_refused(caller: Caller, board: int) -> None:
    table, version = open_table(caller)
    headers = {"Idempotency-Key": str(uuid4())}
    body = {"result": "1-0", "version": version}
    answer = caller.send("PUT", f"{caller.address}/{table}/{board}", body, **headers)
    assert (answer.status_code, answer.json()["findings"][0]["place"]) == (422, "path.board")


def test_results_of_a_lent_event_are_refused_with_its_home(caller: Caller) -> None:
    table, version = open_table(caller)
    Event.objects.update(home="Laptop of hall 2")
    refused = caller.put(table, "2-0", version)
    assert refused.status_code == 422
    assert "Laptop of hall 2" in refused.json()["detail"]
    entry = {"id": str(uuid4()), "table": table, "result": "2-0", "version": version}
    assert [each["state"] for each in caller.put_all(entry)] == ["refused"]
