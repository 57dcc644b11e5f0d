"""Proposals of pairings on the desk: button, waiting page and errors."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from standings.management.commands.work import work_off
from tests.cast import browser_of, create_account
from tests.markup import markup_of
from tests.proposals import create_open, pairs_of
from tournaments.accounts.services.roles import Role
from tournaments.admin.pairings import proposing
from tournaments.models import Competitor, Event, Job, Pairing, Proposal, Round

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def arbiter() -> User:
    return create_account("anna", Role.ARBITER)


@pytest.fixture
def open_(arbiter: User) -> Event:
    event = create_open(4)
    event.arbiters.add(arbiter)
    return event


@pytest.fixture
def browser(arbiter: User) -> Client:
    return browser_of(arbiter)


@pytest.fixture
def at_once() -> Iterator[None]:
    """Run the job before the request waits for it."""

    def wait_for(proposal: Proposal) -> bool:
        work_off()
        return waited(proposal)

    waited = proposing.wait_for
    with patch.object(proposing, "wait_for", wait_for):
        yield


def address(event: Event, name: str, number: int = 1) -> str:
    return reverse(f"admin:{name}", args=[event.pk, number])


def test_proposing_opens_round_and_shows_pairings(open_: Event, browser: Client, at_once: None) -> None:
    answer = browser.post(address(open_, "round-propose"), follow=True)
    assert answer.redirect_chain == [(address(open_, "round-pairings"), 302)]
    page = markup_of(answer)
    assert "2 pairings are proposed by gacrux 1." in page
    assert "FMJD" not in page
    assert pairs_of(open_, 1) == [(1, 3), (4, 2)]


def test_bye_is_no_pairing(open_: Event, browser: Client, at_once: None) -> None:
    Competitor.objects.create(event=open_, number=5, name="Eva")
    page = markup_of(browser.post(address(open_, "round-propose"), follow=True))
    assert "2 pairings and 1 bye are proposed by gacrux 1." in page
    assert "Round 1: 2 pairings and 1 bye, a draft." in page
    rounds = markup_of(browser.get(reverse("admin:event-rounds", args=[open_.pk])))
    assert "2 pairings of round 1" in rounds


def test_waiting_page_shows_progress_and_redirects(open_: Event, browser: Client) -> None:
    waiting = address(open_, "round-proposal")
    answer = browser.post(address(open_, "round-propose"))
    assert answer["Location"] == waiting  # no worker runs, so the request does not wait
    answer = browser.get(waiting)
    assert (answer.status_code, answer["Refresh"]) == (202, f"3; url={waiting}")
    strip = browser.get(reverse("admin:event-desk", args=[open_.pk])).context["steps"]
    assert (strip.about, strip.button.address) == ("The pairings of round 1 are being made.", waiting)
    assert strip.others == ()
    Job.objects.update(state=Job.State.RUNNING, parts_done=3, parts=7)
    assert "3 of 7 score groups are paired." in markup_of(browser.get(waiting))
    Job.objects.update(state=Job.State.FAILED, failure="OSError")
    assert "OSError" in markup_of(browser.get(waiting))
    Job.objects.update(state=Job.State.WAITING)
    work_off()
    assert browser.get(waiting)["Location"] == address(open_, "round-pairings")


def test_draughts_proposal_mentions_fmjd(open_: Event, browser: Client, at_once: None) -> None:
    Event.objects.update(discipline="draughts-100", game_win=4, game_draw=2, system="fmjd-swiss")
    page = markup_of(browser.post(address(open_, "round-propose"), follow=True))
    assert "a proposal; FMJD" in page
    assert pairs_of(open_, 1) == [(1, 3), (4, 2)]


def test_refused_proposal_shows_reason_on_rounds_page(open_: Event, browser: Client, at_once: None) -> None:
    Event.objects.update(state=Event.State.FINAL)
    answer = browser.post(address(open_, "round-propose"), follow=True)
    assert "This event is over" in markup_of(answer)
    assert answer.redirect_chain[0][0] == reverse("admin:event-rounds", args=[open_.pk])
    assert not Round.objects.exists()


def test_failed_proposal_shows_error_and_stores_no_pairings(
    open_: Event, browser: Client, at_once: None, settings: object
) -> None:
    settings.PAIRING_SECONDS = 0  # type: ignore[attr-defined]  # of pytest-django
    page = markup_of(browser.post(address(open_, "round-propose"), follow=True))
    assert "The engine took longer than it may" in page
    assert not Pairing.objects.exists()


def test_job_fails_if_user_lost_the_event(open_: Event, browser: Client) -> None:
    browser.post(address(open_, "round-propose"))
    open_.arbiters.clear()
    work_off()
    assert Job.objects.get().failure == "PermissionDenied"
    assert not Pairing.objects.exists()
