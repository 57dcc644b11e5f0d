"""Printouts, as PDF from Chromium."""

import re
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.conftest import AssertAccessible, OpenPage, log_in
from tests.cast import create_account
from tests.demo import OUAGADOUGOU, WORLD_1948, record
from tournaments.accounts.services.roles import Role
from tournaments.models import Competitor, Event, Pairing, Round

A4, A4_WIDE, A5 = (595, 842), (842, 595), (420, 595)
NAMES = """() => [...document.querySelectorAll(".rows > tbody > tr")].map(row =>
    [...row.querySelectorAll(".name, .who")].flatMap(cell => cell.innerText.match(/\\S+/g) ?? []))"""
NOT_BLACK = """() => [...document.querySelectorAll("main *")].filter(each => each.checkVisibility())
    .filter(each => !each.closest("svg") && getComputedStyle(each).color !== "rgb(0, 0, 0)")
    .map(each => each.outerHTML.slice(0, 80))"""
CUT_OFF = """() => [...document.querySelectorAll(".piece, .half")]
    .filter(each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
    .map(each => each.innerText)"""


class Printed(NamedTuple):
    """The pages of a PDF: the size of each in points, and its text without blanks, which vary."""

    sizes: list[tuple[int, int]]
    texts: list[str]


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Ouagadougou with its last round paired but not played; Anna is its arbiter."""
    record(OUAGADOUGOU)
    event = Event.objects.get(slug=OUAGADOUGOU.split("/")[2])
    event.arbiters.add(create_account("anna", Role.ARBITER))
    Pairing.objects.filter(round__event=event, round__number=9, second__isnull=False).update(
        kind="pending", first_score=None, second_score=None, advantage="", games_played=None
    )
    Round.objects.filter(event=event, number=9).update(state=Round.State.DRAFT)
    return event


def of_round(event: Event, kind: str, query: str = "") -> str:
    return reverse("round-printout", args=[event.pk, 9, kind]) + query


def of_event(event: Event, kind: str, query: str = "") -> str:
    return reverse("event-printout", args=[event.pk, kind]) + query


def printed(page: Page, address: str) -> Printed:
    """Return the PDF of a page on the paper size that the page requests."""
    page.goto(address)
    pdf = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    sizes = [(round(each.mediabox.width), round(each.mediabox.height)) for each in pdf.pages]
    return Printed(sizes, ["".join(each.extract_text().split()) for each in pdf.pages])


def torn(page: Page, texts: Sequence[str]) -> list[list[str]]:
    """Return the names in rows of the open page that a page break divides."""
    names = page.evaluate(NAMES)
    return [row for row in names if not any(all(word in text for word in row) for text in texts)]


def test_lists_print_complete_rows_with_headings_on_each_page(page: Page, event: Event) -> None:
    log_in(page, "anna")
    page.emulate_media(media="print")
    expected = {
        of_round(event, "pairings"): (1, A4, "Black"),
        of_round(event, "pairings", "?size=a5"): (2, A5, "Black"),
        of_round(event, "pairings", "?large=1"): (2, A4, "Black"),
        of_round(event, "names"): (1, A4, "colour"),
        of_round(event, "standings"): (2, A4, "SSolk"),
        of_event(event, "crosstable"): (2, A4_WIDE, "SSolk"),
        of_event(event, "start-list"): (2, A4, "rating"),
        of_event(event, "attendance"): (2, A4, "remark"),
        of_event(event, "colours"): (2, A4, "pts"),
    }
    for address, (count, size, head) in expected.items():
        made = printed(page, address)
        assert made.sizes == [size] * count, address
        for text in made.texts:
            assert all(word in text for word in ("OuagadougouOpen2022", "printed", head)), address
            assert ("DRAFT:notpublished" in text) == ("Pairings" in text), address
        assert torn(page, made.texts) == [], address
        assert page.evaluate(NOT_BLACK) == [], address


@pytest.mark.exhaustive
def test_slips_fill_their_pages_and_are_complete(page: Page, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(players_entry="both")
    log_in(page, "anna")
    page.emulate_media(media="print")
    expected = {
        of_round(event, "slips"): 6,
        of_round(event, "slips", "?per=3"): 12,
        of_round(event, "slips", "?per=4"): 9,
        of_round(event, "slips", "?per=8"): 5,
        of_round(event, "cards"): 9,
        of_event(event, "plates"): 34,
        of_event(event, "plates", "?per=3"): 23,
        of_event(event, "labels"): 3,
        of_event(event, "labels", "?per=21"): 4,
        of_event(event, "labels", "?per=16"): 5,
        of_event(event, "labels", "?per=14"): 5,
    }
    for address, count in expected.items():
        assert printed(page, address).sizes == [A4] * count, address
        assert page.evaluate(CUT_OFF) == [], address


@pytest.mark.exhaustive
def test_round_prints_as_a_single_document_in_the_event_language(page: Page, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(language="nl")
    log_in(page, "anna")
    sheets = "?printout=pairings&printout=names&printout=slips&printout=standings&printout=crosstable"
    made = printed(page, of_round(event, "together", sheets))
    assert made.sizes == [A4] * 10 + [A4_WIDE] * 2
    assert all(word in made.texts[0] for word in ("CONCEPT:nietgepubliceerd", "Indelingperbord", "Wit"))
    assert "Standnaronde8" in made.texts[8]


@pytest.mark.exhaustive
def test_round_robin_of_eleven_fits_a_page(page: Page, event: Event) -> None:
    record(WORLD_1948)
    old = Event.objects.get(slug=WORLD_1948.split("/")[2])
    old.arbiters.add(event.arbiters.get())
    log_in(page, "anna")
    made = printed(page, of_event(old, "crosstable"))
    assert made.sizes == [A4_WIDE]
    assert torn(page, made.texts) == []


def test_printout_is_two_clicks_from_the_results(
    open_page: OpenPage, event: Event, axe: AssertAccessible
) -> None:
    page = open_page(360, 740)
    page.add_init_script("window.print = () => { window.printed = true; }")
    log_in(page, "anna")
    page.goto(reverse("admin:results", args=[event.pk, 8]))
    page.locator(".print-menu summary").click()
    page.get_by_role("link", name="Pairings by table").click()
    expect(page.get_by_role("heading", name="Pairings by table Round 8")).to_be_visible()
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    axe(page)
    page.get_by_role("link", name="everything to print").click()
    expect(page.get_by_role("checkbox", name="Result slips")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    axe(page)
    for kind in ("wall", "booklet"):
        page.goto(of_event(event, kind))
        axe(page)


def test_places_40_to_60_of_110_players_are_two_clicks_away(page: Page, event: Event) -> None:
    Round.objects.filter(event=event).update(state=Round.State.CLOSED)
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Player {number}, From Burkina", rating=1500)
        for number in range(69, 111)
    )
    page.goto(OUAGADOUGOU)
    page.get_by_role("navigation", name="Event").get_by_role("link", name="Standings").click()
    expect(page.locator(".star")).to_have_count(110)
    made = printed(page, page.url)
    assert len(made.texts) <= 3
    assert not re.search("[☆★▲▼↑]", "".join(made.texts))
    assert "Player110" in made.texts[-1]

    log_in(page, "anna")
    page.goto(reverse("admin:event-desk", args=[event.pk]))
    page.get_by_role("link", name="Print", exact=True).click()
    page.get_by_role("link", name="Standings", exact=True).click()
    assert len(printed(page, page.url).texts) <= 3
    page.get_by_label("From").fill("40")
    page.get_by_label("to", exact=True).fill("60")
    page.get_by_label("to", exact=True).press("Enter")
    expect(page.locator("table.standings > tbody > tr")).to_have_count(21)
    assert len(printed(page, page.url).texts) == 1


@pytest.mark.exhaustive
def test_options_need_no_script(plain_page: Page, event: Event) -> None:
    log_in(plain_page, "anna")
    plain_page.goto(of_round(event, "slips"))
    expect(plain_page.locator("#print")).to_be_hidden()
    plain_page.get_by_label("On a page").select_option("8")
    plain_page.get_by_role("button", name="Show").click()
    expect(plain_page.locator(".per-8").first).to_be_visible()
