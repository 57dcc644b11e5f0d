"""Criteria that weight points by opponents."""

from fractions import Fraction

import numpy as np
import pytest

from standings.engine import CHESS, RoundKind, read_crosstable
from standings.engine.scoring import EIGHTH
from standings.engine.terms import Factor, Terms, TermSources
from tests.engine.examples import E1, E2, LEAGUE, values


def test_sonneborn_berger_of_the_worked_example() -> None:
    assert values(E1, "sonneborn-berger")[0] == 4 * 1 + 4 * 2 + 4 * 0 + 0 * 2
    assert values(E1, "sonneborn-berger") == [12, 16, 15, 12, 15, 16]
    assert values(E2, "sonneborn-berger")[2] == 5 * 1 + 6 * 1 + 1 * 2 + 3 * 1 == 16
    assert values(E2, "sonneborn-berger")[3] == 5 * 1 + 6 * 0 + 3 * 2 + 1 * 2 == 13


def test_sonneborn_berger_has_quarter_points_in_chess() -> None:
    table = read_crosstable("1 A  2:½-½  3:1-0 \n 2 B  1:½-½  – \n 3 C  –  1:0-1", scoring=CHESS)
    assert values(table, "sonneborn-berger")[:2] == [
        Fraction(1, 2) * Fraction(1, 2),
        Fraction(1, 2) * Fraction(3, 2),
    ]


def team(*opponents: tuple[int, float]) -> tuple[Terms, Terms]:
    """Return terms of a single row: opponents' match points, and game points against them."""
    shape = (1, len(opponents))
    here = np.ones(shape, dtype=bool)
    rows, kinds = np.ones(shape, dtype=np.int64), np.full(shape, RoundKind.PLAYED)
    behind = TermSources(("team", "other"), rows, np.arange(1, shape[1] + 1), kinds, ~here)
    scores, points = (
        np.array([[int(EIGHTH * figure[at]) for figure in opponents]], dtype=np.int64) for at in (0, 1)
    )
    return Terms.of(Factor("MP", scores, EIGHTH), behind, here), Terms.of(
        Factor("pts", points, EIGHTH), behind, here
    )


@pytest.mark.parametrize(
    ("opponents", "everything", "expected"),
    [
        ([(12, 6), (14, 10), (12, 2.5), (15, 8), (20, 10), (20, 5)], 662, 662 - 12 * 2.5),
        ([(11, 5), (15, 9.5), (11, 6), (14, 7.5), (11, 4.5), (14, 7.5)], 523, 523 - 11 * 4.5),
    ],
    ids=["two weakest", "three weakest"],
)
def test_smallest_product_of_the_weakest_opponents_is_cut(
    opponents: list[tuple[int, float]], everything: int, expected: float
) -> None:
    """World Rapid Teams."""
    scores, points = team(*opponents)
    assert (scores * points).total().value(0) == everything
    assert (scores * points).without_lowest(by=scores).total().value(0) == expected in (632, 473.5)


def test_earliest_of_equal_products_is_cut() -> None:
    scores, points = team((9, 2), (8, 3), (8, 3))
    counted = [term.counted() for term in (scores * points).without_lowest(by=scores).of_row(0)]
    assert counted == [True, False, True]


def test_dsb_multiplies_match_points_by_game_points() -> None:
    assert values(LEAGUE, "match-points") == [5, 3, 2, 2]
    assert values(LEAGUE, "dsb")[0] == 3 * 2.5 + 2 * 3  # C and D have 2, and 2 × 2 is less than 2 × 3
    assert values(LEAGUE, "dsb")[1] == 5 * 1.5 + 2 * 4
    assert values(LEAGUE, "dsb")[2:] == [5 * 1 + 3 * 0, 5 * 2 + 3 * 2]
    assert values(LEAGUE, "dsmp") == [3 + 2, 5 + 2, 5 + 3, 5 + 3]


def test_koya_of_the_worked_example() -> None:
    """Against V 6, P 5 and Q 5, who have at least 4 of 8 possible points."""
    assert values(E2, "koya") == [1 + 2, 0 + 1, 1 + 1, 1 + 0, 0 + 0 + 1]


def test_koya_limit_depends_on_the_opponents_pairings() -> None:
    """B has 2 of 4 with a rest day, C 0 of 2 after a forfeit."""
    table = read_crosstable(
        """
        1 A  2:2-0  3:+    –
        2 B  1:0-2  bye=0  4:2-0
        3 C  –      1:-    –
        4 D  –      –      2:0-2
        """
    )
    assert values(table, "koya")[0] == 2
