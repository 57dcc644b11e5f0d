"""Categories and prizes: set up by an organiser without JavaScript, read on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage, log_in
from tests.cast import Hall, open_hall, prizes_file


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return open_hall(prizes_file())


@pytest.mark.exhaustive
def test_categories_and_prizes_lead_to_the_prize_list_on_a_phone(
    hall: Hall, open_page: OpenPage, axe: AssertAccessible
) -> None:
    page = open_page(360, javascript=False)
    log_in(page, "anna")
    page.goto(f"/admin/events/{hall.event.pk}/categories/")
    s60 = page.get_by_role("group", name="Categories 5")
    s60.get_by_label("Code").fill("S60")
    s60.get_by_label("Name:").fill("Veterans")
    s60.get_by_label("Age from").fill("60")
    page.get_by_role("button", name="Look first").click()
    expect(page.get_by_text("not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save the categories").click()
    expect(page.get_by_role("row", name="S60 Veterans 60 and older 0")).to_be_visible()
    _fits(page)

    page.goto(f"/admin/events/{hall.event.pk}/prizes/")
    for each in page.get_by_label("Delete").all():
        each.check()
    new = [page.get_by_role("group", name=f"Prizes {number}", exact=True) for number in (9, 10, 11)]
    new[0].get_by_label("Amount").fill("600")
    new[1].get_by_label("Category").select_option("S60")
    new[1].get_by_label("Amount").fill("250")
    new[2].get_by_label("Special prize").fill("Best game")
    new[2].get_by_label("Amount").fill("25")
    new[2].get_by_label("given to").fill("6")
    page.get_by_label("Sharing").select_option("hort")
    page.get_by_role("button", name="Save the prizes").click()
    expect(page.get_by_text("The prizes are saved.")).to_be_visible()
    expect(page.get_by_label("given to").nth(2)).to_have_value("6")
    _fits(page)

    page = open_page(360)
    page.goto("/events/six-prizes/standings/")
    page.get_by_role("navigation", name="Categories").get_by_role("link", name="Veterans").click()
    expect(page.get_by_role("heading", name="Veterans")).to_be_visible()
    expect(page.get_by_role("rowheader", name="Bea")).to_be_visible()
    _fits(page)
    axe(page)
    page.get_by_role("link", name="Prizes").click()
    expect(page.get_by_role("row", name="1 Bea 600")).to_be_visible()
    expect(page.get_by_role("row", name="Best game Fay 25")).to_be_visible()
    _fits(page)
    axe(page)


@pytest.mark.exhaustive
def test_desk_screens_are_accessible_and_fit(hall: Hall, open_page: OpenPage, axe: AssertAccessible) -> None:
    page = open_page()
    log_in(page, "anna")
    for path in ("categories/", "prizes/"):
        page.goto(f"/admin/events/{hall.event.pk}/{path}")
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            _fits(page)
        axe(page)


def _fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def test_script_adds_rows(hall: Hall, open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, "anna")
    page.goto(f"/admin/events/{hall.event.pk}/categories/")
    for _ in range(2):
        page.get_by_role("button", name="Add a row").click()
    expect(page.get_by_role("group", name="Categories 7").get_by_label("Code")).to_be_focused()
    page.keyboard.type("A")
    page.get_by_role("button", name="Save the categories").click()
    expect(page.get_by_role("row", name="A A by label 0")).to_be_visible()
