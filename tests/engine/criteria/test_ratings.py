"""Criteria based on ratings."""

from dataclasses import replace
from fractions import Fraction

from standings.engine import POLICIES, get_criterion, read_crosstable
from tests.engine.examples import E1, ranked, values, vectors


def test_average_counts_byes_and_unrated_opponents_as_0() -> None:
    sums = [2100 + 2200 + 2250 + 0, 0 + 2150 + 2300 + 2200, 2150 + 2300 + 0 + 2250]
    assert values(E1, "average-rating-opponents")[:3] == [Fraction(total, 4) for total in sums]
    assert [get_criterion("average-rating-opponents")(E1).figure_text(row) for row in (0, 2)] == [
        "1637.5",
        "1675.0",
    ]


def test_total_rating_is_the_sum() -> None:
    """DrA 10 says “average (or total)”: A met 2100, 2200 and 2250, and had a bye."""
    totals = [
        2100 + 2200 + 2250 + 0,
        0 + 2150 + 2300 + 2200,
        2150 + 2300 + 0 + 2250,
        2200 + 2250 + 2100 + 0,
        2300 + 0 + 2150 + 0,
        2250 + 2100 + 2200 + 2150,
    ]
    assert values(E1, "total-rating-opponents") == totals
    assert get_criterion("total-rating-opponents")(E1).figure_text(0) == "6550"
    assert ranked(E1, "total-rating-opponents").split() == ["F", "C", "B", "A=D", "E"]


def test_reduced_average_rating() -> None:
    reduced = vectors(E1, "average-rating-opponents-reduced")
    assert [reduced[row][:2] for row in (5, 2, 1)] == [
        [Fraction(6600, 3), Fraction(4450, 2)],
        [Fraction(6700, 3), Fraction(4550, 2)],
        [Fraction(6650, 3), Fraction(4500, 2)],
    ]


def test_averages_are_compared_exactly() -> None:
    """1903⅓ and 1903½ are not shown exactly."""
    table = read_crosstable(
        """
        1 A  3:1-1  4:1-1  5:1-1
        2 B  4:1-1  3:1-1  –
        3 C 1903 1:1-1  2:1-1  –
        4 D 1904 2:1-1  1:1-1  –
        5 E 1903 –  –  1:1-1
        """,
        unplayed=POLICIES["olimpbase"],
    )
    assert values(table, "average-rating-opponents")[:2] == [Fraction(5710, 3), Fraction(3807, 2)]
    assert ranked(table, "average-rating-opponents").split()[:2] == ["B", "A"]


def test_bye_against_itself_has_no_rating() -> None:
    table = read_crosstable("1 A 2000  bye  2:2-0 \n 2 B 1800  –  1:0-2")
    for policy in POLICIES.values():
        assert values(replace(table, unplayed=policy), "average-rating-opponents")[0] == Fraction(0 + 1800, 2)


def test_forfeited_game_counts_the_scheduled_opponent() -> None:
    table = read_crosstable("1 A 2000  2:+ \n 2 B 1800  1:-")
    assert values(table, "average-rating-opponents") == [1800, 2000]


def test_own_rating_marked_a() -> None:
    assert values(E1, "rating-a") == [2300, 2250, 0, 2150, 2100, 0]
