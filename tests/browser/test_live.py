"""Automatic updates of open pages of a live event."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage
from tests.cast import create_team_event
from tournaments.models import Competitor, Event, Pairing, Revision
from tournaments.operations.epoch import renew_epoch
from tournaments.operations.revision import revision_of

SOON = 8_000  # milliseconds from a commit to its display on all open pages
POLL = 5_000  # milliseconds between polls
MARKED = 3_000  # milliseconds that a row stays marked
LIVE = "/events/two-teams/"
FIRST_SCORE = "td.result a"


@pytest.fixture
def event() -> Event:
    """A live event with enough teams to scroll."""
    event = create_team_event()
    others = [Competitor(event=event, number=number, name=f"Team {number}") for number in range(4, 60)]
    Competitor.objects.bulk_create(others)
    return event


def open_live(page: Page, address: str) -> None:
    """Open a page whose clock the test can advance."""
    page.clock.install()
    page.goto(LIVE + address)


def test_note_about_a_silent_home_follows_the_clock_of_the_server(
    event: Event, open_page: OpenPage, axe: AssertAccessible
) -> None:
    Event.objects.update(home="Laptop of Eva")
    now = timezone.now()
    Revision.objects.update(changed_at=now - timedelta(minutes=40))
    right, wrong = open_page(1280), open_page(360)
    for page, device in ((right, now), (wrong, now - timedelta(hours=3))):
        page.clock.install(time=device)
        page.goto(f"{LIVE}live/")
    note = wrong.locator("#from-home")
    expect(right.locator("#from-home")).to_be_visible()
    expect(note).to_be_hidden()
    axe(right)
    wrong.clock.run_for(POLL)
    wrong.wait_for_load_state("networkidle")
    wrong.clock.run_for(POLL)
    expect(note).to_be_visible(timeout=SOON)
    assert wrong.evaluate("document.documentElement.scrollWidth <= innerWidth")
    correct()
    wrong.clock.run_for(POLL)
    expect(note).to_be_hidden(timeout=SOON)


def correct() -> None:
    """Save a result as the desk does."""
    match = Pairing.objects.get(round__number=1, table=1)
    match.first_score, match.second_score = 0, 4
    match.save()


def test_two_open_pages_show_a_result_without_layout_shift(
    event: Event, open_page: OpenPage, axe: AssertAccessible
) -> None:
    standings, pairings = open_page(360, 500), open_page(1280)
    open_live(standings, "standings/?sort=name&dir=desc")
    open_live(pairings, "rounds/1/")
    row = standings.locator("#standings tbody tr", has_text="Reds")
    link = row.locator("a").first
    link.focus()
    standings.evaluate("scrollTo(30, 90)")
    pairings.locator(FIRST_SCORE).first.focus()
    scrolled = standings.evaluate("[scrollX, scrollY]")
    standings.evaluate("document.querySelector('#live').dataset.old = 'yes'")

    correct()
    # The mark first: the clock of an open page also runs by itself, so the mark ends after three seconds.
    standings.clock.run_for(POLL)
    expect(row).to_have_class("changed", timeout=SOON)
    pairings.clock.run_for(POLL)

    expect(pairings.locator(FIRST_SCORE).first).to_have_text("0 : 2", timeout=SOON)
    expect(pairings.locator(FIRST_SCORE).first).to_be_focused()
    expect(standings.locator("#live[data-old]")).to_have_count(0, timeout=SOON)
    expect(link).to_be_focused()
    assert standings.evaluate("[scrollX, scrollY]") == scrolled
    expect(standings.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    standings.clock.run_for(MARKED)
    expect(row).not_to_have_class("changed")
    axe(standings)


def test_later_sorting_survives_an_update(event: Event, page: Page) -> None:
    open_live(page, "standings/")
    page.locator("#sort-name").click()
    page.wait_for_url("**sort=name**")
    Competitor.objects.filter(number=1).update(name="Crimsons")
    page.clock.run_for(POLL)
    expect(page.locator("#standings")).to_contain_text("Crimsons", timeout=SOON)
    expect(page.locator("th[aria-sort] #sort-name")).to_be_visible()


@pytest.mark.exhaustive
def test_ended_event_is_not_polled(event: Event, page: Page) -> None:
    open_live(page, "standings/")
    expect(page.locator("#facts")).to_contain_text("in progress")
    Event.objects.update(state=Event.State.FINAL)
    page.clock.run_for(POLL)
    expect(page.locator("#live[hx-get]")).to_have_count(0, timeout=SOON)
    expect(page.locator("#facts")).not_to_contain_text("in progress")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.clock.run_for(2 * POLL)
    page.evaluate("fetch(location)")  # earlier requests are finished by then
    assert requests
    assert not [url for url in requests if "/poll/" in url]


@pytest.mark.exhaustive
def test_footer_shows_the_version_of_the_page(event: Event, page: Page) -> None:
    open_live(page, "rounds/1/")
    before = page.locator("#foot").inner_text()
    correct()
    page.clock.run_for(POLL)
    expect(page.locator("#foot")).not_to_have_text(before, timeout=SOON)
    expect(page.locator("#foot")).to_contain_text(f"data version {event.revision.number}")


@pytest.mark.exhaustive
def test_page_is_not_updated_without_javascript(event: Event, plain_page: Page) -> None:
    answer = plain_page.goto(f"{LIVE}standings/")
    assert answer
    assert "refresh" not in answer.headers
    expect(plain_page.locator("#live[hx-get]")).to_have_count(1)
    expect(plain_page.locator("meta[http-equiv]")).to_have_count(0)


@pytest.mark.exhaustive
def test_open_page_is_updated_after_a_restore(event: Event, page: Page) -> None:
    """The revision is the same as on the page; only the epoch differs."""
    open_live(page, "standings/")
    seen = revision_of(event.pk)
    Competitor.objects.filter(event=event, number=1).update(name="Crimsons")
    Revision.objects.filter(event=event).delete()
    Revision.objects.create(event=event, number=seen)
    renew_epoch()
    page.clock.run_for(POLL)
    expect(page.locator("#standings")).to_contain_text("Crimsons", timeout=SOON)
