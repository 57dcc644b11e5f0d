"""Texts of the engine: numbers, and phrases for translation."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine import decimal_text, fraction_text
from standings.engine.texts import counted_phrase, phrase, rounded_text


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
def test_points_text_uses_fractions(parts: int, unit: int, read: str, machine: str) -> None:
    assert fraction_text(parts, unit) == read
    assert decimal_text(parts, unit) == machine


@settings(deadline=None)
@given(st.integers(-(10**12), 10**12), st.sampled_from([1, 2, 4, 8, 16, 64, 7]))
def test_decimal_text_is_exact(parts: int, unit: int) -> None:
    assert Fraction(decimal_text(parts, unit)) == Fraction(parts, unit)


def test_averages_are_rounded_half_up_for_display() -> None:
    averages = (19687, 9), (1, 20), (1, 21), (4, 2)
    assert [rounded_text(*each, 1) for each in averages] == ["2187.4", "0.1", "0.0", "2.0"]


def test_phrase_is_english_and_remembers_its_template() -> None:
    text = phrase("%(why)s at step %(step)s", why="cut", step=2)
    assert text == "cut at step 2"
    assert (text.template, dict(text.parts)) == ("%(why)s at step %(step)s", {"why": "cut", "step": 2})


def test_phrase_without_parts_may_contain_a_percent_sign() -> None:
    assert phrase("100 %") == "100 %"


def test_count_selects_singular_or_plural() -> None:
    one, many = "%(points)s from %(count)s game", "%(points)s from %(count)s games"
    assert [counted_phrase(one, many, games, points="½") for games in (0, 1, 2)] == [
        "½ from 0 games",
        "½ from 1 game",
        "½ from 2 games",
    ]


def test_pickled_phrase_keeps_its_template() -> None:
    pickled = pickle.loads(pickle.dumps(counted_phrase("%(count)s game", "%(count)s games", 3)))  # noqa: S301 - our own
    assert (pickled, pickled.template, pickled.plural, pickled.number) == (
        "3 games",
        "%(count)s game",
        "%(count)s games",
        3,
    )
