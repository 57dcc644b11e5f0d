"""Comparisons of two rows, and standings without rulings."""

from fractions import Fraction
from itertools import pairwise

import pytest

from standings.engine import SYSTEMS, Comparison, Decision, RankingOverride, Standings, rank, read_crosstable
from tests.engine.examples import E1, order, system_of, withdrawn

A, B, C, D, E, F = range(6)
SWISS = SYSTEMS["fmjd-swiss"]  # A, B=C, F, E, D
STANDINGS = rank(E1, SWISS)


def codes(found: Comparison) -> list[str]:
    return [compared.criterion.code for compared in found.criteria]


def levels(found: Comparison) -> list[str]:
    """Return both exact values under the last criterion."""
    return [" ".join(map(str, figures)) for figures in found.criteria[-1].levels]


def place(competitor: int, at: int) -> RankingOverride:
    return RankingOverride("place", competitor=competitor, place=at)


def test_criteria_are_listed_up_to_the_deciding_criterion() -> None:
    found = STANDINGS.compare(E, F)
    assert (found.a, found.b, found.ahead) == (E, F, F)
    assert found.decision == Decision("solkoff-plus", 0, ahead=F, behind=E, figures=("60", "43"))
    assert [(compared.criterion.abbr, compared.texts) for compared in found.criteria] == [
        ("Pts", ("4", "4")),
        ("SSolk", ("12", "12")),
        ("Solk+", ("43", "60")),
    ]
    assert levels(found) == ["43", "60"]
    assert found.rounds == (2,)


def test_all_criteria_are_listed_if_the_place_is_shared() -> None:
    found = STANDINGS.compare(C, B)
    assert (found.ahead, found.decision) == (None, None)
    assert codes(found) == list(SWISS.criteria)
    assert all(compared.levels[0] == compared.levels[1] for compared in found.criteria)
    assert found.rounds == (4,)


def test_vector_decides_at_a_level() -> None:
    found = rank(E1, SYSTEMS["fmjd-swiss-truncated"]).compare(E, F)
    assert levels(found) == ["12 9 5", "12 8 4"]
    assert found.decision is not None
    assert (found.decision.level, found.decision.figures) == (1, ("9", "8"))


def test_rounds_in_which_two_rows_met() -> None:
    assert STANDINGS.compare(A, F).rounds == ()
    twice = rank(read_crosstable("1 A 2:2-0 2: \n 2 B 1:0-2 1:"), system_of("total-score"))
    assert twice.compare(0, 1).rounds == (1, 2)


def test_ruling_on_a_place_follows_the_criteria() -> None:
    found = rank(E1, SWISS, [place(D, 1)]).compare(A, D)
    assert (found.ahead, codes(found)) == (D, ["total-score"])
    assert found.decision == Decision("place", 0, ahead=D, behind=A, figures=("1", "2"))


def test_shared_place_split_by_a_ruling() -> None:
    found = rank(E1, SWISS, [place(C, 2)]).compare(B, C)
    assert (found.ahead, codes(found)) == (C, list(SWISS.criteria))
    assert found.decision is not None
    assert found.decision.by == "place"


def test_two_rows_ruled_to_a_place_are_level() -> None:
    found = rank(E1, SWISS, [place(E, 2), place(D, 2)]).compare(E, D)
    assert (found.ahead, found.decision, codes(found)) == (None, None, ["total-score"])


def test_row_outside_the_competition_is_compared_by_score() -> None:
    table = read_crosstable(
        """
        1 A          2:2-0  3:0-2  4:1-1
        2 B          1:0-2  4:2-0  3:2-0
        3 X outside  4:2-0  1:2-0  2:0-2
        4 C          3:0-2  2:0-2  1:1-1
        """
    )
    standings = rank(table, system_of("total-score"))
    assert standings.compare(0, 2).ahead == 2
    assert (standings.compare(1, 2).ahead, standings.compare(1, 2).decision) == (None, None)


def test_no_decision_against_annulled_rows() -> None:
    standings = rank(withdrawn(1), system_of("total-score"))
    found = standings.compare(1, 3)
    assert (found.ahead, found.decision, codes(found), found.rounds) == (3, None, ["total-score"], (2,))
    assert standings.compare(1, 1).ahead is None


@pytest.mark.parametrize("rulings", [[], [place(D, 1)], [place(F, 3)], [place(A, 4), place(B, 4)]])
def test_comparison_is_symmetric(rulings: list[RankingOverride]) -> None:
    standings = rank(E1, SWISS, rulings)
    for a in range(6):
        for b in range(6):
            one, other = standings.compare(a, b), standings.compare(b, a)
            assert (one.ahead, one.decision, one.rounds) == (other.ahead, other.decision, other.rounds)
            assert codes(one) == codes(other)
            assert (one.ahead is None) == (standings.place[a] == standings.place[b])


def test_decision_between_neighbours_agrees_with_the_rows() -> None:
    for rulings in ([], [place(D, 2)], [place(F, 3)]):
        standings = rank(E1, SWISS, rulings)
        rows = list(standings.rows())
        for above, below in pairwise(rows):
            decision = standings.compare(above.competitor, below.competitor).decision
            assert (decision and decision.by) == below.decided_by


RULINGS = [
    RankingOverride("pairing", round=2, table=2),
    RankingOverride("criteria", criteria=("total-score", "progress")),
    RankingOverride("value", competitor=E, criterion="progress", levels=(Fraction(99),)),
    place(D, 1),
]


def test_as_computed_is_the_table_without_rulings() -> None:
    standings = rank(E1, SWISS, RULINGS)
    computed = standings.as_computed
    assert order(standings) == "D A E F B C"
    assert order(computed) == order(STANDINGS) == "A B=C F E D"
    assert computed.criteria == SWISS.criteria
    assert not computed.changed_columns
    assert not computed.changed_pairings
    assert not any(row.marks for row in computed.rows())
    assert computed.table.opponent.tolist() == E1.opponent.tolist()
    assert computed.column("progress").texts == STANDINGS.column("progress").texts


def test_as_computed_is_identical_without_rulings() -> None:
    assert STANDINGS.as_computed is STANDINGS
    assert rank(E1, SWISS, RULINGS).as_computed.as_computed.overrides == ()


def test_as_computed_uses_the_settings_of_the_event() -> None:
    """The policy and the score of the event."""
    league = rank(E1, system_of("match-points", like="league"), [place(D, 1)])
    assert league.as_computed.table.policy is league.table.policy
    assert league.as_computed.table.scale is league.table.scale


def test_as_computed_is_cached() -> None:
    standings: Standings = rank(E1, SWISS, RULINGS)
    assert standings.as_computed is standings.as_computed
