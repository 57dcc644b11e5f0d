"""Format and parse numbers and points in URLs, fields, files and lists."""

import re
from fractions import Fraction
from functools import lru_cache

from standings.engine import decimal_text
from standings.engine import fraction_text as parts_text

LARGEST = 2**63 - 1
"""The largest number that a database stores as a key."""


def whole_number(text: str, largest: int = LARGEST) -> int | None:
    """Return a number from 0 to `largest`, in the digits 0 to 9. None if the text is not such a number."""
    # `int` accepts digits of every script, blanks, underscores, and any length.
    digits = text.lstrip("0") or text[-1:]
    if not (text.isascii() and text.isdecimal()) or len(digits) > len(str(largest)):
        return None
    number = int(digits)
    return number if number <= largest else None


def parse_points(text: str) -> Fraction:
    """Return the points of a text such as `2½`, `2.5`, `2,5` or `1/2`. The caller has checked its form."""
    if text == "1/2":
        return Fraction(1, 2)
    whole = text.replace(",", ".").rstrip("½")
    return Fraction(whole or 0) + (Fraction(1, 2) if text.endswith("½") else 0)


def points_text(half_points: int) -> str:
    """Return half-points for display: 5 is 2½."""
    return parts_text(half_points, 2)


def exact_text(half_points: int) -> str:
    """Return half-points as an exact decimal: 5 is 2.5."""
    return decimal_text(half_points, 2)


def score_text(first: int | None, second: int | None) -> str:
    """Return a score for display, `2½-1½`; for a bye only one side."""
    return "-".join(points_text(side) for side in (first, second) if side is not None)


# --- listed results: `3-0 1½-1`, best first, the winner first ---------------------------------------------

LONGEST_LIST = 200
_POINTS = r"(?:\d{1,4}(?:[.,]5|½)?|½)"
_RESULT = re.compile(rf"({_POINTS})\s*[-–:]\s*({_POINTS})")

ListedResult = tuple[int, int]
"""Both scores of a game in half-points, the larger one first."""


@lru_cache(maxsize=256)
def results_of_text(text: str) -> tuple[ListedResult, ...]:
    """Return the listed results in half-points, best first. Raise ValueError if the text is not a list."""
    found = [[int(2 * parse_points(side)) for side in sides] for sides in _RESULT.findall(text)]
    if _RESULT.sub("", text).strip(" ,;\t\n"):
        raise ValueError(text)
    return tuple(sorted({(max(each), min(each)) for each in found}, reverse=True))


def text_of_results(results: tuple[ListedResult, ...]) -> str:
    """Return the results as they are stored: `3-0 1½-1`."""
    return " ".join(score_text(*each) for each in results)


def fault_of_results(results: tuple[ListedResult, ...]) -> str:
    """Return why an event cannot have these results; blank if it can."""
    if not any(own > other for own, other in results):
        return "A win is missing from the results. Add it, such as 3-0."
    # A half-point bye gives 50 % of the largest result, and there are no quarters of a point.
    if results[0][0] % 2:
        return (
            "The largest number of points is a win, and half of it is a half-point bye, so it must be a "
            "whole number."
        )
    if len(text_of_results(results)) > LONGEST_LIST:
        return "These are more results than an event can list. Write fewer."
    return ""


def win_draw_loss(results: tuple[ListedResult, ...]) -> tuple[int, int, int]:
    """Return the half-points of a win by forfeit, a half-point bye and a loss by forfeit."""
    # A bye gives as many points as a win by forfeit.
    win = results[0][0]
    return win, win // 2, 0
