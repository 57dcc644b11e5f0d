"""FIDE's rating tables, and its two rules for rounding a half."""

from itertools import pairwise

import pytest

from standings.engine import performance_rating, rating_difference, rounded, rounded_away, score_probability

PRINTED_DIFFERENCES = """
    1.0 800  .83 273  .66 117  .49   -7  .32 -133  .15 -296
    .99 677  .82 262  .65 110  .48  -14  .31 -141  .14 -309
    .98 589  .81 251  .64 102  .47  -21  .30 -149  .13 -322
    .97 538  .80 240  .63  95  .46  -29  .29 -158  .12 -336
    .96 501  .79 230  .62  87  .45  -36  .28 -166  .11 -351
    .95 470  .78 220  .61  80  .44  -43  .27 -175  .10 -366
    .94 444  .77 211  .60  72  .43  -50  .26 -184  .09 -383
    .93 422  .76 202  .59  65  .42  -57  .25 -193  .08 -401
    .92 401  .75 193  .58  57  .41  -65  .24 -202  .07 -422
    .91 383  .74 184  .57  50  .40  -72  .23 -211  .06 -444
    .90 366  .73 175  .56  43  .39  -80  .22 -220  .05 -470
    .89 351  .72 166  .55  36  .38  -87  .21 -230  .04 -501
    .88 336  .71 158  .54  29  .37  -95  .20 -240  .03 -538
    .87 322  .70 149  .53  21  .36 -102  .19 -251  .02 -589
    .86 309  .69 141  .52  14  .35 -110  .18 -262  .01 -677
    .85 296  .68 133  .51   7  .34 -117  .17 -273  .00 -800
    .84 284  .67 125  .50   0  .33 -125  .16 -284
"""
"""Table 8.1.1, in the columns of the Handbook: p and dp."""

PRINTED_PROBABILITIES = """
      0-3   .50 .50   92-98 .63 .37  198-206 .76 .24  345-357 .89 .11
     4-10   .51 .49  99-106 .64 .36  207-215 .77 .23  358-374 .90 .10
    11-17   .52 .48 107-113 .65 .35  216-225 .78 .22  375-391 .91 .09
    18-25   .53 .47 114-121 .66 .34  226-235 .79 .21  392-411 .92 .08
    26-32   .54 .46 122-129 .67 .33  236-245 .80 .20  412-432 .93 .07
    33-39   .55 .45 130-137 .68 .32  246-256 .81 .19  433-456 .94 .06
    40-46   .56 .44 138-145 .69 .31  257-267 .82 .18  457-484 .95 .05
    47-53   .57 .43 146-153 .70 .30  268-278 .83 .17  485-517 .96 .04
    54-61   .58 .42 154-162 .71 .29  279-290 .84 .16  518-559 .97 .03
    62-68   .59 .41 163-170 .72 .28  291-302 .85 .15  560-619 .98 .02
    69-76   .60 .40 171-179 .73 .27  303-315 .86 .14  620-735 .99 .01
    77-83   .61 .39 180-188 .74 .26  316-328 .87 .13  736-999 1.0 .00
    84-91   .62 .38 189-197 .75 .25  329-344 .88 .12
"""
"""Table 8.1.2, in the columns of the Handbook: the range of D, then PD of the higher and of the lower."""


def per_cent(printed: str) -> int:
    """Return a printed value such as `.83` in per cent."""
    return 100 if printed == "1.0" else int(printed.removeprefix("."))


def test_rating_differences_match_the_handbook() -> None:
    printed = PRINTED_DIFFERENCES.split()
    credited = {per_cent(p): int(dp) for p, dp in zip(printed[::2], printed[1::2], strict=True)}
    assert {percent: rating_difference(percent) for percent in range(101)} == credited


def test_score_probabilities_match_the_handbook() -> None:
    printed = PRINTED_PROBABILITIES.split()
    rows = list(zip(printed[::3], printed[1::3], printed[2::3], strict=True))
    assert len(rows) == 51
    for between, higher, lower in rows:
        first, last = map(int, between.split("-"))
        for difference in range(first, last + 1):
            assert score_probability(difference) == per_cent(higher)
            assert score_probability(-difference) == (per_cent(lower) if difference else 50)


def test_probabilities_add_up_to_100_and_grow_with_the_difference() -> None:
    assert {score_probability(size) + score_probability(-size) for size in range(1000)} == {100}
    assert all(
        score_probability(less) <= score_probability(more) for less, more in pairwise(range(-999, 1000))
    )


@pytest.mark.parametrize(
    ("points", "games", "expected"),
    [
        (0, 5, 1200),
        (10, 5, 2800),
        (5, 5, 2000),
        (9, 6, 2193),  # 75 per cent
        (3, 6, 1807),
        (7, 4, 2336),  # 87.5 per cent is rounded up to 88
        (1, 4, 1678),  # and 12.5 to 13
    ],
)
def test_performance_against_opponents_rated_2000(points: int, games: int, expected: int) -> None:
    assert performance_rating([2000] * games, points) == expected


def test_average_rating_is_rounded_half_up() -> None:
    assert [rounded(total, 2) for total in (4800, 4801, 4802)] == [2400, 2401, 2401]
    assert performance_rating([2400, 2401], points=2) == 2401


def test_rating_changes_are_rounded_half_away_from_zero() -> None:
    assert [rounded_away(change, 100) for change in (250, 249, 50, 0, -50, -249, -250)] == [
        *(3, 2, 1, 0, -1, -2, -3)
    ]


def test_no_performance_without_rated_opponents() -> None:
    assert performance_rating([], points=0) is None
