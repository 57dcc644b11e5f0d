"""Persons at the desk: likely links by keyboard, a merge and its reversal."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage, log_in
from tests.cast import create_account, stored_event, swiss_file
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, Person, PersonLink
from tournaments.people.services.linking import link_entries

pytestmark = pytest.mark.usefixtures("live_server")
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def events(transactional_db: None) -> list[Event]:
    """Two world championships with the same four players, two of them spelled differently in the second."""
    create_account("otto", Role.ORGANISER)
    names = (
        ("Ghestem, Pierre", "Roozenburg, Piet", "Keller, Reinier", "Raichenbach, Maurice"),
        ("Pierre Ghestem", "P. Roozenburg", "Keller, Reinier", "Raichenbach, Maurice"),
    )
    made = []
    for year, players in zip(("1947", "1948"), names, strict=True):
        file = swiss_file()
        file["event"] |= {"slug": f"championship-{year}", "name": f"Championship {year}", "start": year}
        for competitor, name in zip(file["competitors"], players, strict=True):
            competitor["name"] = name
        event = stored_event(file)
        link_entries(event)
        made.append(event)
    return made


def test_likely_links_are_confirmed_and_refused_by_keyboard(
    events: list[Event], open_page: OpenPage, axe: AssertAccessible
) -> None:
    page = open_page(1280)
    log_in(page, "otto")
    page.goto("/admin/")
    page.get_by_role("link", name="Persons and teams").click()
    page.get_by_role("link", name="3 likely links").click()
    axe(page)
    for key in ("ArrowDown", "c", "r", "c"):
        page.keyboard.press(key)
    expect(page.get_by_role("status")).to_have_text("3 of 3 answered")
    page.keyboard.press("s")

    expect(page.get_by_text("Recorded: 2 confirmed, 1 refused.")).to_be_visible()
    expect(page.get_by_text("No link waits here.")).to_be_visible()
    assert PersonLink.objects.count() == 4


def person(page: Page, name: str, born: str) -> Person:
    page.goto("/admin/people/")
    page.get_by_role("link", name="New person").click()
    page.get_by_label("Name:", exact=True).fill(name)
    page.get_by_label("Born").fill(born)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return Person.objects.latest("pk")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("width", "javascript"), [pytest.param(1280, True, marks=pytest.mark.exhaustive), (360, False)]
)
def test_merge_can_be_undone(
    events: list[Event], open_page: OpenPage, axe: AssertAccessible, width: int, javascript: bool
) -> None:
    page = open_page(width, 800, javascript=javascript)
    log_in(page, "otto")
    one, other = person(page, "Roozenburg, Piet", "1924"), person(page, "Roozenburg, P.", "1923")
    page.goto(f"/admin/people/{one.pk}/")
    page.get_by_role("link", name="Link an entry").click()
    page.get_by_label("Name in the event").fill("roozenburg")
    page.get_by_role("button", name="Search").click()
    page.get_by_label("P. Roozenburg").check()
    page.get_by_label("Why").fill("There was one of that name.")
    page.get_by_role("button", name="Link the ticked entries").click()
    expect(page.get_by_role("link", name="Championship 1948")).to_be_visible()

    page.get_by_role("link", name="Merge").click()
    page.get_by_label("Which is the duplicate?").fill("roozenburg")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Roozenburg, P.").click()
    expect(page.get_by_role("group", name="born")).to_be_visible()
    page.get_by_label("1923").check()
    page.get_by_label("Why").fill("The same man.")
    page.get_by_role("button", name="Merge them").click()
    expect(page.get_by_text("is merged into")).to_be_visible()
    assert Person.objects.get(pk=other.pk).merged_into_id == one.pk
    assert Person.objects.get(pk=one.pk).born == "1923"

    page.get_by_role("link", name="Undo Merged").click()
    page.get_by_label("Why").fill("Two men.")
    page.get_by_role("button", name="Undo it").click()
    expect(page.get_by_text("The undoing can be undone as well.")).to_be_visible()
    assert Person.objects.get(pk=other.pk).merged_into_id is None
    assert Person.objects.get(pk=one.pk).born == "1924"


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [1280, 360])
def test_every_screen_is_accessible_and_fits(
    events: list[Event], open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    one, other = Person.objects.create(name="Keller, Reinier"), Person.objects.create(name="Keller, R.")
    hidden = Person.objects.create(name="Ghestem, Pierre", hidden=True)
    Event.objects.update(notes="Ghestem opened the event.\n" + "Ghestem" * 30)
    addresses = [
        *("people/", "people/links/", "people/new/", "teams/new/", f"people/{one.pk}/"),
        *(f"people/{one.pk}/link/?q=keller", f"people/{one.pk}/merge/?q=keller"),
        *(f"people/{one.pk}/merge/?other={other.pk}", f"people/{one.pk}/split/", f"people/{one.pk}/hide/"),
        f"people/{hidden.pk}/remaining/",
    ]
    for address in addresses:
        page.goto(f"/admin/{address}")
        axe(page)
        assert page.evaluate(FITS), address
