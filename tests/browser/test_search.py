"""Search and filters of readers: laptop and phone, with and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from standings.catalogue.listing import PER_PAGE
from tests.browser.conftest import AssertAccessible, OpenPage
from tests.cast import create_player_event, create_team_event
from tournaments.models import Competitor, Event

ADDRESSES = [
    *("/", "/?q=bea", "/?q=nobody", "/?discipline=chess", "/?q=match"),
    *("/series/cup/", "/events/two-teams/", "/codes/#GEO"),
]


@pytest.fixture(autouse=True)
def events(live_server: object) -> None:
    """Two editions of a cup, and a match of Béa in 1948."""
    create_team_event()
    Event.objects.filter(pk=create_team_event("next-cup").pk).update(name="Next Cup", start="2026-05-01")
    player = create_player_event()
    Event.objects.filter(pk=player.pk).update(start="1948")
    Competitor.objects.filter(event=player, name="Bea").update(name="Béa")
    for number in range(2 * PER_PAGE):
        player.pk, player.slug, player.start = None, f"match-{number}", "1900"
        player.save(force_insert=True)


@pytest.fixture(params=[pytest.param("laptop", marks=pytest.mark.exhaustive), "phone without JavaScript"])
def reader(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page of each kind."""
    width = 360 if "phone" in request.param else 1280
    return open_page(width, 740, javascript="without" not in request.param)


@pytest.mark.exhaustive
def test_every_page_can_search_a_competitor(reader: Page) -> None:
    reader.goto("/criteria/")
    box = reader.get_by_role("search").get_by_label("Search for an event")
    box.fill("BEA 1948")
    box.press("Enter")
    reader.wait_for_url("**/events/two-players/competitors/2/")
    box.fill("RE")
    box.press("Enter")
    reader.wait_for_url("**/?q=RE")
    expect(reader.locator(".found").last).to_contain_text("2 events for RE")
    first = reader.get_by_role("link", name="Reds", exact=True).first
    expect(first).to_be_focused()
    first.press("Enter")
    reader.wait_for_url("**/events/next-cup/competitors/1/")


@pytest.mark.exhaustive
def test_paging_to_the_last_page_and_back(reader: Page) -> None:
    reader.goto("/?q=match")
    expect(reader.locator(".events li")).to_have_count(PER_PAGE)
    reader.get_by_role("link", name="Next page").click()
    reader.get_by_role("link", name="Next page").click()
    reader.wait_for_url("**/?q=match&page=3")
    expect(reader.locator(".events li")).to_have_count(1)
    expect(reader.get_by_role("link", name="Next page")).to_have_count(0)
    reader.get_by_role("link", name="Previous page").click()
    expect(reader.get_by_role("navigation", name="Pages")).to_contain_text(
        f"{PER_PAGE + 1}–{2 * PER_PAGE} of"
    )


@pytest.mark.exhaustive
def test_url_of_a_code_shows_its_line(reader: Page) -> None:
    reader.goto("/codes/#NED")
    expect(reader.get_by_role("row", name="NED Netherlands")).to_be_in_viewport()
    reader.get_by_role("row", name="West Germany").get_by_role("link", name="Germany").click()
    reader.wait_for_url("**/codes/#GER")


@pytest.mark.exhaustive
def test_filter_and_back_to_all(reader: Page) -> None:
    reader.goto("/?q=b")
    reader.get_by_text("Filter", exact=True).click()
    reader.get_by_label("Discipline").select_option(label="chess (2)")
    reader.get_by_role("button", name="Show").click()
    reader.wait_for_url("**/?q=b&discipline=chess**")
    expect(reader.locator(".events li")).to_have_count(2)
    reader.get_by_role("link", name="all events").click()
    expect(reader.locator(".found").last).to_contain_text(f"{2 * PER_PAGE + 3} events")


@pytest.mark.exhaustive
def test_editions_link_to_each_other(reader: Page) -> None:
    reader.goto("/events/two-teams/standings/")
    reader.get_by_role("link", name="Next edition: Next Cup").click()
    reader.wait_for_url("**/events/next-cup/")
    reader.get_by_role("navigation", name="Series").get_by_role("link", name="Cup", exact=True).click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Cup")
    expect(reader.get_by_role("list", name="The first places").first.get_by_role("link")).to_have_count(3)


def test_suggestions_are_chosen_by_keyboard_and_pointer(open_page: OpenPage, axe: AssertAccessible) -> None:
    page = open_page(1280, 740)
    page.goto("/criteria/")
    box = page.get_by_role("combobox", name="Search for an event")
    expect(box).to_have_attribute("aria-expanded", "false")
    box.press_sequentially("blu")
    options = page.locator(".suggestions").get_by_role("option")  # pages have other option lists
    expect(options.first).to_contain_text("Blues")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("status").filter(has_text="suggestions")).to_be_attached()
    box.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "suggestion-0")
    expect(options.first).to_have_attribute("aria-selected", "true")
    axe(page)
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    box.press_sequentially("e")
    expect(options.first).to_be_visible()
    box.press("ArrowDown")
    box.press("Enter")
    page.wait_for_url("**/competitors/2/")
    box.fill("gre")
    options.filter(has_text="Greens").first.click()
    page.wait_for_url("**/competitors/3/")


def test_enter_searches_without_a_chosen_suggestion(open_page: OpenPage) -> None:
    page = open_page(360, 740)
    page.goto("/")
    box = page.get_by_role("combobox", name="Search for an event")
    box.press_sequentially("bleus")
    box.press("Enter")
    page.wait_for_url("**/?q=bleus")
    expect(page.get_by_text("Not found: bleus; shown: Blues")).to_be_visible()


def test_page_of_the_best_match_links_to_the_others(open_page: OpenPage, axe: AssertAccessible) -> None:
    page = open_page(360, 740)
    page.goto("/criteria/")
    box = page.get_by_role("combobox", name="Search for an event")
    box.fill("Réds")
    box.press("Enter")
    page.wait_for_url("**/events/next-cup/competitors/1/#q=R%C3%A9ds")
    expect(box).to_have_value("Réds")
    axe(page)
    page.get_by_role("link", name="Other matches for “Réds”").click()
    page.wait_for_url("**/?q=R%C3%A9ds")
    expect(page.get_by_role("link", name="Reds", exact=True)).to_have_count(2)
    page.goto("/events/two-teams/standings/")
    page.locator("#options > summary").click()
    page.get_by_role("searchbox", name="Find in this table").fill("Грэинс")
    expect(page.locator("#tools [role=status]")).to_have_text("not found; similar: 1 of 1")
    expect(page.locator("tr.hit")).to_contain_text("Greens")
