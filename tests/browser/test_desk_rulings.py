"""The screens of rulings in a browser: criteria, tie-breaks, overrides and findings."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, log_in
from tests.cast import Hall, create_account, open_hall, open_system_file, stored_event, swiss_file
from tests.demo import OUAGADOUGOU, record
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, ManualTiebreak, Override
from tournaments.recording.events.tiebreaks import Tiebreak, enter_tiebreaks, level_competitors
from tournaments.recording.overrides import override_place


@pytest.fixture
def ruled(transactional_db: None) -> Hall:
    """Return an event with an open system in which two competitors are level."""
    return open_hall(open_system_file())


@pytest.fixture
def frozen(ruled: Hall) -> Hall:
    """Return another event, with a frozen system and an override."""
    data = swiss_file()
    data["event"] |= {"slug": "frozen"}
    data["rounds"][1]["pairings"] = [{"table": 1, "first": 2, "second": 1, "kind": "pending"}]
    event, anna = stored_event(data), ruled.people["anna"]
    event.arbiters.add(anna)
    override_place(event, 4, 1, anna, "By the jury.")
    return Hall(event, anna)


def opened(
    open_page: OpenPage, ruled: Hall, path: str, *, width: int = 1280, javascript: bool = True
) -> Page:
    """Open a screen of the event as its arbiter."""
    page = open_page(width, javascript=javascript)
    log_in(page, "anna")
    page.goto(f"/admin/events/{ruled.event.pk}/{path}")
    return page


@pytest.mark.exhaustive
def test_ruling_screens_are_accessible_and_fit(
    ruled: Hall, frozen: Hall, open_page: OpenPage, axe: AssertAccessible
) -> None:
    of_frozen = (
        *("ranking/", "tie-breaks/", "findings/", "overrides/", "overrides/1/undo/"),
        *("overrides/value/", "overrides/place/", "overrides/criteria/"),
    )
    page = opened(open_page, ruled, "")
    for desk, paths in ((ruled, ("ranking/", "tie-breaks/")), (frozen, of_frozen)):
        for path in paths:
            page.goto(f"/admin/events/{desk.event.pk}/{path}")
            for width in (1280, 768, 360):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            axe(page)  # at the smallest width, where most of the page has to be scrolled
            expect(page.locator(".purpose").first).not_to_be_empty()
            expect(page.get_by_role("link", name="Public page")).to_be_visible()


def why(page: Page, form: str) -> Locator:
    """Return the reason field of a form on the ranking screen."""
    return page.locator(f"#{form}-reason")


def expect_order(page: Page, *names: str) -> None:
    """Wait for the criteria in this order. Without JavaScript each click loads a page."""
    expect(page.locator(".order > ol > li .name a")).to_have_text(names)


def test_criteria_are_ordered_by_keyboard(ruled: Hall, open_page: OpenPage, axe: AssertAccessible) -> None:
    page = opened(open_page, ruled, "ranking/")
    status = page.locator(".order [role=status]")
    page.get_by_role("button", name="Up: Manual").focus()
    page.keyboard.press("Enter")
    expect_order(page, "Manual", "Total score")
    expect(status).to_have_text("Manual: now 1 of 2")
    expect(page.get_by_role("button", name="Up: Manual")).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect_order(page, "Total score", "Manual")
    page.get_by_role("button", name="Take out: Manual").press("Enter")
    expect(status).to_have_text("Manual: taken out")
    expect(page.get_by_role("button", name="Take out: Total score")).to_be_focused()

    page.get_by_label("Add a criterion").fill("wins")
    page.get_by_role("button", name="Add at the end").press("Enter")
    expect(page.get_by_role("button", name="Up: Number of wins")).to_be_visible()
    why(page, "order").fill("So say the regulations.")
    page.get_by_role("button", name="Save this order").press("Enter")
    expect(page.get_by_role("heading", name="Preview: not saved yet.")).to_be_visible()
    expect(page.get_by_text("No place would move.")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Yes, save this order").press("Enter")
    expect(page.get_by_text("Saved with your reason")).to_be_visible()
    assert Event.objects.get(pk=ruled.event.pk).criteria == ["total-score", "wins"]


@pytest.mark.exhaustive
def test_dragging_a_criterion_discards_the_question(ruled: Hall, open_page: OpenPage) -> None:
    page = opened(open_page, ruled, "ranking/")
    page.get_by_label("Add a criterion").fill("direct-encounter")
    page.get_by_role("button", name="Add at the end").click()
    why(page, "order").fill("So say the regulations.")
    page.get_by_role("button", name="Save this order").click()
    expect(page.locator(".asking")).to_be_visible()
    lines = page.locator(".order > ol > li")
    lines.nth(0).scroll_into_view_if_needed()
    lines.nth(1).drag_to(lines.nth(0), target_position={"x": 60, "y": 4})

    expect_order(page, "Manual", "Total score", "Direct encounter")
    expect(page.locator(".asking")).to_have_count(0)
    page.get_by_role("button", name="Save this order").click()
    expect(page.locator(".asking")).to_be_visible()
    assert Event.objects.get(pk=ruled.event.pk).criteria == []


@pytest.mark.exhaustive
def test_criteria_are_ordered_without_javascript(ruled: Hall, open_page: OpenPage) -> None:
    page = opened(open_page, ruled, "ranking/", javascript=False)
    page.get_by_role("button", name="Up: Manual").click()
    expect_order(page, "Manual", "Total score")
    why(page, "order").fill("So say the regulations.")
    page.get_by_role("button", name="Save this order").click()
    page.get_by_role("button", name="Yes, save this order").click()
    expect(page.get_by_text("Saved with your reason")).to_be_visible()
    assert Event.objects.get(pk=ruled.event.pk).criteria == ["manual", "total-score"]


@pytest.mark.exhaustive
def test_tiebreaks_are_saved_by_keyboard(ruled: Hall, open_page: OpenPage) -> None:
    page = opened(open_page, ruled, "tie-breaks/")
    page.get_by_label("2 Bea").focus()
    page.keyboard.type("1")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Saved. Places now: 2 Bea.")).to_be_visible()
    assert ManualTiebreak.objects.get().number == 1
    page.locator("#content summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("3 Cas")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.exhaustive
def test_criteria_are_overridden_and_undone(
    frozen: Hall, open_page: OpenPage, axe: AssertAccessible, javascript: bool
) -> None:
    page = opened(open_page, frozen, "overrides/criteria/", javascript=javascript)
    page.get_by_role("button", name="Down: Total score").click()
    page.get_by_label("Reason").fill("So say the regulations.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview: not saved yet.")).to_be_visible()
    if javascript:
        axe(page)
    page.get_by_role("button", name="Yes, record it").click()
    expect(page.get_by_text("Recorded: rules: criteria:")).to_be_visible()

    page.goto("/events/frozen/standings/")
    expect(page.locator("#standings th", has_text="*")).to_have_count(2)
    expect(page.get_by_text("*: 2 manual changes.")).to_be_visible()
    page.goto(f"/admin/events/{frozen.event.pk}/overrides/")
    page.get_by_role("link", name="Undo override 2").click()
    page.get_by_label("Reason").fill("It was wrong.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Yes, undo it").click()
    expect(page.get_by_text("Recorded: undoes 2.")).to_be_visible()
    expect(page.get_by_role("cell", name="undone by 3")).to_be_visible()
    assert Override.objects.count() == 3


@pytest.mark.exhaustive
def test_warning_is_accepted_by_keyboard(frozen: Hall, open_page: OpenPage) -> None:
    page = opened(open_page, frozen, "findings/")
    page.get_by_label("accept it, because").focus()
    page.keyboard.type("Too few players.")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Accepted, with your reason.")).to_be_visible()
    expect(page.get_by_text("Accepted by anna")).to_be_visible()


@pytest.mark.exhaustive
@WIDTHS
def test_rules_of_final_event_are_changed_and_undone(
    transactional_db: None, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    record(OUAGADOUGOU)
    event = Event.objects.get()
    create_account("otto", Role.ORGANISER)
    page = open_page(width)
    page.goto(f"{OUAGADOUGOU}standings/")
    before = page.locator("#standings tbody").inner_text()

    log_in(page, "otto")
    page.goto(f"/admin/events/{event.pk}/ranking/")
    expect(page.get_by_text("The event has or had results, so its rules are frozen.")).to_be_visible()
    page.get_by_role("radio", name="FMJD on Rating").check()
    page.get_by_role("button", name="Rank the event by this system").click()
    expect(page.locator(".asking")).to_have_count(0)  # the browser requires the reason first
    why(page, "system").fill("So say the regulations.")
    page.get_by_role("button", name="Rank the event by this system").click()
    expect(page.get_by_text("51 places would move:")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Yes, rank the event by it").click()
    expect(page.get_by_text("Saved with your reason")).to_be_visible()
    expect(page.get_by_role("heading", name="Now: FMJD on Rating*")).to_be_visible()
    axe(page)

    page.goto(f"{OUAGADOUGOU}standings/")
    expect(page.locator("#standings th", has_text="*")).to_have_count(1)
    expect(page.get_by_text("ranking system: Standard FMJD Swiss → FMJD on Rating")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{OUAGADOUGOU}changes/")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{OUAGADOUGOU}standings/?as=computed")
    assert page.locator("#standings tbody").inner_text() == before

    page.goto(f"/admin/events/{event.pk}/overrides/")
    page.get_by_role("link", name="Undo override 1").click()
    page.get_by_label("Reason").fill("It was wrong.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("51 places would move:")).to_be_visible()
    page.get_by_role("button", name="Yes, undo it").click()
    expect(page.get_by_text("Recorded: undoes 1.")).to_be_visible()
    page.goto(f"{OUAGADOUGOU}standings/")
    assert page.locator("#standings tbody").inner_text() == before


@pytest.mark.exhaustive
def test_tiebreaks_with_long_names_fit_a_phone(ruled: Hall, open_page: OpenPage) -> None:
    first, second = level_competitors(ruled.event)[0]
    long = "Wolvenstein-Radhakrishnan van den Boogaardsveldhoven, Anna-Katharina"
    ruled.event.competitors.update(name=long)
    page = opened(open_page, ruled, "tie-breaks/", width=360)
    arbiter = ruled.people["anna"]
    enter_tiebreaks(ruled.event, [Tiebreak(first, 12, 0)], arbiter)
    page.locator(f"#number-{first}").fill("7")
    page.locator(f"#number-{second}").fill("three")
    page.get_by_role("button", name="Save the numbers").click()
    expect(page.get_by_role("button", name="Keep 12")).to_be_visible()

    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
    beyond = """() => [...document.querySelectorAll("#content *")]
        .filter(each => each.getBoundingClientRect().right > innerWidth && each.checkVisibility())
        .map(each => each.outerHTML.slice(0, 100))"""
    assert page.evaluate(beyond) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
