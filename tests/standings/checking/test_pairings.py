"""Check of pairings: the page for rounds that the rules reproduce and for an exchanged pairing."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from standings.checking.pairings import pairings_verdict
from standings.management.commands.work import work_off
from tests.cast import create_account
from tests.markup import markup_of
from tests.proposals import create_open, play_round, propose
from tournaments.models import Event, Job, Pairing, PairingsCheck, Round
from tournaments.operations.revision import present
from tournaments.operations.snapshot import snapshot
from tournaments.recording.pairings.engine_checks import subject_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def arbiter() -> User:
    return create_account("anna")


@pytest.fixture
def played(arbiter: User) -> Event:
    """An open event of ten players after two rounds paired by the engine."""
    event = create_open(10)
    for number in (1, 2):
        propose(event, arbiter, number)
        play_round(event, number)
    Job.objects.all().delete()
    return event


def page_of(event: Event, language: str = "") -> str:
    answer = Client().get(f"{language}/events/{event.slug}/check/")
    return unescape(markup_of(answer))


def test_page_requests_the_check_once(played: Event) -> None:
    assert "Not checked yet" in page_of(played)
    assert Job.objects.filter(kind=Job.Kind.PAIRINGS_CHECK).count() == 1
    work_off()
    page = page_of(played)
    assert "2 of 2 rounds as FIDE's Dutch rules pair them" in page
    assert "gacrux 1." in page
    assert "2 van 2 rondes zoals de Nederlandse regels van de FIDE die indelen" in page_of(played, "/nl")
    assert Job.objects.filter(kind=Job.Kind.PAIRINGS_CHECK).count() == 1


def test_exchanged_pairing_is_shown_with_the_reason(played: Event) -> None:
    first, second, *_ = Pairing.objects.filter(round__event=played, round__number=2).order_by("table")
    one, other = first.second, second.second
    Pairing.objects.filter(pk=second.pk).update(second=None, kind="bye", first_score=2, second_score=None)
    Pairing.objects.filter(pk=first.pk).update(second=other)
    Pairing.objects.filter(pk=second.pk).update(second=one, kind="played", second_score=0)
    page_of(played)
    work_off()
    page = page_of(played)
    assert "1 of 2 rounds as FIDE's Dutch rules pair them" in page
    [told] = re.findall(
        r"First difference in round 2: paired (.*?); the rules give (.*?)\. Reason: (.*?)\.</p>", page
    )
    assert "Player" in told[0]
    assert "Player" in told[1]
    assert told[2]


def test_results_of_the_last_round_do_not_request_another_check(played: Event) -> None:
    before = subject_of(played)
    Pairing.objects.filter(round__event=played, round__number=2).update(
        kind="pending", first_score=None, second_score=None
    )
    assert subject_of(played) == before
    Pairing.objects.filter(round__event=played, round__number=1, table=1).update(
        first_score=1, second_score=1
    )
    assert subject_of(played) != before


def test_check_raises_the_revision_once_and_snapshots_request_none(played: Event) -> None:
    event = present(played.pk)
    with snapshot():
        found = pairings_verdict(event)
    assert found
    assert found.verdict.state == "unchecked"
    assert not Job.objects.exists()
    pairings_verdict(event)
    work_off()
    assert present(played.pk).data_version == (event.data_version or 0) + 1
    assert PairingsCheck.objects.get().rounds[0]["round"] == 1


def test_drafts_draughts_and_round_robins_are_not_checked(played: Event) -> None:
    Round.objects.filter(event=played).update(state=Round.State.DRAFT)
    assert subject_of(played) == ""
    Event.objects.update(discipline="draughts-100")
    assert pairings_verdict(Event.objects.get()) is None
    Event.objects.update(discipline="chess", schedule="round-robin")
    assert pairings_verdict(Event.objects.get()) is None
