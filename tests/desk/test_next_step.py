"""The next step on the desk of an event, by role."""

import re
from typing import Any

import pytest
from django.urls import reverse

from tests.cast import Desk
from tests.tournaments.recording.desk import add_pairing, typed
from tournaments.admin.steps import RoundSteps
from tournaments.event.choices import Kind
from tournaments.models import Attendance, Competitor, Event, Pairing, Round
from tournaments.recording.competitors.pasted_list import enter_roster
from tournaments.recording.events.creation import create_event
from tournaments.recording.events.publication import publish
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.dates import RoundStart, set_starts
from tournaments.recording.rounds.opening import close_round, open_round
from tournaments.recording.rounds.publishing import publish_pairings
from tournaments.recording.rounds.schedules import generate_schedule

pytestmark = pytest.mark.django_db


def step(desk: Desk, event: Event, who: str = "organiser") -> tuple[str, str]:
    """Return the label and the URL of the main button."""
    button = steps_of_desk(desk, event, who).button
    assert button
    return button.label, button.address


def steps_of_desk(desk: Desk, event: Event, who: str = "organiser") -> RoundSteps:
    """Return the steps on the event's first page."""
    steps: RoundSteps = desk.browser(who).get(reverse("admin:event-desk", args=[event.pk])).context["steps"]
    return steps


def current(desk: Desk, event: Event, who: str = "organiser") -> tuple[int, str]:
    """Return the number of the current round and its current step."""
    steps = steps_of_desk(desk, event, who)
    [label] = [str(each.label) for each in steps.steps if each.is_current]
    return steps.number, label


def notes(desk: Desk, event: Event, who: str = "organiser") -> list[str]:
    """Return the notes next to the main button."""
    return [note.label for note in steps_of_desk(desk, event, who).notes]


def url_of(event: Event, name: str, *more: int | str) -> str:
    return reverse(f"admin:{name}", args=[event.pk, *more])


def test_steps_of_a_round_robin(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "round-robin", otto)
    assert step(desk, event) == ("Enter the competitors", url_of(event, "event-register"))

    enter_roster(event, "Ann\nBea", otto)
    assert step(desk, event) == ("Pair all rounds", url_of(event, "event-schedule"))

    generate_schedule(event, otto)
    event.refresh_from_db()
    assert step(desk, event) == ("Enter results", url_of(event, "results", 1) + "#result-1")
    assert notes(desk, event) == ["The event is a draft and not public: publish the event."]

    publish(event, "live", otto)
    assert notes(desk, event) == []
    Pairing.objects.filter(round__event=event).update(kind=Kind.PLAYED, first_score=2, second_score=0)
    assert step(desk, event) == ("Close round 1", url_of(event, "round-close", 1))

    event.rounds.update(state=Round.State.CLOSED)
    assert step(desk, event) == ("Declare the event final", url_of(event, "event-publish", "final"))

    publish(event, "final", otto)
    assert step(desk, event) == ("Look at the findings", url_of(event, "event-findings"))


def test_arbiter_sees_that_an_organiser_declares_the_event_final(desk: Desk) -> None:
    desk.event.rounds.all().delete()
    Event.objects.filter(pk=desk.event.pk).update(planned_rounds=1, state="live")
    Round.objects.create(event=desk.event, number=1, state=Round.State.CLOSED)
    assert step(desk, desk.event, "arbiter") == (
        "Look at the findings",
        url_of(desk.event, "event-findings"),
    )
    assert "An organiser declares the event final" in steps_of_desk(desk, desk.event, "arbiter").about
    assert step(desk, desk.event)[0] == "Declare the event final"


def test_note_about_publishing_is_only_for_organisers(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state="draft")
    assert notes(desk, desk.event, "arbiter") == []
    assert notes(desk, desk.event) == ["The event is a draft and not public: publish the event."]
    # As after the import of a whole event.
    Event.objects.filter(pk=desk.event.pk).update(planned_rounds=desk.event.rounds.count())
    desk.event.rounds.update(state=Round.State.CLOSED)
    assert step(desk, desk.event)[0] == "Declare the event final"
    assert notes(desk, desk.event) == ["The event is a draft and not public: publish the event."]


def test_steps_of_a_swiss(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "swiss", otto)
    Competitor.objects.bulk_create(
        [Competitor(event=event, number=number, name=f"Player {number}") for number in (1, 2)]
    )
    assert current(desk, event) == (1, "Propose")

    round_ = open_round(event, otto)
    assert current(desk, event) == (1, "Propose")
    assert [way.address for way in steps_of_desk(desk, event).others] == [
        f"{url_of(event, 'event-attendance')}?round=1",
        url_of(event, "round-pairings", 1),
    ]

    cas = Competitor.objects.create(event=event, number=3, name="Cas", requested_byes={"1": "half-bye"})
    Attendance.objects.create(competitor=event.competitors.get(number=1), round=1, state="present")
    Attendance.objects.create(competitor=cas, round=1, state="present")
    assert "Attendance: 1 of 2" in [way.label for way in steps_of_desk(desk, event).others]
    cas.delete()

    pairing = add_pairing(round_, Seats(1, 2), otto)
    assert "Attendance: 1 of 2" in [way.label for way in steps_of_desk(desk, event).others]
    assert step(desk, event) == ("Publish pairings", url_of(event, "round-publish", 1))

    publish_pairings(round_, otto)
    assert step(desk, event) == ("Enter results", url_of(event, "results", 1) + "#result-1")
    assert [way.label for way in steps_of_desk(desk, event).others] == ["Take the pairings back"]
    assert [way.label for way in steps_of_desk(desk, event).missing] == ["1"]

    enter(event, [typed(pairing, "1-0")], otto)
    assert step(desk, event) == ("Close round 1", url_of(event, "round-close", 1))
    assert steps_of_desk(desk, event).others == ()

    close_round(round_, otto)
    assert step(desk, event) == ("Propose round 2", url_of(event, "round-propose", 2))


def test_postponed_game_does_not_delay_later_rounds(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "swiss", otto)
    for number in (1, 2, 3, 4):
        Competitor.objects.create(event=event, number=number, name=f"Player {number}")
    first = open_round(event, otto)
    add_pairings(first, [Seats(1, 2), Seats(3, 4)], otto)
    publish_pairings(first, otto)
    second = open_round(event, otto)
    add_pairings(second, [Seats(1, 3), Seats(2, 4)], otto)
    assert step(desk, event) == ("Enter results", url_of(event, "results", 1) + "#result-1")

    publish_pairings(second, otto)
    assert step(desk, event) == ("Enter results", url_of(event, "results", 2) + "#result-1")
    assert "Round 1 still awaits 2 results." in notes(desk, event)


def test_round_with_a_marked_game_is_closed_and_the_next_one_paired(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "swiss", otto)
    Event.objects.filter(pk=event.pk).update(planned_rounds=2, state=Event.State.LIVE)
    event.refresh_from_db()
    for number in (1, 2, 3, 4):
        Competitor.objects.create(event=event, number=number, name=f"Player {number}")
    game = "Round 1, table 2 is adjourned: Player 3 – Player 4"
    pairs = [(1, 2), (3, 4)], [(1, 3), (2, 4)]
    for number, (first, second) in enumerate(pairs, start=1):
        round_ = open_round(event, otto)
        add_pairings(round_, [Seats(*first), Seats(*second)], otto)
        publish_pairings(round_, otto)
        for row, text in zip(
            round_.pairings.order_by("table"), ("1-0", "j" if number == 1 else "0"), strict=True
        ):
            [outcome] = enter(event, [typed(row, text)], otto)
            assert outcome.state == "saved"
        closing = url_of(event, "round-close", number)
        assert step(desk, event) == (f"Close round {number}", closing)
        if number == 1:
            about = "Round 1: no result is missing, but 1 game is postponed or adjourned."
            assert steps_of_desk(desk, event).about == about
        assert notes(desk, event) == [game]
        browser = desk.browser("organiser")
        question = browser.post(closing)
        assert f"{url_of(event, 'results', 1)}#table-2" in question.content.decode()
        assert game in question.content.decode()
        assert browser.post(closing, {"anyway": "1"}).status_code == 302
        if number == 1:
            assert step(desk, event) == ("Propose round 2", url_of(event, "round-propose", 2))
    assert step(desk, event) == ("Enter results", url_of(event, "results", 1))
    with pytest.raises(Refused, match=r"adjourned: Player 3 – Player 4\. Enter the result, or \? if"):
        publish(event, "final", otto)
    enter(event, [typed(event.rounds.get(number=1).pairings.get(table=2), "0")], otto)
    assert step(desk, event)[0] == "Declare the event final"
    assert publish(event, "final", otto).state == "final"


def test_first_unfinished_round_comes_before_planned_ones(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "swiss", otto)
    for number in (1, 2, 3, 4):
        Competitor.objects.create(event=event, number=number, name=f"Player {number}")
    set_starts(event, {number: RoundStart(f"2026-05-0{number}") for number in (1, 2, 3, 4)}, {}, otto)

    def offered(number: int) -> Any:
        """Return the button on the page of a round, and the links of all rounds to pair one."""
        browser = desk.browser("organiser")
        steps = browser.get(url_of(event, "round-pairings", number)).context["steps"]
        listed = browser.get(url_of(event, "event-rounds")).content.decode()
        return steps.button and steps.button.label, re.findall(r'aria-label="Pair (round \d)"', listed)

    assert offered(1) == ("Propose round 1", ["round 1"])
    assert offered(3) == ("Finish round 1 first", ["round 1"])

    first = event.rounds.get(number=1)
    [pairing, _other] = add_pairings(first, [Seats(1, 2), Seats(3, 4)], otto)
    publish_pairings(first, otto)
    assert offered(2) == ("Finish round 1 first", [])

    Pairing.objects.filter(round=first).update(kind=Kind.PLAYED, first_score=2, second_score=0)
    close_round(first, otto)
    assert offered(2) == ("Propose round 2", ["round 2"])

    second = event.rounds.get(number=2)
    add_pairings(second, [Seats(1, 3), Seats(2, 4)], otto)
    Pairing.objects.filter(pk=pairing.pk).update(kind=Kind.PENDING, first_score=None, second_score=None)
    event.rounds.filter(number=2).update(state=Round.State.CLOSED)
    Pairing.objects.filter(round=second).update(kind=Kind.PLAYED, first_score=2, second_score=0)
    assert offered(2) == (None, [])


def test_planned_rounds_are_no_task_of_an_event_that_is_over(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(planned_rounds=3)
    desk.event.refresh_from_db()
    set_starts(desk.event, {3: RoundStart("2026-05-03")}, {}, desk.people["organiser"])
    desk.event.rounds.filter(number__lt=3).update(state=Round.State.CLOSED)
    Event.objects.filter(pk=desk.event.pk).update(state="final")

    assert step(desk, desk.event)[0] == "Look at the findings"
    page = desk.browser("organiser").get(url_of(desk.event, "round-pairings", 3))
    assert page.context["steps"].button is None


def test_complete_rounds_of_a_round_robin_are_closed_together(desk: Desk) -> None:
    otto = desk.people["organiser"]
    event = create_event("new", "New", "chess", "players", "round-robin", otto)
    enter_roster(event, "Ann\nBea\nCas\nDee", otto)
    generate_schedule(event, otto)
    Pairing.objects.filter(round__event=event, round__number__lt=3).update(
        kind=Kind.PLAYED, first_score=2, second_score=0
    )
    assert step(desk, event) == ("Close rounds 1, 2", url_of(event, "event-rounds-close"))

    event.rounds.update(state=Round.State.DRAFT)
    Pairing.objects.filter(round__event=event).update(kind=Kind.PENDING, first_score=None, second_score=None)
    assert step(desk, event) == ("Publish all rounds", url_of(event, "event-rounds-publish"))
