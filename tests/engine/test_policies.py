"""Values of unplayed rounds under each policy."""

from dataclasses import replace
from fractions import Fraction

import pytest

from standings.engine import (
    POLICIES,
    SYSTEMS,
    Crosstable,
    RoundKind,
    Scale,
    Scoring,
    get_criterion,
    rank,
    read_crosstable,
)
from tests.engine.examples import E1, FOUR_BOARDS, TEAMS, order, values

ZERO = Fraction(0)

WITHOUT_DUMMIES = [code for code, policy in POLICIES.items() if not policy.dummy]
"""The policies of draughts and of the olympiads; those of C.07 are tested in tests/engine/fide."""


def under(policy: str, table: Crosstable = TEAMS) -> Crosstable:
    """Return the crosstable with a policy of its own."""
    return replace(table, unplayed=POLICIES[policy])


def test_fmjd_counts_forfeits_as_played_and_byes_as_0() -> None:
    buchholz = [3 + 2 + 4, 4 + 3 + 2, 4 + 4 + 3, 2 + 0 + 4, 0 + 3 + 0]
    assert values(under("fmjd"), "buchholz") == buchholz
    assert values(under("fmjd"), "sonneborn-berger") == [
        3 * 2 + 2 * 2 + 0,
        0 + 3 * 1 + 2 * 2,
        4 * 2,
        4 * 2,
        3 * 1,
    ]


def test_fmjd_counts_a_win_by_forfeit_like_other_wins() -> None:
    """Counted as 0, or not counted, it would put F below E (docs/adr/0008)."""
    kind = E1.kind.copy()
    kind[[1, 5], 0] = RoundKind.FORFEIT
    forfeited = replace(E1, kind=kind)
    assert values(forfeited, "solkoff-truncated-short") == values(E1, "solkoff-truncated-short")
    assert order(rank(forfeited, SYSTEMS["fmjd-swiss"])) == "A B=C F E D"


def test_olimpbase_counts_byes_against_the_team_itself() -> None:
    buchholz = [3 + 2 + 4, 4 + 3 + 2, 4 + 4 + 3, 2 + 4 + 4, 3 + 3]
    assert values(under("olimpbase"), "buchholz") == buchholz
    assert values(under("olimpbase"), "buchholz@game")[3] == 4.5 + 8 + 7.5
    assert (
        values(under("olimpbase"), "sonneborn-berger@game")[3]
        == Fraction("4.5") * 1 + 8 * 2 + Fraction("7.5") * 3
    )
    assert values(under("olimpbase"), "sonneborn-berger@match")[3] == 2 * 0 + 4 * 1 + 4 * 2


def test_olimpbase_counts_a_win_by_forfeit_as_3_to_1() -> None:
    """B 3 × 3, D 4 × 1; C with 2 is the weakest."""
    assert values(under("olimpbase"), "dsb")[0] == 3 * 3 + 4 * 1
    assert values(under("olimpbase"), "game-points")[0] == 4 + 2.5 + 1


def test_three_quarters_of_three_boards_are_exact() -> None:
    three = read_crosstable("1 A  2:+  2:2-1 \n 2 B  1:-  1:1-2", scoring=Scoring(game_win=2, boards=3))
    nine_quarters = 3 * Fraction(3, 4)
    assert values(under("olimpbase", three), "sonneborn-berger@game")[0] == 1 * nine_quarters + 1 * 2


def test_olimpbase_does_not_count_absences() -> None:
    """The absence of E does not count, so the lower of two scores is cut."""
    assert values(under("olimpbase"), "dsmp")[4] == 3
    assert values(under("fmjd"), "dsmp")[4] == 3 + 0


def test_opponents_byes_and_forfeit_wins_are_draws_since_2010() -> None:
    """A 1+2+0 = 3, B 0+1+2, C 2, D 0+1+2 = 3, E 1+1; against themselves D and E have 4 and 3."""
    virtual = 0 + 0 + 1 + 1
    buchholz = [virtual + 2 + 3, 3 + 2 + 2, 3 + 3 + 3, 2 + 4 + 3, 3 + 3]
    assert values(under("olympiad-2010"), "buchholz") == buchholz


def test_forfeit_win_is_against_a_virtual_opponent_since_2010() -> None:
    """Virtual 2 × 4 and C 2 × 2½ are equally weak; the smaller product goes."""
    assert values(under("olympiad-2010"), "dsb")[0] == 2 * 4 + 3 * 1
    terms = get_criterion("dsb")(under("olympiad-2010")).terms.of_row(0)
    assert [(term.against, term.virtual, term.working) for term in terms[:2]] == [
        ("virtual opponent for B", True, "2 MP × 4 pts"),
        ("C", False, "2 MP × 2½ pts"),
    ]


def test_halved_forfeit_is_a_drawn_match_under_every_policy() -> None:
    """As in six matches of 1939, which were forfeited 2-2. A 2 + 1 = 3, B 0 + 1 = 1; the opponent counts."""
    table = read_crosstable(
        "1 A  2:3-1  2:2-2f \n 2 B  1:1-3  1:2-2f", scoring=FOUR_BOARDS, primary=Scale.MATCH
    )
    assert table.won_drawn_lost.tolist() == [[1, 1, 0], [0, 1, 1]]
    for policy in WITHOUT_DUMMIES:
        assert values(under(policy, table), "match-points") == [3, 1]
        assert values(under(policy, table), "buchholz") == [1 + 1, 3 + 3]
        assert values(under(policy, table), "sonneborn-berger@game") == [3 * 3 + 2 * 3, 1 * 5 + 2 * 5]


@pytest.mark.parametrize(("after", "virtual"), [(1, 0), (2, 1), (3, 2)])
def test_virtual_opponent_draws_up_to_the_last_round_shown(after: int, virtual: int) -> None:
    terms = get_criterion("buchholz")(under("olympiad-2010").after(after)).terms.of_row(0)
    assert terms[0].amount == virtual


def test_virtual_opponent_starts_with_the_own_score() -> None:
    """2 match points from round 1, 0 for round 2, a draw in round 3."""
    table = read_crosstable(
        "1 A  2:3-1  2:+  2:2-2 \n 2 B  1:1-3  1:-  1:2-2", scoring=FOUR_BOARDS, primary=Scale.MATCH
    )
    assert get_criterion("buchholz")(under("olympiad-2010", table)).terms.of_row(0)[1].amount == 2 + 0 + 1


def test_solkoff_plus_with_byes_and_virtual_opponents() -> None:
    """A bye against itself has the own Solkoff, a virtual opponent the Solkoff of the scheduled opponent."""
    table = under("olympiad-2010")
    solkoff = values(table, "solkoff")
    assert values(table, "solkoff-plus")[0] == solkoff[1] + solkoff[2] + solkoff[3]
    assert values(table, "solkoff-plus")[4] == solkoff[4] + solkoff[1]
    assert values(table, "solkoff-baliakin")[0] == 2 * solkoff[1] + 2 * solkoff[2] + 3 * solkoff[3]


def test_loss_by_forfeit_counts_the_scheduled_opponent() -> None:
    for policy in WITHOUT_DUMMIES:
        first = get_criterion("sonneborn-berger")(under(policy)).terms.of_row(1)[0]
        assert (first.against, first.amount) == ("A", ZERO)


@pytest.mark.parametrize("policy", WITHOUT_DUMMIES)
def test_double_forfeit_counts_the_scheduled_opponent(policy: str) -> None:
    table = read_crosstable("1 A  2:--  2:3-1 \n 2 B  1:--  1:1-3", scoring=FOUR_BOARDS, primary=Scale.MATCH)
    assert values(under(policy, table), "buchholz") == [0 + 0, 2 + 2]
    assert table.won_drawn_lost.tolist() == [[1, 0, 1], [0, 0, 2]]


@pytest.mark.parametrize("policy", WITHOUT_DUMMIES)
@pytest.mark.parametrize("cell", ["", "?"])
def test_open_game_counts_with_0_points(policy: str, cell: str) -> None:
    drawn = f"1 A  2:3-1  3:{cell} \n 2 B  1:1-3  – \n 3 C  –  1:{cell}"
    table = under(policy, read_crosstable(drawn, scoring=FOUR_BOARDS, primary=Scale.MATCH))
    assert values(table, "buchholz") == [0 + 0, 2, 2]
    assert values(table, "sonneborn-berger")[0] == 0 * 2 + 0 * 0
    assert len(get_criterion("buchholz")(table).terms.of_row(0)) == 2


@pytest.mark.parametrize(("policy", "credited"), [("fmjd", 3), ("olimpbase", 0), ("olympiad-2010", 0)])
def test_requested_byes_count_like_absences(policy: str, credited: int) -> None:
    table = read_crosstable("1 A  ½bye  0bye  –", scoring=FOUR_BOARDS)
    terms = get_criterion("buchholz")(under(policy, table)).terms.of_row(0)
    assert [term.amount for term in terms] == [ZERO] * credited
    assert values(table, "total-score") == [2]


def test_own_points_name_the_real_opponents() -> None:
    """Virtual opponents exist in tie-breaks only."""
    table = under("olympiad-2010")
    assert [term.against for term in get_criterion("total-score")(table).terms.of_row(3)] == ["C", "bye", "A"]
    assert [term.against for term in get_criterion("total-score")(table).terms.of_row(0)] == ["B", "C", "D"]
    assert [term.against for term in get_criterion("buchholz")(table).terms.of_row(3)] == ["C", "itself", "A"]
    assert [term.against for term in get_criterion("manual")(table).terms.of_row(3)] == ["D"]
