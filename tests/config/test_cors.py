"""Scripts of other sites can read data and error responses, but nothing else."""

import json
from itertools import product
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from config.database.faults import DatabaseAwayError
from config.security import SHOWN_HEADERS
from standings.downloads.views import FORMATS
from tests.cast import create_team_event
from tournaments.models import Event, FormerSlug

pytestmark = pytest.mark.django_db(transaction=True)

DOWNLOADS = [f"/events/two-teams.{ending}" for ending in (*(each.ending for each in FORMATS), "zip")]
DATA = [
    *DOWNLOADS,
    *(
        "/api/",
        "/api",
        "/api/events",
        "/api/events/",
        "/api/events.ndjson",
        "/api/openapi.json",
        "/api/no/such",
    ),
    *("/api/events/two-teams/standings/", "/api/events/nobody/", "/api/events/?limit=0", "/api/series/"),
    *("/schema/event/1.json", "/event-file/examples/live.json", "/event-file/examples/none.json", "/oembed/"),
    *("/feed.atom", "/nl/feed.atom", "/added.atom", "/events/two-teams/feed.atom", "/sitemap.xml"),
    *("/people/1/feed.atom", "/nl/teams/1/feed.atom", "/api/people/", "/api/teams/1/"),
    *(
        "/events/two-teams/rounds.ics",
        "/rounds.ics",
        "/events/nobody.json",
        "/events/nobody.zip",
        "/events/two.csv",
    ),
]
PAGES = ["/", "/nl/", "/events/two-teams/", "/nothing", "/admin/login/", "/healthz", "/validate/"]


@pytest.fixture
def reader() -> Client:
    """A client that gets error pages as readers do, and a team event with a former slug."""
    FormerSlug.objects.create(event=create_team_event(), slug="two")
    return Client(raise_request_exception=False)


def test_scripts_can_read_data_and_error_responses(reader: Client) -> None:
    for address, method in product(DATA, ("GET", "HEAD", "POST", "DELETE")):
        answer = reader.generic(method, address)
        answer.close()
        assert answer["Access-Control-Allow-Origin"] == "*", (method, address, answer.status_code)
        assert answer["Access-Control-Expose-Headers"] == SHOWN_HEADERS
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "Access-Control-Allow-Credentials" not in answer
        if answer.status_code == 405:
            assert answer["Allow"] == "GET, HEAD, OPTIONS"


def test_preflight_request_is_allowed(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True  # preflight requests must not be redirected
    headers = {"origin": "https://example.org", "access-control-request-method": "GET"}
    for address in DATA:
        answer = client.options(
            address, headers=headers | {"access-control-request-headers": "if-none-match"}
        )
        assert (address, answer.status_code, answer.content) == (address, 204, b"")
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "GET" in answer["Access-Control-Allow-Methods"].split(", ")
        assert "if-none-match" in answer["Access-Control-Allow-Headers"].lower().split(", ")


def test_scripts_cannot_read_pages_and_the_desk(reader: Client) -> None:
    for address, method in product(PAGES, ("GET", "OPTIONS")):
        assert "Access-Control-Allow-Origin" not in reader.generic(method, address), address


@pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.REMOVED])
def test_scripts_can_read_404_of_unpublished_events(reader: Client, state: str) -> None:
    Event.objects.update(state=state)
    for address in (*DOWNLOADS, "/api/events/two-teams/", "/events/two-teams/feed.atom"):
        answer = reader.get(address)
        assert answer.status_code == (404 if state == Event.State.DRAFT else 410), address
        assert answer["Access-Control-Allow-Origin"] == "*"


def test_scripts_can_read_503_of_an_outage(reader: Client) -> None:
    with patch.object(connection, "cursor", side_effect=DatabaseAwayError("gone")):
        answers = [reader.get(address) for address in (*DOWNLOADS, "/api/events/", "/api/events.ndjson")]
    for answer in answers:
        assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (503, "*")
        assert "Retry-After" in answer["Access-Control-Expose-Headers"]


def test_scripts_can_read_500_of_an_error(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("standings.caching.cached_pages.head_of", lambda *_: 1 / 0)
    for address in (DOWNLOADS[0], "/api/events/two-teams/"):
        answer = reader.get(address)
        assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (500, "*")
    assert json.loads(answer.content)["status"] == 500
