"""Use without a mouse: Tab reaches everything, focus is visible, Enter works, and there are no traps."""

from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.cast import create_player_event, create_team_event
from tests.demo import DEN_HAAG, OUAGADOUGOU, record

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


def test_enter_skips_to_the_content(standings: Page) -> None:
    standings.goto(f"{OUAGADOUGOU}standings/")
    standings.keyboard.press("Tab")
    expect(standings.get_by_role("link", name="Skip to the content")).to_be_focused()
    standings.keyboard.press("Enter")
    standings.keyboard.press("Tab")
    assert standings.evaluate("document.querySelector('main').contains(document.activeElement)")


@pytest.mark.exhaustive
def test_enter_follows_links(standings: Page) -> None:
    for what, leads_to in (
        ("nav[aria-label=Site] a[href='/criteria/']", "**/criteria/"),
        (".tabs a >> nth=0", f"**{OUAGADOUGOU}"),
        (".rounds a >> nth=3", "**/standings/after/4/"),
        ("#sort-name", "**/standings/?sort=name&dir=asc"),
        (".choices a:not([aria-current])", "**/standings/?*=*"),
        (".deciding a", "**/criteria/*/"),
        ("#standings tbody .r a", "**/rounds/1/*/"),
        ("#standings tbody .who a", "**/competitors/*/"),
        ("#standings tbody .tb a", "**/competitors/*/*/"),
    ):
        standings.goto(f"{OUAGADOUGOU}standings/")
        press(standings, what)
        standings.wait_for_url(leads_to)


def test_arrows_scroll_the_table(open_page: OpenPage) -> None:
    record(OUAGADOUGOU)
    phone = open_page(360, 740)
    phone.goto(f"{OUAGADOUGOU}standings/?layout=wide")
    box = phone.get_by_role("region", name="Standings")
    box.focus()
    for key, far in (("ArrowRight", "scrollLeft"), ("ArrowDown", "scrollTop")):
        for _ in range(5):  # as a key that is held repeats
            phone.keyboard.press(key)
            phone.evaluate("new Promise(requestAnimationFrame)")
        phone.wait_for_function("([box, far]) => box[far] > 0", arg=[box.element_handle(), far])


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
