"""What the desk of an event says is to be done next, and for whom."""

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.recording.events import create_event
from tournaments.recording.pairings import NewPairing, add_pairing
from tournaments.recording.publication import publish
from tournaments.recording.rosters import enter_roster
from tournaments.recording.rounds import open_round
from tournaments.recording.schedules import generate_schedule

pytestmark = pytest.mark.django_db


def step(desk: Desk, event: Event, who: str = "organiser") -> tuple[str, str]:
    """The words, and the name of the screen they lead to."""
    shown = desk.browser(who).get(reverse("admin:event-desk", args=[event.pk])).context["step"]
    return shown.text, shown.address


def leads(event: Event, name: str, *more: int) -> str:
    return reverse(f"admin:{name}", args=[event.pk, *more])


def test_a_round_robin_from_nothing_to_its_end(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "round-robin", otto)
    assert step(desk, event) == ("Enter the competitors.", leads(event, "event-roster"))

    enter_roster(event, "Ann\nBea", otto)
    assert step(desk, event) == ("Make the schedule of all rounds.", leads(event, "event-schedule"))

    generate_schedule(event, otto)
    event.refresh_from_db()
    assert step(desk, event) == (
        "Publish it: readers see nothing of a draft.",
        leads(event, "event-publication"),
    )

    publish(event, "live", otto)
    assert step(desk, event) == ("Round 1: 1 result is missing.", leads(event, "results", 1))

    Pairing.objects.filter(round__event=event).update(kind=Kind.PLAYED, first_score=2, second_score=0)
    assert step(desk, event) == ("Close round 1.", leads(event, "round-close", 1))

    event.rounds.update(state=Round.State.CLOSED)
    assert step(desk, event) == ("All results are in: declare it final.", leads(event, "event-publication"))

    publish(event, "final", otto)
    told = "The event is over. A changed result is a correction, with a reason."
    assert step(desk, event) == (told, leads(event, "event-findings"))


def test_an_arbiter_is_told_who_declares_it_final(desk: Desk) -> None:
    desk.event.rounds.all().delete()
    Event.objects.filter(pk=desk.event.pk).update(planned_rounds=1, state="live")
    Round.objects.create(event=desk.event, number=1, state=Round.State.CLOSED)
    assert step(desk, desk.event, "arbiter") == (
        "All results are in. An organiser declares the event final; until then, look at the findings.",
        leads(desk.event, "event-findings"),
    )
    assert step(desk, desk.event)[0] == "All results are in: declare it final."


def test_who_cannot_publish_is_not_told_to(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state="draft")
    assert step(desk, desk.event, "arbiter")[0] == "Pair round 2."


def test_a_swiss_goes_on_round_by_round(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "swiss", otto)
    Competitor.objects.create(event=event, number=1, name="Ann")
    assert step(desk, event) == ("Open the next round.", leads(event, "event-rounds"))

    open_round(event, otto)
    assert step(desk, event) == ("Pair round 1.", leads(event, "round-pairings", 1))

    add_pairing(event.rounds.get(), NewPairing(1), otto)
    told = "Publish the pairings of round 1."
    assert step(desk, event) == (told, leads(event, "round-pairings", 1))
