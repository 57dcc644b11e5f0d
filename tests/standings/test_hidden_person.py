"""A hidden person is on no page and in no file, archive or API response."""

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from html import unescape
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin
from zipfile import ZipFile, is_zipfile

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from standings.management.commands.work import work_off
from tests.hiding import CYRILLIC_NAME, NAME, TRACES, create_events, create_person, link
from tests.markup import attributes_of
from tests.routes import VALUES, filled, public_routes
from tournaments.models import Competitor, Event, Person, Player
from tournaments.people.hiding.anonymise import anonymise

pytestmark = pytest.mark.django_db(transaction=True)

HOST = "http://testserver"
STARTS = (
    "/",
    "/sitemap.xml",
    "/feed.atom",
    "/added.atom",
    "/api/",
    "/api/openapi.json",
    "/api/events.ndjson",
)
IN_DATA = re.compile(r'(?:http://testserver)?(/(?:nl/)?(?:events|api|people|series)/[^\s"\'<>\\{}]*)')
PAGES = (
    *(
        ("", ""),
        ("/nl", ""),
        ("", "standings/?as=computed"),
        ("/nl", "standings/?layout=wide"),
        ("", "report/"),
    ),
    *(("/nl", "standings/"), ("/nl", "changes/"), ("/nl", "competitors/1/"), ("/nl", "rounds/1/")),
)

MOST = 6_000
"""Maximum number of responses of the crawl."""

ESCAPED = re.compile(r"\\\\?u([0-9a-fA-F]{4})")

NOT_OURS = ("/static/", "/admin/", "/criteria/", "/nl/")
"""Links that are not followed: pages that are the same for every event, and pages in Dutch."""


@pytest.fixture
def events(db: None) -> tuple[Event, Event]:
    players, teams = create_events()
    players.notes += f" {CYRILLIC_NAME} выиграла лучшую партию."
    players.save(update_fields=["notes"])
    return players, teams


def hide(events: tuple[Event, ...]) -> Person:
    """Link the competitors to a person, and hide the person."""
    person = create_person(hidden=True)
    for event in events:
        for competitor in Competitor.objects.filter(event=event, name=NAME):
            link(person, competitor)
        for player in Player.objects.filter(competitor__event=event, name=NAME):
            link(person, player)
        with transaction.atomic():
            anonymise(event)
    return person


def texts_of(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts in a file or in the files of an archive."""
    if is_zipfile(BytesIO(content)):
        with ZipFile(BytesIO(content)) as packed:
            for each in packed.namelist():
                yield from texts_of(f"{name}!{each}", packed.read(each))
    else:
        yield name, readable(content.decode(errors="replace"))


def readable(text: str) -> str:
    """Decode the escapes of JSON, HTML and URLs, which could conceal a name."""
    return unquote(unescape(ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)))


def traces_in(name: str, content: bytes) -> list[str]:
    """Return the names in a file that identify the person."""
    return [
        f"{place}: …{text[max(at - 60, 0) : at + 40]}…"
        for place, text in texts_of(name, content)
        for folded in (text.casefold(),)
        for trace in TRACES
        if (at := folded.find(trace.casefold())) >= 0
    ]


def content_of(client: Client, address: str) -> tuple[bytes, Mapping[str, str]]:
    """Return content and headers of a URL, once the worker has generated it."""
    answer = client.get(address)
    if answer.status_code == 202:
        work_off()
        answer = client.get(address)
    content = b"".join(answer) if answer.streaming else answer.content
    return content, answer.headers


def links_in(address: str, content: bytes, kind: str) -> Iterator[str]:
    """Yield the URLs on our host that a response contains."""
    text = content.decode(errors="replace")
    if kind.startswith("text/html"):
        for element in LexborHTMLParser(text).css("*"):
            given = attributes_of(element)
            found = (given.get(name) for name in ("href", "src", "hx-get", "action"))
            yield from (urljoin(HOST + address, each) for each in found if each)
    elif not kind.startswith(("image/", "font/")):
        yield from (HOST + each for each in IN_DATA.findall(text))


def crawled(starts: Iterator[str], *, follows: bool) -> dict[str, bytes]:
    """Return the responses of these URLs and, if links are followed, of every URL reached from them."""
    client = Client(raise_request_exception=False)
    found: dict[str, bytes] = {}
    waiting = deque(starts)
    while waiting and len(found) < MOST:
        address = waiting.popleft()
        if address in found:
            continue
        found[address], headers = content_of(client, address)
        found[f"headers of {address}"] = "\n".join(headers.values()).encode()
        if not follows:
            continue
        for each in links_in(address, found[address], headers.get("Content-Type", "")):
            # View options show the same rows in another way.
            whole = urldefrag(each).url.partition("?")[0]
            path = whole.removeprefix(HOST) or "/"
            if whole.startswith(HOST) and path not in found and not path.startswith(NOT_OURS):
                waiting.append(path)
    assert not waiting, f"{len(waiting)} addresses are left, such as {waiting[0]}"
    return found


def addresses_of(event: Event, person: Person) -> Iterator[str]:
    """Yield every URL of the URLconf for the event, its competitors and rounds, and the person."""
    values = VALUES | {
        "slug": event.slug,
        "key": str(person.pk),
        "named": "somebody",
        "against": str(person.pk),
    }
    for route in public_routes():
        for number in "1234":
            address = filled(
                route, values | {"number": number, "after": number, "first": number, "second": "4"}
            )
            yield address
            if number == "4":  # the person's own
                yield f"/nl{address}"


def test_person_is_visible_before_hiding(events: tuple[Event, Event]) -> None:
    for event in events:
        content, _headers = content_of(Client(), f"/events/{event.slug}.json")

        assert NAME in content.decode()
    assert CYRILLIC_NAME in readable(content_of(Client(), "/api/events/six-hidden/")[0].decode())


@pytest.mark.parametrize("follows", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_no_page_file_or_api_response_identifies_a_hidden_person(
    events: tuple[Event, Event], follows: bool
) -> None:
    """Requests every URL of the URLconf, and in the exhaustive run follows every link."""
    person = hide(events)
    starts = [*STARTS, "/?q=quixley", f"/people/{person.pk}/", f"/api/people/{person.pk}/", "/nl/"]
    starts += [f"{before}/events/{each.slug}/{page}" for each in events for before, page in PAGES]
    starts += [
        f"/events/{each.slug}.{ending}" for each in events for ending in ("json", "zip", "xlsx", "csv")
    ]
    starts += [address for each in events for address in addresses_of(each, person)]
    found = crawled(iter(dict.fromkeys(starts)), follows=follows)
    kept = [each for address, content in found.items() for each in traces_in(address, content)]

    # The search page repeats the reader's query.
    assert [each for each in kept if "?q=quixley" not in each] == []
    assert {*starts} <= found.keys()
    assert len(found) > 1_000 or not follows
    assert any(f"N.N. {person.pk}".encode() in content for content in found.values())


def test_site_archive_does_not_identify_a_hidden_person(events: tuple[Event, Event], tmp_path: Path) -> None:
    hide(events)
    call_command("publish_archive", "--all", "--out", str(tmp_path / "site"), verbosity=0)
    files = [each for each in (tmp_path / "site").rglob("*") if each.is_file()]

    assert len(files) > 50
    assert [found for file in files for found in traces_in(file.name, file.read_bytes())] == []


@pytest.mark.parametrize(
    "text",
    [
        r'"\u041a\u0432\u0438\u043a\u0441\u043b\u0438"',
        "%D0%9A%D0%B2%D0%B8%D0%BA%D1%81%D0%BB%D0%B8",
        "&#1050;виксли",
    ],
)
def test_escaped_names_are_detected(text: str) -> None:
    assert traces_in("a page", text.encode()) != []


def test_hiding_does_not_change_standings_and_prizes(events: tuple[Event, Event]) -> None:
    def told(slug: str) -> list[tuple[int, int]]:
        standings = json.loads(content_of(Client(), f"/api/events/{slug}/standings/")[0])
        return [(each["place"], each["number"]) for each in standings["rows"]]

    before = [told(each.slug) for each in events]
    category = content_of(Client(), "/events/six-hidden/standings/category/U20/")[0]
    hide(events)

    assert [told(each.slug) for each in events] == before
    assert NAME.encode() in category
    assert b"N.N. " in content_of(Client(), "/events/six-hidden/standings/category/U20/")[0]
