"""Publishing: departures from the proposal are overrides, which unpublishing undoes."""

import pytest
from django.contrib.auth.models import User

from tests.proposals import create_open, propose
from tests.tournaments.recording.desk import typed
from tournaments.event.choices import Kind
from tournaments.models import Event, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.events.rulings import findings_of
from tournaments.recording.overrides import undo_override
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.publishing import publish_pairings, publish_rounds, take_back_pairings


@pytest.fixture
def proposed(db: None, arbiter: User) -> Round:
    """Twelve players, paired by the engine: 1-7, 8-2, …"""
    propose(create_open(), arbiter)
    return Round.objects.select_related("event").get()


def exchange_colours(round_: Round, table: int) -> tuple[int, int]:
    """Swap colours at a table. Return the former White and Black."""
    row = round_.pairings.select_related("first", "second").get(table=table)
    assert row.second
    Pairing.objects.filter(pk=row.pk).delete()
    Pairing.objects.create(round=round_, table=table, first=row.second, second=row.first, kind=Kind.PENDING)
    return row.first.number, row.second.number


def test_a_proposal_as_it_was_made_leaves_no_record(proposed: Round, arbiter: User) -> None:
    publish_pairings(proposed, arbiter)
    assert not Override.objects.exists()


def test_departures_need_a_reason_and_are_overrides(proposed: Round, arbiter: User) -> None:
    white, black = exchange_colours(proposed, 2)
    with pytest.raises(Refused, match="table 2 depart from the proposal"):
        publish_pairings(proposed, arbiter)
    publish_pairings(proposed, arbiter, "The colours were announced.")
    [record] = Override.objects.all()
    assert (record.kind, record.round, record.table, record.was) == ("pairing", 1, 2, f"{white}-{black}")
    assert record.reason == "The colours were announced."
    assert findings_of(proposed.event) == ()
    undo_override(record, arbiter, "They were not.")
    row = proposed.pairings.select_related("first", "second").get(table=2)
    assert row.second
    assert (row.first.number, row.second.number) == (white, black)


def test_a_proposal_for_draughts_is_not_binding(proposed: Round, arbiter: User) -> None:
    Event.objects.update(discipline="draughts-100", system="fmjd-swiss")
    round_ = Round.objects.select_related("event").get()
    exchange_colours(round_, 2)
    publish_pairings(round_, arbiter)
    assert not Override.objects.exists()


def test_taken_back_the_record_is_undone(proposed: Round, arbiter: User) -> None:
    exchange_colours(proposed, 2)
    publish_pairings(proposed, arbiter, "The colours were announced.")
    take_back_pairings(proposed, arbiter, "A late entry.")
    assert list(Override.objects.values_list("kind", "reason")) == [
        ("pairing", "The colours were announced."),
        ("undo", "A late entry."),
    ]
    past = past_of(Round).objects.filter(id=proposed.pk).first()
    assert (past.state, past.history_change_reason) == ("draft", "A late entry.")
    assert findings_of(proposed.event) == ()
    exchange_colours(proposed, 2)
    publish_pairings(proposed, arbiter)
    assert Override.objects.count() == 2


def test_a_round_with_a_result_cannot_be_unpublished(proposed: Round, arbiter: User) -> None:
    publish_pairings(proposed, arbiter)
    enter(proposed.event, [typed(proposed.pairings.get(table=1), "1-0")], arbiter)
    with pytest.raises(Refused, match="Round 1 has a result"):
        take_back_pairings(proposed, arbiter)


def test_rounds_off_get_pairings(proposed: Round, arbiter: User) -> None:
    proposed.pairings.filter(table=6).delete()
    member = proposed.event.competitors.exclude(
        pk__in=[key for row in proposed.pairings.all() for key in (row.first_id, row.second_id)]
    )[0]
    member.requested_byes = {"1": "half-bye"}
    member.save()
    publish_pairings(proposed, arbiter)
    assert proposed.pairings.get(first=member).kind == Kind.HALF_BYE


def test_several_rounds_are_published_all_or_not_at_all(proposed: Round, arbiter: User) -> None:
    Event.objects.update(schedule="round-robin", system="manual-round-robin")
    event = Event.objects.get()
    Round.objects.create(event=event, number=2)
    with pytest.raises(Refused, match="Round 2 has no pairings"):
        publish_rounds(event, [1, 2], arbiter)
    assert event.rounds.filter(state="draft").count() == 2
    publish_rounds(event, [1], arbiter)
    assert event.rounds.get(number=1).state == "published"
