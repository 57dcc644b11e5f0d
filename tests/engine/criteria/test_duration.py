"""Criteria that count the games of micro-matches."""

from standings.engine import get_criterion
from tests.engine.examples import MICRO, ranked, values


def test_faster_wins_rank_fewer_games_first_and_no_wins_last() -> None:
    assert values(MICRO, "faster-wins")[:4] == [1 + 3, 2 + 3, 2, 4]
    assert get_criterion("faster-wins")(MICRO).figure_text(4) == "–"
    assert ranked(MICRO, "faster-wins") == "X P=Y Q N"


def test_slower_losses_rank_no_losses_first_and_fewer_games_last() -> None:
    assert values(MICRO, "slower-losses")[:4] == [2, 4, 1 + 3, 2 + 3]
    assert ranked(MICRO, "slower-losses") == "N Y Q=X P"
