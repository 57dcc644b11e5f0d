"""Unplayed rounds under the editions of C.07. Expected values are written as sums."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from standings.engine import (
    CHESS,
    POLICIES,
    Crosstable,
    Scale,
    Scoring,
    edition_of,
    rank,
    read_crosstable,
)
from tests.engine.examples import system_of, values
from tests.engine.fide.exercises import ROUND_ROBIN, SWISS, TEAMS, under

HALF = Fraction(1, 2)

# Every category of 16.2. Ann 3½, Bea 3½, Cas 1½, Dan 2. Draws in all rounds give 2½.
# For opponents: Ann 4 (the zero-point bye at the end is a draw), Bea 3½, Cas 1 + 0 + 0 + ½ + ½ = 2, Dan 2.
TABLE = read_crosstable(
    """
    1 Ann  2w:1-0  3w:+    ½bye    4w:1-0  0bye
    2 Bea  1b:0-1  4w:1-0  3w:1-0  bye     4b:½-½
    3 Cas  bye     1b:-    2b:0-1  ½bye    –
    4 Dan  ½bye    2b:0-1  bye     1b:0-1  2w:½-½
    """,
    scoring=CHESS,
)

# At the end, A lost by forfeit after two requested byes.
ENDING = read_crosstable(
    """
    1 A  2w:1-0  0bye    0bye    3w:-
    2 B  1b:0-1  3b:1-0  3w:½-½  bye
    3 C  bye     2w:0-1  2b:½-½  1b:+
    """,
    scoring=CHESS,
)


@pytest.mark.parametrize(
    ("edition", "code", "expected"),
    [
        (
            "fide-2024",
            "BH",
            [3.5 + 3.5 + 3.5 + 2 + 3.5, 4 + 2 + 2 + 3.5 + 2, 4 * 1.5 + 3.5, 2 + 3.5 + 2 + 4 + 3.5],
        ),
        # Ann's dummies have at most 2 for the game against Cas (16.4.1) and 2½ for byes (16.4.2).
        (
            "fide-2026",
            "BH",
            [3.5 + 2 + 2.5 + 2 + 2.5, 4 + 2 + 2 + 2.5 + 2, 6 + 3.5, 2 + 3.5 + 2 + 4 + 3.5],
        ),
        # Ann's half-point bye is cut, although Dan's 2 is lower; Bea has no requested bye.
        ("fide-2026", "BH/C1", [3.5 + 2 + 2 + 2.5, 4 + 2 + 2.5 + 2, 4.5 + 3.5, 3.5 + 2 + 4 + 3.5]),
        ("fide-2026", "BH/C2", [3.5 + 2 + 2, 4 + 2.5 + 2, 2 * 1.5 + 3.5, 3.5 + 4 + 3.5]),
        ("fide-2026", "BH/M1", [2 + 2 + 2.5, 2 + 2 + 2.5, 3 * 1.5, 3.5 + 2 + 3.5]),
        # Cas lost to Ann by forfeit: Ann's 4 counts.
        ("fide-2026", "BH/P", [12.5, 12.5, 1.5 + 4 + 3.5 + 2 * 1.5, 15]),
        (
            "fide-2026",
            "SB",
            [3.5 + 2 + 1.25 + 2 + 0, 0 + 2 + 2 + 2.5 + 1, 1.5 + 0 + 0 + 0.75 + 0, 1 + 2 + 1.75],
        ),
        # Ann: the product 2 of the lowest opponents is cut (14.1.1), as the lowest voluntary product is 0.
        ("fide-2026", "SB/C1", [3.5 + 1.25 + 2 + 0, 2 + 2 + 2.5, 1.5 + 0.75, 2 + 1.75]),
        ("fide-2026", "SB/M1", [1.25 + 2 + 0, 2 + 2 + 2.5, 0.75 + 1.5, 2 + 1.75]),
    ],
)
def test_values_of_each_category_of_unplayed_rounds(edition: str, code: str, expected: list[float]) -> None:
    assert values(under(edition, TABLE), code) == expected


def test_unplayed_rounds_under_the_2009_edition() -> None:
    """For opponents Ann 1+½+½+1+½ = 3½, Bea 3, Cas 2, Dan 1½.

    Ann's virtual opponents: 1 + 0 + 3×½ = 2½, 2 + ½ + 2×½ = 3½, 3½ + 1 = 4½.
    """
    table = under("fide-2009", TABLE)
    assert values(table, "BH")[0] == 3 + 2.5 + 3.5 + 1.5 + 4.5
    assert values(table, "BH/C1")[0] == 3 + 2.5 + 3.5 + 4.5
    assert values(table, "SB")[0] == 3 + HALF * Fraction("2.5") + HALF * Fraction(
        "3.5"
    ) + 1.5 + HALF * Fraction("4.5")


def test_double_forfeit_is_voluntary_for_both_sides() -> None:
    """For opponents A 1, B 1, C 2½: a loss by forfeit counts as awarded. C met both."""
    table = read_crosstable(
        """
        1 A  2w:--  3b:0-1  bye
        2 B  1b:--  bye     3w:0-1
        3 C  ½bye   1w:1-0  2b:1-0
        """,
        scoring=CHESS,
    )
    assert values(under("fide-2024", table), "BH") == [1 + 2.5 + 1, 1 + 1 + 2.5, 2.5 + 1 + 1]
    assert values(under("fide-2024", table), "BH/C1") == [2.5 + 1, 1 + 2.5, 1 + 1]
    lines = rank(under("fide-2026", table), system_of("PTS", "BH/C1")).explain(0, "BH/C1").lines
    assert lines[0].note == (
        "lost by forfeit: a dummy with 1 (own score 1, at most 1, 16.4.1);"
        " voluntary unplayed round, cut first (16.5)"
    )


def test_least_significant_of_equal_voluntary_rounds_is_cut() -> None:
    """All products are 0, and the second is against the lowest opponent."""
    order = np.array([[5, 4, 5, 4, 10]])
    terms = TABLE.per_round("pts", np.zeros((4, 5), dtype=np.int64) + order, 2, np.ones((4, 5), dtype=bool))
    nothing = TABLE.per_round("pts", np.zeros((4, 5), dtype=np.int64), 1, np.ones((4, 5), dtype=bool))
    voluntary = np.array([[True, True, True, False, False]] * 4)
    cut = (terms * nothing).cut_least_significant(1, voluntary, terms)
    assert np.flatnonzero(~cut.counted()[0]).tolist() == [1]


# --- Fore Buchholz ---------------------------------------------------------------------------------------


def test_fore_buchholz_draws_all_pairings_of_the_last_round() -> None:
    """For opponents A 1+0+0+½, because the bye before a draw is not at the end; B 2½; C 1+0+½+½ = 2."""
    table = under("fide-2026", ENDING)
    assert values(table, "BH") == [2.5 + 1 + 1 + 1, 2 + 2.5 + 2.5 + 2, 2 + 2.5 + 2.5 + 2]
    assert values(table, "FB") == [2.5 + 1.5 + 1.5 + 2, 1.5 + 2 + 2 + 2, 2 + 2.5 + 2.5 + 1.5]
    assert values(table, "FB/C1") == [2.5 + 1.5 + 2, 2 + 2 + 2, 2 + 2.5 + 2.5]


def test_fore_buchholz_equals_buchholz_before_the_last_round() -> None:
    earlier = under("fide-2026", ENDING).after(3)
    assert values(earlier, "FB") == values(earlier, "BH")
    longer = replace(under("fide-2026", ENDING), planned_rounds=5)
    assert values(longer, "FB") == values(longer, "BH")


def test_fore_buchholz_of_the_exercise() -> None:
    assert values(under("fide-2024", SWISS), "FB")[3] == Fraction("15.5")


# --- interpretations of the articles -----------------------------------------------------------------------


def test_pending_game_counts_but_not_as_a_draw() -> None:
    table = read_crosstable("1 A 2w:1-0 3w: \n 2 B 1b:0-1 bye \n 3 C bye 1b:", scoring=CHESS)
    assert values(under("fide-2026", table), "BH") == [1 + 1, 1 + 1, 1 + 1]
    assert values(under("fide-2026", table), "SB") == [1 * 1 + 0, 0 + 1, 1 + 0]


def test_unpaired_round_is_a_zero_point_bye_for_all() -> None:
    """After two rounds A 1½, B 1½, C 1; with a column for round 3, all count ½ more for their opponents."""
    table = read_crosstable("1 A 2w:1-0 ½bye \n 2 B 1b:0-1 3w:1-0 \n 3 C bye 2b:0-1", scoring=CHESS)
    with_third_round = under("fide-2024", table.with_rounds(3))
    assert values(under("fide-2024", table), "BH") == [1 + 1.5, 1.5 + 1, 1 + 1]
    assert values(with_third_round, "BH") == [1.5 + 1.5 + 1.5, 2 + 1.5 + 1, 1 + 1.5 + 1]
    assert table.with_rounds(2) is table


def test_modifier_p_changes_own_rounds_but_no_category() -> None:
    """For Ann's opponents, Cas still lost by forfeit: Cas counts 2."""
    table = under("fide-2026", TABLE)
    assert values(table, "BH/P")[1] == values(table, "BH")[1]
    assert values(table, "BH/C1/P")[2] == 1.5 + 4 + 3.5 + 1.5


def test_bonus_points_count_in_the_own_score_only() -> None:
    """P4 has 2 points more. For opponents P3 has 1 + ½ + ½, P4 0 + ½ + ½."""
    drawn = "1 P1 2w:1-0 – – \n 2 P2 1b:0-1 – – \n 3 P3 4w:1-0 – – \n 4 P4 3b:0-1 – – \n 5 P5 bye – –"
    bonus = np.zeros((5, 3), dtype=np.int64)
    bonus[3, 0] = 4
    table = read_crosstable(drawn, scoring=CHESS, game_bonus=bonus)
    assert values(table, "PTS") == [1, 0, 1, 2, 1]
    assert values(under("fide-2024", table), "BH")[2:4] == [1 + 1 + 1, 2 + 2 + 2]
    assert values(under("fide-2026", table), "BH")[2:4] == [1 + 1 + 1, 2 + 1.5 + 1.5]
    assert values(table, "KS") == [0, 0, 1, 0, 0]
    assert values(table, "PS")[3] == values(table, "WIN")[3] == 0
    lines = rank(table, system_of("PTS")).explain(3, "PTS").lines
    assert [(line.term.round, line.term.text, line.note) for line in lines][:2] == [
        (1, "0", ""),
        (1, "2", "bonus or penalty points"),
    ]


def test_final_bonus_counts_in_no_tie_break() -> None:
    final = np.array([0, 0, -4])
    table = replace(under("fide-2024", ENDING), final_game_bonus=final)
    assert values(table, "PTS") == [1, 2.5, 0.5]
    assert values(table.after(3), "PTS") == [1, 1.5, 1.5]
    assert values(table, "BH") == values(under("fide-2024", ENDING), "BH")


def test_match_with_all_boards_forfeited_is_forfeited() -> None:
    scoring = Scoring(game_win=2, boards=2)
    table = read_crosstable(
        "1 A 2:2-0/wfwf bye \n 2 B 1:0-2/lflf bye=1", scoring=scoring, primary=Scale.MATCH
    )
    assert not table.over_the_board.any()
    assert values(table, "WON") == [0, 0]
    # A's dummy: the own score 4, at most the 1 of B; for the bye at most 2 draws.
    assert values(under("fide-2026", table), "BH") == [1 + 2, 1 + 1]


def test_forfeits_are_games_in_a_round_robin() -> None:
    table = under("fide-2026", ROUND_ROBIN)
    assert values(table, "BH")[4] == 3.5 + 1.5 + 3.5 + 1.5 + 3.5
    assert values(table, "SB")[5] == Fraction("1.5") * HALF + 1.5
    assert values(table, "BH/C1")[4] == 3.5 + 3.5 + 1.5 + 3.5


def test_rest_day_of_a_round_robin_does_not_count() -> None:
    table = read_crosstable(
        "1 A 2w:1-0 3b:1-0 bye=0 \n 2 B 1b:0-1 bye=0 3w:1-0 \n 3 C bye=0 1w:0-1 2b:0-1",
        scoring=CHESS,
        games_each=2,
    )
    assert values(under("fide-2026", table), "SB") == [1 + 0, 0 + 0, 0]
    assert values(table, "REP") == [2, 2, 2]
    # The limit depends on games: 1 of 2.
    assert values(table, "KS") == [1, 0, 0]


# --- spot checks and texts ---------------------------------------------------------------------------------


def test_spot_checks_from_the_exercises() -> None:
    assert values(under("fide-2024", SWISS), "BH")[3] == 15
    assert values(under("fide-2026", SWISS), "BH")[3] == 14
    assert [values(under(each, SWISS), "BH")[10] for each in ("fide-2024", "fide-2026")] == [13.5, 12.5]
    assert [values(under(each, TEAMS), "BH:MP")[0] for each in ("fide-2024", "fide-2026")] == [64, 61]


@pytest.mark.parametrize(
    ("edition", "row", "code", "notes"),
    [
        (
            "fide-2026",
            0,
            "BH/C1",
            [
                "",
                "won by forfeit: a dummy with 2 (own score 3½, at most 2, 16.4.1)",
                (
                    "half-point bye: a dummy with 2½ (own score 3½, at most 2½, 16.4.2);"
                    " voluntary unplayed round, cut first (16.5)"
                ),
                "",
                "zero-point bye: a dummy with 2½ (own score 3½, at most 2½, 16.4.2)",
            ],
        ),
        (
            "fide-2024",
            1,
            "BH/C1",
            [
                "3½ counts as 4: requested byes at the end are draws (16.3.2)",
                "least significant, cut (14)",
                "1½ counts as 2: requested byes at the end are draws (16.3.2)",
                "pairing-allocated bye: a dummy with own score 3½ (16.4)",
                "",
            ],
        ),
        (
            "fide-2009",
            2,
            "BH",
            [
                "pairing-allocated bye: a virtual opponent with 2 (2009)",
                "lost by forfeit: a virtual opponent with 3½ (2009)",
                "3½ counts as 3: rounds without play are draws (2009)",
                "half-point bye: a virtual opponent with 2 (2009)",
                "zero-point bye: a virtual opponent with 2½ (2009)",
            ],
        ),
    ],
)
def test_notes_cite_their_article(edition: str, row: int, code: str, notes: list[str]) -> None:
    lines = rank(under(edition, TABLE), system_of("PTS", code)).explain(row, code).lines
    assert [line.note for line in lines] == notes


@pytest.mark.parametrize(
    ("start", "edition"),
    [
        ("2018-01-27", "fide-2009"),
        ("2023-07-31", "fide-2009"),
        ("2023-08-01", "fide-2024"),
        ("2026-02-28", "fide-2024"),
        ("2026-03-01", "fide-2026"),
        ("2023", "fide-2009"),
        ("", "fide-2026"),
    ],
)
def test_start_date_selects_the_edition(start: str, edition: str) -> None:
    assert edition_of(start) is POLICIES[edition]


def test_criteria_of_fide_and_fmjd_can_be_combined() -> None:
    """All criteria use the scores that the policy credits."""
    for policy in POLICIES.values():
        table: Crosstable = replace(TABLE, unplayed=policy)
        assert values(table, "solkoff") == values(table, "BH")
        assert values(table, "sonneborn-berger") == values(table, "SB")
