"""Explanations show the terms that a value was computed from."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from standings.engine import (
    POLICIES,
    SYSTEMS,
    Explanation,
    InnerValue,
    RankingOverride,
    Scale,
    Standings,
    UnknownCriterionError,
    all_criteria,
    rank,
    read_crosstable,
)
from tests.engine.examples import E1, E2, MICRO, TEAMS, recomputed, system_of, withdrawn

A, B, C, D, E, F = range(6)
TABLES = {
    "E1": E1,
    "E2": E2,
    "annulled": withdrawn(1),
    "forfeited": withdrawn(2),
    "micro-matches": MICRO,
    **{f"teams, {code}": replace(TEAMS, unplayed=policy) for code, policy in POLICIES.items()},
}
CODES = [found.code for found in all_criteria()]
SCALED = [found.code_in(scale) for found in all_criteria() if found.scaled for scale in Scale]
# Criteria with calculations that are more than a sum: a place, a rounding, a table (tests/engine/fide).
NOT_A_SUM = {
    *("DE", "EDE", "EDEBT", "EDEBB", "EDET", "EDEB", "SSSC"),
    *("ARO", "TPR", "PTP", "APRO", "APPO"),
}
NUMBER = re.compile(r"-? ?(?:\d+\.\d+|\d*[¼½¾]|\d+)")
QUARTERS = {"¼": ".25", "½": ".5", "¾": ".75"}


def number(text: str) -> Fraction:
    """Return `- 5½` as a number."""
    for sign, decimals in QUARTERS.items():
        text = text.replace(sign, decimals)
    return Fraction(text.replace(" ", ""))


def evaluated(fold: str) -> Fraction:
    """Evaluate the left side of a calculation."""
    numbers = [number(found) for found in NUMBER.findall(re.split(r" = | from | against", fold)[0])]
    return numbers[0] / (numbers[1] or 1) if "/" in fold else sum(numbers, Fraction(0))


def explained(code: str, row: int, *before: str) -> Explanation:
    return rank(E1, system_of(*(before or ("total-score",)), code)).explain(row, code)


def exact(levels: tuple[Fraction, ...]) -> str:
    return " ".join(map(str, levels))


def notes(found: Explanation) -> dict[str, str]:
    """Return by opponent whether the term counts, and why not."""
    return {line.term.against: f"{'counts' * line.counted} {line.note}".strip() for line in found.lines}


@pytest.mark.parametrize("name", TABLES)
def test_terms_add_up_to_the_value(name: str, subtests: pytest.Subtests) -> None:
    for code in (*CODES, *SCALED):
        with subtests.test(code):
            check_terms_add_up(rank(TABLES[name], system_of("total-score", code)), code)


def check_terms_add_up(standings: Standings, code: str) -> None:
    for row, text in enumerate(standings.column(code).texts):
        found = standings.explain(row, code)
        assert recomputed(found) == found.computed == found.levels
        if found.criterion.plain_code not in NOT_A_SUM:
            assert tuple(map(evaluated, found.calculations)) == found.levels
        assert found.text == text
        assert all(line.counted or line.note for line in found.lines)


def test_sum_without_the_lowest_term() -> None:
    found = explained("solkoff-truncated-short", B)
    assert (found.criterion.name, found.row, found.text) == ("Short truncated Solkoff", B, "13")
    assert (exact(found.levels), exact(found.computed), found.ruled) == ("13", "13", False)
    assert [(line.term.round, line.term.opponent, line.term.text) for line in found.lines] == [
        (1, F, "4"),
        (2, D, "3"),
        (3, A, "5"),
        (4, C, "4"),
    ]
    assert notes(found) == {"F": "counts", "D": "lowest, cut", "A": "counts", "C": "counts"}
    assert found.calculations == ("4 + 5 + 4 = 13",)


def test_highest_term_is_cut() -> None:
    assert notes(explained("solkoff-median", B)) == {
        "F": "counts",
        "D": "lowest, cut",
        "A": "highest, cut",
        "C": "counts",
    }


def test_successive_cuts_name_the_step_of_each_cut() -> None:
    """The cell shows only the levels that the tie needed, the explanation all."""
    found = explained("solkoff-truncated-full", D)
    assert (found.text, exact(found.levels)) == ("12", "12 8 4")
    assert notes(found) == {
        "C": "lowest, cut",
        "B": "counts lowest, cut at step 2",
        "E": "counts lowest, cut at step 3",
        "F": "counts",
    }
    assert found.calculations == ("4 + 4 + 4 = 12", "4 + 4 = 8", "4")


@pytest.mark.parametrize(
    ("code", "row", "fold"),
    [
        ("total-score", A, "1 + 2 + 0 + 2 = 5"),
        ("plus-minus-draws", E, "-1 - 1 = -2"),
        ("plus-minus-draws", B, "0"),
        ("plus-draws", A, "1"),
        ("rating-a", A, "2300"),
        ("average-rating-opponents", C, "6700 / 4 = 1675.0"),
        ("won-lost-ratio", A, "1 won / 1 lost"),
    ],
)
def test_calculation_in_one_line(code: str, row: int, fold: str) -> None:
    assert explained(code, row, "manual").calculations == (fold,)


def test_factors_and_inner_value_of_a_term() -> None:
    first, *_, bye = explained("solkoff-baliakin", A).lines
    assert (first.term.working, first.inner) == ("4 pts × 12 S", InnerValue("solkoff", E))
    assert (bye.term.against, bye.inner) == ("bye", None)
    asked = explained("solkoff-plus@game", A)
    assert asked.lines[1].inner == InnerValue("solkoff@game", C)
    assert explained("solkoff", A).lines[0].inner is None


def test_inner_value_equals_its_factor() -> None:
    """The link of a factor leads to the same value, under every policy and score."""
    for table in TABLES.values():
        for code in ("solkoff-plus", "solkoff-plus@game", "solkoff-plus@match"):
            standings = rank(table, system_of("total-score", code))
            for row in range(len(table.names)):
                for line in standings.explain(row, code).lines:
                    inner = line.inner and standings.explain(line.inner.row, line.inner.code).levels[0]
                    assert line.term.amount == (inner or 0)


def test_direct_encounter_of_two() -> None:
    found = explained("direct-encounter", C, "total-score", "solkoff-truncated-short")
    assert (found.text, found.calculations) == ("2/1", ("2 from 1 game",))
    assert notes(found) == {"B": "counts"}


def test_direct_encounter_that_decides_nothing() -> None:
    found = explained("direct-encounter", B, "total-score")
    assert (found.text, found.levels, found.calculations) == ("·", (), ())
    assert notes(found) == {"F": "not counted: not all of them met", "C": "not counted: not all of them met"}


def test_direct_encounter_is_repeated_inside_smaller_groups() -> None:
    table = read_crosstable(
        """
        1 A  2:2-0  3:0-2  4:2-0
        2 B  1:0-2  4:2-0  3:2-0
        3 C  4:0-2  1:2-0  2:0-2
        4 D  3:2-0  2:0-2  1:0-2
        """
    )
    found = rank(table, system_of("direct-encounter")).explain(A, "direct-encounter")
    assert found.calculations == ("2 + 0 + 2 = 4 from 3 games", "2 from 1 game")
    assert notes(found) == {
        "B": "counts",
        "C": "counts no longer level at step 2",
        "D": "counts no longer level at step 2",
    }


def test_best_opponents_stop_at_the_deciding_place() -> None:
    found = rank(E2, system_of("total-score", "direct-encounter", "best-opponents")).explain(
        2, "best-opponents"
    )
    assert (found.text, found.calculations) == ("V 1", ("1 against V",))
    assert notes(found) == {"V": "counts", "Z": "not reached", "W": "not reached"}


def test_best_opponents_continue_after_equal_points() -> None:
    table = read_crosstable(
        """
        1 V  3:1-1  4:1-1  bye    bye
        2 W  4:2-0  3:0-2  bye    –
        3 P  1:1-1  2:2-0  –      –
        4 Q  2:0-2  1:1-1  bye    –
        """
    )
    standings = rank(table, system_of("total-score", "best-opponents"))
    found = standings.explain(2, "best-opponents")
    assert found.calculations == ("1 against V", "2 against W")
    assert notes(found) == {"V": "counts step 1", "W": "counts step 2"}


def test_koya_does_not_count_weak_opponents() -> None:
    found = rank(E2, system_of("total-score", "koya")).explain(0, "koya")
    assert found.calculations == ("1 + 2 = 3",)
    assert notes(found)["W"] == "not counted: has less than 50 per cent"


def test_annulled_games_are_listed_but_not_counted() -> None:
    standings = rank(withdrawn(1), system_of("total-score", "solkoff-truncated-short"))
    found = standings.explain(A, "total-score")
    assert [(line.term.against, line.term.text, line.note) for line in found.lines] == [
        ("W", "2", "annulled"),
        ("B", "1", ""),
        ("C", "1", ""),
    ]
    assert found.calculations == ("1 + 1 = 2",)
    assert notes(standings.explain(A, "solkoff"))["W"] == "counts annulled"
    assert notes(standings.explain(A, "solkoff-truncated-short"))["W"] == "annulled; lowest, cut"


def test_ruled_value_is_explained_with_the_computed_value() -> None:
    ruling = RankingOverride("value", competitor=B, criterion="solkoff-plus", levels=(Fraction(121, 2),))
    found = rank(E1, SYSTEMS["fmjd-swiss"], [ruling]).explain(B, "solkoff-plus")
    assert (found.text, exact(found.levels), found.ruled) == ("60½*", "121/2", True)
    assert (exact(found.computed), found.calculations) == ("59", ("15 + 16 + 12 + 16 = 59",))
    assert recomputed(found) == found.computed


def test_ruling_on_best_opponents_without_a_place_to_compare() -> None:
    """P and Q met no other opponents, so there is no place to compare."""
    table = read_crosstable("1 P 2:1-1 \n 2 Q 1:1-1")
    ruling = RankingOverride("value", competitor=0, criterion="best-opponents", levels=(Fraction(1),))
    standings = rank(table, system_of("total-score", "best-opponents"), [ruling])
    assert standings.column("best-opponents").texts == ["1*", "no player 0"]
    assert standings.explain(1, "best-opponents").calculations == ("0 against no player",)


def test_value_without_terms() -> None:
    standings = rank(MICRO, system_of("wins", "faster-wins"))
    found = standings.explain(4, "faster-wins")
    assert (found.text, found.levels, found.lines, found.calculations) == ("–", (), (), ())


def test_unknown_criterion_cannot_be_explained() -> None:
    with pytest.raises(UnknownCriterionError, match="no criterion 'best'"):
        rank(E1, SYSTEMS["fmjd-swiss"]).explain(A, "best")
