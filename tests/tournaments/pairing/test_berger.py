"""Berger tables: those that FIDE prints, and properties of every schedule."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tournaments.pairing.berger import berger

# FIDE Handbook C.05, Annex 1: the tables for up to 4, 6, 8 and 10 players.
PRINTED = {
    4: """1-4 2-3
          4-3 1-2
          2-4 3-1""",
    6: """1-6 2-5 3-4
          6-4 5-3 1-2
          2-6 3-1 4-5
          6-5 1-4 2-3
          3-6 4-2 5-1""",
    8: """1-8 2-7 3-6 4-5
          8-5 6-4 7-3 1-2
          2-8 3-1 4-7 5-6
          8-6 7-5 1-4 2-3
          3-8 4-2 5-1 6-7
          8-7 1-6 2-5 3-4
          4-8 5-3 6-2 7-1""",
    10: """1-10 2-9 3-8 4-7 5-6
           10-6 7-5 8-4 9-3 1-2
           2-10 3-1 4-9 5-8 6-7
           10-7 8-6 9-5 1-4 2-3
           3-10 4-2 5-1 6-9 7-8
           10-8 9-7 1-6 2-5 3-4
           4-10 5-3 6-2 7-1 8-9
           10-9 1-8 2-7 3-6 4-5
           5-10 6-4 7-3 8-2 9-1""",
}


@pytest.mark.parametrize("players", PRINTED)
def test_as_printed(players: int) -> None:
    rounds = [[f"{white}-{black}" for white, black in meetings] for meetings in berger(players)]
    assert rounds == [line.split() for line in PRINTED[players].splitlines()]


def test_opponent_of_the_dummy_is_free_at_the_last_table() -> None:
    assert berger(3) == [[(2, 3), (1, None)], [(1, 2), (3, None)], [(3, 1), (2, None)]]


def test_single_player_has_no_schedule() -> None:
    with pytest.raises(ValueError, match="two players"):
        berger(1)


@given(some.integers(2, 40), some.booleans())
def test_all_players_meet_each_other(players: int, is_double: bool) -> None:
    rounds = berger(players, is_double=is_double)
    assert all(
        Counter(n for pair in each for n in pair if n) == Counter(range(1, players + 1)) for each in rounds
    )
    met = Counter(frozenset(pair) for each in rounds for pair in each if None not in pair)
    assert set(met.values()) == {2 if is_double else 1}
    assert len(met) == players * (players - 1) // 2


@given(some.integers(2, 40))
def test_twice_means_once_with_each_colour_and_never_three_running(players: int) -> None:
    rounds = berger(players, is_double=True)
    met = Counter(pair for each in rounds for pair in each if pair[1])
    assert set(met.values()) == {1}
    for player in range(1, players + 1):
        colours = "".join(
            "w" if pair[0] == player else "b"
            for each in rounds
            for pair in each
            if pair[1] and player in pair
        )
        assert "www" not in colours
        assert "bbb" not in colours
