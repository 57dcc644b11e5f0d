"""Following, finding and sharing on a phone and a laptop."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, Watch
from tests.browser.test_live import LIVE, POLL, SOON, correct, open_live
from tests.cast import create_team_event
from tournaments.models import Competitor, Event

REDS = "tr[data-number='1']"
PHONE = ViewportSize(width=360, height=740)


@pytest.fixture
def event() -> Event:
    """A live event with enough teams for a search."""
    event = create_team_event()
    others = [Competitor(event=event, number=number, name=f"Team {number}") for number in range(4, 30)]
    Competitor.objects.filter(event=event, name="Blues").update(club="Blue Club")
    Competitor.objects.bulk_create([*others, Competitor(event=event, number=30, name="Łódź Élan")])
    return event


@pytest.mark.exhaustive
def test_result_appears_on_every_open_page_of_a_phone(event: Event, phone_page: Page, watch: Watch) -> None:
    context = phone_page.context
    context.clock.install()
    shown = {
        LIVE: "0",
        f"{LIVE}standings/": "0",
        f"{LIVE}rounds/": "Blues",
        f"{LIVE}rounds/1/": "0 : 2",
        f"{LIVE}rounds/1/1/": "0 : 2",
        f"{LIVE}competitors/1/": "0-2",
        f"{LIVE}live/": "0 : 2",
        "/": "Cup of Teams",
    }
    pages = {address: context.new_page() for address in shown}
    for address, page in pages.items():
        watch.follow(page)
        page.set_viewport_size(PHONE)
        page.goto(address)
        expect(page.locator("#updated")).to_contain_text(re.compile(r"updated \d\d:\d\d"))
        page.evaluate("document.querySelector('#live').dataset.old = 'yes'")
    correct()
    context.clock.run_for(POLL)
    for address, page in pages.items():
        expect(page.locator("#live[data-old]"), address).to_have_count(0, timeout=SOON)
        expect(page.locator("#live"), address).to_contain_text(shown[address])
        expect(page.locator("#updated"), address).to_contain_text("updated")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


@WIDTHS
def test_followed_team_stays_on_top_after_sorting_and_polling(
    event: Event, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 740)
    open_live(page, "standings/")
    star = page.locator("#c1 .star")
    size = 44 if width == 360 else 24
    box = star.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= size
    star.click()
    copy = page.locator(f"tbody.mine {REDS}")
    expect(copy).to_have_count(1)
    expect(page.get_by_role("button", name="Follow Reds").last).to_be_focused()
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map(each => each.id)).size") == (
        page.locator("[id]").count()
    )
    axe(page)
    page.evaluate("document.querySelector('#sort-name').click()")
    page.wait_for_url("**sort=name**")
    expect(copy).to_have_count(1)
    correct()
    page.clock.run_for(POLL)
    expect(page.locator("#results-in")).to_have_text("1 of 1 in", timeout=SOON)
    expect(copy).to_have_count(1)
    page.goto(f"{LIVE}rounds/1/")
    expect(page.locator("tbody:not(.mine) tr.followed")).to_have_count(1)
    page.goto(f"{LIVE}competitors/")
    page.get_by_text("Follow a club or a federation").click()
    page.get_by_role("button", name="Follow Blue Club").click()
    page.goto(LIVE)
    expect(page.locator("#mine > ul > li")).to_have_count(2)
    names = [page.locator(f"tbody{rows} .who").first.bounding_box() for rows in (".mine", ":not(.mine)")]
    assert len({each and (each["x"], each["width"]) for each in names}) == 1
    page.goto("/")
    mine = page.locator("#mine > ul > li")
    expect(mine.first).to_contain_text("Reds")
    expect(mine.first).to_contain_text("Round 1")
    expect(mine.last).to_contain_text("Blue Club")
    expect(mine.last.locator("li")).to_contain_text("Blues")
    download = page.get_by_role("link", name="Download")
    expect(download).to_have_attribute("href", re.compile("ics[?]events=two-teams$"))
    axe(page)
    mine.last.locator(".star").click()
    expect(mine).to_have_count(1)
    mine.locator(".star").click()
    expect(page.locator("#mine")).to_be_hidden()


def test_lines_are_requested_again_only_after_a_result(event: Event, open_page: OpenPage) -> None:
    page = open_page(1280, 740)
    requested: list[str] = []
    page.on("request", lambda request: requested.extend(re.findall(r"followed/(\d+)/$", request.url)))
    open_live(page, "competitors/")
    page.get_by_role("button", name="Follow Blues").click()
    page.get_by_text("Follow a club or a federation").click()
    page.get_by_role("button", name="Follow Blue Club").click()
    open_live(page, "")
    lines = page.locator("#mine > ul > li")
    expect(lines.last.locator("li")).to_contain_text("Blues")
    assert requested == ["2"]
    correct()
    page.clock.run_for(POLL)
    expect(lines.first).to_contain_text("won 2-\u20600", timeout=SOON)
    assert requested == ["2", "2"]
    lines.first.locator(".star").click()
    expect(lines).to_have_count(1)
    assert requested == ["2", "2"]


@pytest.mark.exhaustive
def test_deleted_team_can_be_unfollowed(event: Event, page: Page, watch: Watch) -> None:
    page.goto(f"{LIVE}competitors/1/")
    page.locator("h2 .star").click()
    Event.objects.update(state=Event.State.REMOVED)
    with page.expect_response("**/followed/1/"):
        page.goto("/")
    expect(page.locator("#mine li")).to_contain_text("no longer here")
    watch.expect("410")


@pytest.mark.exhaustive
def test_search_in_the_table_finds_rows_and_is_in_the_url(event: Event, phone_page: Page) -> None:
    page = phone_page
    page.goto(f"{LIVE}standings/")
    page.locator(".options summary").click()
    field = page.get_by_role("searchbox", name="Find in this table")
    field.press_sequentially("lodz elan")
    expect(page.locator("#c30")).to_be_in_viewport()
    expect(page.locator("tr.hit")).to_have_id("c30")
    field.fill("team 1")
    expect(page.locator("#tools [role=status]")).to_have_text("1 of 11")
    field.press("Enter")
    expect(page.locator("#tools [role=status]")).to_have_text("2 of 11")
    assert page.url.endswith(f"#{page.locator('tr.hit').get_attribute('id')}")
    field.fill("nobody at all")
    expect(page.locator("#tools [role=status]")).to_have_text("not found")


@pytest.mark.exhaustive
def test_share_copies_the_url_of_the_view(event: Event, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{LIVE}standings/?sort=name#c2")
    page.locator(".options summary").click()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#told")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.exhaustive
def test_following_is_hidden_without_scripts(event: Event, plain_page: Page) -> None:
    plain_page.goto(f"{LIVE}standings/")
    expect(plain_page.get_by_role("button", name="Share")).to_have_count(0)
    expect(plain_page.locator(".star")).to_have_count(0)
    plain_page.goto("/following/")
    assert "Following needs JavaScript" in plain_page.content()
