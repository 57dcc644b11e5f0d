"""Update ratings at the desk: differences, selected rows, and a preview of changed places."""

from pathlib import Path

import pytest
from django.urls import reverse

from tests.cast import Desk, create_rated_event
from tests.desk.test_imports import shown
from tests.ratinglists import imported
from tournaments.models import Competitor, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(desk: Desk) -> Event:
    """Four chess players after two rounds, one of them with another rating in the list."""
    event = create_rated_event()
    event.arbiters.add(desk.people["arbiter"])
    Competitor.objects.filter(event=event, number=1).update(fide_id=1503014, name="Carlsen, Magnus")
    return event


def posted(event: Event, **more: object) -> dict[str, object]:
    """Return the form with the first row selected."""
    row = Competitor.objects.get(event=event, number=1)
    return {
        "chosen": "fide-2026-05-01", "kind": "standard", "field": ["rating", "title"], "row": [f"c{row.pk}"],
        f"seen-c{row.pk}": row.version, **more,
    }  # fmt: skip


def test_selected_differences_are_stored_with_a_reason(desk: Desk, event: Event, tmp_path: Path) -> None:
    browser, address = desk.browser("organiser"), reverse("admin:event-ratings", args=[event.pk])
    assert "No list of this game" in shown(browser.get(address))
    imported(tmp_path)

    page = shown(browser.get(address))
    assert "1 differs from FIDE 2026-05-01." in page
    assert "rating: 2012 → <b>2839</b>" in page
    assert "Bea; Cas; Dov" in page

    tried = shown(browser.post(address, posted(event, **{"try": "1"})))
    assert "Nothing is updated yet." in tried
    assert "The event has results" in shown(browser.post(address, posted(event)))
    assert Competitor.objects.get(event=event, number=1).rating == 2012

    done = shown(browser.post(address, posted(event, reason="So say the regulations."), follow=True))
    assert "1 row updated from FIDE 2026-05-01." in done
    assert Competitor.objects.get(event=event, number=1).rating == 2839


def test_kind_of_ratings_is_required(desk: Desk, event: Event, tmp_path: Path) -> None:
    imported(tmp_path)
    Event.objects.update(rated_as="")
    browser, address = desk.browser("organiser"), reverse("admin:event-ratings", args=[event.pk])

    page = browser.get(address)
    assert page.context["compared"] is None
    assert "kind" in page.context["form"].errors
    assert "rating: 2012 → <b>2839</b>" in shown(browser.get(address, {"kind": "standard"}))


def test_only_organisers_update_a_completed_event(desk: Desk, event: Event, tmp_path: Path) -> None:
    imported(tmp_path)
    browser, address = desk.browser("arbiter"), reverse("admin:event-ratings", args=[event.pk])

    assert "an organiser changes ratings" in shown(browser.get(address))
    assert "an organiser changes ratings" in shown(browser.post(address, posted(event, reason="Because.")))
    assert Competitor.objects.get(event=event, number=1).rating == 2012


def test_concurrent_change_of_a_row_is_a_conflict(desk: Desk, event: Event, tmp_path: Path) -> None:
    imported(tmp_path)
    address = reverse("admin:event-ratings", args=[event.pk])
    form = posted(event, reason="Because.")
    Competitor.objects.filter(event=event, number=1).update(version=9)

    assert "errornote" in shown(desk.browser("organiser").post(address, form))
    assert Competitor.objects.get(event=event, number=1).rating == 2012
