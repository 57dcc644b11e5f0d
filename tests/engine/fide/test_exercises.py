"""All values in the exercises of FIDE's Technical Commission, by edition.

Source: IA Mario Held, "Exercises in Tie-Breaking", FIDE Technical Commission, March 2024; those of 2026 are
the same exercises under C.07 of 1 March 2026. `?` marks values that the exercises omit.
"""

from decimal import Decimal
from fractions import Fraction

import pytest

from standings.engine import Crosstable, get_criterion, rank, rounded
from tests.engine.examples import system_of
from tests.engine.fide.exercises import ROUND_ROBIN, SWISS, TEAMS, under

HUNDREDTHS = {"AOB", "SSSC"}

VALUES = [
    ("1-4", SWISS, "fide-2024", "BH", "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5"),
    ("5-8", SWISS, "fide-2024", "BH/C1", "11 12 13 11.5 7.5 11 12.5 12 7.5 11.5 12 9.5 12 9 11 11"),
    (
        "9",
        SWISS,
        "fide-2024",
        "AOB",
        "12.6 13.6 13.4 13.38 13.4 13.25 11.9 13 12.75 10.9 12.75 15 12.1 13.17 12.2 13.3",
    ),
    (
        "10",
        SWISS,
        "fide-2024",
        "FB",
        "13.5 13.5 15 15.5 10 12 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12 13.5",
    ),
    (
        "11-12",
        SWISS,
        "fide-2024",
        "SB",
        "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25",
    ),
    ("13", SWISS, "fide-2024", "SB/C1", "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75"),
    ("14", ROUND_ROBIN, "fide-2024", "SB", "9.25 6.25 6.25 4.25 3.25 2.25"),
    ("15", ROUND_ROBIN, "fide-2024", "SB/C1", "9.25 4.75 4.75 4.25 3.25 1.5"),
    ("16", ROUND_ROBIN, "fide-2024", "KS", "2 0.5 0.5 1 0.5 0"),
    (
        "17",
        SWISS,
        "fide-2024",
        "ARO",
        "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    ),
    (
        "18",
        SWISS,
        "fide-2024",
        "ARO/C1",
        "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 – 2025 1900 1963 1900",
    ),
    (
        "19-20",
        SWISS,
        "fide-2024",
        "TPR",
        "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
    ),
    ("21", SWISS, "fide-2024", "APRO", "1789 ? 1904 1772 ? ? ? ? ? ? ? ? ? ? ? 1805"),
    ("22", SWISS, "fide-2024", "PTP", "? ? 2112 ? ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("27", SWISS, "fide-2024", "WIN", "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"),
    ("28", SWISS, "fide-2024", "WON", "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3"),
    ("29", SWISS, "fide-2024", "BPG", "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2"),
    ("30", SWISS, "fide-2024", "BWG", "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1"),
    ("31", SWISS, "fide-2024", "REP", "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5"),
    ("32", SWISS, "fide-2024", "PS", "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5"),
    ("33", SWISS, "fide-2024", "PS/C1", "10 12 10.5 10.5 5 6 5 8 2.5 4 5 7 6 5 7 10"),
    ("1-4", SWISS, "fide-2026", "BH", "12.5 ? 15.5 14 8.5 ? ? 13.5 ? ? 12.5 ? ? ? ? 12.5"),
    ("5", SWISS, "fide-2026", "BH/C1", "? ? ? ? 7.5 ? ? 12 ? ? 11 ? ? ? ? ?"),
    (
        "9",
        SWISS,
        "fide-2026",
        "AOB",
        "12.4 13.6 12.9 13.38 13.2 13.25 11.7 12.9 12.75 10.8 12.75 14 11.9 13 12.2 13.1",
    ),
    ("10", SWISS, "fide-2026", "FB", "13.5 13.5 15 14.5 10 12 13.5 12.5 9.5 12.5 12 11 13.5 10.5 12 13.5"),
    ("12", SWISS, "fide-2026", "SB", "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25"),
    ("13", SWISS, "fide-2026", "SB/C1", "7.25 8.5 9.25 7.75 3.25 5 1.25 3.75 2.25 0 3.25 4 4.25 3 2.5 5.75"),
    ("34", TEAMS, "fide-2024", "MPTS", "10 10 10 10 10 7 6 7 6 5 4 2 6 4"),
    ("34", TEAMS, "fide-2024", "GPTS", "17.5 17 16 17 18 12.5 11.5 15 14.5 13 11.5 7.5 11.5 11.5"),
    ("35", TEAMS, "fide-2024", "BH:MP", "64 57 58 56 55 46 44 41 50 44 41 41 52 36"),
    ("36", TEAMS, "fide-2024", "BH:MP/C1", "57 52 53 52 53 39 38 39 48 42 39 39 48 32"),
    ("37", TEAMS, "fide-2024", "BH:GP", "114 107.5 109.5 106 99 92 94.5 90 97.5 92 88 92 101 87"),
    ("37", TEAMS, "fide-2024", "BH:GP/C1", "100.5 96 97 94.5 91.5 79.5 83 82.5 90 84.5 80.5 84.5 89.5 75.5"),
    ("38", TEAMS, "fide-2024", "EMMSB", "88 74 76 72 70 ? ? ? ? ? ? ? ? ?"),
    ("38", TEAMS, "fide-2024", "EMMSB/C1", "74 64 66 64 66 ? ? ? ? ? ? ? ? ?"),
    ("39", TEAMS, "fide-2024", "EGMSB", "158 144 150 146 132 ? ? ? ? ? ? ? ? ?"),
    ("40", TEAMS, "fide-2024", "EMGSB", "? ? ? ? ? ? 68.5 ? 83 ? ? ? 73 ?"),
    ("41", TEAMS, "fide-2024", "EGGSB", "? ? ? ? ? 157.5 ? 181.5 ? ? ? ? ? ?"),
    (
        "49",
        TEAMS,
        "fide-2024",
        "SSSC",
        "38.83 36 35.33 35.67 36.33 27.83 26.17 28.67 31.17 27.67 25.17 21.17 28.83 23.5",
    ),
    ("35", TEAMS, "fide-2026", "BH:MP", "61 57 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("36", TEAMS, "fide-2026", "BH:MP/C1", "54 52 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("37", TEAMS, "fide-2026", "BH:GP", "109 107.5 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("38", TEAMS, "fide-2026", "EMMSB/C1", "68 64 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("39", TEAMS, "fide-2026", "EGMSB", "148 144 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("40", TEAMS, "fide-2026", "EMGSB", "146.5 131 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("41", TEAMS, "fide-2026", "EGGSB", "263 249.75 ? ? ? ? ? ? ? ? ? ? ? ?"),
    ("49", TEAMS, "fide-2026", "SSSC", "37.83 36 ? ? ? ? ? ? ? ? ? ? ? ?"),
]


def figures(table: Crosstable, code: str) -> list[str]:
    """Return the figures of a column as printed in the exercises, a dash for no value."""
    judged = rank(table, system_of("PTS", code)).column(code)
    exact = [judged.levels(row) for row in range(len(table.names))]
    return [_printed(code, found[0]) if found else "–" for found in exact]


def _printed(code: str, value: Fraction) -> str:
    if get_criterion(code).plain_code in HUNDREDTHS:
        value = Fraction(rounded(100 * value.numerator, value.denominator), 100)
    return str(Decimal(value.numerator) / value.denominator)


@pytest.mark.parametrize(("exercise", "table", "edition", "code", "expected"), VALUES)
def test_published_values(exercise: str, table: Crosstable, edition: str, code: str, expected: str) -> None:
    found = figures(under(edition, table), code)
    asked = [(figure, value) for figure, value in zip(found, expected.split(), strict=True) if value != "?"]
    assert [figure for figure, _ in asked] == [value for _, value in asked], exercise


@pytest.mark.parametrize(
    ("exercise", "table", "criteria", "expected"),
    [
        ("23-24", SWISS, ("PTS", "DE"), "2 ? 2 2 7 ? ? 7 ? ? 7 ? ? ? ? 2"),
        ("26", ROUND_ROBIN, ("PTS", "DE"), "1 2 2 6 5 4"),
        ("42-45", TEAMS, ("MPTS", "EDE"), "3 2 4 1 5 6 8 7 8 11 12 14 8 12"),
    ],
)
def test_published_places(exercise: str, table: Crosstable, criteria: tuple[str, ...], expected: str) -> None:
    standings = rank(under("fide-2024", table), system_of(*criteria))
    asked = zip(standings.place.tolist(), expected.split(), strict=True)
    assert all(value in {"?", str(place)} for place, value in asked), exercise


def test_published_values_of_a_match() -> None:
    """Exercises 46 to 48: Koalas and Narwhals drew 2-2."""
    koalas, narwhals, third = 10, 13, 2
    boards = TEAMS.points_on_boards[[koalas, narwhals], third].tolist()
    assert boards == [[2, 1, 1, 0], [0, 1, 1, 2]]
    assert [sum((at + 1) * points for at, points in enumerate(each)) / 2 for each in boards] == [3.5, 6.5]
