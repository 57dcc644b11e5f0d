"""The record is validated, and has small pickles."""

import pickle
from typing import Any

import numpy as np
import pytest

from standings.engine import CHESS, Crosstable, RoundKind
from standings.engine.record import PER_ROUND
from tests.engine.examples import E1


def two(**given: Any) -> Crosstable:
    """Return a record of two competitors and a single round."""
    return Crosstable.of(("A", "B"), 1, **given)


def column(*figures: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.array(figures, dtype=np.int64)[:, None]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rating": np.zeros(3, dtype=np.int64)}, r"rating is int64 \(3,\), not int64 \(2,\)"),
        ({"rating_a": np.zeros(2, dtype=np.int64)}, r"rating_a is int64 \(2,\), not bool \(2,\)"),
        ({"games": np.zeros((2, 1))}, r"games is float64 \(2, 1\), not int64 \(2, 1\)"),
        ({"opponent": column(2, 0)}, "opponent goes from 0 to 2, not from -1 to 1"),
        ({"kind": column(RoundKind.ANNULLED, 0)}, "kind goes from 0 to 8, not from 0 to 7"),
        ({"opponent": column(0, -1), "kind": column(1, 0)}, "A is paired with itself in round 1"),
        (
            {"opponent": column(1, -1), "kind": column(1, 0)},
            "A has an opponent who has another one in round 1",
        ),
        (
            {"kind": column(0, RoundKind.PLAYED)},
            "B has a result without an opponent, or the reverse in round 1",
        ),
    ],
)
def test_inconsistent_records_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        two(**given)


def test_missing_fields_are_blank() -> None:
    table = two()
    assert (table.shape, table.rounds, table.numbers.tolist(), table.scoring) == ((2, 1), 1, [1, 2], CHESS)
    assert table.opponent.tolist() == [[-1], [-1]]
    assert not table.withdrawn.any()


def test_match_points_are_computed_unless_given() -> None:
    paired = {"opponent": column(1, 0), "kind": column(1, 1), "game_points": column(2, 0)}
    assert two(**paired).match_points.tolist() == [[4], [0]]
    assert two(**paired, match_points=column(2, 2)).match_points.tolist() == [[2], [2]]


def test_after_truncates_all_round_arrays() -> None:
    for rounds in range(5):
        cut = E1.after(rounds)
        assert {getattr(cut, name).shape for name in PER_ROUND} == {(6, rounds)}
    assert E1.after(9).rounds == 4


def test_pickle_contains_fields_only() -> None:
    before = len(pickle.dumps(E1))
    assert E1.totals().tolist() == [10, 8, 8, 6, 8, 8]
    assert len(pickle.dumps(E1)) == before
    again = pickle.loads(pickle.dumps(E1))  # noqa: S301 - our own bytes
    assert again.opponent.dtype == np.int64
    assert again.totals().tolist() == [10, 8, 8, 6, 8, 8]
