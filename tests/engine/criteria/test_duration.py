"""Micro-matches: how many games they took."""

from standings.engine import get
from tests.engine.examples import MICRO, ranked, values


def test_faster_wins_come_first_and_no_win_last() -> None:
    assert values(MICRO, "faster-wins")[:4] == [1 + 3, 2 + 3, 2, 4]
    assert get("faster-wins")(MICRO).shown(4) == "–"
    assert ranked(MICRO, "faster-wins") == "X P=Y Q N"


def test_slower_losses_come_first_and_no_loss_before_them() -> None:
    assert values(MICRO, "slower-losses")[:4] == [2, 4, 1 + 3, 2 + 3]
    assert ranked(MICRO, "slower-losses") == "N Y Q=X P"
