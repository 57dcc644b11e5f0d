"""The race chart on the overview: highlighting, links of rounds, and space for names."""

from itertools import pairwise

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
    expect(race.locator(".chosen")).to_have_count(0)
    axe(page)

    race.get_by_role("link", name="2 U").click()
    expect(race.locator(".end.chosen")).to_have_attribute("href", f"{BATUMI}competitors/2/")
    expect(race.locator(".line.chosen, .dots.chosen, .start.chosen")).to_have_count(3)
    expect(page).to_have_url(f"{page.url.partition('/events')[0]}{BATUMI}")
    race.locator(".line[data-number='3'] .hit").dispatch_event("click", {"detail": 1, "bubbles": True})
    expect(race.locator(".end.chosen")).to_have_attribute("href", f"{BATUMI}competitors/3/")

    race.get_by_role("link", name="Standings up to round 5").locator("text").click()
    page.wait_for_url(f"**{BATUMI}standings/after/5/")


@pytest.mark.parametrize("width", [360, 1280])
def test_race_after_a_round_is_two_clicks_from_the_standings(open_page: OpenPage, width: int) -> None:
    record(BATUMI)
    page = open_page(width, 740)
    page.goto(f"{BATUMI}standings/")
    page.locator("#strip").get_by_role("link", name="7", exact=True).click()
    page.wait_for_url(f"**{BATUMI}standings/after/7/")
    link = page.locator("#strip").get_by_role("link", name="The race")
    expect(link).to_be_in_viewport(ratio=1)
    link.click()
    expect(page.locator(".race svg").first).to_be_in_viewport()
    expect(page.locator("#race figcaption b")).to_have_text("After round 7.")


def test_followed_lines_have_names_at_both_ends_without_overlaps(open_page: OpenPage) -> None:
    record(BATUMI)
    page = open_page(360, 740)
    page.goto(BATUMI)
    followed = [{"number": number, "name": f"Team {number}"} for number in (2, 60, 61, 62)]
    page.evaluate(
        "all => { localStorage['crosstable.followed'] = JSON.stringify({'olympiad-2018-open': all}) }",
        followed,
    )
    page.reload()
    expect(page.locator(".race text.other:visible")).to_have_count(6)
    for names in (
        page.locator(".race text.copy:visible"),
        page.locator(".race text.other:not(.copy):visible"),
    ):
        boxes = sorted(
            (box for box in (name.bounding_box() for name in names.all()) if box), key=lambda box: box["y"]
        )
        assert len(boxes) == 3
        assert all(below["y"] - above["y"] >= 14 for above, below in pairwise(boxes))


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
