"""Fractions are compared exactly."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine.measures import comparable

FRACTIONS = st.lists(st.tuples(st.integers(-50_000, 50_000), st.integers(1, 60)), min_size=2, max_size=8)


@settings(deadline=None)
@given(FRACTIONS)
def test_keys_have_the_order_of_the_fractions(pairs: list[tuple[int, int]]) -> None:
    top, bottom = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    keys = comparable(top, bottom).tolist()
    for one, its in zip(pairs, keys, strict=True):
        for other, others in zip(pairs, keys, strict=True):
            assert (Fraction(*one) < Fraction(*other)) == (its < others)
