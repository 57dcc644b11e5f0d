"""An organiser's first event by keyboard: from the short form to the public page."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, log_in, type_login
from tests.cast import Desk, create_desk
from tournaments.models import Event

PLAYERS = """Jansen, A.; NED; 2310; MI
Petrova, B.; BUL; 2205
Okoro, C.; NGR
Dubois, D.; FRA; 2180; MF
Eriksen, E.; NOR; 2150
Fekete, F.; HUN
Gomes, G.; BRA; 2090
Horvat, H.; CRO"""


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    """Two events and their staff."""
    return create_desk()


def press(control: Locator) -> None:
    """Press it by keyboard."""
    control.focus()
    control.press("Enter")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("width", "javascript"), [pytest.param(1280, True, marks=pytest.mark.exhaustive), (768, False)]
)
def test_first_event_is_created_and_published_by_keyboard(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int, javascript: bool
) -> None:
    page = open_page(width, 800, javascript=javascript)
    type_login(page, "otto")
    press(page.get_by_role("link", name="New event"))
    create(page)

    page.get_by_label("Competitors, a line each").fill(PLAYERS.replace("2205", "22o5"))
    press(page.get_by_role("button", name="Preview"))
    expect(page.get_by_text("Line 2, “Petrova, B.; BUL; 22o5”")).to_be_visible()
    page.get_by_label("Competitors, a line each").fill(PLAYERS)
    press(page.get_by_role("button", name="Preview"))
    expect(page.get_by_role("row")).to_have_count(9)
    press(page.get_by_role("button", name="Enter them all"))
    expect(page.get_by_text("Competitors entered: 8.")).to_be_visible()

    pair(page)
    assign(page, "olga")
    publish(page)

    readers = open_page(360, 740)
    readers.goto("/events/club-championship-2026/rounds/1/")
    expect(readers.get_by_role("heading", level=1)).to_have_text("Club Championship")
    for name in ("Jansen, A.", "Horvat, H."):
        expect(readers.get_by_role("link", name=name).first).to_be_visible()

    olga = open_page(width, 800, javascript=javascript)
    log_in(olga, "olga")
    olga.goto("/admin/")
    press(olga.get_by_role("link", name="Club Championship"))
    expect(olga.get_by_role("heading", level=1)).to_have_text("Club Championship")


def create(page: Page) -> None:
    page.get_by_label("Name").fill("Club Championship")
    page.get_by_label("Discipline").select_option(label="international draughts")
    page.get_by_label("round robin: all play all", exact=True).check()
    page.get_by_label("First day").fill("2026-09-24")
    page.get_by_label("Place").fill("Utrecht")
    press(page.get_by_role("button", name="Create the event"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Paste competitors")


def pair(page: Page) -> None:
    """Pair all rounds by Berger tables."""
    event = Event.objects.get(slug="club-championship-2026")
    page.goto(f"/admin/events/{event.pk}/schedule/")
    press(page.get_by_role("button", name="Pair all 7 rounds"))
    page.goto(f"/admin/events/{event.pk}/preview/events/{event.slug}/rounds/7/")
    expect(page.get_by_text("Preview: readers do not see this.")).to_be_visible()
    expect(page.get_by_text("Jansen, A.").first).to_be_visible()
    press(page.get_by_role("link", name="Back to the desk"))


def assign(page: Page, arbiter: str) -> None:
    press(page.get_by_role("navigation", name="Screens").get_by_role("link", name="Arbiters"))
    page.get_by_label(arbiter).check()
    press(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text("Club Championship")


def publish(page: Page) -> None:
    press(page.get_by_role("navigation", name="Screens").get_by_role("link", name="Publication"))
    press(page.get_by_role("link", name="Set it live"))
    expect(page.get_by_text("When you confirm, everyone can see it")).to_be_visible()
    press(page.get_by_role("button", name="Set it live"))
    expect(page.get_by_text("The event is now: live.")).to_be_visible()


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [1280, 360])
def test_rejected_form_is_accessible(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    for text in ("Whites;NED;2l00\n- Ann\n- Ann", "Whites;NED;2100\n- Ann"):
        page.goto(f"/admin/events/{desk.event.pk}/roster/")
        page.get_by_label("Competitors, a line each").fill(text)
        page.get_by_role("button", name="Preview").click()
        page.wait_for_load_state("networkidle")
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/admin/events/new/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Name").fill("Two Teams")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("is, or was, the address of another event")).to_be_visible()
    axe(page)


@WIDTHS
@pytest.mark.exhaustive
def test_preview_is_accessible(desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state="draft")
    page = open_page(width, 800)
    log_in(page, "anna")
    page.goto(f"/admin/events/{desk.event.pk}/")
    page.get_by_role("link", name="Preview of the public pages").click()
    axe(page)
    page.get_by_role("link", name="Standings", exact=True).click()
    page.wait_for_load_state("networkidle")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-panel] tbody a").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
