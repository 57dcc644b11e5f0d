"""The standings table: place changes, choices, highlighting, downloads."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage, Watch
from tests.demo import OUAGADOUGOU, record
from tournaments.models import Competitor, Event, Override


@pytest.fixture(autouse=True)
def event(transactional_db: None) -> Event:
    record(OUAGADOUGOU)
    return Event.objects.get()


@pytest.mark.exhaustive
def test_place_changes_are_shown(page: Page) -> None:
    page.goto(f"{OUAGADOUGOU}standings/after/5/")
    expect(page.get_by_role("img", name="up 2 places").first).to_have_text("▲2")
    for without in ("standings/after/1/", "standings/"):  # the first round, and the final table
        page.goto(f"{OUAGADOUGOU}{without}")
        expect(page.locator(".move")).to_have_count(0)


@pytest.mark.exhaustive
def test_table_that_cannot_be_sorted_in_place_is_reloaded(page: Page, watch: Watch) -> None:
    page.route("**/standings/?sort=name**", lambda route: route.fulfill(status=500, body="Its id."), times=1)
    page.goto(f"{OUAGADOUGOU}standings/")
    page.locator("#sort-name").click()
    page.wait_for_url("**/standings/?sort=name**")
    expect(page.locator("th[aria-sort]")).to_have_count(1)
    watch.expect("status of 500")
    watch.expect("Response Status Error Code 500")


def choose(page: Page, name: str) -> None:
    """Follow a link of the options."""
    options = page.locator(".options")
    if options.get_attribute("open") is None:
        options.locator("summary").click()
    options.get_by_role("link", name=name, exact=True).click()


@pytest.mark.parametrize("javascript", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_links_keep_the_choices(open_page: OpenPage, javascript: bool) -> None:
    page = open_page(1280, javascript=javascript)
    page.goto(f"{OUAGADOUGOU}standings/")
    choose(page, "1-½-0")
    page.wait_for_url("**/standings/?notation=1-0")
    choose(page, "+12w")
    page.wait_for_url("**cells=%2B12w")
    page.locator("#sort-name").click()
    page.wait_for_url("**sort=name**notation=1-0**")
    expect(page.locator(".options a", has_text="+12w")).to_have_attribute("aria-current", "true")
    choose(page, "2-1-0")
    page.wait_for_url("**sort=name**")
    expect(page.locator("th[aria-sort]")).to_have_count(1)
    page.get_by_role("navigation", name="Standings after a round").get_by_role("link", name="4").click()
    page.wait_for_url("**/standings/after/4/?cells=%2B12w")


@pytest.mark.exhaustive
def test_row_outlines_its_cells_in_the_other_rows(page: Page) -> None:
    page.goto(f"{OUAGADOUGOU}standings/")
    first = page.locator("#standings tbody tr").first
    games = [link.get_attribute("href") or "" for link in first.locator(".r a").all()]
    met = page.locator("#standings .met")
    first.hover()
    expect(met).to_have_count(len(games))
    assert sorted(games) == sorted(link.get_attribute("href") or "" for link in met.all())
    assert first.locator(".met").count() == 0
    page.get_by_role("heading", level=1).hover()
    expect(met).to_have_count(0)
    first.locator(".who a").focus()
    expect(met).to_have_count(len(games))
    page.locator("#sort-name").focus()
    expect(met).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.exhaustive
def test_every_view_of_the_table_is_accessible(
    open_page: OpenPage, axe: AssertAccessible, event: Event, width: int
) -> None:
    second = Competitor.objects.get(event=event, number=2)
    Override.objects.create(
        event=event, number=1, kind="place", competitor=second, place=1, reason="Ruled by the jury.", by="A"
    )
    page = open_page(width, 740)
    for query in ("", "?as=computed", "?notation=1-0&cells=W12", "after/5/?cells=%2B12w&sort=move"):
        page.goto(f"{OUAGADOUGOU}standings/{query}")
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{OUAGADOUGOU}standings/?notation=1-0")
    page.get_by_role("link", name="Show the table as computed").click()
    page.wait_for_url("**?notation=1-0&as=computed")
    page.get_by_role("link", name="Back to the standings with manual changes").click()
    page.wait_for_url("**/standings/?notation=1-0")


def test_downloads_are_saved_under_the_name_of_the_event(page: Page) -> None:
    page.goto(f"{OUAGADOUGOU}standings/")
    for ending in ("CSV", "JSON"):
        with page.expect_download() as saved:
            choose(page, ending)
        assert saved.value.suggested_filename == f"2022-ouagadougou-open.{ending.lower()}"
