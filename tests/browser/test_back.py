"""The browser's Back after a confirmed step shows a page, and repeats no action."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, log_in
from tests.cast import Hall, create_account, open_hall
from tests.tournaments.recording.desk import at, typed
from tournaments.accounts.services.roles import Role
from tournaments.models import Event
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round

Step = Callable[[Page, Hall], None]


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    """Round 3 is a draft: 1-4 is paired, 2 and 3 are not."""
    hall = open_hall()
    create_account("otto", Role.ORGANISER)
    anna = hall.people["anna"]
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], anna)
    add_pairings(open_round(hall.event, anna), [Seats(1, 4)], anna)
    return hall


@pytest.fixture(params=["with JavaScript", pytest.param("without JavaScript", marks=pytest.mark.exhaustive)])
def organiser(request: pytest.FixtureRequest, hall: Hall, open_page: OpenPage) -> Page:
    page = open_page(1280, javascript=request.param == "with JavaScript")
    log_in(page, "otto")
    return page


def paste_pairings(page: Page, hall: Hall) -> None:
    page.goto(hall.address("round-paste", 3))
    page.get_by_label("Pairings").fill("2-3")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save 1 pairing").click()
    expect(page.get_by_text("1 pairing is saved.")).to_be_visible()


def paste_results(page: Page, hall: Hall) -> None:
    page.goto(hall.address("results-paste", 2))
    page.get_by_label("Results").fill("2;2-0")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save 1 result").click()
    expect(page.get_by_text("1 result saved.")).to_be_visible()


def open_early(page: Page, hall: Hall) -> None:
    page.goto(hall.address("event-rounds"))
    page.get_by_role("button", name="Open round 4").click()
    expect(page.get_by_text("Open round 4 anyway?")).to_be_visible()
    page.get_by_role("button", name="Open round 4 anyway").click()
    expect(page.get_by_text("Round 4 is open")).to_be_visible()


def enter_a_list(page: Page, hall: Hall) -> None:
    page.goto(hall.address("event-roster"))
    page.get_by_label("Competitors, a line each").fill("Eva")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Enter them all").click()
    expect(page.get_by_text("Competitors entered: 1.")).to_be_visible()


def remove_a_pairing(page: Page, hall: Hall) -> None:
    page.goto(hall.address("round-pairing", 3, 1))
    page.get_by_role("link", name="Change this pairing").click()
    field = page.get_by_label("Two numbers or names to pair them")
    field.fill("1 ×")
    field.press("Enter")
    expect(page.get_by_text("Not paired any more:").last).to_be_visible()


def publish_pairings(page: Page, hall: Hall) -> None:
    page.goto(hall.address("round-publish", 3))
    page.get_by_role("button", name="Publish pairings").click()
    expect(page.get_by_text("The pairings of round 3 are published.")).to_be_visible()


def declare_it_removed(page: Page, hall: Hall) -> None:
    page.goto(hall.address("event-publication"))
    page.get_by_role("link", name="Remove it from the public site").click()
    page.get_by_label("Reason").fill("It was never held.")
    page.get_by_role("button", name="Remove it from the public site").click()
    expect(page.get_by_text("The event is now: removed.")).to_be_visible()


def remove_a_round(page: Page, hall: Hall) -> None:
    """A preview that is saved, a button, and a row that is deleted."""
    hall.event.rounds.get(number=3).pairings.all().delete()
    page.goto(hall.address("event-rounds"))
    page.get_by_role("button", name="Remove round 3").click()
    expect(page.get_by_text("Round 3 is removed.")).to_be_visible()


STEPS: tuple[Step, ...] = (
    paste_pairings,
    paste_results,
    open_early,
    enter_a_list,
    remove_a_pairing,
    publish_pairings,
    declare_it_removed,
    remove_a_round,
)
FIRST = (paste_pairings, publish_pairings)
"""A preview that is saved, and a button."""


@pytest.mark.parametrize(
    "step",
    [step if step in FIRST else pytest.param(step, marks=pytest.mark.exhaustive) for step in STEPS],
    ids=lambda step: step.__name__,
)
def test_back_shows_a_page_without_repeating_the_step(organiser: Page, hall: Hall, step: Step) -> None:
    step(organiser, hall)
    before = Event.objects.count(), hall.event.rounds.count(), hall.event.competitors.count()
    organiser.go_back()

    expect(organiser.get_by_role("heading", level=1)).to_be_visible()
    expect(organiser.locator("#content")).not_to_contain_text("not found")
    assert organiser.url.startswith("http")
    assert (Event.objects.count(), hall.event.rounds.count(), hall.event.competitors.count()) == before
