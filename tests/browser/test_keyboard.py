"""Use without a mouse: Tab reaches everything, focus is visible, Enter works, and there are no traps."""

from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.cast import create_player_event, create_team_event
from tests.demo import DEN_HAAG, OUAGADOUGOU, WORLD_1948, record

STOPS = """() => [...document.querySelectorAll(
        "a[href], summary, button, input, select, textarea, [tabindex='0']")]
    .filter(stop => !stop.matches(".picture svg a[tabindex='-1']"))  // the table of figures has these
    .filter(stop => stop.type !== "hidden" && stop.checkVisibility({visibilityProperty: true}))
    .map((stop, at) => { stop.dataset.stop = at; return stop.outerHTML.slice(0, 120); })"""
FOCUSED = """() => {
    const stop = document.activeElement, style = getComputedStyle(stop), box = stop.getClientRects()[0];
    if (!stop.dataset.stop) return null;
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, 20) / 2);
    return [
        Number(stop.dataset.stop),
        style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        Boolean(there) && (stop.contains(there) || there.contains(stop)),
    ];
}"""
WALKED = [
    *("/validate/", "/series/", f"{DEN_HAAG}downloads/", f"{DEN_HAAG}paste/"),
    *("/", "/criteria/dsb/", DEN_HAAG, f"{DEN_HAAG}standings/", f"{DEN_HAAG}crosstable/"),
    *(f"{DEN_HAAG}competitors/1/", f"{DEN_HAAG}competitors/1/total-score/", f"{DEN_HAAG}rounds/1/"),
]
REPRESENTATIVE = ["/validate/", "/", f"{DEN_HAAG}standings/", f"{DEN_HAAG}competitors/1/"]
"""A form, a list, a table that is sorted, and links in text."""

pytestmark = pytest.mark.usefixtures("live_server")


class Stop(NamedTuple):
    """The focused element: its number, and whether its outline is visible and uncovered."""

    number: int
    outlined: bool
    uncovered: bool


def walk(page: Page, stops: int) -> list[Stop]:
    """Return all stops from the top of the page until Tab leaves it."""
    walked: list[Stop] = []
    while len(walked) <= stops:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or (walked and focused[0] == walked[0].number):
            break
        walked.append(Stop(*focused))
    return walked


@pytest.mark.parametrize(
    ("width", "walked"),
    [
        (1280, REPRESENTATIVE),
        *(pytest.param(width, WALKED, marks=pytest.mark.exhaustive) for width in (360, 1280)),
    ],
    ids=["representative", "360", "1280"],
)
def test_tab_reaches_everything_once_with_visible_focus(
    open_page: OpenPage, width: int, walked: list[str]
) -> None:
    record(DEN_HAAG)
    page = open_page(width, 740)
    for address in walked:
        page.goto(address)
        stops = page.evaluate(STOPS)
        reached = walk(page, len(stops))
        assert sorted(stop.number for stop in reached) == list(range(len(stops))), address
        assert [stops[stop.number] for stop in reached if not stop.outlined] == [], address
        assert [stops[stop.number] for stop in reached if not stop.uncovered] == [], address


@pytest.fixture
def standings(page: Page) -> Page:
    record(OUAGADOUGOU)
    return page


def press(page: Page, css: str, key: str = "Enter") -> None:
    page.locator(css).first.focus()
    page.keyboard.press(key)


@pytest.mark.parametrize("javascript", [True, False])
def test_skip_link_leads_to_the_first_row_and_arrows_move_in_the_table(
    open_page: OpenPage, javascript: bool
) -> None:
    record(OUAGADOUGOU, WORLD_1948)
    page = open_page(1280, javascript=javascript)
    for address in (f"{WORLD_1948}crosstable/", f"{OUAGADOUGOU}standings/"):
        page.goto(address)
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        expect(page.locator("#rows tr").first.locator(".name")).to_be_focused()
    assert page.locator("#rows a[tabindex]").count() == 0
    if not javascript:
        return
    for key, where in (
        ("ArrowDown", "tr:nth-child(2) .name"),
        ("ArrowRight", "tr:nth-child(2) .r:nth-child(6) a"),
        ("ArrowDown", "tr:nth-child(3) .r:nth-child(6) a"),
        ("ArrowLeft", "tr:nth-child(3) .why a"),
        ("ArrowUp", "tr:nth-child(2) .name"),
    ):
        page.keyboard.press(key)
        expect(page.locator(f"#rows {where}")).to_be_focused()


@pytest.mark.exhaustive
def test_enter_follows_links(standings: Page) -> None:
    for what, leads_to in (
        ("nav[aria-label=Site] a[href='/criteria/']", "**/criteria/"),
        (".tabs a >> nth=0", f"**{OUAGADOUGOU}"),
        (".rounds a >> nth=3", "**/standings/after/4/"),
        ("#sort-name", "**/standings/?sort=name&dir=asc"),
        (".options nav a:not([aria-current])", "**/standings/?*=*"),
        (".deciding a", "**/criteria/*/"),
        ("#standings tbody .r a", "**/rounds/1/*/"),
        ("#standings tbody .who a", "**/competitors/*/"),
        ("#standings tbody .tb a", "**/competitors/*/*/"),
    ):
        standings.goto(f"{OUAGADOUGOU}standings/")
        press(standings, ".options summary")
        press(standings, what)
        standings.wait_for_url(leads_to)


@pytest.mark.exhaustive
def test_search_and_filters_without_a_mouse(page: Page) -> None:
    create_team_event()
    create_player_event()
    page.goto("/")
    press(page, "summary")
    page.get_by_label("Discipline").focus()
    page.keyboard.type("chess")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**discipline=chess**")
    page.locator("#find").focus()
    page.keyboard.type("re")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=re")
    page.keyboard.press("Enter")  # on the first match
    page.wait_for_url("**/events/two-teams/competitors/1/")
