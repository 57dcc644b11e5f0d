"""Attendance at the door on a phone: searching, marking, withdrawing, late entries, byes; also offline."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, Watch, log_in
from tests.cast import open_hall
from tournaments.models import Attendance, Competitor
from tournaments.recording.competitors.attendance import rounds_off


def test_attendance_is_taken_on_a_phone(
    transactional_db: None, phone_page: Page, axe: AssertAccessible, watch: Watch
) -> None:
    hall, page = open_hall(), phone_page
    Competitor.objects.bulk_create(
        Competitor(event=hall.event, number=number, name=f"Longname-van der Player {number}, Firstname")
        for number in range(5, 31)
    )
    log_in(page, "anna")
    page.goto(hall.address("event-attendance"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)

    find, counts = page.get_by_label("Find by name or number"), page.locator(".door-counts")
    find.fill("12")
    find.press("Enter")  # the only match is present
    expect(find).to_have_value("")
    find.fill("bea")
    page.get_by_role("button", name="late 2 Bea").click()
    expect(find).to_be_focused()
    for number in (3, 4, 5):
        page.locator(f"[data-label^='{number} ']").get_by_role("button", name="absent").click()
    expect(counts).to_contain_text("1 present")
    expect(counts).to_contain_text("3 absent")
    expect(page.locator("#connection")).to_have_text("Everything is saved.")
    assert Attendance.objects.count() == 5

    page.context.set_offline(True)  # the network goes down and returns
    page.locator("[data-label^='6 ']").get_by_role("button", name="present").click()
    expect(page.locator("#connection")).to_contain_text("Saved in this browser only: 1")
    page.context.set_offline(False)
    watch.expect("ERR_INTERNET_DISCONNECTED")
    expect(page.locator("#connection")).to_have_text("Everything is saved.")

    page.get_by_role("link", name="Player 7,").click()
    axe(page)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".messagelist")).to_contain_text("is not paired in rounds 3 to 4")
    page.goto(hall.address("event-participation", 8))
    page.get_by_role("group", name="Round 3").get_by_label("half-point bye").check()
    page.get_by_role("button", name="Save the byes").click()
    expect(page.locator(".messagelist")).to_contain_text("has a half-point bye in round 3")

    page.get_by_role("link", name="Attendance").click()
    page.get_by_text("Late entry").click()
    page.locator("#late_name").fill("Zed")
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Zed is number 31")
    off = rounds_off(hall.event, 3)
    assert {number: kind.value if kind else None for number, kind in off.items()} == {
        **dict.fromkeys((3, 4, 5), "absent"),
        7: None,
        8: "half-bye",
    }
    expect(page.locator(".door")).to_be_visible()
    axe(page)


@pytest.mark.exhaustive
def test_two_phones_see_each_other_s_marks(transactional_db: None, phone_page: Page, page: Page) -> None:
    hall = open_hall()
    log_in(phone_page, "anna")
    log_in(page, "ben")
    for each in (phone_page, page):
        each.goto(hall.address("event-attendance"))
    phone_page.get_by_role("button", name="present 1 Ann").click()
    line = page.locator("[data-label='1 Ann']")
    expect(line.locator(".note")).to_contain_text("anna")
    expect(page.locator("#connection")).to_have_text("Everything is saved.")  # also after an update
    line.get_by_role("button", name="absent").click()
    expect(line.locator(".state")).to_contain_text("anna marked present")
    line.get_by_role("button", name="Put absent").click()
    expect(phone_page.locator("[data-label='1 Ann'] .note")).to_contain_text("ben")
    assert [each.state for each in Attendance.objects.all()] == ["present", "absent"]
