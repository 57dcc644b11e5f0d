"""Standings and cross tables on a phone: no content is cut or outside the screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage
from tests.demo import BATUMI, OUAGADOUGOU, WORLD_1948, record
from tools.benchmarks import recorded
from tools.benchmarks.generated import generate

DRAWN = "/events/generated/"

FAULTS = """() => {
    const faults = [];
    const note = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
    const list = document.querySelector(".standings");
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
    for (const box of [list, ...list.querySelectorAll(".scroll, table, tbody, tr:nth-child(-n + 3) *")]) {
        const style = getComputedStyle(box);
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) note("scrolls inside the page", box);
        if (style.textOverflow === "ellipsis") note("may be cut", box);
    }
    for (const element of list.querySelectorAll("p, li, a:not(.skip), b")) {
        const {left, right} = element.getBoundingClientRect();
        if (element.checkVisibility() && (left < 0 || right > innerWidth)) note("off the screen", element);
    }
    // All of them laid out, as each is once it is in sight.
    for (const row of list.querySelectorAll("tbody tr")) row.style.contentVisibility = "visible";
    let end = -Infinity;
    for (const row of list.querySelectorAll("tbody tr")) {
        const edge = row.getBoundingClientRect();
        if (edge.top < end - 1) note("lies on the row above it", row);
        end = edge.bottom;
        const before = [];
        for (const cell of row.cells) {
            const box = cell.getBoundingClientRect();
            if (!cell.checkVisibility()) continue;
            const {left, right, top, bottom} = box;
            if (left < 0 || right > innerWidth || bottom > end + 1) note("off the row", cell);
            if (!box.width || cell.scrollWidth > box.width + 1) note("wider than its place", cell);
            const meets = each => left < each.right - 1 && each.left < right - 1
                && top < each.bottom - 3 && each.top < bottom - 3;
            if (before.some(meets)) note("lies on another cell", cell);
            before.push(box);
        }
    }
    return faults.slice(0, 5);
}"""


def draw_large() -> None:
    """Create two thousand players and thirteen rounds."""
    recorded.record(generate(2_000, 13))


@pytest.mark.parametrize(
    ("prepare", "addresses", "rounds"),
    [
        pytest.param(lambda: record(BATUMI), [f"{BATUMI}standings/"], 11, marks=pytest.mark.exhaustive),
        (
            lambda: record(OUAGADOUGOU),
            [f"{OUAGADOUGOU}standings/", f"{OUAGADOUGOU}standings/after/5/?sort=code"],
            9,
        ),
        (lambda: record(WORLD_1948), [f"{WORLD_1948}standings/", f"{WORLD_1948}crosstable/"], 22),
        pytest.param(draw_large, [f"{DRAWN}standings/"], 13, marks=pytest.mark.exhaustive),
    ],
    ids=["Batumi", "Ouagadougou", "1948", "two thousand players"],
)
@pytest.mark.exhaustive
def test_content_is_not_cut_or_off_the_screen(
    open_page: OpenPage, live_server: object, prepare: Callable[[], None], addresses: list[str], rounds: int
) -> None:
    prepare()
    page = open_page(360, 740, javascript=False)
    for address in addresses:
        page.goto(address)
        assert page.evaluate(FAULTS) == [], address
    page.goto(addresses[0])
    expect(page.locator("#standings tbody tr").first.locator(".r :is(a, span)")).to_have_count(rounds)


@pytest.mark.exhaustive
def test_round_five_is_a_tap_away_and_rows_have_the_row_role(
    open_page: OpenPage, axe: AssertAccessible, live_server: object
) -> None:
    record(BATUMI)
    for width, height in ((360, 740), (1280, 800)):
        page = open_page(width, height)
        page.goto(f"{BATUMI}standings/")
        if width == 360:
            axe(page)
        expect(page.locator("#c1")).to_be_in_viewport()
        expect(page.get_by_role("row")).to_have_count(186)
        fifth = page.get_by_role("navigation", name="Standings after a round").get_by_role(
            "link", name="5", exact=True
        )
        expect(fifth).to_be_in_viewport(ratio=1)
        fifth.click()
        page.wait_for_url("**/standings/after/5/")


@pytest.mark.exhaustive
def test_eleven_rounds_fit_a_laptop(page: Page, live_server: object) -> None:
    record(BATUMI)
    page.goto(f"{BATUMI}standings/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.exhaustive
def test_sorting_keeps_the_wide_table(open_page: OpenPage, live_server: object) -> None:
    record(OUAGADOUGOU)
    phone = open_page(360, 740)
    phone.goto(f"{OUAGADOUGOU}standings/")
    phone.locator(".options summary").click()
    phone.get_by_role("link", name="wide table").click()
    phone.locator("#sort-rating").click()
    phone.wait_for_url("**/standings/?sort=rating&dir=desc&layout=wide")
    expect(phone.locator(".standings.wide #standings")).to_be_visible()
    phone.locator(".options summary").click()
    phone.get_by_role("link", name="as a list").click()
    phone.wait_for_url("**/standings/?sort=rating&dir=desc")
    assert phone.evaluate(FAULTS) == []


@pytest.mark.exhaustive
def test_keyboard_can_skip_the_table(page: Page, live_server: object) -> None:
    record(OUAGADOUGOU)
    page.goto(f"{OUAGADOUGOU}standings/")
    page.get_by_role("link", name="Skip the table").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(
        "document.activeElement.compareDocumentPosition(document.querySelector('#standings')) & 2"
    )
