"""Times at the desk and on paper: by the clocks of the event, with the name of the zone."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.models import Event, Override

pytestmark = pytest.mark.django_db


def test_paper_and_screens_of_an_event_are_in_its_time(desk: Desk) -> None:
    Event.objects.update(time_zone="Asia/Tbilisi")
    organiser, paper = desk.browser("organiser"), reverse("event-printout", args=[desk.event.pk, "standings"])
    assert "UTC+04" in organiser.get(paper).text
    Override.objects.update(at=datetime(2026, 7, 1, 22, 57, tzinfo=UTC))
    screen = reverse("admin:event-overrides", args=[desk.event.pk])
    assert "2 July 2026, 02:57 UTC+04</time>" in organiser.get(screen).text
    Event.objects.update(time_zone="")
    assert "1 July 2026, 22:57 UTC</time>" in organiser.get(screen).text
    assert "UTC" in organiser.get(paper).text


def test_a_time_zone_is_proposed_in_the_settings_and_not_stored_by_saving(desk: Desk) -> None:
    Event.objects.update(place="Leiden", country="NED")
    page = desk.browser("organiser").get(reverse("admin:tournaments_event_change", args=[desk.event.pk]))
    assert "Not stated. Proposed from the country and the place: Europe/Amsterdam." in page.text
    assert page.context["adminform"].form["time_zone"].value() == ""
