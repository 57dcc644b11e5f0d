"""The guide docs/desk.md, followed step by step with its numbers of clicks; `make pictures` updates its
pictures.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, log_in
from tests.browser.test_round_steps import make_at_once
from tests.cast import create_account
from tournaments.accounts.services.roles import Role
from tournaments.models import Event

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "desk.md").read_text()
PICTURES = re.findall(r"\]\(pictures/([\w-]+)\.png\)", GUIDE)
KEEP = os.environ.get("PICTURES") == "1"
"""Whether pictures are written to docs/pictures, as in `make pictures`."""

PLAYERS = """Jansen, Anna; NED; 2310; WIM
Petrova, Bella; BUL; 2205
Okoro, Chidi; NGR; 2190
Dubois, Denis; FRA; 2180; FM
Eriksen, Erik; NOR; 2150
Fekete, Flora; HUN; 2105
Gomes, Gil; BRA; 2090
Horvat, Hana; CRO; 1985"""


class Guided:
    """A new user with the guide, whose clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.looked = page, 0, list[str]()

    def press(self, target: Locator) -> None:
        """Press it when it is visible."""
        expect(target).to_have_count(1)
        target.click()
        self.clicks += 1

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name))

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name, exact=True))

    def look(self, name: str) -> None:
        """Compare the screen with a picture, or write the picture for `make pictures`."""
        self.looked.append(name)
        if KEEP:
            self.page.mouse.move(0, 0)
            self.page.screenshot(path=DOCS / "pictures" / f"{name}.png", animations="disabled")


@pytest.fixture
def guided(transactional_db: None, open_page: OpenPage) -> Iterator[Guided]:
    """An organiser who has just logged in on an empty site."""
    create_account("olga", Role.ORGANISER)
    page = open_page(960, 600)
    log_in(page, "olga")
    page.goto("/admin/")
    with patch("tournaments.admin.pairings.proposing.wait_for", make_at_once):
        yield Guided(page)


def test_first_swiss_takes_the_clicks_of_the_guide(guided: Guided) -> None:
    page = guided.page

    guided.link("New event")
    page.get_by_label("Name").fill("Friday Open")
    page.get_by_label("Discipline").select_option(label="chess")
    page.get_by_label("First day").fill("2026-11-27")
    page.get_by_label("Place").fill("Utrecht")
    guided.look("new-event")
    guided.button("Create the event")

    page.get_by_label("Competitors, a line each").fill(PLAYERS)
    guided.button("Preview")
    guided.look("competitors")
    guided.button("Enter them all")
    expect(page.get_by_role("heading", level=1)).to_have_text("Register")
    guided.link("Friday Open")
    guided.look("first-screen")
    guided.link("The event is a draft and not public: publish the event.")
    guided.button("Set it live")
    expect(page.get_by_text("The event is now: live.")).to_be_visible()
    assert guided.clicks == 7

    play_round(guided, 1, with_pictures=True)
    play_round(guided, 2)
    event = Event.objects.get()
    page.goto(f"/events/{event.slug}/")
    guided.look("public-page")
    expect(page.get_by_role("link", name="Jansen, Anna").first).to_be_visible()
    assert guided.looked == PICTURES
    assert sorted(each.stem for each in (DOCS / "pictures").glob("*.png")) == sorted(PICTURES)


def play_round(guided: Guided, number: int, *, with_pictures: bool = False) -> None:
    """Play a round: four clicks, and a key per game."""
    page, before = guided.page, guided.clicks
    guided.button(f"Propose round {number}")
    expect(page.get_by_text("4 pairings are proposed by")).to_be_visible()
    if with_pictures:
        guided.look("proposal")
    guided.link("Publish pairings")
    if with_pictures:
        guided.look("publish")
    guided.button("Publish pairings")
    expect(page.locator('[data-label="1"] .typed')).to_be_focused()
    for key in "1=01":
        page.keyboard.press(key)
    expect(page.get_by_role("button", name=f"Close round {number}")).to_be_visible()
    if with_pictures:
        guided.look("results")
    guided.button(f"Close round {number}")
    expect(page.get_by_role("button", name=f"Propose round {number + 1}")).to_be_visible()
    if with_pictures:
        guided.look("next-round")
    assert guided.clicks - before == 4
