"""What readers search, in a real browser: with and without JavaScript, on a laptop and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage
from tests.cast import create_player_event, create_team_event
from tournaments.models import Competitor, Event

ADDRESSES = ["/", "/?q=bea", "/?q=nobody", "/?discipline=chess", "/series/cup/", "/events/two-teams/"]


@pytest.fixture(autouse=True)
def events(live_server: object) -> None:
    """Two editions of a cup, and a match that Béa played in 1948."""
    create_team_event()
    Event.objects.filter(pk=create_team_event("next-cup").pk).update(name="Next Cup", start="2026-05-01")
    player = create_player_event()
    Event.objects.filter(pk=player.pk).update(start="1948")
    Competitor.objects.filter(event=player, name="Bea").update(name="Béa")


@pytest.fixture(params=["laptop", "phone without JavaScript"])
def reader(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A reader's page, of each kind."""
    width = 360 if "phone" in request.param else 1280
    return open_page(width, 740, javascript="without" not in request.param)


@pytest.mark.parametrize("address", ADDRESSES)
def test_accessible_and_fits_its_screen(open_page: OpenPage, axe: AssertAccessible, address: str) -> None:
    laptop, phone = open_page(1280), open_page(360, 740)
    phone.emulate_media(color_scheme="dark")
    for page in (laptop, phone):
        page.goto(address)
        for closed in page.locator("details:not([open]) summary").all():
            closed.click()
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_from_any_page_to_a_competitor(reader: Page) -> None:
    reader.goto("/criteria/")
    box = reader.get_by_role("search").get_by_label("Search for an event")
    box.fill("BEA 1948")
    box.press("Enter")
    reader.wait_for_url("**/?q=BEA+1948")
    expect(reader.locator(".found")).to_contain_text("1 event for BEA 1948")
    reader.get_by_role("link", name="Béa").click()
    reader.wait_for_url("**/events/two-players/competitors/2/")


def test_filter_and_back_to_all(reader: Page) -> None:
    reader.goto("/?q=b")
    reader.get_by_text("Filter", exact=True).click()
    reader.get_by_label("Discipline").select_option(label="chess (2)")
    reader.get_by_role("button", name="Show").click()
    reader.wait_for_url("**/?q=b&discipline=chess**")
    expect(reader.locator(".events li")).to_have_count(2)
    reader.get_by_role("link", name="all events").click()
    expect(reader.locator(".events li")).to_have_count(3)


def test_from_edition_to_edition(reader: Page) -> None:
    reader.goto("/events/two-teams/standings/")
    reader.get_by_role("link", name="Edition after: Next Cup").click()
    reader.wait_for_url("**/events/next-cup/")
    reader.get_by_role("navigation", name="Series").get_by_role("link", name="Cup", exact=True).click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Cup")
    expect(reader.get_by_role("list", name="The first 3").first.get_by_role("link")).to_have_count(3)
