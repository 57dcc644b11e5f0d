"""Performance ratings as FIDE computes them, in whole numbers."""

from collections.abc import Sequence

BONUS = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""Rating points for a score of 50, 51, … 100 per cent (FIDE Handbook B.01, 1.4.9; B.02, 8.1.1)."""

HALF_PERCENT = 50


def performance_rating(ratings: Sequence[int], points: int) -> int | None:
    """The rating that the score was worth: Rp = Ra + dp (FIDE Handbook B.01, 1.4.8).

    `ratings` are those of the opponents, one for each game; `points` were scored against them, in half-points
    of one a win, whatever the event gives. None without a rated opponent.
    """
    if not ratings:
        return None
    return rounded(sum(ratings), len(ratings)) + bonus(points, 2 * len(ratings))


def bonus(points: int, most: int) -> int:
    """What is added to the opponents' average for so many of the most points possible."""
    percent = rounded(100 * points, most)
    return BONUS[percent - HALF_PERCENT] if percent >= HALF_PERCENT else -BONUS[HALF_PERCENT - percent]


def rounded(top: int, bottom: int) -> int:
    """The quotient as the nearest whole number; a half is rounded upward (FIDE Handbook B.01, 1.4.7)."""
    return (2 * top + bottom) // (2 * bottom)
