"""The reasons between rows: a criterion, an arbiter's decision, a shared place, or none."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from django.utils.translation import override

from standings.engine import RankingOverride
from standings.tables.columns import all_columns
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import apply_choices
from standings.tables.why import why_column
from tests.standings.drawn import draw, sheet, visible

LEVEL = draw(
    """
    1 Ann  2:1-1  3:2-0  4:2-0
    2 Bea  1:1-1  4:2-0  3:2-0
    3 Cor  4:2-0  1:0-2  2:0-2
    4 Dan  3:0-2  2:0-2  1:0-2
    """
)
"""Ann and Bea have 5 points each and are level in all criteria. Cor has 2, Dan 0."""

PARTED = draw(
    """
    1 Ann  4:2-0  3:0-2
    2 Bea  3:2-0  4:0-2
    3 Cor  2:0-2  1:2-0
    4 Dan  1:0-2  2:2-0
    """
)


def reasons(made: StandingsSheet) -> dict[str, str]:
    """Return the non-blank reasons by name."""
    told = zip((entry.name for entry in made.entries), why_column(made, made.rows).cells, strict=True)
    return {name: visible(cell) for name, cell in told if visible(cell)}


def ruled_place(row: int, place: int) -> RankingOverride:
    return RankingOverride("place", competitor=row, place=place)


def test_no_reason_if_the_first_criterion_decides() -> None:
    assert "Bea" not in reasons(sheet(LEVEL))
    assert "Cor" not in reasons(sheet(LEVEL))


def test_first_row_has_a_reason_even_if_the_first_criterion_decides() -> None:
    made = sheet(draw("1 Ann 2:2-0\n2 Bea 1:0-2"))
    assert reasons(made) == {"Ann": "above Bea: Pts 2:0"}


def test_reason_names_a_shared_place() -> None:
    assert reasons(sheet(LEVEL)) == {"Ann": "= Bea"}


def test_reason_has_the_deciding_criterion_with_both_values_and_names_it_if_long() -> None:
    made = sheet(replace(PARTED, manual=np.array([0, 4, 3, 3])), "total-score", "manual")
    assert reasons(made) == {
        "Bea": "above Cor: Man 4:3",
        "Cor": "= Dan",
        "Dan": "above Ann: Man 3:0",
    }
    assert reasons(apply_choices(made, {"why": "long"})) == {
        "Bea": "above Cor: the arbiter's decision or a drawing of lots, 4 to 3 (Man)",
        "Cor": "shares the place with Dan: level by every criterion",
        "Dan": "above Ann: the arbiter's decision or a drawing of lots, 3 to 0 (Man)",
    }


def test_reason_is_translated_and_links_to_the_comparison() -> None:
    made = sheet(replace(PARTED, manual=np.array([4, 3, 0, 0])), "total-score", "manual")
    with override("nl"):
        cell = why_column(made := apply_choices(made, {"why": "long"}), made.rows).cells[0]
    assert visible(cell) == "boven Bea: een beslissing van de arbiter of loting, 4 tegen 3 (Man)"
    assert 'href="/events/drawn/compare/1/2/"' in cell


def test_reason_names_a_decision_on_a_place_without_criterion() -> None:
    made = sheet(LEVEL, "total-score", "solkoff", overrides=(ruled_place(3, 1),))
    assert reasons(made)["Dan"] == "above Ann by the arbiter's decision on the place*"


def test_reason_names_a_place_shared_by_decision() -> None:
    made = sheet(LEVEL, overrides=(ruled_place(2, 1), ruled_place(3, 1)))
    assert reasons(made)["Cor"] == "= Dan*"
    long = reasons(apply_choices(made, {"why": "long"}))
    assert long["Cor"] == "shares the place with Dan by the arbiter's decision*"


def test_value_set_by_an_arbiter_is_starred() -> None:
    ruling = RankingOverride("value", competitor=1, criterion="solkoff", levels=(Fraction(9),))
    told = reasons(sheet(LEVEL, "total-score", "solkoff", overrides=(ruling,)))
    assert told["Bea"].endswith(" 9*:7")


def test_computed_standings_do_not_link_to_comparisons() -> None:
    ruled = sheet(LEVEL, overrides=(ruled_place(3, 1),))
    cells = why_column(computed := apply_choices(ruled, {"as": "computed"}), computed.rows).cells
    assert "= Bea" in cells[0]
    assert "href" not in "".join(cells)


def test_no_reasons_in_a_sorted_table_or_if_hidden() -> None:
    for sort, chosen, is_told in (
        ("", "", True),
        ("", "long", True),
        ("", "hidden", False),
        ("name", "", False),
    ):
        made = apply_choices(sheet(LEVEL), {"why": chosen})
        table = StandingsTable(made, all_columns(made), {"sort": sort})
        table.add_reasons()
        assert ("class=why" in table.rows) is is_told
