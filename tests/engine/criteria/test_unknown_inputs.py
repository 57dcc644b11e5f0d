"""Criteria whose inputs are unknown: colours, the order of the rounds, ratings."""

import numpy as np
import pytest

from standings.engine import CHESS, Scale, Scoring, get_criterion, rank, read_crosstable
from tests.engine.examples import system_of

ROUNDS = "1 A 2b:1-0 3{w}:1-0 \n 2 B 1w:0-1 bye \n 3 C bye 1{b}:0-1"
COLOURED = read_crosstable(ROUNDS.format(w="w", b="b"), scoring=CHESS)
UNCOLOURED = read_crosstable(ROUNDS.format(w="", b=""), scoring=CHESS)
UNORDERED = COLOURED.derived(order_known=False)


@pytest.mark.parametrize(("code", "expected"), [("BPG", ["1", "0", "1"]), ("BWG", ["1", "0", "0"])])
def test_colour_criteria_have_no_value_if_a_colour_is_unknown(code: str, expected: list[str]) -> None:
    assert [get_criterion(code)(COLOURED).exact(row) for row in range(3)] == expected
    assert [get_criterion(code)(UNCOLOURED).exact(row) for row in range(3)] == ["", expected[1], ""]


def test_colour_criteria_of_boards_need_the_colours_of_the_boards() -> None:
    table = read_crosstable(
        "1 A 2w:2½-½/wdw \n 2 B 1b:½-2½/ldl", scoring=Scoring(game_win=2, boards=3), primary=Scale.MATCH
    )
    assert table.board_colour is not None
    uncoloured_board = table.board_colour.copy()
    uncoloured_board[0, 0, 1] = 0
    for changed, expected in (
        ({"colour": np.zeros_like(table.colour)}, ["1", "2"]),
        ({"board_colour": uncoloured_board}, ["", "2"]),
    ):
        column = get_criterion("BPG:GP")(table.derived(**changed))
        assert [column.exact(row) for row in range(2)] == expected


@pytest.mark.parametrize("code", ["PS", "progress", "FB", "AOB/F"])
def test_order_criteria_have_no_value_if_the_order_is_unknown(code: str) -> None:
    assert get_criterion(code)(COLOURED).exact(0)
    assert [get_criterion(code)(UNORDERED).exact(row) for row in range(3)] == ["", "", ""]


@pytest.mark.parametrize("code", ["PTS", "BH", "AOB"])
def test_other_criteria_keep_their_values_if_the_order_is_unknown(code: str) -> None:
    for row in range(3):
        assert get_criterion(code)(UNORDERED).exact(row) == get_criterion(code)(COLOURED).exact(row)


def test_criterion_without_values_separates_no_competitors() -> None:
    table = read_crosstable("1 A 2:1-0 3:0-1 \n 2 B 1:0-1 bye \n 3 C bye=0 1:1-0", scoring=CHESS)
    system = system_of("PTS", "PS")
    ordered, unordered = (
        rank(table.derived(order_known=order_known), system) for order_known in (True, False)
    )
    assert [row.place for row in ordered.rows()] == [1, 2, 2]
    assert [row.place for row in unordered.rows()] == [1, 1, 1]


@pytest.mark.parametrize("code", ["average-rating-opponents", "total-rating-opponents", "ARO", "RTNG"])
def test_ratings_are_unknown_if_all_competitors_are_unrated(code: str) -> None:
    unrated = "1 A {rating} 2:1-0 \n 2 B {rating} 1:0-1"
    unrated_event, both = (
        read_crosstable(unrated.format(rating=rating), scoring=CHESS) for rating in ("", "1900")
    )
    assert [get_criterion(code)(unrated_event).exact(row) for row in range(2)] == ["", ""]
    assert [get_criterion(code)(both).exact(row) for row in range(2)] == ["1900", "1900"]


def test_missing_ratings_count_as_0_if_a_competitor_is_rated() -> None:
    table = read_crosstable("1 A 1900 2:1-0 \n 2 B 1:0-1", scoring=CHESS)
    assert [get_criterion("average-rating-opponents")(table).exact(row) for row in range(2)] == ["0", "1900"]


def test_rating_that_the_event_assumes_is_known() -> None:
    table = read_crosstable("1 A 2:1-0 \n 2 B 1:0-1", scoring=CHESS).derived(unrated=1400)
    assert [get_criterion("ARO")(table).exact(row) for row in range(2)] == ["1400", "1400"]
