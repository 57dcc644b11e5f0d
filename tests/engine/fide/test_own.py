"""Own results and boards under C.07 7, 11 and 12, and the points against the strong (9.2)."""

from fractions import Fraction

import numpy as np
import pytest

from standings.engine import CHESS, Scale, Scoring, rank, read_crosstable
from tests.engine.examples import ladders, ranked, system_of, values
from tests.engine.fide.exercises import ROUND_ROBIN, SWISS, TEAMS

HALF = Fraction(1, 2)
TWO_BOARDS = Scoring(game_win=2, boards=2)

# R1: A beat B on both boards, with White on board 1. R2: C won by forfeit, and B asked for a half-point bye.
# R3: B beat C on board 1, and C forfeited the other.
MATCHES = read_crosstable(
    """
    1 A  2w:2-0/ww  3:-       bye=1
    2 B  1b:0-2/ll  ½bye=1    3w:2-0/wwf
    3 C  bye=2      1:+       2b:0-2/llf
    """,
    scoring=TWO_BOARDS,
    primary=Scale.MATCH,
)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("PTS", [2 + 0 + 1, 0 + 1 + 2, 2 + 2 + 0]),
        ("MPTS", [2 + 0 + 1, 0 + 1 + 2, 2 + 2 + 0]),
        ("GPTS", [2 + 0 + 1, 0 + 1 + 2, 2 + 2 + 0]),
        ("MPvGP", [3, 3, 4]),
        ("WIN", [1, 1, 2]),
        ("WON", [1, 1, 0]),
        ("BPG", [0, 1, 1]),
        # Board by board: a bye is a win on both, whatever was credited.
        ("WIN:GP", [2 + 0 + 2, 0 + 0 + 2, 2 + 2 + 0]),
        ("WON:GP", [2, 1, 0]),
        ("BPG:GP", [1, 1, 1]),
        ("BWG:GP", [1, 0, 0]),
        ("REP", [2, 2, 3]),
        ("REP:GP", [4, 2 + 2, 2 + 2 + 1]),
        ("STD", [1 + 0 + HALF, 0 + HALF + 1, 1 + 1 + 0]),
        ("STD:GP", [2 + 0 + 2, 0 + 1 + 2, 2 + 2 + 0]),
        # 1·1 + 2·1 for each round of two wins: A two of them, B one with two draws, C two.
        ("BC", [3 + 0 + 3, 0 + 1.5 + 3, 3 + 3 + 0]),
    ],
)
def test_teams_by_match_and_by_board(code: str, expected: list[float]) -> None:
    assert values(MATCHES, code) == expected


def test_board_by_board() -> None:
    assert ladders(MATCHES, "TBR") == [[2, 2], [1.5, 1.5], [2, 2]]
    assert ladders(MATCHES, "BBE") == [[2], [1.5], [2]]
    assert ladders(TEAMS, "TBR")[10] == [4, 2.5, 2, 3]
    assert ladders(TEAMS, "BBE")[10] == [4 + 2.5 + 2, 4 + 2.5, 4]


def test_fewer_is_better_in_the_board_count_only() -> None:
    table = read_crosstable("1 A 2:1-1/lw \n 2 B 1:1-1/wl", scoring=TWO_BOARDS, primary=Scale.MATCH)
    assert ranked(table, "MPTS", "BC") == "B A"
    assert ranked(table, "MPTS", "TBR") == "B A"
    assert ranked(table, "MPTS", "BBE") == "B A"


def test_lines_of_boards_name_the_board() -> None:
    lines = rank(MATCHES, system_of("BC")).explain(1, "BC").lines
    assert [(line.note, line.term.working, line.term.text) for line in lines] == [
        ("board 1", "1 board × 1½ pts", "1½"),
        ("board 2", "2 board × 1½ pts", "3"),
    ]


def test_without_boards_there_is_no_board_count() -> None:
    table = read_crosstable("1 A 2:2-0 \n 2 B 1:0-2", scoring=TWO_BOARDS, primary=Scale.MATCH)
    assert rank(table, system_of("BC")).judged[0].texts == ["–", "–"]
    assert rank(table, system_of("TBR")).judged[0].texts == ["0", "0"]
    assert ranked(table, "EDEBT", "WIN:GP") == "A B"


def test_the_running_score_without_its_first_rounds() -> None:
    """Charline: ½ 1½ 2½ 3 3½."""
    assert values(SWISS, "PS")[2] == HALF + 1.5 + 2.5 + 3 + 3.5
    assert values(SWISS, "PS/C1")[2] == 1.5 + 2.5 + 3 + 3.5
    assert values(SWISS, "PS/C2")[2] == 2.5 + 3 + 3.5
    lines = rank(SWISS, system_of("PS/C2")).explain(2, "PS/C2").lines
    assert lines[0].note == "not counted: without the first 2 rounds (7.5)"


def test_a_forfeit_win_is_no_game_won() -> None:
    """Maria had White in it, and in a round robin it is none with Black either."""
    assert [values(SWISS, code)[10] for code in ("WIN", "WON")] == [2, 1]
    assert [values(ROUND_ROBIN, code)[5] for code in ("WIN", "WON", "BPG", "BWG", "REP")] == [1, 0, 2, 0, 5]
    assert values(ROUND_ROBIN, "REP")[4] == 4


def test_a_game_that_both_lost_is_half_a_standard_point_each() -> None:
    table = read_crosstable("1 A 2w:0-0 ½bye \n 2 B 1b:0-0 bye", scoring=CHESS)
    assert values(table, "STD") == [HALF + HALF, HALF + 1]


def test_three_points_for_a_win() -> None:
    """A draw gives 1 of 3, and a bye worth a draw is level with one."""
    table = read_crosstable("1 A 2w:3-0 bye=1 \n 2 B 1b:0-3 bye=3", scoring=Scoring(game_win=6, game_draw=2))
    assert values(table, "WIN") == [1, 1]
    assert values(table, "STD") == [1.5, 1]


def test_the_pairing_number_decides_where_it_is_asked() -> None:
    numbers = np.array([7, 3])
    table = read_crosstable("1 A 2w:½-½ \n 2 B 1b:½-½", scoring=CHESS)
    table = type(table).of(table.names, 1, opponent=table.opponent, kind=table.kind, numbers=numbers)
    assert ranked(table, "PTS", "TPN") == "B A"
    assert ranked(table, "PTS", "TPN/R") == "A B"


# --- points against the strong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # Of 5 points 2½ is half: the strong are Alyx, Bruno and Charline.
        ("KS", [2, HALF, HALF, 1, HALF, 0]),
        ("KS/L30", [4 - HALF, 3.5, 3.5, 1.5, 1.5, 1.5]),
        # 2½ and two half-points more are Alyx's 3½ at most; and two fewer everybody's 1½ at least.
        ("KS/L+2", [2, HALF, HALF, 1, HALF, 0]),
        ("KS/L+3", [0, 0, 0, 0, 0, 0]),
        ("KS/L-2", [3.5, 3.5, 3.5, 1.5, 1.5, 1.5]),
    ],
)
def test_the_limit_in_per_cent_and_in_half_points(code: str, expected: list[float]) -> None:
    assert values(ROUND_ROBIN, code) == expected


def test_forfeits_count_against_the_scheduled_opponent_in_a_swiss_too() -> None:
    table = read_crosstable("1 A 2w:+ 3w:0-1 \n 2 B 1b:- bye \n 3 C bye 1b:1-0", scoring=CHESS)
    assert values(table, "KS") == [1 + 0, 0, 1]
    lines = rank(table, system_of("KS/L60")).explain(0, "KS/L60").lines
    assert [line.note for line in lines] == ["not counted: has less than the limit (9.2)", ""]


def test_who_never_rests_has_a_game_in_each_round() -> None:
    """Of four in their second cycle, six rounds are six games: the limit is 3."""
    six = "1 A 2w:1-0 3w:1-0 4w:1-0 2b:1-0 3b:0-1 4b:0-1 \n 2 B 1b:0-1 4b:1-0 3w:1-0 1w:0-1 4w:0-1 3b:0-1"
    six += (
        " \n 3 C 4w:1-0 1b:0-1 2b:0-1 4b:0-1 1w:1-0 2w:1-0 \n 4 D 3b:0-1 2w:0-1 1b:0-1 3w:1-0 2b:1-0 1w:1-0"
    )
    table = read_crosstable(six, scoring=CHESS, games_each=6)
    assert values(table, "PTS") == [4, 2, 3, 3]
    assert values(table, "KS") == [1 + 1, 1 + 1, 1 + 1, 1 + 1]
