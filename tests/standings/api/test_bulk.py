"""The bulk stream: an event file per line, and a last line that confirms completeness."""

import json
from gzip import decompress
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from standings.api import bulk
from tests.cast import create_player_event, create_team_event
from tournaments.models import Event, Revision

pytestmark = pytest.mark.django_db(transaction=True)

BULK = "/api/events.ndjson"


def lines_at(client: Client, address: str = BULK) -> list[Any]:
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson")
    content = answer.getvalue()
    answer.close()
    assert content.endswith(b"\n")
    return [json.loads(line) for line in content.decode().removesuffix("\n").split("\n")]


def test_each_line_is_an_event_file_and_the_last_confirms_completeness(client: Client) -> None:
    event = create_team_event()
    create_player_event()
    Event.objects.filter(pk=event.pk).update(notes="first\u2028second\nthird")
    *events, last = lines_at(client)
    assert [each["slug"] for each in events] == ["two-players", "two-teams"]
    for each in events:
        assert each["event_file"] == client.get(f"/events/{each['slug']}.json").json()
    assert (last["events"], last["removed"]) == (2, 0)


def test_removed_events_are_listed_and_drafts_are_not(client: Client) -> None:
    event, other = create_team_event(), create_player_event()
    draft = create_player_event("draft")
    Event.objects.filter(pk=draft.pk).update(state=Event.State.DRAFT)
    Revision.objects.filter(event=draft).update(public_at=None)
    Event.objects.filter(pk=event.pk).update(state=Event.State.REMOVED)
    *events, last = lines_at(client)
    assert [(each["slug"], "removed" in each) for each in events] == [
        ("two-players", False),
        ("two-teams", True),
    ]
    assert last["removed"] == 1
    since = Revision.objects.get(event=event).changed_at.isoformat()
    *events, _ = lines_at(client, f"{BULK}?modified_since={since}")
    assert [each["slug"] for each in events] == ["two-teams"], other


def test_it_is_conditional_and_any_site_may_read_it(client: Client) -> None:
    event = create_team_event()
    answer = client.head(BULK)
    assert answer["Access-Control-Allow-Origin"] == "*"
    for asked in ({"if-none-match": answer["ETag"]}, {"if-modified-since": answer["Last-Modified"]}):
        again = client.get(BULK, headers=asked)
        assert (again.status_code, again["ETag"]) == (304, answer["ETag"])
    Event.objects.filter(pk=event.pk).update(name="Another Cup")
    changed = client.get(BULK, headers={"if-none-match": answer["ETag"], "accept-encoding": "gzip"})
    assert (changed.status_code, changed["Content-Encoding"]) == (200, "gzip")
    assert b"Another Cup" in decompress(changed.getvalue())
    changed.close()
    assert client.get(f"{BULK}?modified_since=soon").status_code == 400
    assert client.post(BULK).status_code == 405


def test_few_may_read_it_at_once_and_each_gives_its_place_back(client: Client) -> None:
    create_team_event()
    reading = [client.get(BULK) for _ in range(bulk.MOST_AT_ONCE)]
    refused = client.get(BULK)
    assert (refused.status_code, refused["Retry-After"]) == (503, str(bulk.AGAIN))
    assert refused["Content-Type"] == "application/problem+json"
    assert client.head(BULK).status_code == 200
    for each in reading:  # closed before its first line is read
        each.close()
        each.close()
    assert len(lines_at(client)) == 2


def test_it_costs_the_same_for_each_event(client: Client) -> None:
    create_team_event()
    with CaptureQueriesContext(connection) as one:
        lines_at(client)
    create_team_event("other")
    with CaptureQueriesContext(connection) as two:
        lines_at(client)
    assert len(two) - len(one) <= 12
    assert len(one) <= 16
