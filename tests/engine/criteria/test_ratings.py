"""Ratings."""

from dataclasses import replace
from fractions import Fraction

from standings.engine import POLICIES, get, read_crosstable
from tests.engine.examples import E1, ladders, ranked, values


def test_average_counts_nobody_and_unrated_as_0() -> None:
    sums = [2100 + 2200 + 2250 + 0, 0 + 2150 + 2300 + 2200, 2150 + 2300 + 0 + 2250]
    assert values(E1, "average-rating-opponents")[:3] == [Fraction(total, 4) for total in sums]
    assert [get("average-rating-opponents")(E1).shown(row) for row in (0, 2)] == ["1637.5", "1675.0"]


def test_total_is_the_same_as_a_sum() -> None:
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
    assert get("total-rating-opponents")(E1).shown(0) == "6550"
    assert ranked(E1, "total-rating-opponents").split() == ["F", "C", "B", "A=D", "E"]


def test_reduced_average() -> None:
    reduced = ladders(E1, "average-rating-opponents-reduced")
    assert [reduced[row][:2] for row in (5, 2, 1)] == [
        [Fraction(6600, 3), Fraction(4450, 2)],
        [Fraction(6700, 3), Fraction(4550, 2)],
        [Fraction(6650, 3), Fraction(4500, 2)],
    ]


def test_averages_compare_exactly() -> None:
    """1903⅓ and 1903½ are both shown as something else than they are."""
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


def test_a_bye_has_no_rating_even_against_itself() -> None:
    table = read_crosstable("1 A 2000  bye  2:2-0 \n 2 B 1800  –  1:0-2")
    for policy in POLICIES.values():
        assert values(replace(table, unplayed=policy), "average-rating-opponents")[0] == Fraction(0 + 1800, 2)


def test_a_forfeited_game_counts_the_scheduled_opponent() -> None:
    table = read_crosstable("1 A 2000  2:+ \n 2 B 1800  1:-")
    assert values(table, "average-rating-opponents") == [1800, 2000]


def test_own_rating_of_the_a_list() -> None:
    assert values(E1, "rating-a") == [2300, 2250, 0, 2150, 2100, 0]
