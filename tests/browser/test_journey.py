"""A reader's way through an event: laptop and phone, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.demo import CHENNAI, OUAGADOUGOU, record
from tournaments.models import Competitor, Event, Player

BUCHHOLZ = "Buch pts"

pytestmark = pytest.mark.usefixtures("live_server")


OTHERS = ("phone", "laptop", "laptop without JavaScript")


@pytest.fixture(
    params=[
        "phone without JavaScript",
        *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in OTHERS),
    ]
)
def reader(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page of each kind."""
    width = 360 if "phone" in request.param else 1280
    return open_page(width, 740, javascript="without" not in request.param)


@pytest.fixture
def olympiad() -> None:
    """Chennai with OlimpBase's columns, and Béa in the team of the Netherlands."""
    record(CHENNAI)
    Event.objects.update(columns=Event.Columns.OLIMPBASE)
    player = Player.objects.filter(competitor__name="Netherlands").order_by("pk")[0]
    Player.objects.filter(pk=player.pk).update(name="Béa")


def card(page: Page) -> Locator:
    """Return the opened panel, or the page if there is none."""
    return page.locator("dialog[open] .inside, body:not(:has(dialog[open])) main")


def heading(page: Page) -> Locator:
    return card(page).get_by_role("heading", level=2).first


def top(page: Page) -> list[str]:
    """Return the visible places and names at the top of the table."""
    rows = page.locator("#standings tbody tr").all()[:5]
    return [" ".join(row.locator(".no, .who").all_inner_texts()) for row in rows]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("olympiad")
def test_reader_gets_from_a_name_to_the_printed_page(reader: Page) -> None:
    find_the_standings_by_a_name(reader)
    sort_by_buchholz_and_back(reader)
    explain_and_compare_after_round_5(reader)
    look_up_a_match_and_a_team(reader)
    print_it(reader)


def find_the_standings_by_a_name(reader: Page) -> None:
    reader.goto("/")
    box = reader.locator("#find")
    box.fill("bea 2022")
    box.press("Enter")
    reader.wait_for_url(f"**{CHENNAI}competitors/*/")
    expect(heading(reader)).to_contain_text("Netherlands")
    reader.get_by_role("navigation", name="Event").get_by_role("link", name="Standings").click()
    reader.wait_for_url(f"**{CHENNAI}standings/")


def sort_by_buchholz_and_back(reader: Page) -> None:
    ruled = top(reader)
    column = reader.get_by_role("columnheader", name=BUCHHOLZ)
    sort = column.get_by_role("link")
    for direction, said in (("desc", "descending"), ("asc", "ascending")):
        sort.click()
        reader.wait_for_url(f"**/standings/?sort=buchholz*&dir={direction}")
        expect(column).to_have_attribute("aria-sort", said)
        assert top(reader) != ruled
    sort.click()
    reader.wait_for_url("**/standings/")
    expect(reader.locator("[aria-sort]")).to_have_count(0)
    assert top(reader) == ruled


def explain_and_compare_after_round_5(reader: Page) -> None:
    rounds = reader.get_by_role("navigation", name="Standings after a round")
    rounds.get_by_role("link", name="5", exact=True).click()
    reader.wait_for_url("**/standings/after/5/")
    row = reader.locator("#standings tbody tr").nth(1)
    team, value = row.locator(".who a").inner_text(), row.locator("[data-value] a").nth(2)
    shown = value.inner_text()
    value.click()
    reader.wait_for_url("**/competitors/*/buchholz@game/?after=5")
    expect(heading(reader)).to_contain_text(f"{team} = {shown}")
    expect(card(reader).locator("tbody tr")).not_to_have_count(0)
    expect(card(reader).locator("tfoot td").last).to_have_text(shown)
    card(reader).get_by_role("link", name=re.compile(f"^Compare {team} with ")).first.click()
    reader.wait_for_url("**/compare/*/*/?after=5")
    expect(card(reader).get_by_text("is above")).to_be_visible()
    reader.keyboard.press("Escape")
    expect(reader.locator("#panel")).to_be_hidden()


def look_up_a_match_and_a_team(reader: Page) -> None:
    reader.get_by_role("navigation", name="Event", exact=True).get_by_role("link", name="Standings").click()
    reader.wait_for_url("**/standings/")
    reader.get_by_role("link", name="Round 11, against Netherlands, won 2½-1½").click()
    reader.wait_for_url("**/rounds/11/3/")
    expect(heading(reader)).to_have_text("Round 11, match 3")
    expect(card(reader).locator("tbody tr")).to_have_count(4)
    card(reader).get_by_role("link", name="Netherlands").click()
    reader.wait_for_url("**/competitors/*/")
    expect(heading(reader)).to_have_text("Netherlands")
    expect(card(reader).get_by_role("rowheader", name=re.compile("^Béa"))).to_be_visible()


def print_it(reader: Page) -> None:
    reader.reload()
    reader.emulate_media(media="print")
    for screen_only in ("header.site", ".tabs"):
        expect(reader.locator(screen_only)).to_be_hidden()
    expect(heading(reader)).to_be_visible()
    expect(reader.locator("#foot")).to_contain_text(reader.url)
    expect(reader.locator("#foot")).to_contain_text("data version")
    assert sheets(reader) >= 1


@pytest.mark.exhaustive
def test_printed_table_has_headings_on_every_sheet_and_no_tints(page: Page) -> None:
    record(OUAGADOUGOU)
    players = Competitor.objects.count()
    page.goto(f"{OUAGADOUGOU}standings/")
    page.emulate_media(media="print")
    assert style(page, "#standings thead", "display") == "table-header-group"
    assert style(page, "#standings tbody tr", "breakInside") == "avoid"
    assert style(page, ".scroll", "maxHeight") == "none"
    for tint in ("w", "d", "l"):
        assert style(page, f"#standings .r.{tint} a", "backgroundColor") == "rgb(255, 255, 255)"
    assert players / 60 < sheets(page) < players / 12


def style(page: Page, css: str, name: str) -> str:
    found = page.locator(css).first.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return str(found)


def sheets(page: Page) -> int:
    """Return the number of sheets of paper."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
