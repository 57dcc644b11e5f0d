"""The desk's frame in a real browser: its screens, the second factor, two people at one form."""

import re
from base64 import b32decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from django_otp.oath import totp
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage
from tests.desk.addresses import addresses, path_to
from tests.desk.cast import PASSWORD, Desk, create_desk
from tests.desk.matrix import COLUMNS, MATRIX
from tournaments.models import Competitor

CSS = Path(__file__).parents[2] / "static" / "css"
NO_SCREENS = {"event-file", "event-backup", "event-upload", "results-news", "jsi18n"}
"""What answers with a file or with news."""
OF_DJANGO = re.compile(r"password_change|_delete$|^app_list$")
"""Screens whose sentences are Django's own."""


def screens(desk: Desk) -> Iterator[tuple[str, str]]:
    """Every screen that the matrix opens to a superuser: its name and its address."""
    for name, route in addresses():
        if MATRIX[name][COLUMNS.index("superuser")] == "200" and name not in NO_SCREENS:
            yield name, path_to(desk, name, route)


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    """Two events and everybody who works on them."""
    return create_desk()


def log_in(page: Page, name: str) -> None:
    page.goto("/admin/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


@pytest.mark.parametrize("width", [1280, 768])
def test_every_screen_is_accessible_says_what_it_is_for_and_fits(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    page.goto("/admin/login/")
    axe(page)
    log_in(page, "sara")
    for name, address in screens(desk):
        page.goto(address)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        if not OF_DJANGO.search(name):
            expect(page.locator(".purpose").first, address).not_to_be_empty()


def test_the_second_factor_from_setup_to_the_next_login(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible
) -> None:
    page = open_page(1280)
    log_in(page, "anna")
    page.get_by_role("link", name="Second factor").click()
    expect(page.get_by_role("img", name="QR code of the key")).to_be_visible()
    key = page.locator(".key").inner_text()
    page.get_by_role("textbox", name="Code").fill(code_of(key))
    page.get_by_role("button", name="Switch the second factor on").click()
    axe(page)
    backup = page.locator(".codes code").first.inner_text()

    page.get_by_role("button", name="Log out").click()
    log_in(page, "anna")
    axe(page)
    page.get_by_role("textbox", name="Code").fill(backup)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    page.get_by_role("link", name="Second factor").click()
    expect(page.get_by_text("9 backup codes are left.")).to_be_visible()
    axe(page)


def code_of(key: str) -> str:
    """What an authenticator makes of the key as it is printed."""
    return f"{totp(b32decode(key.replace(' ', ''))):06}"


def test_two_people_at_one_form(desk: Desk, open_page: OpenPage) -> None:
    greens = Competitor.objects.get(event=desk.event, number=3)
    first, second = open_page(1280), open_page(768, 800, javascript=False)
    for page, name in ((first, "anna"), (second, "otto")):
        log_in(page, name)
        page.goto(f"/admin/tournaments/competitor/{greens.pk}/change/")
    first.locator("#id_name").fill("Green Team")
    first.get_by_role("button", name="Save", exact=True).click()
    second.locator("#id_name").fill("The Greens")
    second.get_by_role("button", name="Save", exact=True).click()

    expect(
        second.get_by_role("heading", name="anna saved “Green Team” while you were editing it")
    ).to_be_visible()
    second.get_by_label("The Greens – as you, otto, typed it").check()
    second.get_by_role("button", name="Save", exact=True).click()
    greens.refresh_from_db()
    assert greens.name == "The Greens"


def test_the_desk_and_the_site_have_one_green() -> None:
    greens = [re.findall(r"--accent: (#\w+)", (CSS / name).read_text()) for name in ("site.css", "desk.css")]

    assert greens[0] == greens[1]
    assert len(greens[0]) == 2
