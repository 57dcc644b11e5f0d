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
    page.get_by_label("Categories, one per line").fill("W\nU20\nB: 1800-1999\nUnr: unrated\nS60 = Veterans")
    page.get_by_role("button", name="Look first").click()
    expect(page.get_by_text("not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save the categories").click()
    expect(page.get_by_role("row", name="S60 Veterans 60 and older 0")).to_be_visible()
    _fits(page)

    page.goto(f"/admin/events/{hall.event.pk}/prizes/")
    page.get_by_label("Prizes, one per line").fill("600; 400\nW: 300\nS60: 250\nBest game: 25")
    page.get_by_label("Sharing").select_option("hort")
    page.get_by_label("Best game").fill("6")
    page.get_by_role("button", name="Save the prizes").click()
    expect(page.get_by_text("The prizes are saved.")).to_be_visible()
    expect(page.get_by_label("Best game")).to_have_value("6")
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
