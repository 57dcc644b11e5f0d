"""Points for won, drawn and lost pairings."""

from fractions import Fraction

import numpy as np
import pytest

from standings.engine import CHESS, DRAUGHTS, RoundKind, Scale, Scoring
from standings.engine.scoring import EIGHTH, HALF


def test_win_in_half_points() -> None:
    assert (CHESS.win(Scale.GAME), DRAUGHTS.win(Scale.GAME), Scoring(2, boards=4).win(Scale.GAME)) == (
        2,
        4,
        8,
    )
    assert Scoring(match_win=6).win(Scale.MATCH) == 3 * HALF


@pytest.mark.parametrize("boards", [1, 3, 4])
@pytest.mark.parametrize("win", [2, 3, 4, 24])
def test_draws_are_exact(win: int, boards: int) -> None:
    scoring, full = Scoring(win, boards=boards), Fraction(win * boards, HALF)
    assert Fraction(scoring.drawn_eighths(Scale.GAME), EIGHTH) == full / 2


@pytest.mark.parametrize(
    ("scoring", "points", "kind", "expected"),
    [
        (Scoring(2, boards=4), [5, 4, 3], RoundKind.PLAYED, [4, 2, 0]),
        (Scoring(2, 6, 4, 4, match_loss=2), [5, 4, 3], RoundKind.PLAYED, [6, 4, 2]),
        (Scoring(2, 6, 4, 4, match_loss=2), [8, 4, 0], RoundKind.FORFEIT, [6, 4, 2]),
        (DRAUGHTS, [4, 2, 0], RoundKind.BYE, [4, 2, 0]),
        (Scoring(24), [24, 12, 10], RoundKind.PLAYED, [4, 2, 0]),
        (Scoring(6, game_draw=2), [6, 2, 0], RoundKind.PLAYED, [4, 2, 0]),
        (Scoring(6, game_draw=2), [6, 3, 2], RoundKind.BYE, [4, 2, 2]),
        (Scoring(6, game_draw=2), [6, 3, 0], RoundKind.HALF_BYE, [4, 2, 0]),
        (Scoring(6, game_draw=3, listed=True), [6, 3, 0], RoundKind.HALF_BYE, [4, 2, 0]),
    ],
)
def test_match_points_follow_from_game_points(
    scoring: Scoring, points: list[int], kind: RoundKind, expected: list[int]
) -> None:
    kinds = np.full(3, kind, dtype=np.int64)
    own = np.array(points, dtype=np.int64)
    assert scoring.match_points(own, own[::-1], kinds).tolist() == expected


@pytest.mark.parametrize(
    ("win", "score", "expected"),
    [
        (6, (6, 0), [4, 0]),
        (6, (3, 2), [4, 0]),
        (6, (0, 0), [0, 0]),
        (24, (13, 11), [4, 0]),
        (24, (12, 12), [2, 2]),
    ],
)
def test_more_points_win_if_results_are_listed(win: int, score: tuple[int, int], expected: list[int]) -> None:
    """Three points for a game and 1½-1 after an Armageddon; 12 points to share, as in Delft."""
    own = np.array(score, dtype=np.int64)
    kinds = np.full(2, RoundKind.PLAYED, dtype=np.int64)
    scoring = Scoring(win, game_draw=win // 2, listed=True)
    assert scoring.match_points(own, own[::-1], kinds).tolist() == expected
