"""Integers in URLs, fields and lists."""

import pytest

from tournaments.event.numbers import LARGEST, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("000", 0), ("7", 7), ("007", 7), (str(LARGEST), LARGEST), ("0" * 5_000 + "7", 7)],
)
def test_valid_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", " 1", "1.0", "1e3", "½", "²", "٣", "１", "x", str(LARGEST + 1), "9" * 5_000]
)
def test_invalid_text(text: str) -> None:
    assert whole_number(text) is None


def test_number_beyond_the_given_limit_is_refused() -> None:
    assert (whole_number("99", 99), whole_number("100", 99), whole_number("98", 99)) == (99, None, 98)
