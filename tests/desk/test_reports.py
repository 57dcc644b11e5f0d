"""Checks before a report is sent: missing data, and norms."""

import pytest
from django.urls import reverse

from tests.cast import Desk, chess_swiss_file, create_player_event, stored_event
from tests.desk.test_imports import shown
from tournaments.models import Competitor, Event

pytestmark = pytest.mark.django_db


def test_missing_data_link_to_their_forms(desk: Desk) -> None:
    event = stored_event(chess_swiss_file())
    event.arbiters.add(desk.people["arbiter"])
    ann = Competitor.objects.get(event=event, number=1)
    page = shown(desk.browser("arbiter").get(reverse("admin:event-report-check", args=[event.pk])))

    assert "The chief arbiter is missing." in page
    assert f'href="/admin/tournaments/event/{event.pk}/change/#id_officials"' in page
    assert f'<a href="/admin/tournaments/competitor/{ann.pk}/change/">Ann</a>' in page
    assert "3 of 5 rounds are there." in page


def test_norms_list_all_articles(desk: Desk) -> None:
    event = stored_event(chess_swiss_file())
    event.arbiters.add(desk.people["arbiter"])
    Competitor.objects.filter(event=event).update(rating=2700, title="GM", code="NED", sex="m")
    Competitor.objects.filter(event=event, number=2).update(title="FM")
    page = shown(desk.browser("arbiter").get(reverse("admin:event-norms", args=[event.pk])))

    assert "GM: FM Bea (NED)" in page
    assert "not all is met" in page
    assert "<td>1.4.1</td>" in page


def test_norms_require_standard_play_and_fide_ratings(desk: Desk) -> None:
    event = stored_event(chess_swiss_file())
    event.arbiters.add(desk.people["arbiter"])
    Competitor.objects.filter(event=event).update(rating=2700, title="GM", code="NED", sex="m")
    Competitor.objects.filter(event=event, number=2).update(title="FM")
    address = reverse("admin:event-norms", args=[event.pk])

    def norms(**settings: str) -> str:
        Event.objects.filter(pk=event.pk).update(**settings)
        return shown(desk.browser("arbiter").get(address))

    assert "does not state whether it is rated as standard, rapid or blitz" in norms()
    assert "is not rated as standard play: it gives no norms" in norms(rated_as="rapid")
    standard = norms(rated_as="standard")
    assert "gives no" not in standard
    assert "not those of FIDE" not in standard
    local = norms(ratings_from="local")
    assert "not from FIDE's standard list" in local
    assert "GM: FM Bea" not in local


def test_norms_of_draughts_are_not_computed(desk: Desk) -> None:
    event = create_player_event("draughts")
    event.arbiters.add(desk.people["arbiter"])
    browser = desk.browser("arbiter")

    assert "Norms of the FMJD are not counted" in shown(
        browser.get(reverse("admin:event-norms", args=[event.pk]))
    )
    check = shown(browser.get(reverse("admin:event-report-check", args=[event.pk])))
    assert "has not published its format" in check
