"""All screens of the desk in a browser: accessibility, size, second factor and conflicts."""

import re
from base64 import b32decode
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django_otp.oath import totp
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage, Watch, log_in, type_login
from tests.cast import Desk, create_desk
from tests.desk.addresses import addresses, path_to
from tests.desk.matrix import COLUMNS, answers_of
from tournaments.models import Competitor
from tournaments.recording.locking import lock_row, save

CSS = Path(__file__).parents[2] / "static" / "css"
NO_SCREENS = {
    *("event-file", "event-report", "event-backup", "event-upload", "jsi18n"),
    *("results-news", "attendance-news", "round-check"),
}
"""Views that return a file or JSON."""
OF_DJANGO = re.compile(r"password_change|_delete$|^app_list$")
"""Screens with Django's own texts."""

CUT_OFF = """() => {
    const edgeOf = each => {
        for (let box = each.parentElement; box; box = box.parentElement) {
            const {overflowX} = getComputedStyle(box);
            if (overflowX === "auto" || overflowX === "scroll") return Infinity;
            if (overflowX === "hidden") return box.getBoundingClientRect().right;
        }
        return innerWidth;
    };
    const told = ":is(a, button, input, select, textarea, label, p, h2, .help)";
    return [...document.querySelectorAll(`#content ${told}`)]
        .filter(each => each.checkVisibility() && !each.closest(".spoken"))
        .filter(each => each.getBoundingClientRect().right > edgeOf(each) + 1)
        .map(each => each.outerHTML.slice(0, 200));
}"""
"""Returns elements that are cut off by their container or the window."""

OUT_OF_REACH = """() => {
    const interactive = ":is(a, area)[href], button, input:not([type=hidden]), select, textarea, summary";
    const isThere = each =>
        each.checkVisibility({visibilityProperty: true}) && !each.disabled && !each.ariaHidden;
    const isShown = ({outlineStyle, outlineWidth, outlineColor}) =>
        outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && !/^rgba.*, 0\\)$/.test(outlineColor);
    const isReached = each => {
        each.focus();
        return each.tabIndex === 0 && document.activeElement === each && isShown(getComputedStyle(each));
    };
    return [...document.querySelectorAll(`${interactive}, [tabindex]:not([tabindex^="-"])`)]
        .filter(each => isThere(each) && !isReached(each))
        .map(each => each.outerHTML.slice(0, 200));
}"""
"""Returns elements that Tab does not reach, or that show no focus."""


ALIKE = re.compile(
    r"team-|round-paper$|round-printout$|event-clone$|event-override-(place|criteria)$"
    r"|people-undo$|person-unlink$|invited$|tournaments_competitor_add$"
    r"|(auth_user|tournaments_(?!competitor_|series_delete)\w+)_(add|change|changelist|delete|history)$"
)
"""Screens of the same templates as others: of a person, of a competitor, of a series that is deleted."""


def screens(desk: Desk) -> Iterator[tuple[str, str]]:
    """Yield name and address of every screen that a superuser can open."""
    for name, route in addresses():
        if answers_of(name)[COLUMNS.index("superuser")] == "200" and name not in NO_SCREENS:
            yield name, path_to(desk, name, route)


PRINTOUTS = ("event-printout", "round-printout")
"""Pages with their own headings instead of a purpose."""

BLACK = "#000"
"""Replaces the accent colour in print."""


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    """Return two events and their users."""
    return create_desk()


def expect_fit(page: Page) -> None:
    """Assert that no element is wider than the window or cut off without a scrollbar."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    assert page.evaluate(CUT_OFF) == [], page.url


def expect_reachable(page: Page) -> None:
    """Assert that Tab reaches every interactive element, and that each shows its focus."""
    page.keyboard.press("Tab")  # browsers show the focus only after a key was pressed
    assert page.evaluate(OUT_OF_REACH) == [], page.url


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.exhaustive) for part in range(1, 8))]
)
def test_every_kind_of_screen_is_accessible_and_fits(
    desk: Desk, page: Page, axe: AssertAccessible, part: int
) -> None:
    """Check an eighth of the screens."""
    page.goto("/admin/login/")
    axe(page)
    log_in(page, "sara")
    kinds = [(name, address) for name, address in screens(desk) if not ALIKE.match(name)]
    for name, address in kinds[part::8]:
        page.goto(address)
        look(page, name, axe, widths=(360, 1280), audited=(360,))


@pytest.mark.exhaustive
def test_every_screen_is_accessible_and_fits(desk: Desk, page: Page, axe: AssertAccessible) -> None:
    log_in(page, "sara")
    for name, address in screens(desk):
        page.goto(address)
        look(page, name, axe)


def look(
    page: Page,
    name: str,
    axe: AssertAccessible,
    widths: Collection[int] = (360, 768, 1280),
    audited: Collection[int] = (360, 1280),
) -> None:
    """Look at the screen of that name at these widths, and with axe at the audited ones."""
    if not (OF_DJANGO.search(name) or name in PRINTOUTS):
        expect(page.locator(".purpose").first, page.url).not_to_be_empty()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        expect_fit(page)
        if width in audited:
            axe(page, colours=width == 360)
    expect_reachable(page)


def test_second_factor_from_setup_to_next_login(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible
) -> None:
    page = open_page(1280)
    type_login(page, "anna")
    page.locator("#user-tools summary").click()
    page.get_by_role("link", name="Your account").click()
    page.get_by_role("link", name="Second factor").click()
    expect(page.get_by_role("img", name="QR code of the key")).to_be_visible()
    key = page.locator(".key").inner_text()
    page.get_by_role("textbox", name="Code").fill(code_of(key))
    page.get_by_role("button", name="Switch the second factor on").click()
    backup = page.locator(".codes code").first.inner_text()
    axe(page)

    page.locator("#user-tools summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)
    type_login(page, "anna")
    axe(page)
    page.get_by_role("textbox", name="Code").fill(backup)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    page.locator("#user-tools summary").click()
    page.get_by_role("link", name="Your account").click()
    page.get_by_role("link", name="Second factor").click()
    expect(page.get_by_text("9 backup codes are left.")).to_be_visible()
    axe(page)


def code_of(key: str) -> str:
    """Return the code of an authenticator for the printed key."""
    return f"{totp(b32decode(key.replace(' ', ''))):06}"


@pytest.mark.exhaustive
def test_conflict_at_form_is_resolved(desk: Desk, open_page: OpenPage) -> None:
    greens = Competitor.objects.get(event=desk.event, number=3)
    first, second = open_page(1280), open_page(768, 800, javascript=False)
    for page, name in ((first, "anna"), (second, "otto")):
        log_in(page, name)
        page.goto(f"/admin/tournaments/competitor/{greens.pk}/change/")
    first.locator("#id_name").fill("Green Team")
    first.get_by_role("button", name="Save", exact=True).click()
    first.wait_for_url("**/competitor/")
    second.locator("#id_name").fill("The Greens")
    second.get_by_role("button", name="Save", exact=True).click()

    expect(
        second.get_by_role("heading", name="anna saved “Green Team” while you were editing it")
    ).to_be_visible()
    second.get_by_label("The Greens – as you, otto, typed it").check()
    second.get_by_role("button", name="Save", exact=True).click()
    second.wait_for_url("**/competitor/")
    greens.refresh_from_db()
    assert greens.name == "The Greens"


# --- screens after an action ------------------------------------------------------------------------------


@pytest.fixture
def narrow(open_page: OpenPage) -> Page:
    """Return a page with the size of a phone."""
    return open_page(360, 740)


def test_conflict_at_form_is_resolved_by_keyboard(desk: Desk, narrow: Page, axe: AssertAccessible) -> None:
    greens = Competitor.objects.get(event=desk.event, number=3)
    log_in(narrow, "anna")
    narrow.goto(f"/admin/tournaments/competitor/{greens.pk}/change/")
    with transaction.atomic():
        row = lock_row(Competitor, greens.pk, greens.version)
        row.name = "Green Team"
        save(row, desk.people["organiser"])
    field = narrow.locator("#id_name")
    field.fill("The Greens")
    field.press("Enter")
    expect(narrow.get_by_role("heading", name="otto saved “Green Team”")).to_be_visible()
    expect_fit(narrow)
    expect_reachable(narrow)
    axe(narrow)
    narrow.get_by_label("Green Team – as otto saved it").focus()
    narrow.keyboard.press("ArrowDown")
    narrow.keyboard.press("Enter")
    narrow.wait_for_url("**/competitor/")
    greens.refresh_from_db()
    assert greens.name == "The Greens"


@pytest.mark.exhaustive
def test_history_of_a_row(desk: Desk, narrow: Page, axe: AssertAccessible) -> None:
    for name in ("Green Team", "A team whose name is about as long as a name of a team may well become"):
        greens = Competitor.objects.get(event=desk.event, number=3)
        greens.name = name
        save(greens, desk.people["arbiter"], "The captain asked for it.")
    log_in(narrow, "anna")
    narrow.goto(f"/admin/tournaments/competitor/{greens.pk}/history/")
    expect(narrow.get_by_role("region", name="Past")).to_contain_text("name: Green Team → A team whose name")
    expect_fit(narrow)
    expect_reachable(narrow)
    axe(narrow)


@pytest.mark.exhaustive
def test_forbidden_page_links_to_desk(desk: Desk, narrow: Page, axe: AssertAccessible, watch: Watch) -> None:
    log_in(narrow, "anna")
    narrow.goto(f"/admin/events/{desk.event.pk}/publication/")
    expect(narrow.get_by_role("heading", level=1)).to_have_text("Your account may not do this")
    expect_fit(narrow)
    expect_reachable(narrow)
    axe(narrow)
    narrow.get_by_role("link", name="the desk").focus()
    narrow.keyboard.press("Enter")
    expect(narrow.get_by_role("heading", level=1)).to_have_text("Events")
    watch.expect("status of 403")


def test_desk_and_site_have_same_accent_colour() -> None:
    greens = [re.findall(r"--accent: (#\w+)", (CSS / name).read_text()) for name in ("site.css", "desk.css")]

    on_screens = [[each for each in found if each != BLACK] for found in greens]
    assert on_screens[0] == on_screens[1]
    assert len(on_screens[0]) == 2
