"""Micro-matches: how many games they took."""

from standings.engine import get, read_crosstable
from tests.engine.examples import ranked, values

TABLE = read_crosstable(
    """
    1 P  3:5-0x1  4:5-0x3  3:0-5x2
    2 Q  4:5-0x2  3:5-0x3  4:0-5x4
    3 X  1:0-5x1  2:0-5x3  1:5-0x2
    4 Y  2:0-5x2  1:0-5x3  2:5-0x4
    5 N  –        –        –
    """
)


def test_faster_wins_come_first_and_no_win_last() -> None:
    assert values(TABLE, "faster-wins")[:4] == [1 + 3, 2 + 3, 2, 4]
    assert get("faster-wins")(TABLE).shown(4) == "–"
    assert ranked(TABLE, "faster-wins") == "X P=Y Q N"


def test_slower_losses_come_first_and_no_loss_before_them() -> None:
    assert values(TABLE, "slower-losses")[:4] == [2, 4, 1 + 3, 2 + 3]
    assert ranked(TABLE, "slower-losses") == "N Y Q=X P"
