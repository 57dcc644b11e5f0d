"""The desk of an event that another site changes: read-only forms, refusals, and taking it back."""

from pathlib import Path

import pytest
from django.urls import reverse
from pytest_django.fixtures import Settings

from config.push import store_value
from tests.cast import Desk, create_event, save_settings
from tournaments.models import Event, Revision
from tournaments.models.versioned import past_of
from tournaments.recording.events.home import UNSENT

pytestmark = pytest.mark.django_db

LAPTOP, SITE = "Laptop of hall 2", "https://site.example/"


@pytest.fixture
def lent(desk: Desk) -> Desk:
    Event.objects.update(home=LAPTOP)
    return desk


def home_of(desk: Desk) -> str:
    return Event.objects.values_list("home", flat=True).get(pk=desk.event.pk)


def test_forms_of_a_lent_event_are_read_only(lent: Desk) -> None:
    address = reverse("admin:tournaments_event_change", args=[lent.event.pk])
    browser = lent.browser("organiser")
    assert 'name="_save"' not in browser.get(address).content.decode()
    desk_page = browser.get(reverse("admin:event-desk", args=[lent.event.pk])).content.decode()
    assert f"Changed at {LAPTOP}, not here." in desk_page
    assert browser.post(address, {"name": "Another name"}).status_code == 403
    competitor = lent.event.competitors.values_list("pk", flat=True)[0]
    change = reverse("admin:tournaments_competitor_change", args=[competitor])
    assert browser.post(change, {"name": "Another name"}).status_code == 403


@pytest.mark.parametrize("home", [LAPTOP, ""])
def test_a_lent_event_cannot_be_deleted(desk: Desk, home: str) -> None:
    draft = create_event("draft")
    Event.objects.filter(pk=draft.pk).update(state=Event.State.DRAFT, home=home)
    Revision.objects.filter(event=draft).update(public_at=None)
    address = reverse("admin:tournaments_event_delete", args=[draft.pk])
    desk.browser("superuser").post(address, {"post": "yes"})
    assert Event.objects.filter(pk=draft.pk).exists() == bool(home)


def test_a_lent_event_is_taken_back_with_a_reason(lent: Desk) -> None:
    address = reverse("admin:event-home", args=[lent.event.pk])
    assert lent.browser("arbiter").get(address).status_code == 403
    browser = lent.browser("organiser")
    assert LAPTOP in browser.get(address).content.decode()
    assert browser.post(address, {"reason": ""}).status_code == 200
    assert home_of(lent) == LAPTOP
    browser.post(address, {"reason": "The laptop is lost"})
    assert home_of(lent) == ""
    assert past_of(Event).objects.latest("history_id").history_change_reason == "The laptop is lost"


def test_a_borrowed_event_has_the_address_of_the_site_that_lent_it(desk: Desk) -> None:
    browser = desk.browser("organiser")
    Event.objects.update(shown_at="https://site.example/")
    refused = save_settings(browser, desk.event, slug="another-address")
    assert "The site that lent the event has this address." in refused.content.decode()
    Event.objects.update(shown_at="")
    save_settings(browser, desk.event, slug="another-address")
    assert Event.objects.filter(slug="another-address").exists()


def test_unsent_changes_of_a_borrowed_event_are_shown_with_the_reason(
    desk: Desk, tmp_path: Path, settings: Settings
) -> None:
    settings.HOME, slug = tmp_path, desk.event.slug
    problem = {"problem": "Keep round 3 <b>.", "since": "2026-05-01T10:00:00+00:00"}
    store_value(tmp_path / UNSENT, slug, problem)
    browser = desk.browser("organiser")
    pages = [reverse(f"admin:event-{name}", args=[desk.event.pk]) for name in ("desk", "home")]
    assert not any("Not sent" in browser.get(page).content.decode() for page in pages)  # of a former lending
    for values in ({"shown_at": SITE}, {"home": SITE}):
        Event.objects.update(**{"home": "", "shown_at": "", **values})
        for page in pages:
            text = browser.get(page).content.decode()
            assert f"Not sent to {SITE} since" in text
            assert "Keep round 3 &lt;b&gt;." in text
    assert "Home of the event</a>" not in browser.get(pages[1]).content.decode()


def test_a_borrowed_event_is_given_back(desk: Desk) -> None:
    Event.objects.update(shown_at="https://site.example/")
    desk.browser("organiser").post(reverse("admin:event-home", args=[desk.event.pk]))
    assert home_of(desk) == "https://site.example/"


def test_any_other_form_of_a_lent_event_is_refused_with_its_home(lent: Desk) -> None:
    browser = lent.browser("organiser")
    register = reverse("admin:event-register", args=[lent.event.pk])
    values = {f"form-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    answer = browser.post(register, values, follow=True)
    assert LAPTOP in answer.content.decode()
