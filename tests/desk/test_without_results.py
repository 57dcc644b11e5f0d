"""The desk of an event without results, of which only the published ranking is known."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from selectolax.lexbor import LexborHTMLParser

from tests.cast import create_players
from tests.tournaments.recording.desk import add_pairing, typed
from tournaments.crosstable import judge
from tournaments.event.checks import check_document
from tournaments.event.choices import Kind
from tournaments.models import Event, Pairing, Published, Round
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.results.submissions import enter
from tournaments.stored import load

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Return a live Swiss without results, with a date for round 1."""
    event = create_players("old", ["Ann", "Bea"], 0, state="live", planned_rounds=3, unknown=["results"])
    Published.objects.create(event=event, order=[[1], [2]])
    Round.objects.create(event=event, number=1, date="1999-05-01", state=Round.State.DRAFT)
    return event


def test_recorded_results_do_not_change_the_published_standings(event: Event, admin_user: User) -> None:
    Published.objects.update(order=[[2], [1]], columns={"Pts": {"1": "0.5", "2": "2.5"}})
    pairing = add_pairing(Round.objects.get(event=event), Seats(1, 2), admin_user)
    Round.objects.update(state=Round.State.PUBLISHED)
    outcome = enter(event, [typed(pairing, "1-0")], admin_user)

    assert outcome[0].message == ""
    assert Pairing.objects.get().kind == Kind.PLAYED
    assert judge(event).place.tolist() == [2, 1]
    assert "results-incomplete" in [each.code for each in check_document(load(event.slug))]


def test_results_count_once_an_organiser_says_that_they_are_known(event: Event, admin_user: User) -> None:
    add_pairing(Round.objects.get(event=event), Seats(1, 2), admin_user)
    Round.objects.update(state=Round.State.PUBLISHED)
    enter(event, [typed(Pairing.objects.get(), "1-0")], admin_user)
    Event.objects.update(unknown=[])
    assert judge(Event.objects.get()).place.tolist() == [1, 2]


def test_desk_does_not_claim_results(event: Event, admin_client: Client) -> None:
    page = " ".join(
        LexborHTMLParser(admin_client.get(reverse("admin:event-desk", args=[event.pk])).content)
        .text()
        .split()
    )
    assert "Only the published ranking is known; no results are recorded." in page
    assert "Propose round" not in page
    assert "All results are entered" not in page


def test_desk_of_a_final_event_does_not_mention_results(event: Event, admin_client: Client) -> None:
    Event.objects.update(state=Event.State.FINAL)
    steps = admin_client.get(reverse("admin:event-desk", args=[event.pk])).context["steps"]
    assert steps.about == "Only the published ranking is known; no results are recorded."


def test_settings_can_state_that_results_are_known(event: Event, admin_client: Client) -> None:
    address = reverse("admin:tournaments_event_change", args=[event.pk])
    form = admin_client.get(f"{address}?part=publication").context["adminform"].form
    assert form.initial["unknown"] == ["results"]
    assert [value for value, _label in form.fields["unknown"].choices] == [
        "colours",
        "round_order",
        "results",
    ]


def test_unknown_results_are_no_choice_of_an_event_with_results(admin_client: Client) -> None:
    event = create_players("new", ["Ann", "Bea"], 1)
    address = reverse("admin:tournaments_event_change", args=[event.pk])
    fields = admin_client.get(f"{address}?part=publication").context["adminform"].form.fields
    assert [value for value, _label in fields["unknown"].choices] == ["colours", "round_order"]
