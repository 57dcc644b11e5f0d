"""Withdrawals, outcomes and totals."""

from dataclasses import replace

import pytest

from standings.engine import DRAUGHTS, RoundKind, Scale, Scoring, rank, read_crosstable
from tests.engine.examples import order, system_of, values, withdrawn


def test_withdrawal_before_half_of_the_games_annuls_all_games() -> None:
    table = withdrawn(1)
    assert table.annulled.tolist() == [False, True, False, False]
    assert values(table, "total-score") == [1 + 1, 0, 2 + 1, 1]
    assert values(table, "solkoff") == [0 + 3 + 1, 0, 1 + 2 + 0, 3 + 0 + 2]
    rows = list(rank(table, system_of("total-score")).rows())
    assert [(row.competitor, row.place) for row in rows] == [(2, 1), (0, 2), (3, 3), (1, None)]
    assert rows[-1].marks == ("withdrawn", "annulled")
    assert rows[-1].decided_by is None


def test_withdrawal_after_half_of_the_games_forfeits_the_rest() -> None:
    table = withdrawn(2)
    assert not table.annulled.any()
    assert values(table, "total-score") == [2 + 1 + 1, 0 + 1 + 0, 2 + 1 + 2, 0 + 1 + 1]
    assert values(table, "wins") == [1, 0, 2, 0]
    assert table.state[1].tolist() == [RoundKind.PLAYED, RoundKind.PLAYED, RoundKind.FORFEIT]


def test_earlier_standings_ignore_the_withdrawal() -> None:
    assert values(withdrawn(1).after(1), "total-score") == [2, 0, 2, 0]
    assert not withdrawn(1).after(1).annulled.any()
    assert withdrawn(1).after(2).annulled.tolist() == [False, True, False, False]


@pytest.mark.parametrize(("half_annuls", "total"), [(False, 2), (True, 0)])
def test_withdrawal_after_exactly_half_follows_the_setting(half_annuls: bool, total: int) -> None:
    """A played 1 of 2 games."""
    table = read_crosstable(
        "1 A withdrawn=1 2:2-0 3: \n 2 B 1:0-2 – \n 3 C – 1:", games_each=2, half_annuls=half_annuls
    )
    assert values(table, "total-score")[0] == total
    assert values(table, "total-score")[2] == (0 if half_annuls else 2)


def test_forfeits_before_the_withdrawal_do_not_count_as_played() -> None:
    table = read_crosstable(
        "1 A withdrawn=2 2:1-1 3:- 4: \n 2 B 1:1-1 – – \n 3 C – 1:+ – \n 4 D – – 1:", games_each=3
    )
    assert table.annulled.tolist() == [True, False, False, False]


def test_two_withdrawn_competitors_both_lose_their_game() -> None:
    table = read_crosstable("1 A withdrawn=1 2:1-1 2: \n 2 B withdrawn=1 1:1-1 1:", games_each=2)
    assert values(table, "total-score") == [1, 1]
    assert table.won_drawn_lost.tolist() == [[0, 1, 1], [0, 1, 1]]


def test_withdrawal_from_a_swiss_annuls_no_games() -> None:
    table = replace(withdrawn(1), games_each=0)
    assert not table.annulled.any()
    assert [row.marks for row in rank(table, system_of("total-score")).rows()][-1] == ("withdrawn", "pending")


def test_annulled_competitors_rank_below_competitors_without_points() -> None:
    table = read_crosstable("1 A withdrawn=1 2:2-0 3: \n 2 B 1:0-2 – \n 3 C – 1:", games_each=3)
    assert order(rank(table, system_of("total-score"))) == "B=C A"


def test_won_drawn_lost() -> None:
    table = read_crosstable(
        """
        1 A  2:2-0  3:1-1  bye  2:+  3:--
        2 B  1:0-2  ½bye   3:   1:-  –
        3 C  –      1:1-1  2:   –    1:--
        """
    )
    assert table.won_drawn_lost.tolist() == [[2, 1, 1], [0, 0, 2], [0, 1, 1]]
    assert replace(table, byes_are_wins=True).won_drawn_lost.tolist()[0] == [3, 1, 1]


def test_match_lost_by_both_sides() -> None:
    """With a board lost by both sides, neither has 2 of 4 points."""
    table = read_crosstable("1 A 2:1½-1½ \n 2 B 1:1½-1½", scoring=Scoring(2, boards=4), primary=Scale.MATCH)
    assert table.won_drawn_lost.tolist() == [[0, 0, 1], [0, 0, 1]]


def test_pairings_without_a_result_are_marked() -> None:
    table = read_crosstable("1 A 2: 2:? \n 2 B 1: 1:? \n 3 C – – \n 4 D – –", scoring=DRAUGHTS)
    assert [row.marks for row in rank(table, system_of("total-score")).rows()][:2] == [
        ("pending", "unknown")
    ] * 2


def test_system_overrides_the_score_and_event_overrides_the_policy() -> None:
    table = withdrawn(1)
    judged = rank(table, system_of("match-points", like="league")).table
    assert (judged.scale, judged.policy.code) == (Scale.MATCH, "olympiad-2010")
    again = rank(judged, system_of("total-score")).table
    assert (again.scale, again.policy.code) == (Scale.GAME, "fmjd")
