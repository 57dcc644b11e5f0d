"""The desk of an event without results, of which only the published ranking is known."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from selectolax.lexbor import LexborHTMLParser

from tests.cast import create_players
from tests.tournaments.recording.desk import add_pairing, typed
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Published, Round
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.pairings.drafts import ask_for_proposal
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.schedules import generate_schedule

pytestmark = pytest.mark.django_db

REFUSED = "Only the published ranking of this event is known"
WAY_OUT = "untick “the results of the games: only the final ranking is known”"


@pytest.fixture
def event() -> Event:
    """Return a live Swiss without results, with a date for round 1."""
    event = create_players("old", ["Ann", "Bea"], 0, state="live", planned_rounds=3, unknown=["results"])
    Published.objects.create(event=event, order=[[1], [2]])
    Round.objects.create(event=event, number=1, date="1999-05-01", state=Round.State.DRAFT)
    return event


def pair(event: Event, by: User) -> Any:
    return add_pairing(Round.objects.get(event=event), Seats(1, 2), by)


def schedule(event: Event, by: User) -> Any:
    Event.objects.update(schedule=Event.Schedule.ROUND_ROBIN)
    return generate_schedule(Event.objects.get(pk=event.pk), by)


@pytest.mark.parametrize("act", [open_round, ask_for_proposal, pair, schedule])
def test_rounds_are_rejected_with_advice(
    event: Event, admin_user: User, act: Callable[[Event, User], Any]
) -> None:
    with pytest.raises(Refused) as refused:
        act(event, admin_user)
    assert REFUSED in str(refused.value)
    assert WAY_OUT in str(refused.value)
    assert (Round.objects.count(), Pairing.objects.count()) == (1, 0)


def test_existing_result_cannot_be_changed(event: Event, admin_user: User) -> None:
    first, second = Competitor.objects.order_by("number")
    pairing = Pairing.objects.create(
        round=Round.objects.get(), table=1, first=first, second=second, kind=Kind.PENDING
    )
    Round.objects.update(state=Round.State.PUBLISHED)
    outcome = enter(event, [typed(pairing, "1-0")], admin_user)
    assert REFUSED in outcome[0].message


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
