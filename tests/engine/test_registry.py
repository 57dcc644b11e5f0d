"""Every criterion is documented, found by its code, and folded from its terms."""

import ast
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from standings.engine import (
    SYSTEMS,
    Criterion,
    Crosstable,
    RankingSystem,
    Scale,
    Term,
    UnknownCriterionError,
    every,
    get,
    rank,
)
from standings.engine.registry import criterion
from standings.engine.terms import Column
from tests.engine.examples import E1, E2, system_of

CODES = (
    *("total-score", "match-points", "game-points", "wins", "progress", "won-lost-ratio", "manual"),
    *("plus-minus-draws", "plus-draws", "faster-wins", "slower-losses", "rating-a"),
    *("solkoff", "buchholz", "solkoff-median", "buchholz-median", "solkoff-plus", "solkoff-baliakin"),
    *("solkoff-truncated-short", "solkoff-truncated-full", "sonneborn-berger", "koya", "dsb", "dsmp"),
    *("average-rating-opponents", "average-rating-opponents-reduced"),
    *("direct-encounter", "best-opponents"),
)
SCALED = [found.code for found in every() if found.scaled]
Fold = Callable[[list[Fraction]], Fraction]


def total(amounts: list[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))


def average(amounts: list[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0)) / max(len(amounts), 1)


def ratio(amounts: list[Fraction]) -> Fraction:
    return Fraction(sum(amount > 0 for amount in amounts), max(sum(amount < 0 for amount in amounts), 1))


FOLDS: dict[str, Fold] = {
    "average-rating-opponents": average,
    "average-rating-opponents-reduced": average,
    "won-lost-ratio": ratio,
}


def test_the_criteria_of_the_rules_are_there() -> None:
    assert sorted(found.code for found in every()) == sorted(CODES)


@pytest.mark.parametrize("found", every(), ids=lambda found: found.code)
def test_each_says_what_it_is_and_where_it_stands(found: Criterion) -> None:
    assert found.rule.endswith(".")
    assert found.source.startswith(("DrA ", "OlimpBase "))
    assert found.name
    assert found.abbr


@pytest.mark.parametrize("code", [*CODES, *(f"{code}@{scale}" for code in SCALED for scale in Scale)])
@pytest.mark.parametrize("table", [E1, E2], ids=["E1", "E2"])
def test_each_value_is_the_fold_of_the_terms_that_count(code: str, table: Crosstable) -> None:
    standings = rank(table, system_of("total-score", code))
    judged = standings.judged[-1]
    fold = FOLDS.get(code, total)
    for row in range(len(standings.table.names)):
        terms = judged.terms(row)
        for level in range(judged.column.levels):
            assert judged.column.value(row, level) == fold(counted(terms, level))


def counted(terms: list[Term], level: int) -> list[Fraction]:
    return [term.amount for term in terms if term.counted(level)]


@pytest.mark.parametrize("code", CODES)
def test_each_has_a_test_that_names_it(code: str) -> None:
    tests = "".join(path.read_text() for path in (Path(__file__).parent / "criteria").glob("test_*.py"))
    literals = {node.value for node in ast.walk(ast.parse(tests)) if isinstance(node, ast.Constant)}
    assert code in literals


def test_one_function_under_two_names() -> None:
    assert get("buchholz").compute is get("solkoff").compute
    assert (get("buchholz").name, get("buchholz").abbr) == ("Buchholz", "Buch")


def test_a_criterion_can_be_asked_for_in_one_score() -> None:
    asked = get("buchholz@game")
    assert (asked.code, asked.abbr, asked.scale) == ("buchholz@game", "Buch pts", Scale.GAME)
    assert get("sonneborn-berger@match").name == "Sonneborn-Berger (match points)"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("bucholz", r"no criterion 'bucholz'. There are: .*solkoff, buchholz, "),
        ("wins@game", r"no criterion 'wins@game': wins has no score of its own. These have: .*solkoff"),
        ("buchholz@board", r"no criterion 'buchholz@board'. A score is @game or @match"),
        ("buchholz@", r"no criterion 'buchholz@'. A score is @game or @match"),
        ("", "no criterion ''"),
    ],
)
def test_an_unknown_code_says_what_there_is(code: str, message: str) -> None:
    with pytest.raises(UnknownCriterionError, match=message):
        get(code)


def test_a_criterion_pickles_by_its_code() -> None:
    for code in ("solkoff", "buchholz@game"):
        assert pickle.loads(pickle.dumps(get(code))) is get(code)  # noqa: S301 - our own bytes


def test_a_criterion_without_a_rule_or_a_second_one_is_refused() -> None:
    def undocumented(table: object) -> Column:
        raise NotImplementedError

    def documented(table: object) -> Column:
        """A rule."""
        raise NotImplementedError

    with pytest.raises(TypeError, match="needs a docstring and a source"):
        criterion("new", name="New", abbr="N", source="DrA 99")(undocumented)
    with pytest.raises(TypeError, match="needs a docstring and a source"):
        criterion("new", name="New", abbr="N", source="")(documented)
    with pytest.raises(TypeError, match="solkoff is there twice"):
        criterion("solkoff", name="New", abbr="N", source="DrA 99")(documented)


def test_no_float_makes_a_score() -> None:
    """Every figure of every criterion is an integer."""
    for found in every():
        column = rank(E1, system_of("total-score", found.code)).judged[-1].column
        assert {figure.dtype for figure in column.figures()} == {np.dtype(np.int64)}


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.code)
def test_every_system_names_criteria_there_are(system: RankingSystem) -> None:
    assert [get(code).code for code in system.criteria] == list(system.criteria)
