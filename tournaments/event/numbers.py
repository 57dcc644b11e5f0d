"""Whole numbers as addresses, fields and pasted lists write them. The one rule for all of them."""

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
