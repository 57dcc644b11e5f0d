"""The editor of criteria in a browser: search, trial, saving with a reason, and undo."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, log_in
from tests.cast import Hall, chess_swiss_file, create_account, open_hall, play
from tournaments.accounts.services.roles import Role
from tournaments.models import Competitor, Event, Round


@pytest.fixture
def chess(transactional_db: None) -> Hall:
    """Return an event of six chess players after three rounds."""
    return open_hall(chess_swiss_file())


def opened(open_page: OpenPage, hall: Hall, *, width: int = 1280, javascript: bool = True) -> Page:
    """Open the ranking screen as its arbiter."""
    page = open_page(width, javascript=javascript)
    log_in(page, "anna")
    page.goto(f"/admin/events/{hall.event.pk}/ranking/")
    return page


def expect_order(page: Page, *abbreviations: str) -> None:
    expect(page.locator(".order > ol > li .name b")).to_have_text(abbreviations)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def played(event: Event) -> None:
    """Store the games of `chess_swiss_file`: six players, three rounds."""
    names = ("Ann", "Bea", "Cas", "Dov", "Eef", "Fay")
    for number, name in enumerate(names, start=1):
        Competitor.objects.create(event=event, number=number, name=name)
    for number in (1, 2, 3):
        Round.objects.create(event=event, number=number, state=Round.State.CLOSED)
    play(
        event,
        [
            *((1, 1, 1, 4, 0), (1, 2, 2, 5, 2), (1, 3, 3, 6, 2)),
            *((2, 1, 4, 2, 0), (2, 2, 6, 1, 1), (2, 3, 5, 3, 2)),
            *((3, 1, 1, 2, 1), (3, 2, 3, 4, 2), (3, 3, 6, 5, 2)),
        ],
    )


def order_without_results(page: Page) -> None:
    """Keep three criteria of FIDE's list. Without results no reason is needed."""
    expect_order(page, "PTS", "BH-C1", "BH", "SB", "DE", "Man")
    for name in ("Buchholz Cut 1", "Buchholz", "Direct encounter"):
        page.get_by_role("button", name=f"Take out: {name}", exact=True).click()
    page.get_by_role("button", name="Save this order").click()
    expect(page.get_by_text("Saved: it counts from now on, for every round.")).to_be_visible()


def undo(page: Page) -> None:
    """Undo the first override from the list."""
    page.get_by_role("link", name="Undo override 1").click()
    page.get_by_label("Reason").fill("It was wrong.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Yes, undo it").click()
    expect(page.get_by_text("Recorded: undoes 1.")).to_be_visible()


@WIDTHS
def test_new_chess_event_has_fides_rules_and_public_changes(
    transactional_db: None, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    create_account("otto", Role.ORGANISER)
    page = open_page(width)
    log_in(page, "otto")
    page.goto("/admin/events/new/")
    page.get_by_label("Name").fill("Summer Open")
    page.get_by_label("Discipline").select_option("chess")
    page.get_by_label("First day").fill("2026-07-01")
    axe(page)
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("It is ranked by: FIDE Swiss, FIDE's rules of 2026.")).to_be_visible()

    event = Event.objects.get()
    page.goto(f"/admin/events/{event.pk}/ranking/")
    order_without_results(page)
    played(event)
    page.reload()
    expect_order(page, "PTS", "SB", "Man")
    page.get_by_text("All criteria: search").click()
    page.get_by_label("Find").fill("least significant")
    expect(page.get_by_text("No criterion found.")).to_be_visible()
    page.get_by_label("Find").fill("8.1")
    expect(page.locator(".catalogue li:visible .name b")).to_have_text(["BH"])
    axe(page)
    assert fits(page)
    page.get_by_label("Form of Buchholz").select_option("BH/C1")
    page.get_by_role("button", name="Add BH: Buchholz").press("Enter")
    expect_order(page, "PTS", "SB", "Man", "BH-C1")
    expect(page.locator(".trial [data-summary]", has_text="it would move 1 place.")).to_be_visible()

    up = page.get_by_role("button", name="Up: Buchholz Cut 1")
    expect(up).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect_order(page, "PTS", "BH-C1", "SB", "Man")
    expect(page.locator(".trial [data-summary]", has_text="it would move 2 places.")).to_be_visible()
    expect(page.get_by_text("after Dov by BH-C1 (C.07 8.1): 4 to 4½")).to_be_visible()
    axe(page)
    assert fits(page)
    page.locator("#order-reason").fill("So say the regulations.")
    page.get_by_role("button", name="Save this order").click()
    expect(page.get_by_text("2 places would move:")).to_be_visible()
    page.get_by_role("button", name="Yes, save this order").click()
    expect(page.get_by_text("Saved with your reason")).to_be_visible()
    event.refresh_from_db()
    assert event.criteria == ["PTS", "BH/C1", "SB", "manual"]

    page.goto(f"/admin/events/{event.pk}/overrides/")
    undo(page)
    event.refresh_from_db()
    assert event.criteria == ["PTS", "SB", "manual"]


@pytest.mark.exhaustive
def test_editor_works_without_javascript(chess: Hall, open_page: OpenPage) -> None:
    page = opened(open_page, chess, javascript=False)
    page.get_by_text("All criteria: search").click()
    page.get_by_label("Find").fill("bh-c1")
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".catalogue li:visible .name b")).to_have_text(["BH"])
    field = page.get_by_label("Add a criterion by its code")
    field.fill("BH-C1")
    field.press("Enter")
    expect_order(page, "PTS", "SB", "Man", "BH-C1")
    page.get_by_role("button", name="Up: Buchholz Cut 1").click()
    page.get_by_role("button", name="Up: Buchholz Cut 1").click()
    page.locator("form#order").get_by_role("button", name="Preview").click()
    expect(page.locator(".trial [data-summary]", has_text="it would move 2 places.")).to_be_visible()

    assert Event.objects.get().criteria == ["PTS", "SB", "manual"]


@pytest.mark.exhaustive
def test_invalid_modifier_is_refused(chess: Hall, open_page: OpenPage) -> None:
    page = opened(open_page, chess)
    page.get_by_label("Add a criterion by its code").fill("SB/K3")
    page.get_by_role("button", name="Add at the end").click()

    expect(page.get_by_role("alert")).to_contain_text("SB does not take /K. SB takes")
    expect(page.get_by_label("Add a criterion by its code")).to_be_focused()
    expect_order(page, "PTS", "SB", "Man")


@pytest.mark.exhaustive
def test_chosen_system_shows_moves(chess: Hall, open_page: OpenPage, axe: AssertAccessible) -> None:
    Event.objects.update(system="manual-swiss", unplayed="", criteria=["PTS", "SB", "manual"])
    page = opened(open_page, chess, width=360)
    page.get_by_role("link", name="Rank by FIDE's rules of 2026").click()
    expect(page.get_by_role("radio", name="FIDE Swiss")).to_be_checked()
    expect(page.locator(".trial [data-summary]", has_text="it would move 2 places.")).to_be_visible()
    axe(page)
    assert fits(page)
    page.get_by_label("the edition").select_option("fide-2009")
    expect(page.locator(".trial [data-summary]", has_text="it would move 2 places.")).to_be_visible()
    page.locator("#system-reason").fill("So say the regulations.")
    page.get_by_role("button", name="Rank the event by this system").click()
    page.get_by_role("button", name="Yes, rank the event by it").click()
    expect(page.get_by_role("heading", name="Now: FIDE Swiss")).to_be_visible()
    event = Event.objects.get()
    assert (event.system, event.unplayed) == ("fide-swiss", "fide-2009")
