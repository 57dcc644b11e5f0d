"""Panels with matches, competitors and explanations next to a table."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, Watch
from tests.browser.test_live import POLL, SOON
from tests.cast import create_team_event
from tests.demo import WORLD_1948, record
from tournaments.models import Event, Pairing

EVENT = WORLD_1948
STANDINGS = f"{EVENT}standings/"
LIVE = "/events/two-teams/"
CELL, NAME, VALUE = "td.r a", "th.who a", "td.lead a"
OPENED = {
    CELL: ("rounds/1/1/", "Round 1, table 1"),
    NAME: ("competitors/1/", "Piet Roozenburg"),
    VALUE: ("competitors/1/total-score/", "Total score of Piet Roozenburg = 37"),
}


@pytest.fixture
def championship(transactional_db: None) -> None:
    record(WORLD_1948)


def panel(page: Page) -> Locator:
    return page.locator("#panel")


def heading(page: Page) -> Locator:
    return panel(page).get_by_role("heading", level=2).first


def link(page: Page, kind: str) -> Locator:
    """Return the first link of that kind in the standings."""
    return page.locator(f"#standings tbody {kind}").first


def open_panel(page: Page, kind: str = VALUE) -> None:
    page.goto(STANDINGS)
    link(page, kind).click()
    expect(heading(page)).to_be_visible()


@pytest.mark.usefixtures("championship")
class TestPanel:
    """Panels of an event that is not live."""

    @WIDTHS
    def test_panel_opens_next_to_table(self, open_page: OpenPage, axe: AssertAccessible, width: int) -> None:
        page = open_page(width, 740)
        for kind, (address, told) in OPENED.items():
            open_panel(page, kind)
            page.wait_for_url(f"**{EVENT}{address}")
            expect(heading(page)).to_have_text(told)
            expect(heading(page)).to_be_focused()
            expect(page.get_by_role("dialog", name=told)).to_be_visible()
            assert "Roozenburg" in page.title()
            # The table below the panel is wider than a laptop.
            assert width > 360 or page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        axe(page)

    def test_closing_returns_focus_and_title(self, page: Page) -> None:
        page.goto(STANDINGS)
        title = page.title()
        opener = page.locator("#standings tbody tr").nth(3).locator(CELL).nth(2)
        ways: dict[str, Callable[[], object]] = {
            "Back": page.go_back,
            "Escape": lambda: page.keyboard.press("Escape"),
            "Close": page.get_by_role("button", name="Close").click,
            "beside it": lambda: page.mouse.click(30, 400),
        }
        for way, close in ways.items():
            opener.click()
            expect(heading(page), way).to_be_visible()
            close()
            expect(panel(page), way).to_be_hidden()
            page.wait_for_url(f"**{STANDINGS}")
            expect(opener, way).to_be_focused()
            assert page.title() == title, way

    @pytest.mark.exhaustive
    def test_forward_reopens_panel_and_reload_shows_page(self, page: Page) -> None:
        open_panel(page)
        page.go_back()
        expect(panel(page)).to_be_hidden()
        page.go_forward()
        expect(heading(page)).to_have_text(OPENED[VALUE][1])
        page.reload()
        expect(panel(page)).to_be_hidden()
        expect(page.get_by_role("heading", level=2).first).to_have_text(OPENED[VALUE][1])
        page.go_back()
        expect(page.locator("#standings")).to_be_visible()
        page.go_forward()
        expect(page.locator("#standings")).to_have_count(0)
        expect(page.get_by_role("heading", level=2).first).to_have_text(OPENED[VALUE][1])

    def test_links_open_inside_panel_and_close_returns_to_table(self, page: Page) -> None:
        open_panel(page)
        other = panel(page).locator("table").last.locator("a[href*='competitors/2/total-score']")
        other.click()
        expect(heading(page)).to_have_text("Total score of Reinier Cornelis Keller = 28")
        heading(page).get_by_role("link").click()
        expect(heading(page)).to_have_text("Reinier Cornelis Keller")
        page.go_back()
        expect(heading(page)).to_have_text("Total score of Reinier Cornelis Keller = 28")
        page.keyboard.press("Escape")
        page.wait_for_url(f"**{STANDINGS}")
        expect(panel(page)).to_be_hidden()
        expect(link(page, VALUE)).to_be_focused()

    @WIDTHS
    @pytest.mark.exhaustive
    def test_back_returns_through_comparison_to_table(
        self, open_page: OpenPage, axe: AssertAccessible, width: int
    ) -> None:
        page = open_page(width, 740)
        open_panel(page)
        why = panel(page).get_by_role("link", name="Compare Piet Roozenburg with Pierre Ghestem")
        why.click()
        expect(heading(page)).to_have_text("Why is Piet Roozenburg above Pierre Ghestem?")
        expect(heading(page)).to_be_focused()
        page.wait_for_url("**/compare/1/3/")
        axe(page)
        page.go_back()
        expect(heading(page)).to_have_text(OPENED[VALUE][1])
        expect(why).to_be_focused()
        page.go_back()
        expect(panel(page)).to_be_hidden()
        expect(link(page, VALUE)).to_be_focused()
        page.go_forward()
        expect(heading(page)).to_be_focused()
        why.click()
        expect(heading(page)).to_have_text("Why is Piet Roozenburg above Pierre Ghestem?")
        page.keyboard.press("Escape")
        expect(panel(page)).to_be_hidden()
        page.wait_for_url(f"**{STANDINGS}")
        expect(link(page, VALUE)).to_be_focused()

    @pytest.mark.exhaustive
    def test_other_links_leave_the_panel(self, page: Page) -> None:
        open_panel(page)
        panel(page).get_by_role("link", name="the rule with an example").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Total score")
        page.go_back()
        expect(page.get_by_role("heading", level=2).first).to_have_text(OPENED[VALUE][1])

    @pytest.mark.exhaustive
    def test_table_remains_sorted_below_panel(self, page: Page) -> None:
        page.goto(STANDINGS)
        page.locator("#sort-name").click()
        page.wait_for_url("**sort=name**")
        link(page, NAME).click()
        expect(heading(page)).to_have_text("Dammis van der Staaij")
        page.go_back()
        expect(panel(page)).to_be_hidden()
        expect(page.locator("th[aria-sort] #sort-name")).to_be_visible()
        page.go_back()
        expect(page.locator("th[aria-sort]")).to_have_count(0)
        page.wait_for_load_state()  # before its scripts run, Forward changes only the address
        page.go_forward()
        expect(page.locator("th[aria-sort] #sort-name")).to_be_visible()

    @pytest.mark.exhaustive
    def test_click_with_modifier_key_opens_browser_tab(self, page: Page) -> None:
        page.goto(STANDINGS)
        keys: tuple[Literal["Control", "Shift"], ...] = ("Control", "Shift")
        for key in keys:
            with page.context.expect_page() as opened:
                link(page, VALUE).click(modifiers=[key])
            expect(opened.value.get_by_role("heading", level=2).first).to_have_text(OPENED[VALUE][1])
            expect(panel(page)).to_be_hidden()
            expect(page).to_have_url(re.compile(f"{STANDINGS}$"))

    @pytest.mark.exhaustive
    def test_panel_opens_by_keyboard(self, page: Page) -> None:
        page.goto(STANDINGS)
        link(page, VALUE).focus()
        page.keyboard.press("Enter")
        expect(heading(page)).to_be_focused()
        page.keyboard.press("Shift+Tab")
        expect(page.get_by_role("button", name="Close")).to_be_focused()
        page.keyboard.press("Enter")
        expect(link(page, VALUE)).to_be_focused()

    def test_links_open_pages_without_javascript(self, plain_page: Page) -> None:
        for kind, (address, told) in OPENED.items():
            plain_page.goto(STANDINGS)
            link(plain_page, kind).click()
            plain_page.wait_for_url(f"**{EVENT}{address}")
            expect(plain_page.get_by_role("heading", level=2).first).to_have_text(told)
            expect(panel(plain_page)).to_be_hidden()

    @pytest.mark.exhaustive
    def test_panel_opens_from_every_table(self, page: Page) -> None:
        for address in ("", "crosstable/", "rounds/1/"):
            page.goto(EVENT + address)
            page.locator("[data-panel] tbody a", has_text="Roozenburg").first.click()
            expect(heading(page)).to_have_text("Piet Roozenburg")
            page.go_back()
            expect(panel(page)).to_be_hidden()
            expect(page).to_have_url(re.compile(f"{EVENT}{address}$"))

    @pytest.mark.exhaustive
    def test_removed_event_shows_its_page(self, page: Page, watch: Watch) -> None:
        page.goto(STANDINGS)
        Event.objects.update(state=Event.State.REMOVED)
        link(page, NAME).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("This event was removed")
        page.wait_for_url(f"**{EVENT}competitors/1/")
        watch.expect("410")


def test_live_table_is_updated_below_panel(page: Page, axe: AssertAccessible, transactional_db: None) -> None:
    create_team_event()
    page.clock.install()
    page.goto(f"{LIVE}standings/?sort=name&dir=desc")
    row = page.locator("#standings tbody tr", has_text="Reds")
    row.locator(NAME).click()
    expect(heading(page)).to_have_text("Reds")
    before = row.text_content()

    match = Pairing.objects.get(round__number=1, table=1)
    match.first_score, match.second_score = 0, 4
    match.save()
    page.clock.run_for(POLL)

    expect(row).not_to_have_text(before or "", timeout=SOON)
    expect(heading(page)).to_have_text("Reds")
    expect(heading(page)).to_be_focused()
    assert page.title().startswith("Reds")
    page.keyboard.press("Escape")
    page.wait_for_url("**/standings/?sort=name&dir=desc")
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    expect(row.locator(NAME)).to_be_focused()
    axe(page)
