"""The sentence about the basis of standings, on drawn crosstables."""

from dataclasses import replace

import numpy as np
import pytest

from standings.basis import basis_of, basis_text, sentence
from standings.engine import Crosstable
from tests.standings.drawn import draw


def told(table: Crosstable) -> str:
    return basis_text(basis_of(table))


RUNNING = draw(
    """
    1 Ann  2:2-0  3:1-1
    2 Bea  1:0-2  4:
    3 Cor  4:2-0  1:1-1
    4 Dan  3:0-2  2:
    5 Eve  bye    bye
    """
)


def test_complete_round_is_the_basis() -> None:
    assert told(RUNNING.after(1)) == "after round 1"
    assert basis_of(RUNNING.after(1)).complete


def test_round_in_progress_has_the_number_of_results() -> None:
    assert told(RUNNING) == "during round 2: 1 of 2 results in"
    assert sentence(basis_of(RUNNING)) == "During round 2: 1 of 2 results in."
    assert not basis_of(RUNNING).complete


def test_basis_before_the_first_round() -> None:
    assert told(draw("1 Ann\n2 Bea")) == "before round 1"


def test_newly_paired_round_has_no_results() -> None:
    assert told(draw("1 Ann 2:2-0 3:\n2 Bea 1:0-2 bye\n3 Cor bye 1:")) == "during round 2: 0 of 1 results in"


def test_newly_paired_first_round_has_no_results() -> None:
    assert told(draw("1 Ann 2:\n2 Bea 1:")) == "during round 1: 0 of 1 results in"


def test_postponed_game_does_not_reopen_the_last_round() -> None:
    """The last round is complete although the game is missing."""
    table = draw("1 Ann 2: 3:2-0 2:1-1\n2 Bea 1: – 1:1-1\n3 Cor – 1:0-2 –")
    assert told(table) == "after round 3, 1 result of an earlier round missing"


def test_postponed_games_are_listed_during_a_round() -> None:
    table = draw(
        """
        1 Ann  2:  3:      4:2-0
        2 Bea  1:  4:2-0   3:
        3 Cor  4:  1:      2:
        4 Dan  3:  2:0-2   1:0-2
        """
    )
    assert told(table) == "during round 3: 1 of 2 results in, 3 results of earlier rounds missing"


@pytest.mark.parametrize(
    ("rounds", "basis"),
    [
        ("3: 4:", "during round 1: 1 of 2 results in"),
        ("3:1-1 4:", "during round 2: 1 of 2 results in"),
    ],
)
def test_round_in_progress_is_the_last_one_with_a_result(rounds: str, basis: str) -> None:
    """However many rounds are paired in advance."""
    played = "1-1" in rounds
    mirror = "1:1-1" if played else "1:"
    table = draw(
        f"""
        1 Ann  2:2-0  {rounds}
        2 Bea  1:0-2  4:      3:
        3 Cor  4:     {mirror}   2:
        4 Dan  3:     2:      1:
        """
    )
    late = ", 1 result of an earlier round missing" if played else ""
    assert told(table) == basis + late


def test_next_round_is_in_progress_if_all_played_rounds_are_complete() -> None:
    table = draw("1 Ann 2:2-0 3: 2:\n2 Bea 1:0-2 bye 1:\n3 Cor bye 1: bye")
    assert told(table) == "during round 2: 0 of 1 results in"


def test_forfeits_are_results_and_unknown_results_are_mentioned() -> None:
    table = draw("1 Ann 2:+ 3:?\n2 Bea 1:- 4:2-0\n3 Cor 4:-- 1:?\n4 Dan 3:-- 2:0-2")
    assert told(table) == "after round 2, computed without 1 unknown result"


def test_forfeits_by_withdrawal_do_not_begin_later_rounds() -> None:
    """A player who leaves a round robin halfway loses the remaining games by forfeit."""
    table = draw(
        """
        1 Ann  2:2-0  3:1-1  4:
        2 Bea  1:0-2  4:     3:
        3 Cor  4:2-0  1:1-1  2:
        4 Dan  3:0-2  2:     1:
        """,
        games_each=3,
    )
    left = replace(table, withdrawn_after=np.array([2, 99, 99, 99]))
    assert told(left) == "during round 2: 1 of 2 results in"
