"""Persons and teams across events: search, careers, comparison, and back."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import AssertAccessible, OpenPage
from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import league, named, person, players_named, team
from tests.transfers import transfers

pytestmark = pytest.mark.usefixtures("live_server")

WIDE, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=360, height=740)
SCREENS = pytest.mark.parametrize(
    "screen", [pytest.param(WIDE, id="wide", marks=pytest.mark.exhaustive), pytest.param(PHONE, id="phone")]
)


@pytest.fixture
def known() -> None:
    """The champions of 1947 and 1948, a club with two names, and a player, each with the key in its URL."""
    # PostgreSQL's sequences continue from test to test, so the keys must be set.
    record(DEN_HAAG, WORLD_1948)
    for key, name in enumerate(("Piet Roozenburg", "Pierre Ghestem"), 1):
        person(name, *named(name), pk=key)
    editions = [league(2001), league(2003, "DV Eindhoven")]
    person("Ann", *players_named("Ann"), pk=3)
    team("Eindhoven", *(each.competitors.get(number=1) for each in editions), pk=1)
    team("Huizen", *named("Huizen"), pk=2)


@pytest.mark.usefixtures("known")
@SCREENS
def test_list_leads_to_a_career_a_game_and_back(
    page: Page, axe: AssertAccessible, screen: ViewportSize
) -> None:
    page.set_viewport_size(screen)
    page.goto("/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Players").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    page.get_by_label("name").first.fill("roozen")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/people/?q=roozen*")
    axe(page)
    page.get_by_role("link", name="Piet Roozenburg").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Piet Roozenburg")
    axe(page)
    page.get_by_role("region", name="Wins against").get_by_role("link", name="2-0").first.click()
    expect(page.get_by_role("heading", level=2).first).to_contain_text("Round")
    page.get_by_text("All events:").get_by_role("link", name="Piet Roozenburg").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Piet Roozenburg")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Piet Roozenburg")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_games_with_white_are_downloaded_in_three_clicks(
    page: Page, axe: AssertAccessible, screen: ViewportSize
) -> None:
    page.set_viewport_size(screen)
    page.goto("/people/")
    page.get_by_role("link", name="Ann", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann")
    page.get_by_role("link", name="White", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Games of Ann")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as download:
        page.get_by_role("link", name="PGN").click()
    assert download.value.suggested_filename == "ann.pgn"
    pgn = download.value.path().read_text()
    assert (pgn.count('[White "Ann"]'), pgn.count("[Event ")) == (2, 2)


@pytest.mark.usefixtures("known")
def test_head_to_head_by_keyboard(page: Page, axe: AssertAccessible) -> None:
    page.goto("/people/1/")
    field = page.get_by_label("All games against")
    field.focus()
    page.keyboard.type("ghestem")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Piet Roozenburg – Pierre Ghestem")
    expect(page.get_by_text("won 1, drew 2 and lost 0")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="against another opponent").press("Enter")
    field = page.get_by_label("All games against")
    field.fill("ann")
    field.press("Enter")
    expect(page.get_by_text("have not met: no event on this site had both")).to_be_visible()
    axe(page)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address",
    [
        *(
            "/",
            "/nl/",
            "/people/",
            "/people/?sort=gold",
            "/people/?letter=p",
            "/nl/people/records/",
            "/nl/people/1/games/",
            "/nl/people/?sort=title",
            "/teams/",
            "/people/1/",
            "/nl/people/2/",
        ),
        *("/people/1/against/", "/people/1/against/?q=e", "/people/1/against/2/", "/nl/people/1/against/3/"),
        *("/teams/1/", "/nl/teams/1/", "/teams/1/against/", "/teams/1/against/2/"),
        *(f"{DEN_HAAG}standings/", f"{DEN_HAAG}crosstable/", "/events/league-2001/rounds/1/1/"),
    ],
)
def test_pages_fit_and_are_accessible(
    page: Page, axe: AssertAccessible, screen: ViewportSize, scheme: str, address: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size(screen)
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    axe(page)


@pytest.mark.usefixtures("known")
@pytest.mark.exhaustive
def test_lists_and_head_to_head_without_scripts(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto("/people/")
    page.get_by_role("columnheader", name="First places").get_by_role("link").click()
    names = page.locator("tbody .name")
    expect(names.first).to_have_text("Piet Roozenburg")
    expect(names.nth(1)).to_have_text("Pierre Ghestem")
    names.first.click()
    page.get_by_label("All games against").fill("ghestem")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Piet Roozenburg – Pierre Ghestem")


@pytest.mark.exhaustive
def test_result_with_halves_does_not_wrap_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/teams/{transfers().teams['Blues'].pk}/")
    result = page.get_by_role("link", name="1½-½").first
    expect(result).to_be_visible()
    lines = result.evaluate(
        "link => { const range = document.createRange(); range.selectNodeContents(link);"
        " return new Set([...range.getClientRects()].map(box => box.top)).size }"
    )
    assert lines == 1


@pytest.mark.usefixtures("known")
@pytest.mark.exhaustive
def test_totals_fit_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    for address in ("/people/1/", "/nl/people/1/", "/teams/1/", "/nl/teams/1/"):
        page.goto(address)
        wider = page.locator(".scroll:has(> .tallied)").evaluate_all(
            "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
        )
        assert wider == [], address


@pytest.mark.exhaustive
def test_figures_of_long_team_careers_are_visible(page: Page) -> None:
    club = team("Eindhoven", *(league(year).competitors.get(number=1) for year in range(1980, 2010)))
    page.set_viewport_size(WIDE)
    page.goto(f"/teams/{club.pk}/")
    region = page.get_by_role("region", name="Players of this team")
    expect(region.get_by_role("link", name="2009").first).to_be_visible()
    assert region.evaluate("region => region.scrollWidth <= region.clientWidth")


@pytest.mark.usefixtures("known")
@pytest.mark.exhaustive
def test_federation_is_next_to_its_flag_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/people/1/")
    region = page.get_by_role("region", name="By federation of the opponents")
    flag = region.get_by_role("rowheader", name="Netherlands").locator(".flag")
    flag.scroll_into_view_if_needed()
    lines = flag.evaluate(
        "flag => { const name = document.createRange(); name.selectNodeContents(flag.nextSibling);"
        " return [flag, name].map(each => each.getBoundingClientRect()).map(box => [box.top, box.bottom]) }"
    )
    assert lines[0][1] > lines[1][0], "the name stands below its flag"


@pytest.mark.usefixtures("known")
@SCREENS
@pytest.mark.exhaustive
def test_names_for_a_head_to_head_are_on_separate_lines(page: Page, screen: ViewportSize) -> None:
    page.set_viewport_size(screen)
    page.goto("/people/3/against/?q=p")
    names = page.get_by_role("listitem").locator(".name")
    expect(names).to_have_text(["Pierre Ghestem", "Piet Roozenburg"])
    heights = names.evaluate_all("names => names.map(name => name.offsetHeight)")
    assert max(heights) < 30, "a name takes two lines"


@pytest.mark.usefixtures("known")
@pytest.mark.exhaustive
def test_content_after_the_choice_of_an_opponent_is_below_it_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/people/1/against/")
    above, below = page.get_by_role("button", name="Show").bounding_box(), page.locator("#met").bounding_box()
    assert above
    assert below
    assert below["y"] >= above["y"] + above["height"]
