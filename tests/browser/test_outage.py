"""Pages while the database is down: age of the data for readers, and unsaved results for arbiters."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from playwright.sync_api import Page, expect

from config.database.faults import DatabaseAwayError
from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, Watch
from tests.browser.test_live import POLL, SOON, open_live
from tests.browser.test_results import at_desk, create_draughts, expect_all_saved, press, results_of
from tests.cast import create_account, create_team_event
from tournaments.accounts.services.roles import Role
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

STANDINGS = "/events/two-teams/standings/"
COUNT_POLLS = """() => document.addEventListener("htmx:afterRequest", () => {
    document.body.dataset.polls = Number(document.body.dataset.polls ?? 0) + 1;
})"""
"""Runs after the page's own listener."""


@contextmanager
def away() -> Iterator[None]:
    """Block all queries until the end of the block."""
    with patch.object(BaseDatabaseWrapper, "cursor", side_effect=DatabaseAwayError("gone")):
        yield


@pytest.fixture
def event() -> Event:
    return create_team_event()


@WIDTHS
@pytest.mark.exhaustive
def test_notice_is_above_the_page(
    event: Event, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width)
    page.clock.install()  # no polling during axe
    line = page.get_by_role("status").filter(has_text="UTC")
    for address in (STANDINGS, "/nl/events/two-teams/", "/"):
        page.goto(address)
        with away():
            page.goto(address)
            expect(line).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.emulate_media(media="print")
            expect(line).to_be_visible()
            page.emulate_media(media="screen")
        axe(page)


@pytest.mark.exhaustive
def test_notice_is_in_panels_and_at_sorted_tables(event: Event, page: Page) -> None:
    competitor = "/events/two-teams/competitors/1/"
    page.goto(STANDINGS)
    by_name = page.locator("#sort-name").get_attribute("href")
    for address in (competitor, f"{STANDINGS}{by_name}", STANDINGS):
        page.goto(address)
    # Show the server's cached pages, not the browser's.
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    with away():
        page.locator("#sort-name").click()
        page.wait_for_url("**sort=name**")
        expect(page.locator("#as-of")).to_contain_text("not updated since")
        page.locator('#standings .who a[href*="competitors/1/"]').click()
        expect(page.locator("#panel .as-of")).to_contain_text("not updated since")


@pytest.mark.exhaustive
def test_open_page_shows_its_age_without_layout_shift(
    event: Event, open_page: OpenPage, axe: AssertAccessible, watch: Watch
) -> None:
    page = open_page(360, 500)
    open_live(page, "standings/")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    note, row = page.locator(".not-updated"), page.locator("#standings tbody tr").nth(1)
    expect(note).to_be_empty()
    before = row.bounding_box()
    with away():
        page.clock.run_for(POLL)
        expect(note).to_contain_text("Not updated since", timeout=SOON)
        assert row.bounding_box() == before
        axe(page)
        requests.clear()
        page.clock.run_for(POLL)
        assert requests == []  # the next poll is after ten seconds, at most a quarter earlier
        with page.expect_response("**/poll/**"):
            page.clock.run_for(POLL)
    page.clock.run_for(4 * POLL)
    expect(note).to_be_empty(timeout=SOON)
    assert row.bounding_box() == before
    watch.expect("503")


@pytest.mark.exhaustive
def test_notice_disappears_when_the_database_is_up(event: Event, page: Page, watch: Watch) -> None:
    page.goto(STANDINGS)
    with away():
        open_live(page, "standings/")
        line, row = page.locator("#as-of"), page.locator("#standings tbody tr").nth(1)
        expect(line).to_be_visible()
        before = row.bounding_box()
        page.evaluate(COUNT_POLLS)
        page.clock.run_for(POLL)
        expect(page.locator("body")).to_have_attribute("data-polls", "1")
        expect(page.locator(".not-updated")).to_be_empty()  # shown in the notice
    page.clock.run_for(4 * POLL)
    expect(line).to_be_hidden(timeout=SOON)
    assert row.bounding_box() == before
    watch.expect("503")


def test_results_entered_in_an_outage_are_saved_after_it(
    page: Page, axe: AssertAccessible, watch: Watch
) -> None:
    create_account("anna", Role.ORGANISER)
    event = create_draughts(pairs=5)
    at_desk(page, event)
    with away():
        press(page, "210")
        expect(page.locator("#connection")).to_contain_text("Saved in this browser only: 3.", timeout=SOON)
        axe(page)
    expect_all_saved(page)
    assert results_of(event)[:3] == ["2-0", "1-1", "0-2"]
    watch.expect("503")


def test_form_submitted_in_an_outage_is_resubmitted(page: Page, axe: AssertAccessible, watch: Watch) -> None:
    create_account("anna", Role.ORGANISER)
    event = create_team_event()
    at_desk(page, event)
    page.goto(f"/admin/tournaments/event/{event.pk}/change/")
    page.locator("#id_place").fill("Zwolle")
    with away():
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("h1", has_text="The database cannot be reached")).to_be_visible()
        axe(page)
    page.get_by_role("button", name="Send it again").click()
    expect(page.locator(".messagelist, h1").first).to_be_visible()
    event.refresh_from_db()
    assert event.place == "Zwolle"
    watch.expect("503")
