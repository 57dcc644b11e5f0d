"""Format and parse bonus and penalty points."""

import pytest

from tournaments.event.adjustments import AdjustmentError, adjustment_text, read_adjustment
from tournaments.event.document import PointsAdjustment


def adjustment(
    *, begins: int = 0, game: int = 0, match: int = 0, final: bool = False, reason: str = ""
) -> PointsAdjustment:
    return PointsAdjustment(round=begins, game=game, match=match, final=final, reason=reason)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("-½ from 4: late", adjustment(game=-1, begins=4, reason="late")),
        ("+1", adjustment(game=2)),
        ("-1 GP +2 MP from 3", adjustment(game=-2, match=4, begins=3)),
        ("-2 MP: no flag: none at all", adjustment(match=-4, reason="no flag: none at all")),
        ("-4 final", adjustment(game=-8, final=True)),
        ("+1½ final: as agreed", adjustment(game=3, final=True, reason="as agreed")),
    ],
)
def test_points_are_read_as_they_are_written(text: str, read: PointsAdjustment) -> None:
    assert read_adjustment(text) == read
    assert adjustment_text(read) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("−0,5 from 4", "-½ from 4"), ("+ 1.5 mp", "+1½ MP"), ("+1 GP, -2 MP from 2", "+1 GP -2 MP from 2"),
        ("  -1 FINAL : late ", "-1 final: late"), ("+1 GP", "+1"),
    ],
)  # fmt: skip
def test_other_spellings(text: str, written: str) -> None:
    assert adjustment_text(read_adjustment(text)) == written


@pytest.mark.parametrize("text", ["", "1", "-", "late", "-0.3", "-1 from", "-1 from x", "-1from 2", "-1 4"])
def test_invalid_adjustment_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(AdjustmentError, match="Write -½ from 4: late"):
        read_adjustment(text)


def test_a_reason_has_an_end() -> None:
    with pytest.raises(AdjustmentError, match="200 characters"):
        read_adjustment(f"-1: {'x' * 201}")
