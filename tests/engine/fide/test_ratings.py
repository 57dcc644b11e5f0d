"""Rating criteria by C.07 10, with FIDE's tables."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from standings.engine import CHESS, Scoring, rank, read_crosstable
from standings.engine.fide.ratings import DP, expected_hundredths
from standings.engine.fide.ratingtables import DIFFERENCES, score_probability
from tests.engine.examples import ranked, system_of, values
from tests.engine.fide.exercises import SWISS, under

# Ann scored 2½ of 3 against 2000, 1901 and 1800, and won against Eve by forfeit.
TABLE = read_crosstable(
    """
    1 Ann 2200  2w:1-0  3b:1-0  4w:½-½  5b:+
    2 Bob 2000  1b:0-1  4w:1-0  5b:1-0  3w:0-1
    3 Cas 1901  5w:1-0  1w:0-1  bye     2b:1-0
    4 Dan 1800  ½bye    2b:0-1  1b:½-½  –
    5 Eve 1700  3b:0-1  –       2w:0-1  1w:-
    """,
    scoring=CHESS,
)
UNRATED = replace(TABLE, rating=np.array([2200, 2000, 1901, 0, 1700]))


@pytest.mark.parametrize(
    ("code", "row", "expected"),
    [
        ("ARO", 0, Fraction(2000 + 1901 + 1800, 3)),
        ("ARO/C1", 0, Fraction(2000 + 1901, 2)),
        ("ARO/M1", 0, 1901),
        # 1950½ is rounded up.
        ("ARO/C1", 0, 1951),
        # 1900 and 0.83: dp 273. Bob scored 2 of 4 against 2200, 1800, 1700 and 1901: 0.50.
        ("TPR", 0, 1900 + 273),
        ("TPR", 1, 1900),
        ("TPR", 4, 1951 - 800),
        # 0 points: 800 below the lower of 1901 and 2000.
        ("PTP", 4, 1901 - 800),
        ("RTNG", 3, 1800),
        # TPR of Bob 1900, Cas 1967 + 125 and Dan 2100 - 193.
        ("APRO", 0, Fraction(1900 + (1967 + 125) + (2100 - 193), 3)),
    ],
)
def test_rating_criteria_of_the_worked_example(code: str, row: int, expected: Fraction) -> None:
    assert values(TABLE, code)[row] == int(expected + Fraction(1, 2))


def test_perfect_performance_is_the_lowest_sufficient_rating() -> None:
    """Compared with trying each rating on the full scale."""
    for row, ratings, half_points in ((0, (2000, 1901, 1800), 5), (1, (2200, 1800, 1700, 1901), 4)):
        own = 1000
        while sum(score_probability(own - rating) for rating in ratings) < 50 * half_points:
            own += 1
        assert values(TABLE, "PTP")[row] == own


def test_full_score_is_736_above_the_highest_opponent() -> None:
    won = read_crosstable("1 A 2000 2w:1-0 3b:1-0 \n 2 B 1700 1b:0-1 – \n 3 C 1600 – 1w:0-1", scoring=CHESS)
    assert values(won, "PTP") == [1700 + 736, 2000 - 800, 2000 - 800]
    assert values(won, "TPR") == [1650 + 800, 2000 - 800, 2000 - 800]


def test_game_counts_1_point_under_any_scoring() -> None:
    football = read_crosstable(
        "1 A 2000 2w:3-0 2b:1-1 \n 2 B 1800 1b:0-3 1w:1-1", scoring=Scoring(game_win=6, game_draw=2)
    )
    assert values(football, "TPR") == [1800 + 193, 2000 - 193]


def test_competitor_without_games_has_no_value_and_is_last() -> None:
    table = read_crosstable("1 A 2000 bye bye \n 2 B 1500 3w:0-1 bye \n 3 C 1100 2b:1-0 –", scoring=CHESS)
    for code in ("ARO", "TPR", "PTP", "APRO", "APPO", "AOB", "ARO/C1"):
        judged = rank(table, system_of(code)).columns[0]
        assert (judged.texts[0], judged.levels(0)) == ("–", [])
    assert ranked(table, "ARO", "RTNG") == "C B A"
    assert rank(table, system_of("ARO/C1")).columns[0].texts == ["–", "–", "–"]


def test_unrated_competitor_disables_rating_criteria_by_default() -> None:
    for code in ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"):
        judged = rank(UNRATED, system_of(code)).columns[0]
        assert judged.texts == ["–"] * 5
        assert len(set(judged.column.keys().tolist())) == 1
    lines = rank(UNRATED, system_of("ARO")).explain(0, "ARO").lines
    assert lines[0].note == "scored 1; not counted: competitors without a rating: 1 (10)"


def test_event_can_rate_or_exclude_unrated_competitors() -> None:
    given, dropped = replace(UNRATED, unrated=1400), replace(UNRATED, unrated=0)
    assert values(given, "ARO")[0] == (2000 + 1901 + 1400) // 3
    assert values(dropped, "ARO")[0] == 1951
    assert values(given, "RTNG") == [2200, 2000, 1901, 1400, 1700]
    assert rank(dropped, system_of("RTNG")).columns[0].texts[3] == "–"
    assert ranked(dropped, "RTNG").endswith("Dan")
    assert rank(given, system_of("ARO")).explain(0, "ARO").lines[2].note == (
        "scored ½; unrated, counts as set by the event"
    )


def test_rating_criteria_show_their_calculation() -> None:
    standings = rank(TABLE, system_of("ARO", "TPR", "PTP", "RTNG"))
    assert standings.explain(0, "ARO/C1").calculations == ("3901 / 2 = 1950.50, rounded 1951",)
    assert standings.explain(0, "TPR").calculations == ("1900 + 273 for 0.83 (B.02 8.1.1) = 2173",)
    assert standings.explain(4, "TPR").calculations == ("1951 - 800 for 0.00 (B.02 8.1.1) = 1151",)
    assert standings.explain(4, "PTP").calculations == (
        "no points: 800 below the lowest opponent (10.3) = 1101",
    )
    perfect = int(standings.explain(0, "PTP").levels[0])
    expected = sum(score_probability(perfect - rating) for rating in (2000, 1901, 1800))
    assert (
        standings.explain(0, "PTP")
        .calculations[0]
        .startswith(f"{perfect} expects {expected / 100:.2f} of 2½ points")
    )


def test_modifier_r_prefers_the_lower_rating() -> None:
    assert ranked(TABLE, "RTNG") == "Ann Bob Cas Dan Eve"
    assert ranked(TABLE, "RTNG/R") == "Eve Dan Cas Bob Ann"


def test_array_lookup_matches_the_rating_tables() -> None:
    differences = np.arange(-900, 901)
    assert expected_hundredths(differences).tolist() == [score_probability(int(each)) for each in differences]
    assert DP[50:].tolist() == list(DIFFERENCES)
    assert (-DP[::-1] == DP).all()


def test_average_of_buchholz_is_compared_exactly_and_shown_rounded() -> None:
    """Paul met Franck, Irina and Opal over the board: 12 + 13½ + 14 from 3 games (exercise 9)."""
    judged = rank(under("fide-2024", SWISS), system_of("PTS", "AOB")).column("AOB")
    assert judged.text(13) == "13.17"
    assert judged.column.value(13) == Fraction(79, 6)
    assert judged.column.calculation(13, 0, judged.terms(13)) == "39½ / 3 = 13.17"
