"""The race chart on the overview: highlighting, links of rounds, and space for names."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage
from tests.demo import BATUMI, record


@WIDTHS
def test_tap_highlights_and_rounds_link_to_their_table(
    width: int, open_page: OpenPage, axe: AssertAccessible
) -> None:
    record(BATUMI)
    page = open_page(width, 900)
    page.goto(BATUMI)
    race = page.get_by_role("group", name="The race")
    expect(race.locator(".end.chosen")).to_have_attribute("href", f"{BATUMI}competitors/1/")
    axe(page)

    race.get_by_role("link", name="2 U").click()
    expect(race.locator(".end.chosen")).to_have_attribute("href", f"{BATUMI}competitors/2/")
    expect(race.locator(".line.chosen, .dots.chosen")).to_have_count(2)
    expect(page).to_have_url(f"{page.url.partition('/events')[0]}{BATUMI}")
    race.locator(".line[data-number='3'] .hit").dispatch_event("click", {"detail": 1, "bubbles": True})
    expect(race.locator(".end.chosen")).to_have_attribute("href", f"{BATUMI}competitors/3/")

    race.get_by_role("link", name="Standings up to round 5").locator("text").click()
    page.wait_for_url(f"**{BATUMI}standings/after/5/")


@pytest.mark.exhaustive
def test_names_fit_next_to_the_lines_on_a_phone_without_javascript(open_page: OpenPage) -> None:
    record(BATUMI)
    page = open_page(360, 740, javascript=False)
    page.goto(BATUMI)
    ends = page.locator(".race .end text:visible")
    edges = [box["x"] + box["width"] for box in (end.bounding_box() for end in ends.all()) if box]
    assert len(edges) == 10
    assert max(edges) <= 360
    page.get_by_role("group", name="The race").get_by_role("link", name="2 USA").click()
    page.wait_for_url(f"**{BATUMI}competitors/2/")
