"""Layout of pages: on a phone, on paper, by keyboard."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.cast import create_team_event
from tests.demo import BATUMI, CHENNAI, OUAGADOUGOU, WORLD_1948, record
from tournaments.models import Competitor, Event

SMALL = """() => [...document.querySelectorAll("header a, header input, .tabs a, .bar a, table a")]
    .map(target => [target.textContent, target.getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < 24)
    .map(([text, box]) => `${text} ${box.width} ${box.height}`)"""
TOP = "element => element.getBoundingClientRect().top"
LEFT = "element => element.getBoundingClientRect().left"
OBSCURED = """link => {
    const box = link.getBoundingClientRect();
    return !link.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


@pytest.fixture(autouse=True)
def events(transactional_db: None) -> None:
    record(OUAGADOUGOU, WORLD_1948)


ABOVE_THE_TABLE = ["h1", ".head-line", ".tabs", ".options summary", ".standings table"]
STICKS = """() => {
    const top = css => document.querySelector(css).getBoundingClientRect().top;
    const left = css => document.querySelector(css).getBoundingClientRect().left;
    const before = [left("h1"), left(".tabs")];
    scrollTo(2_000, top(".standings tbody") + 300);
    return {
        head: top(".standings thead th:last-child"),
        stays: before.every((each, at) => Math.abs(each - left(["h1", ".tabs"][at])) < 1),
        scrolled: scrollX > 0,
        boxes: [...document.querySelectorAll("main *")].filter(each => each.checkVisibility()
            && each.scrollHeight > each.clientHeight + 1
            && /auto|scroll/.test(getComputedStyle(each).overflowY)).map(each => each.outerHTML.slice(0, 80)),
    };
}"""


@pytest.mark.parametrize(("width", "height", "highest"), [(1280, 800, 240), (360, 740, 300)])
def test_table_is_on_the_first_screen_and_its_head_stays(
    open_page: OpenPage, width: int, height: int, highest: int
) -> None:
    record(BATUMI)
    create_team_event()  # live, with a category and a series
    Event.objects.filter(slug="two-teams").update(congress="Cups of 2024")
    Competitor.objects.filter(event__slug="two-teams").update(categories=["A"])
    # A live event has one column more, and one long name must not widen the table.
    batumi = Event.objects.filter(slug="olympiad-2018-open")
    batumi.update(state=Event.State.LIVE)
    Competitor.objects.filter(event__in=batumi, number=185).update(name="Saint Vincent and the Grenadines")
    page = open_page(width, height)
    for address, is_wide in (
        (f"{OUAGADOUGOU}standings/", False),
        (f"{OUAGADOUGOU}standings/after/5/?layout=wide", width == 360),
        (f"{WORLD_1948}standings/?layout=wide", True),
        (f"{WORLD_1948}crosstable/", False),
        (f"{BATUMI}standings/", False),
        ("/events/two-teams/standings/", False),
        ("/events/two-teams/standings/category/A/", False),
        ("/events/two-teams/standings/?category=A", False),
    ):
        page.goto(address)
        tops = [page.locator(css).first.evaluate(TOP) for css in ABOVE_THE_TABLE]
        assert tops == sorted(tops), address
        assert tops[-1] <= highest, address
        expect(page.locator(".options summary")).to_contain_text("Find")
        seen = page.evaluate(STICKS)
        assert seen["boxes"] == [], address
        assert seen["stays"], address
        assert seen["scrolled"] is is_wide, address
        if OUAGADOUGOU in address and (width == 1280 or is_wide):  # a long table, and no list
            assert seen["head"] == 0, address


def test_header_fits_a_tablet_and_titles_stay_on_a_wide_screen(page: Page) -> None:
    for width in (650, 768, 800):
        page.set_viewport_size({"width": width, "height": 800})
        for language in ("", "/nl"):
            page.goto(language + WORLD_1948)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, language)
            box = page.locator("#find").bounding_box()
            assert box
            assert box["width"] > 100, (width, language)
    page.set_viewport_size({"width": 1920, "height": 800})
    lefts = set()
    for address in ("", "standings/", "crosstable/", "rounds/"):
        page.goto(WORLD_1948 + address)
        lefts |= {round(page.locator(css).evaluate(LEFT)) for css in (".brand", "h1", ".tabs")}
    assert len(lefts) == 1


def test_targets_on_a_phone_are_large_enough(phone_page: Page) -> None:
    for address in ("standings/", "crosstable/", "competitors/1/", "rounds/1/"):
        phone_page.goto(WORLD_1948 + address)
        assert phone_page.evaluate(SMALL) == [], address


CELLS_SHOWN = """() => [...document.querySelectorAll("table")].flatMap(table => [...table.rows])
    .map(row => [...row.cells].map(cell => cell.checkVisibility() || cell.textContent === ""))"""


@pytest.mark.exhaustive
def test_phone_shows_every_column_of_the_codes(phone_page: Page) -> None:
    record(CHENNAI)
    Event.objects.update(teams_are=Event.TeamsAre.CLUBS)
    for address in (f"{CHENNAI}competitors/", "/codes/"):
        phone_page.goto(address)
        shown = phone_page.evaluate(CELLS_SHOWN)
        assert len(shown) > 180
        assert all(all(row) for row in shown), address


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.exhaustive), 360])
@pytest.mark.exhaustive
def test_focus_is_not_covered_by_sticky_columns(open_page: OpenPage, width: int) -> None:
    page = open_page(width, 740)
    page.goto(f"{WORLD_1948}standings/?layout=wide")
    row = page.locator("#standings tbody tr").nth(4).locator(".r a")
    for scrolled in (10_000, 0):
        page.evaluate("left => scrollTo(left, scrollY)", scrolled)
        for at in (0, 9, 19):
            row.nth(at).focus()
            assert not row.nth(at).evaluate(OBSCURED), (scrolled, at)


@pytest.mark.exhaustive
def test_row_outlines_its_games_in_the_cross_table_by_keyboard(page: Page) -> None:
    page.goto(f"{WORLD_1948}crosstable/")
    met = page.locator(".met")
    page.locator("tbody tr").first.locator(".who a").focus()
    expect(met).to_have_count(20)
    page.keyboard.press("Shift+Tab")
    expect(met).to_have_count(0)


@pytest.mark.exhaustive
def test_row_is_outlined_in_a_sorted_table(page: Page) -> None:
    page.goto(f"{WORLD_1948}standings/")
    page.locator("#sort-name").click()
    page.wait_for_url("**sort=name**")
    page.locator("#standings tbody tr").first.locator(".who a").focus()
    expect(page.locator("#standings .met")).to_have_count(20)


def test_paper_has_marks_instead_of_colours_and_no_controls(page: Page) -> None:
    page.goto(f"{WORLD_1948}standings/")
    page.emulate_media(media="print")
    for css in ("header.site", ".tabs", ".bar", "#languages"):
        expect(page.locator(css)).to_be_hidden()
    weight = "cell => getComputedStyle(cell).fontWeight"
    assert page.locator(".w b").first.evaluate(weight) == "800"
    assert page.locator(".d b").first.evaluate(weight) == "400"
    assert page.locator(".l b").first.evaluate("cell => getComputedStyle(cell).fontStyle") == "italic"
    assert page.locator(".w a").first.evaluate("cell => getComputedStyle(cell).backgroundColor") in (
        "rgb(255, 255, 255)",
        "rgba(0, 0, 0, 0)",
    )
    expect(page.locator("#standings caption")).to_be_in_viewport()
    for css in (".no", ".who", ".lead"):
        position = page.locator(f"tbody {css}").first.evaluate("cell => getComputedStyle(cell).position")
        assert position == "static"


@pytest.mark.exhaustive
def test_paper_shows_the_open_panel(page: Page) -> None:
    page.goto(f"{WORLD_1948}standings/")
    page.locator("tbody .who a").first.click()
    expect(page.locator("#panel h2").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("#panel h2").first).to_be_visible()
    expect(page.locator("#standings")).to_be_hidden()
