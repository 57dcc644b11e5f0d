"""Security headers on every response, and security.txt."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from config.security import PERMISSIONS_POLICY
from tests.cast import PASSWORD, create_account, create_team_event
from tests.routes import address_of, public_routes

FORM = {"username": "sara", "password": PASSWORD}
DATA = re.compile(
    r"/events/[^/]+\.\w+|/api/.*|/schema/.*|/event-file/examples/.*|/robots.txt|/sitemap.xml|/oembed/"
    r"|/people/1/games\.p[dg]n|(/events/.*|/people/1|/teams/1)?/(feed|added)\.atom|(/events/.*)?/rounds\.ics"
)
FOR_OTHER_SITES = re.compile(r"/embed/|/events/[^/]+/card.png$")
"""Pages that may be embedded, and preview images."""


@pytest.mark.django_db(transaction=True)  # closing a response may close the connection
def test_every_response_has_security_headers() -> None:
    create_team_event()
    client = Client()
    for address in (*map(address_of, public_routes()), "/admin/login/", "/static/css/base.css", "/nowhere"):
        answer = client.get(address)
        answer.close()
        assert answer["Permissions-Policy"] == PERMISSIONS_POLICY, address
        assert answer["X-Content-Type-Options"] == "nosniff", address
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin", address
        is_data = DATA.fullmatch(address)
        expected = "cross-origin" if is_data or FOR_OTHER_SITES.match(address) else "same-origin"
        assert (address, answer["Cross-Origin-Resource-Policy"]) == (address, expected)


@pytest.mark.django_db
def test_security_txt_is_404_without_contacts(client: Client) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404


def test_security_txt_expires_after_a_month(client: Client, settings: Settings) -> None:
    settings.SECURITY_CONTACT = ["mailto:security@crosstable.example", "https://crosstable.example/report"]
    answer = client.get("/.well-known/security.txt")

    lines = answer.content.decode().splitlines()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert lines[:2] == [
        "Contact: mailto:security@crosstable.example",
        "Contact: https://crosstable.example/report",
    ]
    until = datetime.fromisoformat(lines[2].removeprefix("Expires: "))
    assert timedelta(days=29) < until - datetime.now(UTC) <= timedelta(days=30)


@pytest.mark.django_db
def test_login_without_next_redirects_to_the_desk(client: Client) -> None:
    create_account("sara", is_superuser=True)

    assert client.post("/admin/login/", FORM)["Location"] == "/admin/"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "aim",
    [
        *("//evil.example/", "/\\evil.example", "https://evil.example/", "///evil.example"),
        *(
            "\\\\evil.example",
            "https:evil.example",
            "javascript:evil",
            "/\t/evil.example",
            "\n//evil.example",
        ),
    ],
)
def test_login_never_redirects_to_another_site(client: Client, aim: str) -> None:
    create_account("sara", is_superuser=True)

    assert client.post("/admin/login/", {**FORM, "next": aim})["Location"] == "/admin/"


def test_hsts_for_subdomains_and_preload_is_a_setting(settings: Settings) -> None:
    assert not settings.SECURE_HSTS_INCLUDE_SUBDOMAINS
    assert not settings.SECURE_HSTS_PRELOAD
    assert {"security.W005", "security.W021"} <= set(settings.SILENCED_SYSTEM_CHECKS)


@pytest.mark.django_db
def test_invalid_csrf_token_gets_an_error_page_of_the_site() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(create_account("sara", is_superuser=True))
    answer = browser.post("/admin/events/new/", FORM)
    page = answer.content.decode()

    assert answer.status_code == 403
    assert "This form has expired" in page
    assert "css/site.css" in page
    assert "no-store" in answer["Cache-Control"]
