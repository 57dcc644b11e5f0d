"""Criteria that count the boards of team matches."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from standings.engine import BoardFigure, RoundKind, Scale, get_criterion, rank, read_crosstable
from tests.engine.examples import BOARDS as TEAMS
from tests.engine.examples import ranked, system_of, values

THREE_BOARDS = TEAMS.scoring


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("wins", [1, 1, 0]),
        ("wins@game", [1 + 1, 0 + 3, 1 + 0]),
        ("plus-minus-draws", [1 + 1, -1, -1]),
        ("plus-draws", [1 + 1, 0, 0]),
    ],
)
def test_boards_are_counted_instead_of_matches(code: str, expected: list[int]) -> None:
    assert values(TEAMS, code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("won-lost-ratio", ["2/1", "3/1", "1/4"]),
        ("faster-wins", ["3", "0", "1"]),
        ("slower-losses", ["1", "2", "1"]),
    ],
)
def test_boards_won_and_lost_with_their_games(code: str, expected: list[str]) -> None:
    """A won in 2 + 1 games; C lost a board in 1 game and three by forfeit, in 0 games."""
    column = get_criterion(code)(TEAMS)
    assert [column.exact(row) for row in range(3)] == expected


def test_ratio_of_boards_is_compared_exactly() -> None:
    assert ranked(TEAMS, "won-lost-ratio") == "B A C"
    terms = get_criterion("won-lost-ratio")(TEAMS).terms.of_row(0)
    assert [(term.round, term.against, term.text) for term in terms] == [
        (1, "B", "1"),
        (2, "C", "1"),
        (2, "C", "-1"),
    ]
    assert get_criterion("won-lost-ratio")(TEAMS).calculation(0, 0, terms) == "2 won / 1 lost"


@pytest.mark.parametrize(("drawn", "won", "lost"), [("+", 3, 0), ("-", 0, 3), ("--", 0, 3), ("3-3f", 0, 0)])
def test_forfeited_match_without_recorded_boards(drawn: str, won: int, lost: int) -> None:
    """If a side has 0 points, it lost every board; other scores leave the boards unknown."""
    mirror = {"+": "-", "-": "+"}.get(drawn, drawn)
    table = read_crosstable(
        f"1 A 2:{drawn} 2:3-3/ddd \n 2 B 1:{mirror} 1:3-3/ddd", scoring=THREE_BOARDS, primary=Scale.MATCH
    )
    is_unknown = drawn == "3-3f"
    assert get_criterion("wins@game")(table).exact(0) == ("" if is_unknown else str(won))
    assert get_criterion("won-lost-ratio")(table).exact(0) == ("" if is_unknown else f"{won}/{lost}")
    assert table.boards_missing == is_unknown


@pytest.mark.parametrize(
    ("score", "wins", "ratio", "top"),
    [
        ("6-0", "3", "3/0", "3"),  # three boards won
        ("5-1", "2", "2/0", ""),  # two won and a draw, on unknown boards
        ("4-2", "", "", ""),  # 1 + 1 + 0 or 1 + ½ + ½
        ("3-3", "", "", ""),
    ],
)
def test_boards_are_derived_from_a_score_with_a_single_solution(
    score: str, wins: str, ratio: str, top: str
) -> None:
    table = read_crosstable(
        f"1 A 2:{score} 2:3-3/ddd \n 2 B 1:{score[::-1]} 1:3-3/ddd", scoring=THREE_BOARDS, primary=Scale.MATCH
    )
    assert get_criterion("wins@game")(table).exact(0) == wins
    assert get_criterion("won-lost-ratio")(table).exact(0) == ratio
    assert get_criterion("won-lost-ratio")(table).exact(1) == ratio[::-1]
    assert get_criterion("TBR")(table).exact(0) == top
    assert get_criterion("WIN:GP")(table).exact(0) == wins
    assert get_criterion("WIN:GP")(table).exact(1) == ("0" if wins else "")
    assert get_criterion("WON:GP")(table).exact(0) == (wins if top else "")
    assert get_criterion("plus-draws")(table).exact(0) == ("0" if top else "")
    assert get_criterion("faster-wins")(table).exact(0) == ""
    assert table.boards_missing == (not top)


LEAGUE = """\
1 A 2:3-3     3:6-0     4:6-0
2 B 1:3-3     4:5-1/wwd 3:6-0/www
3 C 4:4-2/wwl 1:0-6     2:0-6/lll
4 D 3:2-4/llw 2:1-5/lld 1:0-6
"""


def test_unrecorded_boards_separate_no_competitors() -> None:
    table = read_crosstable(LEAGUE, scoring=THREE_BOARDS, primary=Scale.MATCH)
    standings = rank(table, system_of("match-points", "wins@game", "manual"))
    wins = standings.column("wins@game")

    assert wins.texts == ["?", "?", "2", "1"]
    assert [wins.levels(row) for row in (0, 3)] == [[], [1]]
    assert standings.place.tolist() == [1, 1, 3, 4]

    complete = read_crosstable(LEAGUE.replace("3-3  ", "3-3/ddd"), scoring=THREE_BOARDS, primary=Scale.MATCH)
    standings = rank(complete, system_of("match-points", "wins@game", "manual"))
    assert standings.column("wins@game").texts == ["6", "5", "2", "1"]
    assert standings.place.tolist() == [1, 2, 3, 4]


def test_ruled_value_replaces_an_unknown_value() -> None:
    table = read_crosstable(
        "1 A 2:3-3 2:3-3/ddd \n 2 B 1:3-3 1:3-3/ddd", scoring=THREE_BOARDS, primary=Scale.MATCH
    )
    column = get_criterion("wins@game")(table).with_rulings({0: (Fraction(2),)})
    assert [column.exact(row) for row in (0, 1)] == ["2", ""]
    assert not TEAMS.boards_missing


def test_boards_of_a_match_in_progress_do_not_count() -> None:
    kind = TEAMS.kind.copy()
    kind[:2, 0] = RoundKind.PENDING
    assert values(replace(TEAMS, kind=kind), "wins@game") == [1, 3, 1]


def test_bye_counts_as_boards_won_only_with_the_setting() -> None:
    drawn = "1 A bye 2:3-3/ddd \n 2 B – 1:3-3/ddd"
    for switch, won in ((False, 0), (True, 3)):
        table = read_crosstable(drawn, scoring=THREE_BOARDS, primary=Scale.MATCH, byes_are_wins=switch)
        assert values(table, "wins@game") == [won, 0]


def test_game_of_players_is_a_board() -> None:
    table = read_crosstable("1 A 2:2-0 2:1+-1- bye \n 2 B 1:0-2 1:1--1+ –")
    assert values(table, "wins@game") == values(table, "wins") == [1, 0]
    assert not table.boards_missing


def test_board_arrays_with_a_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="boards is int64"):
        replace(TEAMS, boards=np.zeros((3, 3, len(BoardFigure) - 1), dtype=np.int64))
