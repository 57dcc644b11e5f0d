"""Every address of the site during an outage of the database has a readable error page."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from config.database.faults import DatabaseAwayError, DatabaseBusyError, UnavailableError
from tests.cast import PASSWORD, Desk, create_desk, create_team_event
from tests.desk.addresses import addresses, path_to
from tests.routes import address_of, public_routes
from tournaments.models import Event
from tournaments.operations.processes.slots import closed_desk

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def refused(error: UnavailableError) -> Iterator[None]:
    """Refuse all queries until the end of the block."""
    with patch.object(connection, "cursor", side_effect=error):
        yield


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.fixture
def reader() -> Client:
    """A client that returns responses of status 500 instead of raising."""
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    "warm",
    [
        pytest.param(False, id="nothing kept"),
        pytest.param(True, id="all kept", marks=pytest.mark.exhaustive),
    ],
)
def test_no_public_address_fails(event: Event, reader: Client, warm: bool) -> None:
    addresses = [address_of(route) for route in public_routes()]
    addresses += [f"/nl{each}" for each in addresses] + [
        "/nothing",
        "/nl/nothing/",
        "/old.php?id=3",
        "/api/x/y",
    ]
    if warm:
        for address in addresses:
            reader.get(address).close()
    with refused(DatabaseAwayError("gone")):
        answers = {address: reader.get(address) for address in addresses}
    statuses = {address: answer.status_code for address, answer in answers.items()}
    assert set(statuses.values()) <= {200, 301, 302, 304, 404, 405, 503}, statuses
    assert statuses["/healthz"] == 200
    for address, answer in answers.items():
        if answer.status_code == 503 and "readyz" not in address:
            assert answer["Retry-After"].isdecimal(), address
            assert answer["Cache-Control"] == "public, max-age=0, s-maxage=1", address


def test_page_is_left_to_another_server_of_the_proxy(event: Event, reader: Client) -> None:
    page = "/events/two-teams/"
    reader.get(page)
    with refused(DatabaseAwayError("gone")):
        statuses = [reader.get(page, headers={"x-last-page": wanted}).status_code for wanted in ("no", "")]
    assert statuses == [403, 200]


def test_request_is_not_repeated_by_another_server_if_the_database_is_busy(
    event: Event, reader: Client
) -> None:
    addresses = ["/events/two-teams/", "/events/two-teams/crosstable/"]
    reader.get(addresses[0])
    with refused(DatabaseBusyError("busy")):
        statuses = [reader.get(each, headers={"x-last-page": "no"}).status_code for each in addresses]
    assert statuses == [200, 503]


def test_reader_is_told_in_his_language(event: Event, reader: Client) -> None:
    with refused(DatabaseAwayError("gone")):
        english, dutch = (reader.get(f"{prefix}/events/two-teams/") for prefix in ("", "/nl"))
        nowhere = reader.get("/nl/nothing/")
    assert b"This page cannot be shown at the moment" in english.content
    for answer in (dutch, nowhere):
        assert "Deze pagina kan op dit moment niet worden getoond" in answer.content.decode()


def test_api_says_it_in_its_own_shape(event: Event, reader: Client) -> None:
    with refused(DatabaseAwayError("gone")):
        for address in ("/api/events/", "/api/events/two-teams/standings/", "/api/nothing"):
            answer = reader.get(address)
            assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json"), address
            assert json.loads(answer.content)["status"] == 503
            assert answer["Access-Control-Allow-Origin"] == "*"


# --- the desk ---------------------------------------------------------------------------------------------


@pytest.fixture
def desk() -> Desk:
    return create_desk()


@pytest.fixture
def arbiter(desk: Desk) -> Client:
    browser = desk.browser("superuser")
    browser.raise_request_exception = False
    return browser


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_the_desk_fails_and_nobody_is_logged_out(
    desk: Desk, arbiter: Client, method: str
) -> None:
    wrong = []
    with refused(DatabaseAwayError("gone")):
        for name, route in addresses():
            answer = getattr(arbiter, method)(path_to(desk, name, route))
            if answer.status_code not in (302, 405, 503) or answer.cookies:
                wrong.append((name, answer.status_code, answer.cookies))
    assert wrong == []
    assert arbiter.get("/admin/").status_code == 200


def test_login_is_refused_and_its_password_is_not_given_back(desk: Desk, reader: Client) -> None:
    with refused(DatabaseAwayError("gone")):
        answer = reader.post("/admin/login/", {"username": "arbiter", "password": PASSWORD})
    assert answer.status_code == 503
    assert PASSWORD not in answer.content.decode()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DatabaseAwayError("gone"), "probably not saved"),
        (DatabaseBusyError("locked"), "Nothing was saved"),
    ],
)
def test_what_was_sent_can_be_sent_again(
    desk: Desk, arbiter: Client, error: UnavailableError, words: str
) -> None:
    address = reverse("admin:event-publish", args=[desk.event.pk, "final"])
    with refused(error):
        answer = arbiter.post(address, {"state": "final", "reason": 'the "end" <is> here'})
    page = answer.content.decode()
    assert answer.status_code == 503
    assert words in page
    assert f'<form method="post" action="{address}">' in page
    assert 'name="reason" value="the &quot;end&quot; &lt;is&gt; here"' in page
    assert "stored in this browser" in page


@contextmanager
def read_only() -> Iterator[None]:
    """The database refuses to write, until the end of the block."""
    switch = {
        "sqlite": "PRAGMA query_only = {}",
        "postgresql": "SET default_transaction_read_only = {}",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(switch.format("on"))
        try:
            yield
        finally:
            cursor.execute(switch.format("off"))


def test_database_that_cannot_be_written_is_named_and_used_again_at_once(
    desk: Desk, arbiter: Client, reader: Client
) -> None:
    address = reverse("admin:event-publish", args=[desk.event.pk, "removed"])
    fields = {"reason": "Two names were wrong."}
    with read_only():
        ready = reader.get("/readyz")
        refusal = arbiter.post(address, fields)
        shown = reader.get("/").status_code
    assert (ready.status_code, ready.content) == (503, b"the database cannot be written\n")
    assert refusal.status_code == 503
    assert "The database cannot be written" in refusal.content.decode()
    assert "Nothing was saved" in refusal.content.decode()
    assert shown == 200

    assert reader.get("/readyz").status_code == 200
    arbiter.post(address, fields)
    assert Event.objects.get(pk=desk.event.pk).state == "removed"


def test_typed_results_are_refused_with_what_their_script_understands(desk: Desk, arbiter: Client) -> None:
    address = reverse("admin:results-entries", args=[desk.event.pk, 1])
    with refused(DatabaseAwayError("gone")):
        answer = arbiter.post(address, {"entries": []}, content_type="application/json")
    assert answer.status_code == 503


def test_closed_desk_refuses_to_save_until_it_is_opened(event: Event, client: Client) -> None:
    login = reverse("admin:login")
    with closed_desk():
        refused_form = client.post(login, {"username": "anna", "password": PASSWORD})
        assert client.get(login).status_code == 200
    assert (refused_form.status_code, refused_form["Retry-After"]) == (503, "10")
    assert "The site is being updated" in refused_form.content.decode()
    assert client.post(login, {"username": "anna", "password": PASSWORD}).status_code == 200
