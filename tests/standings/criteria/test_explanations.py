"""Explanations of a value without influence and of a value with a single figure."""

from typing import Any

import pytest

from standings.criteria.explanations import ExplainedValue
from tests.standings.drawn import draw, sheet

LEVEL = draw(
    """
    1 Ann  2:1-1  3:2-0
    2 Bea  1:1-1  4:2-0
    3 Cor  4:1-1  1:0-2
    4 Dan  3:1-1  2:0-2
    """
)
NOT_ALL_MET = draw(
    """
    1 Ann  2:2-0  4:0-2
    2 Bea  1:0-2  3:2-0
    3 Cor  4:1-1  2:0-2
    4 Dan  3:1-1  1:2-0
    5 Eve  6:2-0  –
    6 Fay  5:0-2  –
    """
)


@pytest.mark.parametrize(
    ("table", "code", "row"), [(LEVEL, "best-opponents", 0), (NOT_ALL_MET, "direct-encounter", 0)]
)
def test_value_without_effect_has_terms_but_no_total(table: Any, code: str, row: int) -> None:
    told = ExplainedValue(sheet(table, "total-score", code).standings, row, code)
    assert (told.value, bool(told.terms), told.totals) == ("·", True, [])


def test_value_of_one_figure_has_one_total() -> None:
    totals = ExplainedValue(sheet(LEVEL, "total-score").standings, 0, "total-score").totals
    assert [(total.name, total.sum, total.figure) for total in totals] == [("value", "1 + 2", "3")]
