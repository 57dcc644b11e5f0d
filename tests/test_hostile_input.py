"""Hostile values in addresses, queries, forms and headers cause no server error.

The addresses come from the URL configuration, and the fields from the rendered forms, so that new screens are
included. A request has a too large number in all fields; another has a hostile value in a single field.
`make test` sends few of these requests; `make test-all` sends them all, on each database.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import quote, urlencode
from zlib import crc32

import pytest
from django.db import connection, transaction
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from standings.caching.cached_pages import CHOICES
from tests.cast import Desk, create_desk, create_team_event
from tests.desk.addresses import addresses, path_to
from tests.markup import attributes_of
from tests.routes import PART, VALUES, address_of, filled, public_routes
from tournaments.models import Event, Round

TOO_LARGE = ("9223372036854775808", "9" * 5_000)
HOSTILE = (
    *("-1", "0", "32768", "2147483648", *TOO_LARGE),
    *("٣", "²", "1e999", "2026-02-31", "\x00", "x" * 3_000, "é\u200f\n<'\"%(x)s{{"),
)
"""Numbers too large for a column or `int()`, digits of other scripts, characters that a database refuses."""

JSON = ("", "[]", "{", "9" * 5_000, "[" * 5_000, '{"entries": [{"pairing": 1e999, "board": -1, "seen": []}]}')
HEADERS = ("X-Forwarded-For", "Accept-Encoding", "If-None-Match", "If-Modified-Since", "Cookie", "HX-Request")

ASKED = (*CHOICES, "revision", "first", "second")
"""Query parameters of public pages: choices of readers, forms and polling."""

ASKED_OF_LISTS = ("q", "p", "o", "all", "e", "event", "id", "id__exact", "_popup", "_changelist_filters")
ASKED_OF_SCREENS = ("revision", "totals", "missing", "next")
OWN = frozenset({"csrfmiddlewaretoken", "epoch"})
"""Fields that no screen reads."""

T = TypeVar("T")


@pytest.fixture(params=[pytest.param(211, id="few"), pytest.param(1, id="all", marks=pytest.mark.exhaustive)])
def step(request: pytest.FixtureRequest) -> int:
    """Return the step between requests of an address. It is odd, because fields have two values each."""
    found: int = request.param
    return found


@pytest.mark.django_db(transaction=True)
class TestReaders:
    @pytest.fixture(autouse=True)
    def event(self) -> None:
        create_team_event()

    def test_any_address(self, step: int) -> None:
        asked = (
            filled(route, VALUES | {part: quote(value)})
            for route in public_routes()
            for part in PART.findall(route)
            for value in drawn(HOSTILE, step, route, part)
        )
        assert faults_of(Client(), asked) == []

    def test_any_query(self, step: int) -> None:
        asked = (
            f"{address_of(each)}?{query}"
            for each in public_routes()
            for query in drawn(queries(each, ASKED), step, each)
        )

        assert faults_of(Client(), asked) == []

    def test_any_header(self, step: int) -> None:
        sayable = [value for value in HOSTILE if value.isascii() and value.isprintable()]
        wrong = [
            fault
            for name in HEADERS
            for value in sayable
            for fault in faults_of(
                Client(headers={name: value}), map(address_of, drawn(public_routes(), step, name, value))
            )
        ]
        assert wrong == []


@pytest.mark.django_db
class TestDesk:
    def test_any_address(self, desk: Desk, step: int) -> None:
        asked = (
            path_to(desk, name, route, **{part: quote(value)})
            for name, route in addresses()
            for part in PART.findall(route)
            for value in drawn((*TOO_LARGE, varied(route, part)), min(step, 3), route, part)
        )
        assert faults_of(desk.browser("superuser"), asked) == []

    def test_any_query(self, desk: Desk, step: int) -> None:
        asked = (
            f"{path_to(desk, name, route)}?{query}"
            for name, route in addresses()
            if name != "logout"
            for query in drawn(queries(route, asked_of(name)), step, route)
        )
        assert faults_of(desk.browser("superuser"), asked) == []

    @pytest.mark.exhaustive
    def test_whatever_is_typed_into_a_form(self, desk: Desk, step: int) -> None:
        browser, wrong = desk.browser("superuser"), []
        for name, route in addresses():
            address = path_to(desk, name, route)
            page = browser.get(address)
            if page.status_code == 200 and page["Content-Type"].startswith("text/html"):
                fields = fields_of(page.content.decode())
                typed = drawn(forms(route, fields), step, route)
                wrong += [posted(browser, address, urlencode(form)) for form in typed]

        assert list(filter(None, wrong)) == []

    def test_whatever_a_script_sends(self, desk: Desk) -> None:
        browser = desk.browser("superuser")
        wrong = [
            posted(browser, path_to(desk, name, route), body, "application/json")
            for name, route in addresses()
            if name in {"results-entries", "results-trial"}
            for body in (*JSON, *(json.dumps({"entries": [{"pairing": value}]}) for value in HOSTILE))
        ]
        assert list(filter(None, wrong)) == []


@pytest.fixture
def desk(db: None) -> Desk:
    """Two events with invalid stored dates."""
    desk = create_desk()
    Event.objects.update(start="2026-13-45", end="2026-02-31")
    Round.objects.update(date="2026-02-31")
    return desk


# --- requests ---------------------------------------------------------------------------------------------


def asked_of(name: str) -> Iterable[str]:
    """Return the query parameters of an address of the desk."""
    return ASKED_OF_LISTS if name.endswith(("list", "add")) else ASKED_OF_SCREENS


def varied(*told: str) -> str:
    """Return a value, always the same for the same place."""
    return HOSTILE[number_of(*told) % len(HOSTILE)]


def drawn(cases: Iterable[T], step: int, *told: str) -> Iterator[T]:
    """Yield every `step`-th case, beginning with one that depends on the place and the database only."""
    return islice(cases, number_of(connection.vendor, *told) % step, None, step)


def number_of(*told: str) -> int:
    return crc32(" ".join(told).encode())


def queries(route: str, names: Iterable[str]) -> Iterator[str]:
    """Yield queries with a too large number or another value in all parameters, and in each single one."""
    yield from (urlencode(dict.fromkeys(names, value)) for value in (*TOO_LARGE, varied(route)))
    yield from (urlencode({name: varied(route, name)}) for name in names)


def forms(route: str, fields: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield forms with such values in their fields, and with NUL, which PostgreSQL refuses."""
    yield from (dict.fromkeys(fields, value) for value in (*TOO_LARGE, varied(route)))
    yield from (
        {**fields, name: value} for name in fields for value in dict.fromkeys((varied(route, name), "\x00"))
    )


def fields_of(page: str) -> dict[str, str]:
    """Return the current fields of all forms of a page by name, with a value for required fields."""
    values, select = dict[str, str](), ""
    for field in LexborHTMLParser(page).css("input, button, textarea, select, option"):
        given = attributes_of(field)
        name, required = given.get("name", ""), "2" * ("required" in given)
        is_off = given.get("type") in {"checkbox", "radio", "file"} and "checked" not in given
        if field.tag in {"input", "button"} and name not in {"", *OWN} and not is_off:
            values[name] = given.get("value", "") or required
        elif field.tag == "textarea":
            text = field.text()
            values[name] = text if text.strip() else required
        elif field.tag == "select":
            select, values[name] = name, ""
        elif field.tag == "option" and ("selected" in given or not values.get(select)):
            values[select] = given.get("value", "")
    return values


# --- responses --------------------------------------------------------------------------------------------


def faults_of(browser: Client, asked: Iterable[str]) -> list[str]:
    """Request each address and return the faults."""
    return list(filter(None, (fault_of(browser, "GET", address) for address in dict.fromkeys(asked))))


def posted(browser: Client, address: str, body: str, kind: str = "application/x-www-form-urlencoded") -> str:
    """Post it and roll back; return the fault, or blank."""
    with transaction.atomic():
        fault = fault_of(browser, "POST", address, body, content_type=kind)
        transaction.set_rollback(True)
    return fault


def fault_of(browser: Client, method: str, address: str, body: str = "", **options: Any) -> str:
    """Send a request and return the server error, or blank."""
    browser.raise_request_exception = False
    answer: Any = browser.generic(method, address, body, **options)
    if answer.streaming:
        answer.getvalue()
    return (
        f"{method} {address[:200]} {body[:300]}: {answer.exc_info[1]!r}" if answer.status_code >= 500 else ""
    )
