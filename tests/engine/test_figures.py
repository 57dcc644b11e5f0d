"""Figures as text."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine import decimal_text, points_text
from standings.engine.figures import tenths_text


@pytest.mark.parametrize(
    ("parts", "unit", "read", "machine"),
    [
        (159, 2, "79½", "79.5"),
        (125, 4, "31¼", "31.25"),
        (3, 4, "¾", "0.75"),
        (-4, 2, "-2", "-2"),
        (-1, 2, "-½", "-0.5"),
        (0, 8, "0", "0"),
        (9, 8, "1.125", "1.125"),
        (1, 3, "1/3", "1/3"),
        (100, 1, "100", "100"),
    ],
)
def test_texts(parts: int, unit: int, read: str, machine: str) -> None:
    assert points_text(parts, unit) == read
    assert decimal_text(parts, unit) == machine


@settings(deadline=None)
@given(st.integers(-(10**12), 10**12), st.sampled_from([1, 2, 4, 8, 16, 64, 7]))
def test_machine_text_is_exact(parts: int, unit: int) -> None:
    assert Fraction(decimal_text(parts, unit)) == Fraction(parts, unit)


def test_averages_are_rounded_half_up_only_to_be_shown() -> None:
    assert [tenths_text(19687, 9), tenths_text(1, 20), tenths_text(1, 21), tenths_text(4, 2)] == [
        "2187.4",
        "0.1",
        "0.0",
        "2.0",
    ]
