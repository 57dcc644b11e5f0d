"""Common questions of readers on a phone and a laptop, and the taps to each answer."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.demo import BATUMI, CHENNAI, OUAGADOUGOU, record

pytestmark = pytest.mark.usefixtures("live_server")


class Reader:
    """A page whose taps are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        """Tap an element that is already visible."""
        target.click()
        self.taps += 1

    def sees_at_once(self, target: Locator) -> bool:
        """Return whether the element is on the first screen."""
        box = target.bounding_box()
        size = self.page.viewport_size
        assert box
        assert size
        return bool(
            box["x"] >= 0
            and box["x"] + box["width"] <= size["width"]
            and box["y"] >= 0
            and box["y"] + box["height"] <= size["height"]
        )

    @property
    def card(self) -> Locator:
        """Return the opened panel, or the page if there is none."""
        return self.page.locator("dialog[open] .inside, body:not(:has(dialog[open])) main")


@pytest.fixture(params=[360, pytest.param(1280, marks=pytest.mark.exhaustive)])
def reader(request: pytest.FixtureRequest, open_page: OpenPage) -> Reader:
    """A reader with a phone, and a reader with a laptop."""
    return Reader(open_page(request.param, 740))


def test_reason_for_the_order_and_its_source(reader: Reader) -> None:
    record(BATUMI)
    reader.page.goto(f"{BATUMI}standings/")
    why = reader.page.locator("#c1 .why a")
    expect(why).to_have_text("above USA: dSB 372½:360½")
    assert reader.sees_at_once(why)
    reader.tap(why)
    expect(reader.card.locator("h2").first).to_contain_text("Why is China above United States of America?")
    expect(reader.card.locator(".duel")).to_contain_text("lowest, cut")
    expect(reader.card).to_contain_text("Round 11: China against United States of America, drawn 2-2")
    assert reader.taps == 1

    reader.page.goto(f"{BATUMI}standings/")
    trust = reader.page.locator("#trust")
    expect(trust).to_contain_text("185 of 185 places agree with chess-results.com")
    expect(trust).to_contain_text("no manual change")
    assert reader.sees_at_once(trust)


@pytest.mark.exhaustive
def test_team_in_a_round(reader: Reader) -> None:
    record(CHENNAI)
    reader.page.goto("/")
    reader.tap(reader.page.get_by_role("link", name="44th Chess Olympiad, Open"))
    reader.page.wait_for_url(f"**{CHENNAI}**")
    # The first table has the teams with a link for each round.
    row = reader.page.locator("#standings tr", has_text="Netherlands").first
    if not row.is_visible():
        reader.tap(reader.page.get_by_role("link", name="Standings", exact=True))
    reader.tap(row.get_by_role("link", name="Round 7, against"))
    expect(reader.card.locator("h2").first).to_have_text("Round 7, match 3")
    expect(reader.card.locator("tbody tr")).to_have_count(4)
    expect(reader.card).to_contain_text("Giri")
    assert reader.taps <= 3


@pytest.mark.exhaustive
def test_table_after_a_round(reader: Reader) -> None:
    record(CHENNAI)
    reader.page.goto(f"{CHENNAI}standings/")
    after = reader.page.get_by_role("navigation", name="Standings after").get_by_role(
        "link", name="5", exact=True
    )
    assert reader.sees_at_once(after)
    reader.tap(after)
    reader.page.wait_for_url("**/standings/after/5/")
    assert reader.taps == 1


@pytest.mark.exhaustive
def test_sharing_the_current_view(reader: Reader) -> None:
    record(OUAGADOUGOU)
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.page.goto(f"{OUAGADOUGOU}standings/after/5/?sort=name&dir=asc")
    reader.tap(reader.page.locator(".options summary"))
    reader.tap(reader.page.get_by_role("button", name="Share"))
    expect(reader.page.get_by_role("status").filter(has_text="copied")).to_have_count(1)
    copied = reader.page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(f"{OUAGADOUGOU}standings/after/5/?sort=name&dir=asc")
    assert reader.taps == 2


@pytest.mark.exhaustive
def test_player_by_name(reader: Reader) -> None:
    record(OUAGADOUGOU)
    reader.page.goto("/")
    box = reader.page.get_by_role("combobox", name="Search")
    box.fill("ndjofang")
    box.press("Enter")
    expect(reader.page.get_by_role("heading", level=2).first).to_contain_text("Ndjofang, Jean Marc")
    assert reader.taps == 0
