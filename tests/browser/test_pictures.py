"""Charts in every colour scheme: contenders, the world map, ratings against performances."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage
from tests.demo import BATUMI, OUAGADOUGOU, record
from tournaments.models import Competitor, Event, Pairing


def play_last_round() -> None:
    """Record Ouagadougou before its last round ended, with ratings by start number."""
    record(BATUMI, OUAGADOUGOU)
    event = Event.objects.get(slug="2022-ouagadougou-open")
    Event.objects.filter(pk=event.pk).update(state=Event.State.LIVE)
    last = Pairing.objects.filter(round__event=event, round__number=9, second__isnull=False)
    last.update(kind="pending", first_score=None, second_score=None)
    for competitor in Competitor.objects.filter(event=event):
        Competitor.objects.filter(pk=competitor.pk).update(rating=2400 - 10 * competitor.number)


@WIDTHS
@pytest.mark.exhaustive
def test_charts_are_accessible_and_fit(open_page: OpenPage, axe: AssertAccessible, width: int) -> None:
    play_last_round()
    page = open_page(width)
    page.goto(OUAGADOUGOU)
    contenders = page.locator(".contenders")
    expect(contenders.get_by_text("can still be first.")).to_be_visible()
    expect(contenders.locator("dd").first).to_contain_text("first")
    axe(page)
    page.goto(f"{OUAGADOUGOU}standings/")
    page.locator("summary", has_text="Who can still win").click()
    expect(page.locator(".contenders li").first).to_be_visible()
    axe(page)
    for address, figure in ((f"{OUAGADOUGOU}statistics/", ".scatter"), (f"{BATUMI}map/", ".map")):
        page.emulate_media(color_scheme="light")
        page.goto(address)
        picture = page.locator(f"figure{figure}")
        box = picture.locator("svg").first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
        picture.locator("summary", has_text="As a table").click()
        expect(picture.get_by_role("table")).to_be_visible()
        axe(page)
        page.emulate_media(color_scheme="dark")
        axe(page, "color-contrast")  # the only effect of a scheme
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@WIDTHS
def test_race_after_round_7_is_saved_with_two_clicks(open_page: OpenPage, width: int) -> None:
    record(OUAGADOUGOU)
    page = open_page(width)
    page.goto(OUAGADOUGOU)
    page.get_by_text("Save the picture").click()
    with page.expect_download() as saved:
        page.locator(".save").get_by_role("link", name="7", exact=True).click()
    assert saved.value.suggested_filename == "2022-ouagadougou-open-7-race.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


CUT = """() => [...document.querySelectorAll(".picture > svg text")]
    .filter(text => text.checkVisibility())
    .map(text => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.left < 0 || box.right > innerWidth)
    .map(([words, box]) => `${words}: ${box.left} to ${box.right}`)"""
"""Return the labels of charts that begin or end outside the window."""


@pytest.mark.exhaustive
def test_labels_of_charts_are_on_the_screen(open_page: OpenPage) -> None:
    record(BATUMI, OUAGADOUGOU)
    page = open_page()
    for address in (BATUMI, OUAGADOUGOU, f"{BATUMI}statistics/", f"{OUAGADOUGOU}statistics/"):
        for width in (1280, 718, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(address)
            assert page.locator(".picture > svg text").count() > 9
            assert page.evaluate(CUT) == [], (address, width)
