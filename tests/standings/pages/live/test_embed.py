"""Embedded pages: content, frame policies, and oEmbed."""

import json
from typing import Any

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.cast import create_team_event
from tournaments.models import Competitor, Event, FormerSlug

pytestmark = pytest.mark.django_db(transaction=True)

EMBED = "/embed/events/two-teams/"
PAGES = ["standings/", "standings/after/1/", "rounds/1/", "crosstable/"]


def directives(policy: str) -> set[str]:
    """Return the directives of a policy, whose order varies between processes."""
    return set(policy.split("; "))


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.mark.parametrize("page", PAGES)
def test_any_site_may_frame_embedded_pages(event: Event, client: Client, page: str) -> None:
    answer = client.get(EMBED + page)
    assert {"frame-ancestors *", "base-uri 'self'", "default-src 'none'"} <= directives(
        answer["Content-Security-Policy"]
    )
    assert "X-Frame-Options" not in answer
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert not answer.cookies
    found = LexborHTMLParser(answer.content.decode())
    (base,) = found.css("base")
    assert base.attributes == {"href": f"http://testserver/events/two-teams/{page}", "target": "_blank"}
    assert len(found.css("tbody tr")) >= 2
    assert found.css("nav, form, .tabs") == []


def test_not_modified_response_repeats_the_policies(event: Event, client: Client) -> None:
    etag = client.get(f"{EMBED}standings/")["ETag"]
    again = client.get(f"{EMBED}standings/", headers={"if-none-match": etag})
    assert again.status_code == 304
    assert "frame-ancestors *" in directives(again["Content-Security-Policy"])


@pytest.mark.parametrize("address", ["/events/two-teams/standings/", "/", "/admin/login/"])
def test_other_pages_may_not_be_framed(event: Event, client: Client, address: str) -> None:
    answer = client.get(address)
    assert "frame-ancestors 'none'" in directives(answer["Content-Security-Policy"])
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("state", "status"), [(Event.State.DRAFT, 404), (Event.State.REMOVED, 410), (Event.State.FINAL, 200)]
)
def test_drafts_have_no_embedded_pages(event: Event, client: Client, state: str, status: int) -> None:
    Event.objects.update(state=state)
    answer = client.get(f"{EMBED}standings/")
    assert answer.status_code == status
    assert ("frame-ancestors 'none'" in directives(answer["Content-Security-Policy"])) == (status != 200)
    assert client.get("/oembed/?url=http://testserver/events/two-teams/").status_code == min(status, 404)


def test_former_slug_redirects_to_the_current_frame(event: Event, client: Client) -> None:
    FormerSlug.objects.create(event=event, slug="old")
    answer = client.get("/embed/events/old/standings/")
    assert (answer.status_code, answer["Location"]) == (301, f"{EMBED}standings/")


def test_number_of_rows_can_be_limited(event: Event, client: Client) -> None:
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Team {number}") for number in range(4, 40)
    )
    rows = {
        query: len(
            LexborHTMLParser(client.get(EMBED + "standings/" + query).content.decode()).css("tbody tr")
        )
        for query in ("", "?top=10", "?top=11", "?top=all")
    }
    assert rows == {"": 39, "?top=10": 10, "?top=11": 39, "?top=all": 39}


def test_race_begins_after_two_rounds_and_accepts_no_posts(event: Event, client: Client) -> None:
    assert "once two rounds have results" in client.get(f"{EMBED}race/").content.decode()
    assert client.post(f"{EMBED}standings/").status_code == 405
    assert client.head(f"{EMBED}standings/").status_code == 200


# --- oEmbed -----------------------------------------------------------------------------------------------


def oembed(client: Client, url: str, **asked: Any) -> dict[str, Any]:
    answer = client.get("/oembed/", {"url": url, **asked})
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    found: dict[str, Any] = json.loads(answer.content)
    return found


@pytest.mark.parametrize(
    ("page", "frame"),
    [
        ("events/two-teams/", "embed/events/two-teams/standings/"),
        ("events/two-teams/rounds/1/", "embed/events/two-teams/rounds/1/"),
        ("nl/events/two-teams/standings/", "nl/embed/events/two-teams/standings/"),
        ("embed/events/two-teams/crosstable/", "embed/events/two-teams/crosstable/"),
    ],
)
def test_oembed_returns_the_frame_of_a_page(event: Event, client: Client, page: str, frame: str) -> None:
    found = oembed(client, f"http://testserver/{page}")
    assert (found["type"], found["version"], found["title"]) == ("rich", "1.0", "Cup of Teams")
    assert found["html"].startswith(f'<iframe src="http://testserver/{frame}" title="Cup of Teams" width="')


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ({}, (720, 640)),
        ({"maxwidth": "400", "maxheight": "300"}, (400, 300)),
        ({"maxwidth": "1", "maxheight": "9999999"}, (240, 640)),
        ({"maxwidth": "-5", "maxheight": "x"}, (720, 640)),
    ],
)
def test_frame_size_is_limited(
    event: Event, client: Client, asked: dict[str, str], size: tuple[int, int]
) -> None:
    found = oembed(client, "http://testserver/events/two-teams/standings/", **asked)
    assert (found["width"], found["height"]) == size


@pytest.mark.parametrize(
    "url",
    [
        "",
        "events/two-teams/",
        "http://elsewhere.example/events/two-teams/",
        "javascript://testserver/events/two-teams/",
        "http://testserver/events/none/",
        "http://testserver/events/two-teams/changes/",
        "http://[/events/two-teams/",
    ],
)
def test_other_urls_have_no_frame(event: Event, client: Client, url: str) -> None:
    assert client.get("/oembed/", {"url": url}).status_code == 404


def test_names_are_escaped_and_xml_is_not_supported(event: Event, client: Client) -> None:
    Event.objects.update(name='"><script>')
    found = oembed(client, "http://testserver/events/two-teams/")
    assert "&quot;&gt;&lt;script&gt;" in found["html"]
    assert client.get("/oembed/?format=xml&url=http://testserver/events/two-teams/").status_code == 501
