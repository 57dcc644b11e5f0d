"""Typed input is stored in the browser until it is saved, and offered when the page is opened again."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AssertAccessible, log_in
from tests.cast import PASSWORD, Hall, open_hall, prizes_file

STORED = "Object.keys(localStorage).filter(key => key.startsWith('typed:'))"
TYPED_AT = datetime(2026, 11, 28, 14, 5, tzinfo=UTC)


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return open_hall(prizes_file())


def offer(page: Page) -> Locator:
    return page.locator(".typed-offer")


def test_register_offers_typed_cells_after_the_session_has_ended(
    hall: Hall, page: Page, axe: AssertAccessible
) -> None:
    log_in(page, "anna")
    page.goto(hall.address("event-register") + "?sort=name")
    page.get_by_label("2 Bea: club").fill("Damlust")
    page.get_by_role("button", name="More rows").click()
    new = page.get_by_label("new: name")
    new.nth(9).fill("Eva")
    page.get_by_label("new: rating").nth(9).fill("much")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("Control+s")
    page.get_by_label("Username").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()

    expect(offer(page)).to_contain_text("sent, but not confirmed as saved: 3 fields.")
    expect(page.get_by_label("2 Bea: club")).to_have_value("")
    axe(page)
    page.get_by_role("button", name="Put them back").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("2 Bea: club")).to_have_value("Damlust")
    expect(page.get_by_label("2 Bea: club")).to_be_focused()
    expect(new.nth(9)).to_have_value("Eva")
    expect(page.locator(".put-back")).to_have_count(3)
    expect(page.locator("#changed-rows")).to_contain_text("Rows changed: 2.")
    axe(page)

    # A refused row remains stored, and is shown again without an offer.
    page.keyboard.press("Control+s")
    expect(page.locator(".messagelist")).to_contain_text("1 row saved.")
    expect(offer(page)).to_have_count(0)
    assert len(page.evaluate(STORED)) == 1
    page.locator("[aria-invalid=true]").fill("1900")
    page.keyboard.press("Control+s")
    expect(page.locator(".messagelist")).to_contain_text("1 row saved.")
    assert page.evaluate(STORED) == []
    assert page.url.endswith("?sort=name")
    assert hall.event.competitors.filter(name="Eva", rating=1900).exists()


def test_prizes_are_offered_after_a_network_failure_for_24_hours(hall: Hall, page: Page) -> None:
    page.clock.install(time=TYPED_AT)
    log_in(page, "anna")
    page.goto(hall.address("event-prizes"))
    page.get_by_role("button", name="Add a row").click()
    page.get_by_label("Amount").last.fill("75")
    page.get_by_label("Several prizes per player").check()
    page.get_by_label("Currency").fill("usd")
    with page.expect_event("dialog") as warning:
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("link", name="The categories of this event").click()
    assert warning.value.type == "beforeunload"

    page.goto(hall.address("event-prizes"))
    expect(offer(page)).to_contain_text("Typed on 28 Nov 14:05 and not sent: 3 fields.")
    page.get_by_role("button", name="Put them back").click()
    page.route("**/prizes/", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Save the prizes").click()
    page.unroute("**/prizes/")

    page.clock.set_system_time(datetime(2026, 11, 29, 14, 4, tzinfo=UTC))
    page.goto(hall.address("event-prizes"))
    page.get_by_role("button", name="Put them back").click()
    expect(page.get_by_label("Amount").last).to_have_value("75")
    expect(page.get_by_label("Several prizes per player")).to_be_checked()
    expect(page.get_by_label("Currency")).to_have_value("usd")
    page.clock.set_system_time(datetime(2026, 11, 29, 14, 6, tzinfo=UTC))
    page.goto(hall.address("event-desk"))
    assert page.evaluate(STORED) == []


def test_typed_input_is_removed_at_logout_and_for_another_account(hall: Hall, page: Page) -> None:
    for leave in ("logout", "login of another account"):
        log_in(page, "anna")
        page.goto(hall.address("event-categories"))
        page.get_by_label("Name:").first.fill("Damen")
        if leave == "logout":
            page.get_by_role("button", name="Log out").click()
            expect(page.get_by_role("link", name="Log in again")).to_be_visible()
            assert page.evaluate(STORED) == []
        else:
            page.goto(hall.address("event-desk"))
            assert len(page.evaluate(STORED)) == 1
            log_in(page, "ben")
            page.goto(hall.address("event-categories"))
            assert page.evaluate(STORED) == []
        log_in(page, "anna")
        page.goto(hall.address("event-categories"))
        expect(offer(page)).to_have_count(0)


def test_values_changed_by_another_arbiter_are_shown_beside_the_typed_ones(hall: Hall, page: Page) -> None:
    log_in(page, "anna")
    page.goto(hall.address("event-register"))
    page.get_by_label("2 Bea: club").fill("Damlust")
    page.get_by_label("3 Cas: club").fill("Dam")
    page.goto(hall.address("event-desk"))
    hall.event.competitors.filter(number=2).update(club="Schaakmat", version=9)
    hall.event.competitors.filter(number=3).update(club="Dam", version=9)
    page.goto(hall.address("event-register"))
    expect(offer(page)).to_contain_text("not sent: 1 field. This page has been changed since.")
    expect(offer(page)).to_contain_text("2 Bea: club: now “Schaakmat”, you typed “Damlust”")
    page.get_by_role("button", name="Discard").click()
    expect(offer(page)).to_have_text("Discarded.")
    expect(page.get_by_label("2 Bea: club")).to_have_value("Schaakmat")
    page.reload()
    expect(offer(page)).to_have_count(0)
    assert page.evaluate(STORED) == []
