"""Pages in Dutch."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible
from tests.demo import CHENNAI, DEN_HAAG, OUAGADOUGOU, record

PAGES = {
    CHENNAI: (
        "",
        "standings/",
        "rounds/11/",
        "rounds/11/1/",
        "competitors/",
        "competitors/1/",
        "statistics/",
    ),
    OUAGADOUGOU: ("standings/", "competitors/1/", "competitors/1/solkoff-plus/", "compare/1/2/", "check/"),
    DEN_HAAG: ("crosstable/", "competitors/", "changes/"),
}
WIDER = "document.documentElement.scrollWidth > innerWidth"


def test_language_switch_applies_to_following_pages(page: Page) -> None:
    record(OUAGADOUGOU)
    page.goto(f"{OUAGADOUGOU}standings/")
    page.get_by_role("link", name="Solk+: Solkoff plus").click()
    page.wait_for_url("**/standings/?sort=solkoff-plus&dir=desc")
    page.get_by_role("link", name="Nederlands").click()
    page.wait_for_url(f"**/nl{OUAGADOUGOU}standings/?sort=solkoff-plus&dir=desc")
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.get_by_role("link", name="Stand", exact=True)).to_be_visible()
    page.locator("#sort-name").click()
    page.wait_for_url(f"**/nl{OUAGADOUGOU}standings/?sort=name&dir=asc")
    page.get_by_role("link", name="English").click()
    page.wait_for_url(f"**{OUAGADOUGOU}standings/?sort=name&dir=asc")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize(
    "event",
    [OUAGADOUGOU, *(pytest.param(event, marks=pytest.mark.exhaustive) for event in (CHENNAI, DEN_HAAG))],
)
@pytest.mark.exhaustive
def test_dutch_pages_are_accessible_and_fit_a_phone(
    phone_page: Page, axe: AssertAccessible, event: str
) -> None:
    record(event)
    for page in PAGES[event]:
        phone_page.goto(f"/nl{event}{page}")
        expect(phone_page.locator("html")).to_have_attribute("lang", "nl")
        assert not phone_page.evaluate(WIDER), page
        axe(phone_page)


SITE = (
    *("/nl/", "/nl/criteria/", "/nl/criteria/direct-encounter/", "/nl/codes/"),
    *("/nl/series/fmjd-world-cup/", "/nl/series/chess-olympiad/"),
)


@pytest.mark.exhaustive
def test_dutch_pages_of_the_site_fit_a_phone(phone_page: Page, axe: AssertAccessible) -> None:
    record(OUAGADOUGOU, CHENNAI)
    for address in SITE:
        phone_page.goto(address)
        assert not phone_page.evaluate(WIDER), address
        axe(phone_page)
