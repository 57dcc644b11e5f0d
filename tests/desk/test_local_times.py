"""Times at the desk and on paper are in the time zone of the event, with its name."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.admin.versions import last_save_of
from tournaments.models import Competitor, Event, Override
from tournaments.models.versioned import past_of
from tournaments.recording.locking import save

pytestmark = pytest.mark.django_db


def test_paper_and_pages_use_the_time_zone_of_the_event(desk: Desk) -> None:
    Event.objects.update(time_zone="Asia/Tbilisi")
    organiser, paper = desk.browser("organiser"), reverse("event-printout", args=[desk.event.pk, "standings"])
    assert "UTC+04" in organiser.get(paper).text
    Override.objects.update(at=datetime(2026, 7, 1, 22, 57, tzinfo=UTC))
    screen = reverse("admin:event-overrides", args=[desk.event.pk])
    assert "2 July 2026, 02:57 UTC+04</time>" in organiser.get(screen).text
    Event.objects.update(time_zone="")
    assert "1 July 2026, 22:57 UTC</time>" in organiser.get(screen).text
    assert "UTC" in organiser.get(paper).text


def test_admin_lists_and_histories_use_the_time_zone_of_each_event(desk: Desk) -> None:
    moment, shown = datetime(2026, 7, 1, 22, 57, tzinfo=UTC), "2 July 2026, 02:57 UTC+04"
    Event.objects.update(time_zone="Asia/Tbilisi")
    override = Override.objects.first()
    assert override
    Override.objects.update(at=moment)
    player = Competitor.objects.filter(event=desk.event).first()
    assert player
    save(player, desk.people["organiser"])
    past_of(Competitor).objects.update(history_date=moment)
    for name, row in (
        ("override_changelist", None),
        ("override_change", override),
        ("competitor_history", player),
    ):
        address = reverse(f"admin:tournaments_{name}", args=[row.pk] if row else [])
        assert shown in desk.browser("organiser").get(address).text, name


def test_conflict_uses_the_time_zone_of_the_event(desk: Desk) -> None:
    Event.objects.update(time_zone="Asia/Tbilisi")
    player = Competitor.objects.filter(event=desk.event).first()
    assert player
    save(player, desk.people["organiser"])
    past_of(Competitor).objects.update(history_date=datetime(2026, 7, 1, 22, 57, tzinfo=UTC))
    assert last_save_of(player).at == "2 July 2026, 02:57 UTC+04"


def test_proposed_time_zone_is_not_stored_by_saving(desk: Desk) -> None:
    Event.objects.update(place="Leiden", country="NED")
    page = desk.browser("organiser").get(reverse("admin:tournaments_event_change", args=[desk.event.pk]))
    assert "Not stated. Proposed from the country and the place: Europe/Amsterdam." in page.text
    assert page.context["adminform"].form["time_zone"].value() == ""
