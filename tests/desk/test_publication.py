"""Publication: the meaning of the states, confirmation, and events that are not ready."""

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


def set_state(desk: Desk, state: str) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state=state)


def ask(desk: Desk, state: str) -> Any:
    """Open the confirmation."""
    return desk.browser("organiser").get(reverse("admin:event-publish", args=[desk.event.pk, state]))


def confirm(desk: Desk, state: str, **values: str) -> Any:
    address = reverse("admin:event-publish", args=[desk.event.pk, state])
    return desk.browser("organiser").post(address, values)


def readers_get(desk: Desk) -> int:
    return int(desk.browser("nobody").get(PUBLIC).status_code)


def test_all_states_are_explained(desk: Desk) -> None:
    page = desk.browser("organiser").get(reverse("admin:event-publication", args=[desk.event.pk]))

    assert [stage["state"] for stage in page.context["stages"]] == Event.State.values
    assert [stage["state"] for stage in page.context["stages"] if stage["is_now"]] == ["live"]
    assert all(stage["meaning"] for stage in page.context["stages"])


def test_confirmation_page_changes_nothing(desk: Desk) -> None:
    set_state(desk, "draft")
    page = ask(desk, "live")

    assert "When you confirm, everyone can see it at /events/two-teams/." in page.content.decode()
    assert (state_of(desk), readers_get(desk)) == ("draft", 404)


def test_confirmed_change_publishes(desk: Desk) -> None:
    set_state(desk, "draft")
    confirm(desk, "live")

    assert (state_of(desk), readers_get(desk)) == ("live", 200)
    assert past_of(Event).objects.filter(id=desk.event.pk).first().history_user == desk.people["organiser"]


@pytest.mark.parametrize(("state", "status"), [("draft", 404), ("removed", 410)])
def test_unpublishing_explains_the_effect_and_needs_a_reason(desk: Desk, state: str, status: int) -> None:
    assert "only the desk can see it" in ask(desk, state).content.decode()
    answer = confirm(desk, state)

    assert list(answer.context["form"].errors) == ["reason"]
    assert (state_of(desk), readers_get(desk)) == ("live", 200)

    confirm(desk, state, reason="Two names were wrong.")
    assert (state_of(desk), readers_get(desk)) == (state, status)
    assert past_of(Event).objects.first().history_change_reason == "Two names were wrong."


def test_event_that_is_not_ready_cannot_be_final(desk: Desk) -> None:
    answer = confirm(desk, "final")

    assert "Round 2 is open. Close it first." in answer.content.decode()
    assert state_of(desk) == "live"


@pytest.mark.parametrize("state", ["live", "final", "archived"])
def test_event_without_competitors_cannot_be_published(desk: Desk, state: str) -> None:
    set_state(desk, "draft")
    desk.event.rounds.all().delete()
    desk.event.competitors.all().delete()
    answer = confirm(desk, state)

    assert "There are no competitors yet." in answer.content.decode()
    assert state_of(desk) == "draft"


def test_final_event_queues_its_archive(desk: Desk) -> None:
    set_state(desk, "live")
    assert confirm(desk, "final").status_code == 200  # it has results missing
    assert not Job.objects.exists()
    Pairing.objects.filter(round__event=desk.event, kind="pending").delete()
    Round.objects.filter(event=desk.event).update(state="closed")
    assert confirm(desk, "final").status_code == 302
    job = Job.objects.get()
    assert (job.key, job.turn, job.arguments["host"]) == (f"archive-{desk.event.pk}", 2, "testserver")
    # A request for the archive moves its job before jobs without a waiting user.
    assert desk.browser("nobody").get("/events/two-teams.zip").status_code == 202
    assert Job.objects.get().turn == 1


def test_concurrent_publication_is_no_error(desk: Desk) -> None:
    set_state(desk, "draft")
    confirm(desk, "live")

    assert confirm(desk, "live")["Location"] == reverse("admin:event-publication", args=[desk.event.pk])
    assert Event.objects.get(pk=desk.event.pk).version == 2


def test_unknown_state_is_404(desk: Desk) -> None:
    assert ask(desk, "lost").status_code == 404


def test_change_to_the_current_state_is_rejected(desk: Desk) -> None:
    assert "The event is live already." in rejected_page(desk, "live")


def test_draft_cannot_be_removed(desk: Desk) -> None:
    set_state(desk, "draft")

    assert "No step leads from draft to removed." in rejected_page(desk, "removed")
    assert confirm(desk, "removed").status_code == 302
    assert state_of(desk) == "draft"


def rejected_page(desk: Desk, state: str) -> str:
    """Return the page that a rejected change redirects to."""
    address = reverse("admin:event-publish", args=[desk.event.pk, state])
    return str(desk.browser("organiser").get(address, follow=True).content.decode())
