"""Accounts at the desk: delayed logins, sessions, invitations, forgotten passwords."""

import os
import re
from pathlib import Path

import pytest
from django.core import mail
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from tests.browser.conftest import AssertAccessible, OpenPage, Watch, log_in, type_login
from tests.cast import PASSWORD, Desk, create_desk
from tournaments.accounts.services.login_delays import DELAY_RULES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NEW = "another long password"
WIDTHS = (360, 1280)


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    """Two events and their staff."""
    return create_desk()


def expect_well_made(page: Page, axe: AssertAccessible, name: str) -> None:
    """Assert that the page is accessible and fits a phone and a laptop."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} at {width}"
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)


@pytest.mark.exhaustive
def test_too_many_wrong_passwords_show_a_countdown(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, watch: Watch
) -> None:
    page = open_page(1280)
    page.goto("/admin/login/")
    for _ in range(DELAY_RULES["pair"].free + 3):
        page.get_by_label("Username").fill("anna")
        page.get_by_label("Password").fill("guessed")
        page.get_by_label("Password").press("Enter")
        page.wait_for_load_state()
        if page.get_by_text("You can try again in").count():
            break
    expect(page.locator("[data-wait]")).to_have_text(re.compile(r"You can try again in \d seconds?\."))
    expect_well_made(page, axe, "login-wait")
    expect(page.locator("[data-wait]")).to_have_text("You can try again now.")
    type_login(page, "anna")
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    watch.expect("429")


def test_sessions_can_be_ended_by_keyboard(desk: Desk, open_page: OpenPage, axe: AssertAccessible) -> None:
    page, other = open_page(1280, javascript=False), open_page(360)
    type_login(other, "anna")
    type_login(page, "anna")
    page.locator("#user-tools summary").click()
    page.get_by_role("link", name="Your account").click()
    expect(page.get_by_role("row")).to_have_count(3)
    button = page.get_by_role("button", name="Log out all others")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 browser is logged out.")).to_be_visible()
    other.goto("/admin/")
    expect(other.get_by_role("button", name="Log in")).to_be_visible()
    expect(other).to_have_url(re.compile("/admin/login/"))


@pytest.mark.exhaustive
def test_account_screens_are_accessible_and_fit(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible
) -> None:
    page = open_page(1280)
    log_in(page, "otto")
    for name, address in (
        ("account", "/admin/account/"),
        ("users", "/admin/users/"),
        ("user-invite", "/admin/users/invite/"),
        ("user", f"/admin/users/{desk.people['arbiter'].pk}/"),
        ("password-forgotten", "/admin/password/forgotten/"),
        ("password-set", "/admin/password/MQ/x-y/"),
    ):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect_well_made(page, axe, name)


def test_invitation_leads_to_the_first_login(desk: Desk, open_page: OpenPage, axe: AssertAccessible) -> None:
    organiser, invited = open_page(1280, javascript=False), open_page(360, javascript=False)
    log_in(organiser, "otto")
    organiser.goto("/admin/")
    organiser.get_by_role("link", name="Accounts", exact=True).first.click()
    organiser.get_by_role("link", name="Invite").click()
    organiser.get_by_label("Name to log in with").fill("ines")
    organiser.get_by_role("checkbox", name="Cup of Teams").check()
    organiser.get_by_role("button", name="Invite").click()
    link = organiser.locator("code.key").inner_text()
    assert not mail.outbox

    invited.goto(link)
    invited.get_by_label("New password:").fill(NEW)
    invited.get_by_label("New password confirmation").fill(NEW)
    invited.get_by_role("button", name="Set the password").click()
    invited.get_by_label("Username").fill("ines")
    invited.get_by_label("Password").fill(NEW)
    invited.get_by_role("button", name="Log in").click()
    expect(invited.get_by_role("link", name="Cup of Teams")).to_be_visible()


def test_passkey_can_be_added_and_used(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, settings: Settings
) -> None:
    """Chromium's virtual authenticator acts as a phone."""
    settings.PASSKEY_REQUIRED_FOR = ["arbiters"]
    page = open_page(1280)
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    kind = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    tools.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {**kind, "isUserVerified": True, "automaticPresenceSimulation": True}},
    )
    type_login(page, "anna")
    expect(page.get_by_text("Your role requires a passkey.")).to_be_visible()
    expect_well_made(page, axe, "passkeys-first")
    field = page.get_by_label("Name")
    field.fill("laptop")
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Backup codes")
    page.get_by_role("link", name="I have them: to the desk").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")

    page.locator("#user-tools summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)
    type_login(page, "anna")
    expect_well_made(page, axe, "passkey-asked")
    button = page.get_by_role("button", name="Use a passkey")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    page.goto("/admin/passkeys/")
    expect(page.get_by_role("row", name="laptop")).to_be_visible()
    expect_well_made(page, axe, "passkeys")
    field = page.get_by_label("Name")
    field.fill("again")
    field.press("Enter")
    expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeunload'))")
    assert page.evaluate("Object.keys(localStorage)") == ["typed-logout"]
    page.get_by_role("link", name="Remove laptop").click()
    expect_well_made(page, axe, "passkey-remove")
    field = page.get_by_label("Your password")
    field.fill(PASSWORD)
    field.press("Enter")
    expect(page.get_by_text("The passkey is removed here.")).to_be_visible()


@pytest.mark.exhaustive
def test_passkey_without_a_script_states_its_requirements(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible
) -> None:
    page = open_page(360, javascript=False)
    log_in(page, "anna")
    page.goto("/admin/passkeys/")

    expect(page.get_by_text("Passkeys need JavaScript")).to_be_visible()
    expect(page.get_by_role("button", name="Make a passkey")).to_have_count(0)
