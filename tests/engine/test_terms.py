"""Terms and columns."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from standings.engine import RoundKind
from standings.engine.measures import AVERAGE, FEWEST, MANY_ROWS, RATIO, SUM, Measure
from standings.engine.terms import Factor, Terms, TermSources


def terms(*rows: list[int], unit: int = 1) -> Terms:
    """Return terms with these amounts; 0 means no term."""
    amounts = np.array(rows, dtype=np.int64)
    n, m = amounts.shape
    kinds, no_opponent = np.full((n, m), RoundKind.BYE), np.full((n, m), -1)
    behind = TermSources(
        tuple("ABCDEFGH"[:n]), no_opponent, np.arange(1, m + 1), kinds, np.zeros((n, m), dtype=bool)
    )
    return Terms.of(Factor("pts", amounts, unit), behind, amounts != 0)


def successive_cuts(given: Terms) -> list[list[int]]:
    return [
        [int(given.sums(level)[row]) for level in range(given.levels)] for row in range(len(given.present))
    ]


def test_sums_of_counted_terms() -> None:
    assert terms([3, 1, 2], [0, 0, 4]).sums().tolist() == [6, 4]
    assert terms([3, 1, 2]).counting(np.array([[True, False, True]])).sums().tolist() == [5]


def test_cuts() -> None:
    given = terms([3, 1, 2], [5, 0, 5], [4, 0, 0])
    assert given.without_lowest().sums().tolist() == [3 + 2, 5, 0]
    assert given.without_highest().sums().tolist() == [1 + 2, 5, 0]
    assert given.without_lowest().without_highest().sums().tolist() == [2, 0, 0]


def test_cut_term_stays_in_the_explanation() -> None:
    lines = terms([3, 1, 2]).without_lowest().of_row(0)
    assert [(line.text, line.counted()) for line in lines] == [("3", True), ("1", False), ("2", True)]


def test_missing_term_is_not_in_the_explanation() -> None:
    assert [line.round for line in terms([3, 0, 2]).of_row(0)] == [1, 3]


def test_successive_cuts_end_in_zeros() -> None:
    assert successive_cuts(terms([3, 1, 2, 4], [5, 0, 0, 7]).successive_cuts()) == [
        [3 + 2 + 4, 3 + 4, 4],
        [7, 0, 0],
    ]


def test_terms_split_into_levels() -> None:
    given = terms([3, 1, 2]).split_into_levels(np.array([[1, 0, 1]]))
    assert successive_cuts(given) == [[1, 3 + 2]]


def test_append_level_counts_a_part_of_the_terms() -> None:
    given = terms([3, 1, 2])
    assert successive_cuts(given.append_level(given.counting(np.array([[False, True, True]])))) == [[6, 3]]


def test_products_keep_their_factors() -> None:
    product = terms([3, 1], unit=2) * terms([4, 0], unit=4)
    assert (product.unit, product.sums().tolist()) == (8, [12])
    assert [line.working for line in product.of_row(0)] == ["1½ pts × 1 pts"]


def test_concatenated_terms_keep_their_notes() -> None:
    def noted(name: str, given: Terms) -> Terms:
        def note(_row: int, at: int) -> str:
            return f"{name}{at}"

        return replace(given, sources=replace(given.sources, note=note))

    both = noted("a", terms([3, 1])).concatenate(noted("b", terms([2])))
    assert [line.note for line in both.of_row(0)] == ["a0", "a1", "b0"]


@pytest.mark.parametrize("measure", [SUM, AVERAGE, RATIO])
def test_texts_of_many_rows_are_those_of_each_row(measure: Measure) -> None:
    column = terms(*([at % 7 + 1, -(at % 3)] for at in range(MANY_ROWS))).total(measure)
    texts = column.texts(np.ones(MANY_ROWS, dtype=np.int64))
    assert texts == [column.figure_text(row) for row in range(MANY_ROWS)]


def test_rulings_replace_values_but_not_terms() -> None:
    column = terms([3, 1], [2, 2], unit=2).total().with_rulings({1: (Fraction(5, 3),)})
    assert [column.value(row) for row in (0, 1)] == [2, Fraction(5, 3)]
    assert (column.exact(0), column.exact(1), column.figure_text(0)) == ("2", "5/3", "2")
    assert column.texts(np.array([1, 1])) == ["2", "5/3*"]
    assert column.terms.sums().tolist() == [4, 4]


def test_short_ruled_vector_is_filled_with_zeros() -> None:
    column = terms([3, 1, 2], [3, 1, 2]).successive_cuts().total().with_rulings({0: (Fraction(9),)})
    assert [[int(key) for key in column.keys(level)] for level in range(2)] == [[9, 5], [0, 3]]


def test_rulings_on_quotients() -> None:
    column = terms([3, 2], [1, 1]).total(AVERAGE).with_rulings({1: (Fraction(21874, 10),)})
    assert (column.exact(0), column.exact(1)) == ("5/2", "10937/5")
    assert column.texts(np.array([1, 1])) == ["2.5", "2187.4*"]


def test_rulings_if_less_is_better() -> None:
    column = terms([3, 2], [0, 0]).total(FEWEST).with_rulings({1: (Fraction(4),)})
    assert column.keys().tolist() == [-5, -4]
