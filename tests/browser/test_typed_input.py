"""Typed input is stored in the browser until it is saved, and offered when the page is opened again."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AssertAccessible, log_in
from tests.cast import PASSWORD, Hall, match_file, open_hall, prizes_file, swiss_file
from tests.tournaments.recording.desk import at, typed
from tournaments.models import Player
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round

STORED = "Object.keys(localStorage).filter(key => key.startsWith('typed:'))"
STORE_NOW = "dispatchEvent(new Event('beforeunload'))"
TYPED_AT = datetime(2026, 11, 28, 14, 5, tzinfo=UTC)


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return open_hall(prizes_file())


def offer(page: Page) -> Locator:
    return page.locator(".typed-offer")


def log_out(page: Page) -> None:
    page.locator("#user-tools summary").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in again")).to_be_visible()


def test_register_offers_typed_cells_after_the_session_has_ended(
    hall: Hall, page: Page, axe: AssertAccessible
) -> None:
    log_in(page, "anna")
    page.goto(hall.address("event-register") + "?sort=name")
    page.get_by_label("2 Bea: club").fill("Damlust")
    page.get_by_role("button", name="More rows").click()
    new = page.get_by_label("new: name")
    new.nth(8).fill("Fay")
    new.nth(9).fill("Eva")
    page.get_by_label("new: rating").nth(9).fill("much")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("Control+s")
    page.get_by_label("Username").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()

    expect(offer(page)).to_contain_text("sent, but not confirmed as saved: 4 fields.")
    expect(page.get_by_label("2 Bea: club")).to_have_value("")
    axe(page)
    page.get_by_role("button", name="Put them back").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("2 Bea: club")).to_have_value("Damlust")
    expect(page.get_by_label("2 Bea: club")).to_be_focused()
    expect(new.nth(9)).to_have_value("Eva")
    expect(page.locator(".put-back")).to_have_count(4)
    expect(page.locator("#changed-rows")).to_contain_text("Rows changed: 3.")
    axe(page)

    # A refused row remains stored, and is shown again without an offer. The saved new row does not.
    page.keyboard.press("Control+s")
    expect(page.locator(".messagelist")).to_contain_text("2 rows saved.")
    page.wait_for_load_state()
    expect(offer(page)).to_have_count(0)
    stored = page.evaluate(f"{STORED}.map(key => localStorage[key]).join()")
    assert "much" in stored
    assert "Fay" not in stored
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
            log_out(page)
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


def test_reasons_of_two_warnings_are_stored_separately(transactional_db: None, page: Page) -> None:
    file = swiss_file()
    met = [{"table": 1, "first": 1, "second": 2}, {"table": 2, "first": 3, "second": 4}]
    file["rounds"][1]["pairings"] = [{**each, "score": [1, 1]} for each in met]
    hall = open_hall(file)
    log_in(page, "anna")
    page.goto(hall.address("round-close", 2))
    reasons = page.get_by_label("Accept it, because")
    reasons.first.fill("Their wish.")
    page.goto(hall.address("event-desk"))
    page.goto(hall.address("round-close", 2))
    offer(page).get_by_role("button", name="Put them back").click()
    expect(reasons.first).to_have_value("Their wish.")
    expect(reasons.last).to_have_value("")


def test_second_tab_keeps_the_input_of_the_first_until_logout(hall: Hall, page: Page) -> None:
    log_in(page, "anna")
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(hall.address("event-register"))
    page.get_by_label("2 Bea: club").fill("Damlust")
    page.evaluate(STORE_NOW)
    other.get_by_label("3 Cas: club").fill("Dam")
    other.evaluate(STORE_NOW)
    count = "Object.keys(JSON.parse(localStorage[key]).fields).length"
    assert page.evaluate(f"{STORED}.map(key => {count})") == [2]

    log_out(other)
    page.get_by_label("2 Bea: club").fill("Damlust 2")
    page.evaluate(STORE_NOW)
    assert page.evaluate(STORED) == []


def test_offer_on_the_pairing_screen_stays_after_an_action(transactional_db: None, page: Page) -> None:
    hall = open_hall()
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])
    open_round(hall.event, hall.people["anna"])
    log_in(page, "anna")
    page.goto(hall.address("round-pairings", 3))
    page.locator("#command").fill("4 1")
    page.goto(hall.address("event-desk"))
    page.goto(hall.address("round-pairings", 3))
    expect(offer(page)).to_contain_text("1 field")
    page.locator("#command").fill("2 3")
    page.locator("#command").press("Enter")
    expect(page.locator("#done")).to_contain_text("3 Cas")
    expect(offer(page)).to_contain_text("1 field")

    page.get_by_role("button", name="Put them back").click()
    expect(page.locator("#command")).to_have_value("4 1")
    page.locator("#command").press("Enter")
    expect(page.locator("#done")).to_contain_text("4 Dov")
    page.evaluate(STORE_NOW)
    assert page.evaluate(STORED) == []


def test_line_up_that_is_put_back_stays_beside_its_absent_player(transactional_db: None, page: Page) -> None:
    hall = open_hall(match_file())
    reds = hall.event.competitors.get(number=1)
    Player.objects.bulk_create(
        Player(competitor=reds, board=board, name=f"Player {board}") for board in range(1, 6)
    )
    log_in(page, "anna")
    page.goto(hall.address("round-line-ups", 1))
    page.get_by_text("Roster and absent players").first.click()
    page.get_by_label("2 Player 2").check()
    page.get_by_label("Reds").fill("145")
    page.goto(hall.address("event-desk"))
    page.goto(hall.address("round-line-ups", 1))
    page.get_by_role("button", name="Put them back").click()
    expect(page.get_by_label("2 Player 2")).to_be_checked()
    expect(page.get_by_label("Reds")).to_have_value("145")
    expect(page.locator(".lineup-team").first.locator(".seated li")).to_have_text(
        ["Player 1", "Player 4", "Player 5"]
    )
