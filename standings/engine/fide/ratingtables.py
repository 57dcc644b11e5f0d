"""FIDE's two rating tables and its rules for rounding, for criteria, performances and rating changes.

Handbook B.02, 8.1.1 and 8.1.2; B.01, 1.4.9 repeats the first table.
"""

from bisect import bisect_right

DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""Table 8.1.1: rating differences for a score of 50, 51, … 100 per cent; below 50 they are negative."""

FIRST_DIFFERENCES = (
    *(0, 4, 11, 18, 26, 33, 40, 47, 54, 62),
    *(69, 77, 84, 92, 99, 107, 114, 122, 130, 138),
    *(146, 154, 163, 171, 180, 189, 198, 207, 216, 226),
    *(236, 246, 257, 268, 279, 291, 303, 316, 329, 345),
    *(358, 375, 392, 412, 433, 457, 485, 518, 560, 620),
    736,
)
"""Table 8.1.2: minimum rating differences for which 50, 51, … 100 per cent are expected."""

EVEN, ALL = 50, 100  # per cent


def rounded(top: int, bottom: int) -> int:
    """Round top / bottom to an integer, a half upward (B.01, 1.4.7; C.07, 10.1)."""
    # round() would round a half to the even number.
    return (2 * top + bottom) // (2 * bottom)


def rounded_away(top: int, bottom: int) -> int:
    """Round top / bottom to an integer, a half away from zero (B.02, 8.3.4)."""
    size = rounded(abs(top), bottom)
    return -size if top < 0 else size


def rating_difference(percent: int) -> int:
    """Return dp, the rating difference for a score of 0 to 100 per cent."""
    return DIFFERENCES[percent - EVEN] if percent >= EVEN else -DIFFERENCES[EVEN - percent]


def score_probability(difference: int) -> int:
    """Return PD, the expected score of a game in per cent; `difference` is own rating less opponent's rating.

    The full table is used: if a rule cuts differences, pass the cut difference.
    """
    higher = EVEN - 1 + bisect_right(FIRST_DIFFERENCES, abs(difference))
    return higher if difference >= 0 else ALL - higher


def performance_rating(ratings: list[int], points: int) -> int | None:
    """Return the performance Ra + dp (B.01, 1.4.8; C.07, 10.2), None without ratings.

    `ratings`: of the opponents, one per game. `points`: half-points scored in these games, with a win as 2.
    """
    if not ratings:
        return None
    games = len(ratings)
    return rounded(sum(ratings), games) + rating_difference(rounded(ALL * points, 2 * games))
