"""Criteria based on own results."""

from dataclasses import replace

import pytest

from standings.engine import CHESS, Scoring, get_criterion, read_crosstable
from tests.engine.examples import E1, E2, ranked, values


def test_total_score_of_the_worked_example() -> None:
    assert values(E1, "total-score") == [
        1 + 2 + 0 + 2,
        0 + 2 + 2 + 0,
        1 + 0 + 1 + 2,
        1 + 0 + 0 + 2,
        1 + 1 + 2,
        2 + 1 + 1,
    ]
    assert values(E2, "total-score") == [6, 3, 5, 5, 1]


def test_match_points_and_game_points_of_teams() -> None:
    table = read_crosstable(
        """
        1 A  2:2½-1½  2:2-2  bye
        2 B  1:1½-2½  1:2-2  ½bye
        """,
        scoring=Scoring(game_win=2, boards=4),
    )
    assert values(table, "game-points") == [2.5 + 2 + 4, 1.5 + 2 + 2]
    assert values(table, "match-points") == [2 + 1 + 2, 0 + 1 + 1]


def test_match_points_under_another_scoring() -> None:
    table = read_crosstable(
        "1 A  2:3-1  2:2-2 \n 2 B  1:1-3  1:2-2", scoring=Scoring(2, 6, 2, boards=4, match_loss=1)
    )
    assert values(table, "match-points") == [3 + 1, 0.5 + 1]


def test_wins_include_forfeits_but_no_byes() -> None:
    assert values(E1, "wins") == [1, 2, 1, 1, 1, 1]
    table = read_crosstable("1 A  2:2-0  2:+  bye \n 2 B  1:0-2  1:-  bye")
    assert values(table, "wins") == [2, 0]
    assert values(replace(table, byes_are_wins=True), "wins") == [3, 1]


def test_progress_as_in_draughts_arbiter() -> None:
    table = read_crosstable(
        """
        1 A  2:2-0  2:1-1  2:0-2  2:0-2  2:2-0  2:2-0  2:2-0
        2 B  1:0-2  1:1-1  1:2-0  1:2-0  1:0-2  1:0-2  1:0-2
        3 C  4:2-0  4:2-0  4:2-0  4:2-0  4:1-1  4:0-2  4:0-2
        4 D  3:0-2  3:0-2  3:0-2  3:0-2  3:1-1  3:2-0  3:2-0
        """
    )
    assert values(table, "progress")[0] == 2 + 3 + 3 + 3 + 5 + 7 + 9 == 32
    assert values(table, "progress")[2] == 2 + 4 + 6 + 8 + 9 + 9 + 9 == 47


def test_progress_includes_rounds_without_a_result() -> None:
    assert values(E1, "progress") == [12, 10, 8, 6, 11, 13]
    assert values(E1, "progress")[4] == 1 + 2 + 4 + 4


def test_draws_with_advantage() -> None:
    assert values(E1, "plus-minus-draws") == [1, 0, -1, 1, -2, 1]
    assert [get_criterion("plus-minus-draws")(E1).figure_text(row) for row in range(6)] == [
        "+1",
        "0",
        "-1",
        "+1",
        "-2",
        "+1",
    ]
    assert values(E1, "plus-draws") == [1, 0, 0, 1, 0, 1]


def test_won_lost_ratio() -> None:
    column = get_criterion("won-lost-ratio")(E2)
    assert [column.figure_text(row) for row in range(5)] == ["2/0", "1/2", "1/0", "2/1", "0/3"]
    assert ranked(E2, "won-lost-ratio") == "V=P Q W Z"


@pytest.mark.parametrize(
    ("ahead", "behind"), [("+ +", "+ -"), ("+ -", "- -"), ("= =", "+ - -"), ("+ + -", "= =")]
)
def test_ratios_are_compared_exactly(ahead: str, behind: str) -> None:
    """Without losses the ratio is infinite, without wins and losses it is 1."""
    score = {"+": ("2-0", "0-2"), "-": ("0-2", "2-0"), "=": ("1-1", "1-1")}
    lines = [ahead.split(), behind.split()]
    rounds = max(map(len, lines))
    cells = [[score[game] for game in line] + [("–", "–")] * (rounds - len(line)) for line in lines]
    rows = [
        f"{at + 1} {name} "
        + " ".join(cell[side] if cell[side] == "–" else f"{other}:{cell[side]}" for cell in cells[line])
        for at, (name, other, line, side) in enumerate(
            [("A", 2, 0, 0), ("x", 1, 0, 1), ("B", 4, 1, 0), ("y", 3, 1, 1)]
        )
    ]
    places = ranked(read_crosstable("\n".join(rows)), "won-lost-ratio").replace("=", " ").split()
    assert places.index("A") < places.index("B")


def test_only_draws_equal_as_many_wins_as_losses() -> None:
    """0/0, 1/1, 0/2 and 2/0 (docs/adr/0010)."""
    drawn = """
        1 A  2:1-1  4:1-1  –
        2 B  1:1-1  3:2-0  4:0-2
        3 C  4:0-2  2:0-2  –
        4 D  3:2-0  1:1-1  2:2-0
        """
    assert ranked(read_crosstable(drawn), "won-lost-ratio") == "D A=B C"


def test_manual_numbers_count_from_their_first_round() -> None:
    table = read_crosstable("1 A manual=2@2  2:1-1  2:1-1 \n 2 B manual=1  1:1-1  1:1-1")
    assert values(table, "manual") == [2, 1]
    assert values(table.after(1), "manual") == [0, 1]


def test_chess_points_are_half_points() -> None:
    table = read_crosstable("1 A  2:½-½  ½bye  2:1-0 \n 2 B  1:½-½  0bye  1:0-1", scoring=CHESS)
    assert values(table, "total-score") == [0.5 + 0.5 + 1, 0.5]
