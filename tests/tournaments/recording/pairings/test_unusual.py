"""Unusual facts about planned and existing pairs, and the play history."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_players, play
from tests.tournaments.recording.desk import round_of
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.pairings.unusual import (
    doubts_of_pairs,
    facts_of,
    find_doubts,
    pairable,
    read_histories,
)
from tournaments.recording.refusal import Refused

GAMES = (
    *((1, 1, 1, 2, 2), (1, 2, 3, 4, 1)),
    *((2, 1, 1, 3, 2), (2, 2, 2, 4, 2)),
)
"""Two rounds of chess as `play` takes them: round, table, White, Black, White's half-points."""


@pytest.fixture
def event(db: None) -> Event:
    """Six players, two rounds: 5 won by forfeit and had a bye, 6 was absent; round 3 is a draft."""
    event = create_players("open", ["Ann", "Bea", "Cas", "Dov", "Eva", "Fay"], 2, state="live")
    event.planned_rounds = 9
    event.save()
    play(event, GAMES)
    five, six = (Competitor.objects.get(event=event, number=number) for number in (5, 6))
    first, second = Round.objects.filter(event=event).order_by("number")
    rows = [
        Pairing(
            round=first, table=3, first=five, second=six, kind=Kind.FORFEIT, first_score=2, second_score=0
        ),
        Pairing(round=second, table=3, first=five, kind=Kind.BYE, first_score=2),
    ]
    Pairing.objects.bulk_create(rows)
    Round.objects.create(event=event, number=3, state=Round.State.DRAFT)
    return event


def told(event: Event, white: int, black: int | None, kind: str = "") -> list[str]:
    return [each.code for each in doubts_of_pairs(round_of(event, 3), [Seats(white, black, kind)])]


def test_the_history_of_all_competitors(event: Event) -> None:
    past = read_histories(event, 3)

    assert (past[1].points, past[1].colours, past[1].floats, dict(past[1].met)) == (
        4,
        "ww",
        ".d",
        {2: [1], 3: [2]},
    )
    assert (past[3].points, past[3].colours, past[3].floats) == (1, "wb", ".u")
    assert (past[5].points, past[5].colours, past[5].floats, list(past[5].byes)) == (4, "--", "dd", [1, 2])
    assert (past[6].points, past[6].colours, dict(past[6].met)) == (0, "--", {})
    assert read_histories(event, 1)[1].colours == ""


def test_the_past_before_a_later_round_has_blanks(event: Event) -> None:
    assert read_histories(event, 5)[1].colours == "ww--"


@pytest.mark.parametrize(
    ("pair", "codes"),
    [
        ((2, 3), []),
        ((2, 1), ["rematch"]),
        ((1, 4), ["third-colour", "third-colour", "score-distance"]),
        ((4, 1), ["score-distance"]),
        ((6, 5), ["score-distance"]),
        ((5, None, "bye"), ["double-bye"]),
        ((5, None, "half-bye"), []),
        ((2, None, "bye"), []),
    ],
)
def test_a_pair(event: Event, pair: tuple[int, int | None], codes: list[str]) -> None:
    assert told(event, *pair) == codes


def test_a_difference_of_colours(event: Event) -> None:
    Pairing.objects.filter(round__event=event, first__number=1).update(kind=Kind.PLAYED)
    rounds = [Round.objects.create(event=event, number=number, state="closed") for number in (4, 5)]
    one = Competitor.objects.get(event=event, number=1)
    for each, (white, black) in zip(rounds, ((4, 1), (1, 6)), strict=True):
        sides = [Competitor.objects.get(event=event, number=number) for number in (white, black)]
        Pairing.objects.create(
            round=each, table=1, first=sides[0], second=sides[1], kind="played", first_score=1, second_score=1
        )
    last = Round.objects.create(event=event, number=6, state="draft")
    assert one.number == 1
    # w w - b w, and one more White: four against one.
    codes = [
        each.code
        for each in doubts_of_pairs(Round.objects.select_related("event").get(pk=last.pk), [Seats(1, 5)])
    ]
    assert "colour-difference" in codes


def test_withdrawals_byes_and_forbidden_pairs(event: Event) -> None:
    Competitor.objects.filter(event=event, number=2).update(withdrawn_after=2)
    Competitor.objects.filter(event=event, number=3).update(requested_byes={"3": "half-bye"})
    event.forbidden_pairs = [{"competitors": [4, 5], "first_round": 0, "last_round": 0}]
    event.save()

    assert told(event, 2, 6) == ["withdrawn"]
    assert told(event, 3, 6) == ["off"]
    assert "forbidden" in told(event, 5, 4)
    [doubt, *_more] = doubts_of_pairs(round_of(event, 3), [Seats(3, 6)])
    assert doubt.text == "3 Cas requested a bye (half-point bye)."


def test_the_entire_draft(event: Event) -> None:
    user = User.objects.create(username="anna")
    third = round_of(event, 3)
    add_pairings(third, [Seats(2, 1, table=1), Seats(3, 4, table=3)], user)
    found = [(each.code, each.table, each.numbers) for each in find_doubts(third)]

    assert found == [
        ("rematch", 1, (2, 1)),
        ("rematch", 3, (3, 4)),
        ("third-colour", 3, (3, 4)),
        ("empty-board", 2, ()),
        ("unpaired", None, (5,)),
        ("unpaired", None, (6,)),
    ]


def test_a_round_robin_has_met_before(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(schedule="double-round-robin")

    assert told(Event.objects.get(pk=event.pk), 2, 1) == []


def test_queries(event: Event, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    third = round_of(event, 3)
    with django_assert_num_queries(4):
        find_doubts(third)
    with django_assert_num_queries(3):
        doubts_of_pairs(third, [Seats(1, 2), Seats(3, 4), Seats(5, kind="bye")])


@pytest.mark.parametrize(
    ("free", "paired"),
    [
        ((2, 5), [2, 5]),
        ((1, 3), [1, 3, 4, 6]),  # 1 and 3 have met
        ((2,), [2]),
        ((5,), [4, 5, 6]),  # 5 had a bye
    ],
)
def test_free_competitors_are_paired_with_as_few_others_as_the_rules_allow(
    event: Event, free: tuple[int, ...], paired: list[int]
) -> None:
    third = round_of(event, 3)
    add_pairings(third, [Seats(4, 6)], User.objects.create(username="anna"))
    rows = list(third.pairings.select_related("first", "second"))
    assert sorted(pairable(facts_of(third), rows, free)) == paired
    rows[0].locked = True
    if {*paired} == {*free}:
        assert pairable(facts_of(third), rows, free) == [*free]
    else:
        with pytest.raises(Refused):
            pairable(facts_of(third), rows, free)


def test_two_pairs_are_paired_again_only_if_another_stays(db: None) -> None:
    event = create_players("open", [f"Player {number}" for number in range(1, 11)], 0, state="live")
    # 1 may meet only 5 and 6, and 2 only 3 and 4.
    pairs = [(1, each) for each in (2, 3, 4, 7, 8, 9, 10)] + [(2, each) for each in range(5, 11)]
    event.forbidden_pairs = [{"competitors": pair, "first_round": 0, "last_round": 0} for pair in pairs]
    event.save()
    first = Round.objects.create(event=event, number=1, state=Round.State.DRAFT)
    anna = User.objects.create(username="anna")
    rows = add_pairings(first, [Seats(3, 4), Seats(5, 6), Seats(7, 8)], anna)
    assert sorted(pairable(facts_of(first), rows, (1, 2))) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(Refused, match="three tables or more, or of the entire round"):
        pairable(facts_of(first), rows[:2], (1, 2))
