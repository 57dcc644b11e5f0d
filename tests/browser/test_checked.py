"""Badges of agreement and comparisons are legible, and complete on a phone."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage
from tests.cast import create_account, create_team_event
from tests.demo import DEN_HAAG, OUAGADOUGOU, record
from tests.standings.pages.test_clubs import clubs
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import Event, Published
from tournaments.recording.overrides import override_place

SIDEWAYS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(autouse=True)
def events(transactional_db: None) -> None:
    """Events with each state of the badge, a ruled place, and a cup of clubs."""
    record(OUAGADOUGOU, DEN_HAAG)
    event = Event.objects.get(slug="2022-ouagadougou-open")
    override_place(event, 8, 2, create_account("anna"), "He was promised it.", after=9)
    create_team_event("unchecked")
    Published.objects.create(event=create_team_event("differs"), order=[[1], [3], [2]])
    apply(compare_with_stored(samples.document(clubs())))


@WIDTHS
@pytest.mark.exhaustive
def test_badge_comparison_and_codes_are_legible(
    open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page: Page = open_page(width)
    for address in (
        f"{OUAGADOUGOU}check/",
        f"{DEN_HAAG}",
        "/events/differs/check/",
        "/events/unchecked/check/",
        f"{OUAGADOUGOU}compare/2/8/",
        f"{OUAGADOUGOU}competitors/8/",
        "/events/club-cup/standings/",
        "/codes/",
    ):
        page.emulate_media(color_scheme="light")
        page.goto(address)
        axe(page)
        assert not page.evaluate(SIDEWAYS), address
        page.emulate_media(color_scheme="dark")
        axe(page, "color-contrast")  # the only effect of a scheme
