"""Constraints and triggers of the database."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import RestrictedError

from tests.cast import create_player_event, create_team_event
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Game, Override, Pairing, Player, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.fixture
def other() -> Event:
    return create_player_event()


def competitor(event: Event, number: int) -> Competitor:
    return Competitor.objects.get(event=event, number=number)


def pair(event: Event, table: int, first: int, second: int | None = None, **facts: Any) -> Pairing:
    return Pairing.objects.create(
        round=Round.objects.get(event=event, number=2),
        table=table,
        first=competitor(event, first),
        second=None if second is None else competitor(event, second),
        **facts,
    )


@pytest.mark.parametrize(
    ("first", "second", "facts"),
    [
        (1, 1, {}),
        (1, None, {"kind": Kind.PLAYED, "first_score": 2, "second_score": 0}),
        (1, 2, {"kind": Kind.BYE, "first_score": 2}),
        (1, 2, {"kind": Kind.PLAYED}),
        (1, 2, {"kind": Kind.PLAYED, "first_score": 2}),
        (1, 2, {"kind": Kind.PENDING, "first_score": 2, "second_score": 0}),
        (1, 2, {"kind": "later"}),
        (1, 2, {"kind": Kind.PLAYED, "first_score": -1, "second_score": 0}),
    ],
    ids=[
        "plays himself",
        "played alone",
        "bye against somebody",
        "played without a score",
        "half a score",
        "pending with a score",
        "unknown kind",
        "negative score",
    ],
)
def test_invalid_pairing_is_refused(
    event: Event, first: int, second: int | None, facts: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        pair(event, 1, first, second, **facts)


@pytest.mark.parametrize(("first", "second"), [(1, 3), (3, 1), (2, 3), (3, 2)])
def test_competitor_is_paired_at_most_once_per_round(event: Event, first: int, second: int) -> None:
    pair(event, 1, 1, 2)
    with pytest.raises(IntegrityError), transaction.atomic():
        pair(event, 2, first, second)
    assert Pairing.objects.filter(round__event=event, round__number=2).count() == 1


def test_update_cannot_pair_a_competitor_twice(event: Event) -> None:
    pair(event, 1, 1, 2)
    bye = pair(event, 2, 3, kind=Kind.BYE, first_score=4)
    with pytest.raises(IntegrityError), transaction.atomic():
        Pairing.objects.filter(pk=bye.pk).update(first=competitor(event, 2))


def test_competitor_of_another_event_is_not_paired(event: Event, other: Event) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Pairing.objects.create(
            round=Round.objects.get(event=event, number=2),
            table=1,
            first=competitor(event, 1),
            second=competitor(other, 1),
        )


def test_paired_competitor_cannot_change_its_event(event: Event, other: Event) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Competitor.objects.filter(event=event, number=3).update(event=other)
    Competitor.objects.create(event=event, number=4, name="Greys")
    Competitor.objects.filter(event=event, number=4).update(event=other)


def test_round_with_pairings_cannot_change_its_event(event: Event, other: Event) -> None:
    Round.objects.filter(event=other).delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(event=event, number=1).update(event=other)


def test_player_only_plays_for_their_own_team(event: Event) -> None:
    blue = Player.objects.get(name="Blues 1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(board=1).update(first_player=blue)


def test_player_with_games_cannot_be_deleted(event: Event) -> None:
    with pytest.raises(RestrictedError):
        Player.objects.get(name="Blues 1").delete()


def test_players_with_the_same_name_need_an_id(event: Event) -> None:
    team = competitor(event, 1)
    Player.objects.create(competitor=team, name="Reds 1", fide_id=7)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(competitor=team, name="Reds 1")


def test_override_refers_to_a_competitor_of_its_event(event: Event, other: Event) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Override.objects.create(
            event=event, number=1, kind="place", competitor=competitor(other, 1), place=1, reason="r", by="b"
        )


def test_override_has_a_reason(event: Event) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Override.objects.create(event=event, number=1, kind="criteria", reason="", by="b")


@pytest.mark.parametrize(
    "facts", [{"boards": None}, {"boards": 0}, {"entrants": "players"}, {"game_draw": 2}]
)
def test_invalid_event_is_refused(event: Event, facts: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(**facts)
