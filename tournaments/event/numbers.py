"""Numbers and points as people write them, in addresses, fields, files and lists. The one rule for all."""

from fractions import Fraction

from standings.engine import decimal_text
from standings.engine import points_text as parts_text

LARGEST = 2**63 - 1
"""The largest number that a database stores as a key."""


def whole_number(text: str, largest: int = LARGEST) -> int | None:
    """Return the number from 0 to the largest, written in the digits 0 to 9; None where the text is none."""
    # `int` takes digits of every script, blanks and underscores, and as many as anybody sends.
    digits = text.lstrip("0") or text[-1:]
    if not (text.isascii() and text.isdecimal()) or len(digits) > len(str(largest)):
        return None
    number = int(digits)
    return number if number <= largest else None


def points_of(text: str) -> Fraction:
    """Return the points of a text such as `2½`, `2.5`, `2,5` or `1/2`, whose form was checked before."""
    if text == "1/2":
        return Fraction(1, 2)
    whole = text.replace(",", ".").rstrip("½")
    return Fraction(whole or 0) + (Fraction(1, 2) if text.endswith("½") else 0)


def points_text(half_points: int) -> str:
    """Return half-points as people write them: 5 is 2½."""
    return parts_text(half_points, 2)


def exact_text(half_points: int) -> str:
    """Return half-points as an exact decimal: 5 is 2.5."""
    return decimal_text(half_points, 2)


def score_text(first: int | None, second: int | None) -> str:
    """Return a score as people write it, `2½-1½`; one side alone for a bye."""
    return "-".join(points_text(side) for side in (first, second) if side is not None)
