"""Publishing: what each state means, asked before, refused where the event is not ready."""

from typing import Any

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.models import Event, Job, Pairing, Round
from tournaments.models.versioned import past_of

pytestmark = pytest.mark.django_db

PUBLIC = "/events/two-teams/"


def state_of(desk: Desk) -> str:
    return Event.objects.values_list("state", flat=True).get(pk=desk.event.pk)


def begin_as(desk: Desk, state: str) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state=state)


def ask(desk: Desk, state: str) -> Any:
    """Open the question."""
    return desk.browser("organiser").get(reverse("admin:event-publish", args=[desk.event.pk, state]))


def confirm(desk: Desk, state: str, **values: str) -> Any:
    address = reverse("admin:event-publish", args=[desk.event.pk, state])
    return desk.browser("organiser").post(address, values)


def readers_get(desk: Desk) -> int:
    return int(desk.browser("nobody").get(PUBLIC).status_code)


def test_every_state_says_what_it_means(desk: Desk) -> None:
    page = desk.browser("organiser").get(reverse("admin:event-publication", args=[desk.event.pk]))

    assert [stage.state for stage in page.context["stages"]] == Event.State.values
    assert [stage.state for stage in page.context["stages"] if stage.is_now] == ["live"]
    assert all(stage.meaning for stage in page.context["stages"])


def test_to_ask_changes_nothing(desk: Desk) -> None:
    begin_as(desk, "draft")
    page = ask(desk, "live")

    assert "From this moment everybody can read it at /events/two-teams/." in page.content.decode()
    assert (state_of(desk), readers_get(desk)) == ("draft", 404)


def test_to_confirm_publishes(desk: Desk) -> None:
    begin_as(desk, "draft")
    confirm(desk, "live")

    assert (state_of(desk), readers_get(desk)) == ("live", 200)
    assert past_of(Event).objects.filter(id=desk.event.pk).first().history_user == desk.people["organiser"]


@pytest.mark.parametrize(("state", "status"), [("draft", 404), ("removed", 410)])
def test_unpublishing_says_what_happens_and_needs_a_reason(desk: Desk, state: str, status: int) -> None:
    assert "nobody but the desk can read it" in ask(desk, state).content.decode()
    answer = confirm(desk, state)

    assert list(answer.context["form"].errors) == ["reason"]
    assert (state_of(desk), readers_get(desk)) == ("live", 200)

    confirm(desk, state, reason="Two names were wrong.")
    assert (state_of(desk), readers_get(desk)) == (state, status)
    assert past_of(Event).objects.first().history_change_reason == "Two names were wrong."


def test_an_event_that_is_not_ready_says_why(desk: Desk) -> None:
    answer = confirm(desk, "final")

    assert "Round 2 is open. Close it first." in answer.content.decode()
    assert state_of(desk) == "live"


@pytest.mark.parametrize("state", ["live", "final", "archived"])
def test_nobody_to_show(desk: Desk, state: str) -> None:
    begin_as(desk, "draft")
    desk.event.rounds.all().delete()
    desk.event.competitors.all().delete()
    answer = confirm(desk, state)

    assert "Nobody takes part yet." in answer.content.decode()
    assert state_of(desk) == "draft"


def test_its_archive_is_begun_when_it_is_over(desk: Desk) -> None:
    begin_as(desk, "live")
    assert confirm(desk, "final").status_code == 200  # it has results missing
    assert not Job.objects.exists()
    Pairing.objects.filter(round__event=desk.event, kind="pending").delete()
    Round.objects.filter(event=desk.event).update(state="closed")
    assert confirm(desk, "final").status_code == 302
    job = Job.objects.get()
    assert (job.key, job.turn, job.arguments["host"]) == (f"archive-{desk.event.pk}", 2, "testserver")
    # Who asks for it meanwhile has it made before others that nobody waits for.
    assert desk.browser("nobody").get("/events/two-teams.zip").status_code == 202
    assert Job.objects.get().turn == 1


def test_two_organisers_publish_at_once(desk: Desk) -> None:
    begin_as(desk, "draft")
    confirm(desk, "live")

    assert confirm(desk, "live")["Location"] == reverse("admin:event-publication", args=[desk.event.pk])
    assert Event.objects.get(pk=desk.event.pk).version == 2


def test_there_is_no_step_to_a_state_that_is_none(desk: Desk) -> None:
    assert ask(desk, "lost").status_code == 404


def test_no_step_leads_to_the_state_it_has(desk: Desk) -> None:
    assert "The event is live already." in told(desk, "live")


def test_what_was_never_public_is_not_removed(desk: Desk) -> None:
    begin_as(desk, "draft")

    assert "No step leads from draft to removed." in told(desk, "removed")
    assert confirm(desk, "removed").status_code == 302
    assert state_of(desk) == "draft"


def told(desk: Desk, state: str) -> str:
    """The screen that somebody is led to who asks for a step."""
    address = reverse("admin:event-publish", args=[desk.event.pk, state])
    return str(desk.browser("organiser").get(address, follow=True).content.decode())
