"""A complete round by its main button: four clicks and the results, on a desk and on a phone."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, log_in
from tests.cast import Hall, create_account
from tests.proposals import create_open
from tournaments.accounts.services.roles import Role
from tournaments.models import Job, Proposal
from tournaments.recording.pairings.drafts import make_proposal


class Clicks:
    """Counts clicks."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, target: Locator) -> None:
        """Press it when it is visible, without horizontal scrolling."""
        expect(target).to_have_count(1)
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), self.page.url
        target.click()
        self.count += 1


def make_at_once(proposal: Proposal) -> bool:
    """Do the worker's job during the request."""
    assert proposal.user
    make_proposal(proposal, proposal.user)
    Job.objects.update(state=Job.State.DONE)
    return True


@pytest.fixture
def hall(transactional_db: None) -> Iterator[Hall]:
    """An open of eight players with Anna at its desk; pairings are proposed immediately."""
    event = create_open(8)
    anna = create_account("anna", Role.ARBITER)
    event.arbiters.add(anna)
    with patch("tournaments.admin.pairings.proposing.wait_for", make_at_once):
        yield Hall(event, anna)


def type_win(page: Page, table: int) -> None:
    """Enter a win for White: by key, or by the large button on a phone."""
    if page.evaluate("innerWidth") > 600:
        expect(page.locator(f'[data-label="{table}"] .typed')).to_be_focused()
        page.keyboard.press("1")
    else:
        page.locator(f'[data-label="{table}"]').get_by_role("button", name="1-0").click()


@WIDTHS
def test_complete_round_takes_four_clicks(
    hall: Hall, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width)
    log_in(page, "anna")
    page.goto(hall.address("event-desk"))
    for number, name in ((1, "Propose round 1"), (2, "Propose round 2")):
        clicks = Clicks(page)
        clicks.press(page.get_by_role("button", name=name))
        expect(page.get_by_text("4 pairings are proposed by")).to_be_visible()
        clicks.press(page.get_by_role("link", name="Publish pairings"))
        clicks.press(page.get_by_role("button", name="Publish pairings"))
        expect(page.locator("#count")).to_have_text("0 of 4 results are in.")
        for table in range(1, 5):
            expect(page.get_by_role("button", name=f"Close round {number}")).to_be_hidden()
            type_win(page, table)
        clicks.press(page.get_by_role("button", name=f"Close round {number}"))
        expect(page.get_by_text(f"Round {number} is closed, and a backup was made.")).to_be_visible()
        assert clicks.count == 4
    expect(page.get_by_role("button", name="Propose round 3")).to_be_visible()
    axe(page)


@pytest.mark.exhaustive
def test_first_screen_on_a_phone_shows_missing_results(hall: Hall, open_page: OpenPage) -> None:
    page = open_page(360)
    log_in(page, "anna")
    page.goto(hall.address("event-desk"))
    page.get_by_role("button", name="Propose round 1").click()
    page.get_by_role("link", name="Publish pairings").click()
    page.get_by_role("button", name="Publish pairings").click()
    for table in (1, 2):
        type_win(page, table)
    expect(page.locator("#entered")).to_have_text("2")
    page.goto(hall.address("event-desk"))
    steps = page.locator("#round-steps")
    expect(steps).to_contain_text("Round 1: results are missing at 2 tables. Tables: 3, 4")
    # The state of the round and its main button are visible without scrolling.
    box = steps.get_by_role("link", name="Enter results").bounding_box()
    assert box
    assert box["y"] + box["height"] < 740
    steps.get_by_role("link", name="3", exact=True).click()
    expect(page.locator("#table-3")).to_be_in_viewport()
