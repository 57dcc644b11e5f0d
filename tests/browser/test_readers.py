"""Common tasks of readers: laptop and phone, with and without JavaScript."""

import re

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage
from tests.cast import create_players, play, stored_event, swiss_file
from tests.demo import BATUMI, CHENNAI, OUAGADOUGOU, record
from tests.standings.pages.test_running_matches import HALF, WON, two_rounds
from tournaments.models import Competitor

OTHERS = ("laptop", "laptop without JavaScript", "phone without JavaScript")


@pytest.fixture(params=["phone", *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in OTHERS)])
def reader(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page of each kind."""
    width = 360 if "phone" in request.param else 1280
    return open_page(width, 740, javascript="without" not in request.param)


def column(page: Page, css: str) -> list[str]:
    # `textContent`, because rows far below the screen are not laid out yet.
    return [text.strip() for text in page.locator(f"#standings tbody .{css}").all_text_contents()]


@pytest.mark.parametrize(("width", "javascript"), [(360, True), (1280, False)])
def test_players_of_a_club_are_two_clicks_from_the_event(
    open_page: OpenPage, axe: AssertAccessible, width: int, *, javascript: bool
) -> None:
    event = create_players("open", [f"Player {number}" for number in range(1, 301)], 1)
    for number in range(7):
        members = Competitor.objects.filter(event=event).annotate(rest=F("number") % 7).filter(rest=number)
        members.update(club=f"Club {number}", code="NED", title="GM" if number == 3 else "")
    play(event, ((1, at, 2 * at - 1, 2 * at, at % 3) for at in range(1, 151)))
    page = open_page(width, 740, javascript=javascript)
    page.goto("/events/open/")
    page.get_by_role("link", name="Standings", exact=True).first.click()
    page.get_by_role("link", name="Club 3", exact=True).first.click()
    page.wait_for_url("**/standings/?club=Club%203")
    expect(page.locator("#standings tbody tr")).to_have_count(43)
    assert column(page, "no")[0] == "1 shared"
    expect(page.locator("#standings .detail, #standings .code, #standings .title")).to_have_count(0)
    if javascript:
        axe(page)
    page.get_by_role("link", name="Remove the filter Club 3").click()
    page.wait_for_url("**/standings/")
    expect(page.locator("#standings tbody tr")).to_have_count(300)


@pytest.mark.exhaustive
def test_list_leads_to_a_match_and_its_teams(reader: Page) -> None:
    record(CHENNAI)
    reader.goto("/")
    reader.get_by_role("link", name="44th Chess Olympiad, Open").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("44th Chess Olympiad, Open")
    reader.get_by_role("link", name="Round 11, against Netherlands, won 2½-1½").click()
    card = reader.locator(".event").last  # in the panel, if there is one
    expect(card.get_by_role("heading", level=2)).to_have_text("Round 11, match 3")
    expect(card.locator("tbody tr")).to_have_count(4)
    expect(card.locator("thead .result")).to_have_text("2½ : 1½")
    expect(card.locator("tfoot .result")).to_have_text("2½-1½")
    card.get_by_role("link", name="Netherlands").click()
    expect(card.locator("h2").first).to_have_text("Netherlands")
    expect(reader.get_by_role("table", name="Players of Netherlands, round by round")).to_be_visible()


@pytest.mark.exhaustive
def test_sort_by_a_heading_and_back(reader: Page) -> None:
    record(BATUMI)
    reader.goto(f"{BATUMI}standings/")
    heading = reader.get_by_role("link", name="dSMP: Deducted sum of match points")
    heading.click()
    reader.wait_for_url("**/standings/?sort=dsmp&dir=desc")
    expect(reader.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    cells = reader.locator("#standings tbody [data-label=dSMP]").all()
    values = [int(cell.get_attribute("data-value") or "") for cell in cells]
    assert values == sorted(values, reverse=True)
    assert column(reader, "no")[:3] == ["15", "4", "6"]
    heading.click()
    reader.wait_for_url("**/standings/?sort=dsmp&dir=asc")
    expect(reader.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
    heading.click()
    reader.wait_for_url("**/standings/")
    expect(reader.locator("th[aria-sort]")).to_have_count(0)
    assert column(reader, "no") == [str(place) for place in range(1, 186)]
    reader.go_back()
    reader.wait_for_url("**/standings/?sort=dsmp&dir=asc")
    expect(reader.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")


@pytest.mark.parametrize("width", [360, 1280])
def test_next_game_is_two_clicks_away_and_a_running_score_one(
    open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    file = swiss_file()
    file["rounds"][1] |= {"date": "2026-05-02", "time": "14:00"}
    stored_event(file)
    two_rounds(HALF, HALF, WON, "pending")
    page = open_page(width, 740)
    page.goto("/events/four-players/")
    page.locator(".tabs").get_by_role("link", name="Players").click()
    page.locator("#live").get_by_role("link", name="Cas").click()
    game = page.locator(".open-games li")
    expect(game).to_be_in_viewport(ratio=1)
    expect(game).to_contain_text("Round 2 · Table 1, 2 May 2026, 14:00")
    expect(game).to_contain_text("Black against Ann")
    starts = page.locator(".halves > div").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().x)"
    )
    assert len(set(starts)) == (2 if width == 1280 else 1)
    axe(page)
    page.goto("/events/two-rounds/")
    page.locator(".tabs").get_by_role("link", name="Live").click()
    open_match = page.locator(".happened li", has_text="1 board open")
    expect(open_match).to_contain_text("Reds 2 : 1 Blues")
    axe(page)


def test_sorting_keeps_the_scroll_and_the_focus(open_page: OpenPage) -> None:
    record(BATUMI)
    page = open_page(800)
    page.goto(f"{BATUMI}standings/")
    page.locator("#sort-dsmp").focus()
    page.evaluate("scrollTo(100, scrollY)")
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=dsmp**")
    expect(page.locator("#sort-dsmp")).to_be_focused()
    assert page.evaluate("scrollX") == 100


@pytest.mark.exhaustive
def test_standings_after_an_earlier_round(reader: Page) -> None:
    record(BATUMI)
    reader.goto(f"{BATUMI}standings/")
    reader.get_by_role("navigation", name="Standings after a round").get_by_role(
        "link", name="5", exact=True
    ).click()
    reader.wait_for_url("**/standings/after/5/")
    expect(reader.locator(".rounds [aria-current]")).to_have_text("5")
    assert reader.locator("thead .round").count() == 5


@pytest.mark.exhaustive
def test_ranking_system_leads_to_the_rule_of_a_criterion(reader: Page) -> None:
    reader.goto("/")
    reader.get_by_role("navigation", name="Site").get_by_role("link", name="Rules").click()
    system = reader.locator("#system-fmjd-swiss")
    system.get_by_role("link", name="Full truncated Solkoff").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Full truncated Solkoff TSolk")
    sheet = reader.get_by_role("region", name="Example: B has 13·9·5")
    expect(sheet.locator("s")).to_have_text(["3"])
    expect(sheet.locator("tfoot tr").first.locator("th, td")).to_have_text(["step 1", "4 + 5 + 4", "13", ""])
    reader.get_by_role("link", name="Standard FMJD Swiss").click()
    reader.wait_for_url("**/criteria/#system-fmjd-swiss")


@pytest.mark.exhaustive
def test_place_name_and_points_stay_visible_on_a_phone(phone_page: Page) -> None:
    record(OUAGADOUGOU)
    phone_page.goto(f"{OUAGADOUGOU}standings/?layout=wide")
    row = phone_page.locator("#standings tbody tr").first
    for scrolled in (0, 10_000):
        phone_page.evaluate("left => scrollTo(left, scrollY)", scrolled)
        for css in ("no", "who", "lead"):
            expect(row.locator(f".{css}")).to_be_in_viewport(ratio=1)


@pytest.mark.exhaustive
def test_value_is_explained_and_compared_with_its_neighbour(reader: Page) -> None:
    record(OUAGADOUGOU)
    reader.goto(f"{OUAGADOUGOU}standings/after/5/")
    reader.locator("#standings tbody tr").nth(1).get_by_role("link", name="28", exact=True).first.click()
    reader.wait_for_url("**/competitors/*/*/?after=5")
    expect(reader.locator("tbody s").first).to_be_visible()
    reader.get_by_role("link", name=re.compile("^Compare .+ with ")).first.click()
    reader.wait_for_url("**/compare/*/*/?after=5")
    expect(reader.locator(".answer")).to_contain_text("is above")
    reader.go_back()
    reader.wait_for_url("**/competitors/*/*/?after=5")
