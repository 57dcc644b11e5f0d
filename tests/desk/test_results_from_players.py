"""Results sent by players, on the results screen."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.cast import browser_of
from tests.tournaments.recording.desk import at, typed
from tournaments.event.choices import PlayersEntry
from tournaments.models import Event, Pairing, ResultSent, Round
from tournaments.recording.results.from_players import PlayersGame, send_result
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


@pytest.fixture
def swiss(swiss: Event) -> Event:
    """Return an event with two open games in round 2, whose results both players have to send."""
    Event.objects.update(players_entry=PlayersEntry.BOTH)
    Pairing.objects.filter(round__number=2).update(kind="pending", first_score=None, second_score=None)
    swiss.refresh_from_db()
    return swiss


def address(event: Event, name: str = "results") -> str:
    return reverse(f"admin:{name}", args=[event.pk, 2])


def send(event: Event, table: int, **texts: str) -> None:
    """Send a result for a side or both."""
    pairing = at(event, 2, table)
    for side, text in texts.items():
        send_result(PlayersGame(pairing, 0, pairing), side, text, "192.0.2.0/24")


def fields(page: Any) -> list[Any]:
    return [field for _table, listed in page.context["tables"] for field in listed]


def posted(page: Any, **more: str) -> dict[str, str]:
    """Return the form values with a button pressed, including the agreed results."""
    form = dict(more)
    for field in fields(page):
        form[f"line-{field.row.key}"] = field.sent_back
        form[f"text-{field.row.key}"] = field.text
        if field.came and field.came.is_agreed:
            form[f"agreed-{field.row.key}"] = field.came.came.text
    return form


def results_of(event: Event) -> list[tuple[str, int | None, int | None]]:
    rows = Pairing.objects.filter(round__event=event, round__number=2).order_by("table")
    return [(row.kind, row.first_score, row.second_score) for row in rows]


AWAITED = ("pending", None, None)


def test_sent_results_do_not_count_until_taken(swiss: Event, client: Client) -> None:
    send(swiss, 1, first="2-0", second="2-0")
    page = client.get(address(swiss)).content.decode()

    assert results_of(swiss) == [AWAITED, AWAITED]
    assert "White sent 2-0" in page
    assert "Black sent 2-0" in page


def test_take_all_enters_agreed_results(swiss: Event, client: Client) -> None:
    send(swiss, 1, first="2-0", second="2-0")
    send(swiss, 2, first="1-1")
    page = client.get(address(swiss))
    assert page.context["agreed"] == 1
    client.post(address(swiss), posted(page, **{"take-all": "1"}))

    assert results_of(swiss) == [("played", 4, 0), AWAITED]


def test_result_is_taken_as_shown(swiss: Event, client: Client) -> None:
    send(swiss, 2, first="1-1")
    page = client.get(address(swiss))
    key = fields(page)[1].row.key
    send(swiss, 2, first="2-0")
    client.post(address(swiss), posted(page, **{f"take-{key}": "1-1"}))

    assert results_of(swiss) == [AWAITED, ("played", 2, 2)]


def test_different_results_are_not_agreed(swiss: Event, client: Client) -> None:
    send(swiss, 1, first="2-0", second="0-2")
    page = client.get(address(swiss))

    assert page.context["agreed"] == 0
    assert fields(page)[0].came.differs
    assert fields(page)[0].came.takes == ["2-0", "0-2"]


def test_stored_result_is_not_replaced_by_sent_results(swiss: Event, client: Client, anna: User) -> None:
    send(swiss, 1, first="2-0", second="2-0")
    page = client.get(address(swiss))
    enter(swiss, [typed(at(swiss, 2, 1), "0-2")], anna)
    answer = client.post(address(swiss), posted(page, **{"take-all": "1"}))

    assert results_of(swiss)[0] == ("played", 0, 4)
    assert fields(answer)[0].is_conflict
    assert fields(client.get(address(swiss)))[0].came.differs
    assert fields(client.get(address(swiss)))[0].came.takes == []


def test_polling_returns_sent_results(swiss: Event, client: Client) -> None:
    shown = client.get(address(swiss)).context["revision"]
    assert client.get(address(swiss, "results-news"), {"revision": shown}).status_code == 204
    send(swiss, 1, first="2-0")
    news = json.loads(client.get(address(swiss, "results-news"), {"revision": shown}).content)
    [html] = news["sent"].values()

    assert "White sent 2-0" in html
    assert client.get(address(swiss, "results-news"), {"revision": news["revision"]}).status_code == 204


def test_sent_results_cost_two_queries_if_enabled(swiss: Event, client: Client) -> None:
    send(swiss, 1, first="2-0", second="2-0")
    queries = []
    for mode in (PlayersEntry.BOTH, PlayersEntry.OFF):
        Event.objects.update(players_entry=mode)
        with CaptureQueriesContext(connection) as asked:
            client.get(address(swiss))
        queries.append(len(asked))

    assert queries[0] - queries[1] == 2


def test_draft_shows_no_sent_results(swiss: Event, client: Client) -> None:
    send(swiss, 1, first="2-0", second="2-0")
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)

    assert client.get(address(swiss)).context["agreed"] == 0
    assert ResultSent.objects.count() == 2
