"""Crosstables drawn as text."""

import pytest

from standings.engine import CHESS, NEVER, RoundKind, read_crosstable


def test_every_notation_is_read() -> None:
    table = read_crosstable(
        """
        1 Ann  2300a outside      2:2-0   2:1+-1-  2:5-0x3  2:+  2:--  2:  2:?  bye    ½bye  0bye  –
        2 Bea  2250 withdrawn=3   1:0-2   1:1--1+  1:0-5x3  1:-  1:--  1:  1:?  bye=1  –     –     –
        7 Cor  manual=2@9         –       –        –        –    –     –   –    –      –     –     –
        """
    )
    assert table.names == ("Ann", "Bea", "Cor")
    assert table.numbers.tolist() == [1, 2, 7]
    assert [RoundKind(kind) for kind in table.kind[0].tolist()] == [
        *[RoundKind.PLAYED] * 3,
        *[RoundKind.FORFEIT] * 2,
        RoundKind.PENDING,
        RoundKind.UNKNOWN,
        RoundKind.BYE,
        RoundKind.HALF_BYE,
        RoundKind.ZERO_BYE,
        RoundKind.ABSENT,
    ]
    assert table.game_points[0].tolist() == [4, 2, 10, 4, 0, 0, 0, 4, 2, 0, 0]
    assert table.game_points[1].tolist() == [0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0]
    assert table.advantage[:2, 1].tolist() == [1, -1]
    assert table.games[:2, :4].tolist() == [[1, 1, 3, 0], [1, 1, 3, 0]]
    assert (table.rating.tolist(), table.rating_a.tolist()) == ([2300, 2250, 0], [True, False, False])
    assert (table.outside.tolist(), table.withdrawn_after.tolist()) == (
        [True, False, False],
        [NEVER, 3, NEVER],
    )
    assert (table.manual.tolist(), table.manual_after.tolist()) == ([0, 0, 2], [0, 0, 9])


def test_half_points_and_table_numbers() -> None:
    table = read_crosstable(
        "1 A  3:½-½  4:1-0 \n 2 B  4:.5-.5  3:0-1 \n 3 C  1:½-½  2:1-0 \n 4 D  2:.5-.5  1:0-1", scoring=CHESS
    )
    assert table.game_points.tolist() == [[1, 2], [1, 0], [1, 2], [1, 0]]
    assert table.table_number.tolist() == [[1, 1], [2, 2], [1, 2], [2, 1]]


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        ("1 A 2:2-0 \n 2 B 1:1-1", "round 1: A and B contradict each other"),
        ("1 A 2:+ \n 2 B 1:+", "round 1: A and B contradict each other"),
        ("1 A 2:1+-1- \n 2 B 1:1-1", "round 1: A and B contradict each other"),
        ("1 A 2:2-0 \n 2 B –", "round 1: A and B contradict each other"),
        ("1 A 3:2-0 \n 2 B –", "A: there is no number 3"),
        ("1 A bye \n 2 B bye –", "B has 2 rounds, A 1"),
        ("1 A won", "A: 'won' is not a cell"),
        ("1 A 2:two", "A: 'two' is not a result"),
        ("1 A 2:0.3-1 \n 2 B 1:1-0.3", "0.3 is finer than half a point"),
    ],
)
def test_invalid_cells_are_refused(drawn: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_crosstable(drawn)


def test_empty_text_is_an_empty_crosstable() -> None:
    assert read_crosstable("").shape == (0, 0)
