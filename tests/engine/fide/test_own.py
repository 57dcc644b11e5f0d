"""Own results and boards by C.07 7, 11 and 12, and Koya (9.2)."""

from fractions import Fraction

import numpy as np
import pytest

from standings.engine import CHESS, Scale, Scoring, rank, read_crosstable
from tests.engine.examples import ranked, system_of, values, vectors
from tests.engine.fide.exercises import ROUND_ROBIN, SWISS, TEAMS

HALF = Fraction(1, 2)
TWO_BOARDS = Scoring(game_win=2, boards=2)

# R1: A beat B on both boards, with White on board 1. R2: C won by forfeit, B had a half-point bye.
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
        # By board, a bye is a win on both boards, whatever was awarded.
        ("WIN:GP", [2 + 0 + 2, 0 + 0 + 2, 2 + 2 + 0]),
        ("WON:GP", [2, 1, 0]),
        ("BPG:GP", [1, 1, 1]),
        ("BWG:GP", [1, 0, 0]),
        ("REP", [2, 2, 3]),
        ("REP:GP", [4, 2 + 2, 2 + 2 + 1]),
        ("STD", [1 + 0 + HALF, 0 + HALF + 1, 1 + 1 + 0]),
        ("STD:GP", [2 + 0 + 2, 0 + 1 + 2, 2 + 2 + 0]),
        # 1·1 + 2·1 for each round with two wins: twice for A and C, once for B, plus two draws.
        ("BC", [3 + 0 + 3, 0 + 1.5 + 3, 3 + 3 + 0]),
    ],
)
def test_own_results_of_teams_by_match_and_by_board(code: str, expected: list[float]) -> None:
    assert values(MATCHES, code) == expected


def test_criteria_of_boards() -> None:
    assert vectors(MATCHES, "TBR") == [[2, 2], [1.5, 1.5], [2, 2]]
    assert vectors(MATCHES, "BBE") == [[2], [1.5], [2]]
    assert vectors(TEAMS, "TBR")[10] == [4, 2.5, 2, 3]
    assert vectors(TEAMS, "BBE")[10] == [4 + 2.5 + 2, 4 + 2.5, 4]


def test_lower_is_better_only_in_the_board_count() -> None:
    table = read_crosstable("1 A 2:1-1/lw \n 2 B 1:1-1/wl", scoring=TWO_BOARDS, primary=Scale.MATCH)
    assert ranked(table, "MPTS", "BC") == "B A"
    assert ranked(table, "MPTS", "TBR") == "B A"
    assert ranked(table, "MPTS", "BBE") == "B A"


def test_terms_of_boards_name_the_board() -> None:
    lines = rank(MATCHES, system_of("BC")).explain(1, "BC").lines
    assert [(line.note, line.term.working, line.term.text) for line in lines] == [
        ("board 1", "1 board × 1½ pts", "1½"),
        ("board 2", "2 board × 1½ pts", "3"),
    ]


def test_board_count_is_missing_without_boards() -> None:
    table = read_crosstable("1 A 2:2-0 \n 2 B 1:0-2", scoring=TWO_BOARDS, primary=Scale.MATCH)
    assert rank(table, system_of("BC")).columns[0].texts == ["–", "–"]
    assert rank(table, system_of("TBR")).columns[0].texts == ["0", "0"]
    assert ranked(table, "EDEBT", "WIN:GP") == "A B"


def test_progressive_scores_without_the_first_rounds() -> None:
    """Charline: ½ 1½ 2½ 3 3½."""
    assert values(SWISS, "PS")[2] == HALF + 1.5 + 2.5 + 3 + 3.5
    assert values(SWISS, "PS/C1")[2] == 1.5 + 2.5 + 3 + 3.5
    assert values(SWISS, "PS/C2")[2] == 2.5 + 3 + 3.5
    lines = rank(SWISS, system_of("PS/C2")).explain(2, "PS/C2").lines
    assert lines[0].note == "not counted: without the first 2 rounds (7.5)"


def test_forfeit_win_is_not_a_game_won() -> None:
    """Maria was to have White; in a round robin it is not a game with Black either."""
    assert [values(SWISS, code)[10] for code in ("WIN", "WON")] == [2, 1]
    assert [values(ROUND_ROBIN, code)[5] for code in ("WIN", "WON", "BPG", "BWG", "REP")] == [1, 0, 2, 0, 5]
    assert values(ROUND_ROBIN, "REP")[4] == 4


def test_double_forfeit_gives_half_a_standard_point_each() -> None:
    table = read_crosstable("1 A 2w:0-0 ½bye \n 2 B 1b:0-0 bye", scoring=CHESS)
    assert values(table, "STD") == [HALF + HALF, HALF + 1]


def test_standard_points_with_three_points_for_a_win() -> None:
    """A draw gives 1 of 3 points. A bye with 1 point compares as equal to a draw."""
    table = read_crosstable("1 A 2w:3-0 bye=1 \n 2 B 1b:0-3 bye=3", scoring=Scoring(game_win=6, game_draw=2))
    assert values(table, "WIN") == [1, 1]
    assert values(table, "STD") == [1.5, 1]


def test_pairing_number_in_both_directions() -> None:
    numbers = np.array([7, 3])
    table = read_crosstable("1 A 2w:½-½ \n 2 B 1b:½-½", scoring=CHESS)
    table = type(table).of(table.names, 1, opponent=table.opponent, kind=table.kind, numbers=numbers)
    assert ranked(table, "PTS", "TPN") == "B A"
    assert ranked(table, "PTS", "TPN/R") == "A B"


# --- Koya --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # The limit is 2½ of 5 points, which Alyx, Bruno and Charline reach.
        ("KS", [2, HALF, HALF, 1, HALF, 0]),
        ("KS/L30", [4 - HALF, 3.5, 3.5, 1.5, 1.5, 1.5]),
        # Two half-points more are 3½, which Alyx reaches; two fewer are 1½, which all reach.
        ("KS/L+2", [2, HALF, HALF, 1, HALF, 0]),
        ("KS/L+3", [0, 0, 0, 0, 0, 0]),
        ("KS/L-2", [3.5, 3.5, 3.5, 1.5, 1.5, 1.5]),
    ],
)
def test_koya_limit_in_per_cent_and_half_points(code: str, expected: list[float]) -> None:
    assert values(ROUND_ROBIN, code) == expected


def test_koya_counts_forfeits_in_a_swiss() -> None:
    table = read_crosstable("1 A 2w:+ 3w:0-1 \n 2 B 1b:- bye \n 3 C bye 1b:1-0", scoring=CHESS)
    assert values(table, "KS") == [1 + 0, 0, 1]
    lines = rank(table, system_of("KS/L60")).explain(0, "KS/L60").lines
    assert [line.note for line in lines] == ["not counted: has less than the limit (9.2)", ""]


def test_koya_limit_in_an_unfinished_cycle() -> None:
    """Four players in their second cycle: six rounds are six games, so the limit is 3."""
    six = "1 A 2w:1-0 3w:1-0 4w:1-0 2b:1-0 3b:0-1 4b:0-1 \n 2 B 1b:0-1 4b:1-0 3w:1-0 1w:0-1 4w:0-1 3b:0-1"
    six += (
        " \n 3 C 4w:1-0 1b:0-1 2b:0-1 4b:0-1 1w:1-0 2w:1-0 \n 4 D 3b:0-1 2w:0-1 1b:0-1 3w:1-0 2b:1-0 1w:1-0"
    )
    table = read_crosstable(six, scoring=CHESS, games_each=6)
    assert values(table, "PTS") == [4, 2, 3, 3]
    assert values(table, "KS") == [1 + 1, 1 + 1, 1 + 1, 1 + 1]
