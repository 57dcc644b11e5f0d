"""A rating list on a phone: names are suggested during typing, and ratings are updated."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, log_in
from tests.cast import create_desk, create_event
from tests.ratinglists import imported
from tournaments.models import Competitor


@pytest.mark.exhaustive
def test_name_is_suggested_and_rating_updated(
    transactional_db: None, phone_page: Page, axe: AssertAccessible, tmp_path: Path
) -> None:
    desk, page = create_desk(), phone_page
    imported(tmp_path, "12")
    event = create_event("open-of-may", planned_rounds=5, rated_as="rapid")
    log_in(page, desk.people["organiser"].username)

    page.goto(f"{reverse('admin:tournaments_competitor_add')}?event={event.pk}")
    name = page.get_by_label("Name:")
    name.press_sequentially("leko")
    proposals = page.get_by_role("listbox", name="Players of the rating list")
    expect(proposals.get_by_role("option")).to_have_text("GM · Leko, Peter · 2700 · HUN · 1979 · 703303")
    axe(page)
    name.press("Escape")
    expect(proposals).to_be_hidden()
    name.press_sequentially(", p")
    expect(proposals).to_be_visible()
    name.press("ArrowDown")
    name.press("Enter")
    expect(name).to_have_value("Leko, Peter")
    expect(page.get_by_label("Rating:", exact=True)).to_have_value("2700")
    expect(page.get_by_label("FIDE id")).to_have_value("703303")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("was added successfully")

    Competitor.objects.filter(event=event).update(rating=2600)
    page.goto(reverse("admin:event-ratings", args=[event.pk]))
    expect(page.get_by_role("row", name="Leko")).to_contain_text("rating: 2600 → 2700")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    page.get_by_role("button", name="Update the ticked values").click()
    expect(page.locator(".messagelist")).to_contain_text("1 row updated from FIDE 2026-05-01.")
    assert Competitor.objects.get(event=event).rating == 2700

    page.goto(reverse("admin:event-register", args=[event.pk]))
    row = page.locator("#new-rows tr").first
    row.locator('[name$="-name"]').press_sequentially("judit")
    expect(proposals).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # accepts the suggestion; in the table Enter would go to the next row
    expect(row.locator('[name$="-rating"]')).to_have_value("2646")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("row", name="Polgar")).to_be_visible()
    assert Competitor.objects.get(event=event, number=2).fide_id == 700070

    page.goto(reverse("admin:rating-lists"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
