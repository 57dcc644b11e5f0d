"""Results as people write them."""

import pytest

from tournaments.resultcodes import result_text, side_texts


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (("played", 4, 0), "2-0"),
        (("played", 1, 1), "½-½"),
        (("played", 7, 1), "3½-½"),
        (("played", 2, 2, "first"), "1+ 1-"),
        (("played", 2, 2, "second"), "1- 1+"),
        (("played", 24, 0), "12-0"),
        (("forfeit", 4, 0), "+ -"),
        (("forfeit", 0, 4), "- +"),
        (("forfeit", 0, 0), "- -"),
        (("bye", 4, None), "BYE"),
        (("half-bye", 2, None), "½bye"),
        (("zero-bye", 0, None), "0bye"),
        (("absent", 0, None), "–"),
        (("unknown", None, None), "?"),
        (("pending", None, None), ""),
    ],
)
def test_result(facts: tuple[str, int | None, int | None], text: str) -> None:
    assert result_text(*facts) == text


def test_each_side_for_itself() -> None:
    assert side_texts("played", 3, 5) == ("1½", "2½")
    assert side_texts("forfeit", 4, 0) == ("+", "-")
    assert side_texts("bye", 4, None) == ("BYE", "")
