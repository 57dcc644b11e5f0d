"""The registry, and a worked example of every criterion."""

import ast
import pickle
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from standings.engine import (
    CHESS,
    SYSTEMS,
    Criterion,
    Crosstable,
    Family,
    RankingSystem,
    Scale,
    UnknownCriterionError,
    all_criteria,
    criteria,
    get_criterion,
    rank,
    read_crosstable,
)
from standings.engine.registry import criterion
from standings.engine.terms import Column
from tests.engine.examples import BOARDS, E1, E2, FOUR_BOARDS, LEAGUE, MICRO, TEAMS, system_of
from tests.engine.fide.exercises import ROUND_ROBIN, under
from tests.engine.fide.exercises import SWISS as TEC_SWISS
from tests.engine.fide.exercises import TEAMS as TEC_TEAMS

# For C.07: a full score, a match level except on its boards, and two matches won by each side.
SHARP = read_crosstable("1 A 2000 2:1-0 3:1-0 \n 2 B 1700 1:0-1 – \n 3 C 1600 – 1:0-1", scoring=CHESS)
TWO = read_crosstable("1 A 2:2-2/wllw \n 2 B 1:2-2/lwwl", scoring=FOUR_BOARDS, primary=Scale.MATCH)
TWICE = read_crosstable("1 A 2:4-0 2:1½-2½ \n 2 B 1:0-4 1:2½-1½", scoring=FOUR_BOARDS, primary=Scale.MATCH)
SWISS = under("fide-2024", TEC_SWISS)

CRITERIA = {found.code: found for found in all_criteria()}


@pytest.mark.parametrize("found", all_criteria(), ids=lambda found: found.code)
def test_criterion_has_rule_source_name_and_abbreviation(found: Criterion) -> None:
    assert found.rule.endswith(".")
    assert found.source
    assert found.name
    assert found.abbr


@pytest.mark.parametrize("found", all_criteria(), ids=lambda found: found.code)
def test_can_give_accepts_possible_values_only(found: Criterion) -> None:
    assert found.can_give(Fraction(0))
    assert found.can_give(Fraction(1545, 4))
    assert found.can_give(Fraction(-5)) is found.signed
    assert found.can_give(Fraction(19687, 9)) is found.divided
    assert not found.can_give(Fraction(2**63))
    assert not found.can_give(Fraction(1, 2**40))


@pytest.mark.parametrize("code", ["plus-minus-draws", "manual"])
def test_signed_criteria(code: str) -> None:
    assert get_criterion(code).signed


@pytest.mark.parametrize(
    "code", ["won-lost-ratio", "average-rating-opponents", "average-rating-opponents-reduced"]
)
def test_divided_criteria(code: str) -> None:
    assert get_criterion(code).divided


# Computed by hand: rules § 4, and the sums in the tests of each family. "·" separates the levels of a vector,
# a dash means that the criterion decides nothing; tie criteria depend on the criteria before them.
WORKED: dict[str, tuple[Crosstable, str]] = {
    "total-score": (E1, "5 4 4 3 4 4"),
    "match-points": (TEAMS, "4 3 2 4 3"),
    "game-points": (TEAMS, "7.5 6 4.5 8 6"),
    "wins": (E1, "1 2 1 1 1 1"),
    "wins@game": (BOARDS, "2 3 1"),
    "progress": (E1, "12 10 8 6 11 13"),
    "won-lost-ratio": (E2, "2/0 1/2 1/0 2/1 0/3"),
    "plus-minus-draws": (E1, "1 0 -1 1 -2 1"),
    "plus-draws": (E1, "1 0 0 1 0 1"),
    "manual": (read_crosstable("1 A manual=2 2:1-1 \n 2 B 1:1-1"), "2 0"),
    "rating-a": (E1, "2300 2250 0 2150 2100 0"),
    "faster-wins": (MICRO, "4 5 2 4 –"),
    "slower-losses": (MICRO, "2 4 4 5 –"),
    "solkoff": (E1, "12 16 16 16 12 15"),
    "buchholz": (E1, "12 16 16 16 12 15"),
    "solkoff-truncated-short": (E1, "12 13 13 12 12 12"),
    "solkoff-truncated-full": (E1, "12·8·4 13·9·5 13·9·5 12·8·4 12·9·5 12·8·4"),
    "solkoff-median": (E1, "8 8 8 8 7 8"),
    "buchholz-median": (E1, "8 8 8 8 7 8"),
    "solkoff-plus": (E1, "44 59 59 59 43 60"),
    "solkoff-baliakin": (E1, "176 232 232 236 168 224"),
    "sonneborn-berger": (E1, "12 16 15 12 15 16"),
    "koya": (E2, "3 1 2 1 1"),
    "dsb": (LEAGUE, "13.5 15.5 5 16"),
    "dsmp": (LEAGUE, "5 7 8 8"),
    "average-rating-opponents": (E1, "3275/2 3325/2 1675 3275/2 2225/2 2175"),
    "total-rating-opponents": (E1, "6550 6650 6700 6550 4450 8700"),
    "average-rating-opponents-reduced": (
        E1,
        "6550/3·2225·2250 6650/3·2250·2300 6700/3·2275·2300 6550/3·2225·2250 4450/3·2225·2300 2200·2225·2250",
    ),
    # C.07: from FIDE's exercises (tests/engine/fide) if they have the figure, else sums in LEAGUE, in which A
    # has 5 match points and 7½ game points, B 3 and 7½, C 2 and 4, D 2 and 5.
    "PTS": (SWISS, "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"),
    "MPTS": (TEC_TEAMS, "10 10 10 10 10 7 6 7 6 5 4 2 6 4"),
    "GPTS": (TEC_TEAMS, "17.5 17 16 17 18 12.5 11.5 15 14.5 13 11.5 7.5 11.5 11.5"),
    "MPvGP": (LEAGUE, "7.5 7.5 4 5"),
    "WIN": (SWISS, "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"),
    "WON": (SWISS, "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3"),
    "BPG": (SWISS, "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2"),
    "BWG": (SWISS, "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1"),
    "PS": (SWISS, "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5"),
    "REP": (SWISS, "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5"),
    "GE": (SWISS, "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5"),
    "STD": (ROUND_ROBIN, "3.5 3.5 3.5 1.5 1.5 1.5"),
    "TPN": (ROUND_ROBIN, "1 2 3 4 5 6"),
    "BH": (SWISS, "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5"),
    "FB": (SWISS, "13.5 13.5 15 15.5 10 12 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12 13.5"),
    # Buchholz of the opponents met: A (9 + 10 + 10) / 3, B (7 + 10 + 10) / 3, C (10 + 7 + 9) / 3, D like C.
    "AOB": (LEAGUE, "29/3 9 26/3 26/3"),
    "SB": (SWISS, "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25"),
    "KS": (ROUND_ROBIN, "2 0.5 0.5 1 0.5 0"),
    "EMMSB": (LEAGUE, "12 6 4 8"),  # A 3×2 + 2×2 + 2×1
    "EMGSB": (LEAGUE, "17.5 19.5 11 18"),  # A 3×2½ + 2×3 + 2×2
    "EGMSB": (LEAGUE, "28 13 10 15"),  # A 7½×2 + 4×2 + 5×1
    "EGGSB": (LEAGUE, "40.75 37.25 22.5 34"),  # A 7½×2½ + 4×3 + 5×2
    "SSSC": (LEAGUE, "14.5 16.5 14 15"),  # of 6 match points and 4 game points the divisor is 1: A 7½ + 7
    "ARO": (SWISS, "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820"),
    "TPR": (SWISS, "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969"),
    "PTP": (SHARP, "2436 1200 1200"),  # 1700 + 736, 2000 - 800
    "APRO": (SHARP, "1200 2450 2450"),  # A had 1650 + 800, the others 2000 - 800
    "APPO": (SHARP, "1200 2436 2436"),
    "RTNG": (SHARP, "2000 1700 1600"),
    "BC": (TWO, "5 5"),  # 1 + 4, 2 + 3
    "TBR": (TWO, "1·0·0·1 0·1·1·0"),
    "BBE": (TWO, "1·1·1 2·1·0"),
    "DE": (ROUND_ROBIN, "1 2 2 3 2 1"),
    "EDE": (TWICE, "1 2"),  # won once each, 5½-2½ on the boards
    "EDEBT": (TWO, "1 2"),
    "EDEBB": (TWO, "2 1"),
    "EDET": (TWO, "1 2"),
    "EDEB": (TWO, "2 1"),
    "direct-encounter": (E2, "– – 1 1 –"),
    "best-opponents": (E2, "– – 1 0 –"),
}


def test_every_criterion_has_a_worked_example() -> None:
    assert CRITERIA.keys() == WORKED.keys()


@pytest.mark.parametrize("code", WORKED)
def test_worked_examples(code: str) -> None:
    table, expected = WORKED[code]
    judged = rank(table, system_of("total-score", code)).columns[-1]
    rows = range(len(table.names))
    values = ["·".join(judged.level_texts(row)) or "–" for row in rows]
    assert " ".join(values) == expected
    assert all(judged.criterion.can_give(value) for row in rows for value in judged.levels(row))


WINS_IN_SHORT = {
    (True, True): "(wins by forfeit and byes with the points of a win count)",
    (True, False): "by forfeit count, byes do not)",
    (False, False): "(wins by forfeit and byes do not count)",
}


@pytest.mark.parametrize("code", ["wins", "wins@game", "WIN", "WON"])
def test_meaning_of_wins_names_the_unplayed_rounds_that_count(code: str) -> None:
    scoring = FOUR_BOARDS if code == "wins@game" else CHESS

    def counts(drawn: str) -> bool:
        judged = rank(read_crosstable(drawn, scoring=scoring), system_of("total-score", code)).columns[-1]
        return judged.level_texts(0) != ["0"]

    forfeit, bye = counts("1 A 2:+ \n 2 B 1:-"), counts("1 A bye \n 2 B –")
    assert get_criterion(code).meaning.endswith(WINS_IN_SHORT[forfeit, bye])


def test_meaning_of_average_ratings_names_what_counts_as_0() -> None:
    drawn = "1 A 2000 2:1-0 3:1-0 bye \n 2 B 1800 1:0-1 – – \n 3 C – 1:0-1 –"
    table = read_crosstable(drawn, scoring=CHESS)

    def value(code: str) -> str:
        return rank(table, system_of("total-score", code)).columns[-1].level_texts(0)[0]

    assert value("average-rating-opponents") == "600"
    for code in ("average-rating-opponents", "average-rating-opponents-reduced"):
        assert "(0 if unrated, and for a round without an opponent)" in get_criterion(code).meaning
    assert get_criterion("ARO").meaning == "average rating of the opponents met over the board"


def test_criteria_do_not_mention_unplayed_rounds_or_django() -> None:
    """Only rules and meanings may mention unplayed rounds, which belong to the policy."""
    tree = ast.parse(Path(criteria.__file__).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Module) and ast.get_docstring(node):
            node.body = node.body[1:]
        if isinstance(node, ast.Call):
            node.keywords = [each for each in node.keywords if each.arg != "meaning"]
    assert not re.findall(r"\w*(?:bye|forfeit|absent|unplayed|django)\w*", ast.unparse(tree), re.IGNORECASE)


def test_alias_shares_the_function_of_a_criterion() -> None:
    assert get_criterion("buchholz").compute is get_criterion("solkoff").compute
    assert (get_criterion("buchholz").name, get_criterion("buchholz").abbr) == ("Buchholz", "Buch")


def test_criterion_in_a_requested_score() -> None:
    requested = get_criterion("buchholz@game")
    assert (requested.code, requested.abbr, requested.scale) == ("buchholz@game", "Buch pts", Scale.GAME)
    assert get_criterion("sonneborn-berger@match").name == "Sonneborn-Berger (match points)"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("bucholz", r"no criterion 'bucholz'. There are: .*solkoff, buchholz, "),
        ("dsb@game", r"no criterion 'dsb@game': dsb has no score of its own. These have: .*solkoff"),
        ("buchholz@board", r"no criterion 'buchholz@board'. A score is @game or @match"),
        ("buchholz@", r"no criterion 'buchholz@'. A score is @game or @match"),
        ("", "no criterion ''"),
    ],
)
def test_unknown_code_is_refused_with_the_available_codes(code: str, message: str) -> None:
    with pytest.raises(UnknownCriterionError, match=message):
        get_criterion(code)


def test_criterion_is_pickled_by_its_code() -> None:
    for code in ("solkoff", "buchholz@game"):
        assert pickle.loads(pickle.dumps(get_criterion(code))) is get_criterion(code)  # noqa: S301 - our own bytes


def test_incomplete_or_duplicate_criterion_cannot_be_registered() -> None:
    def undocumented(table: object) -> Column:
        raise NotImplementedError

    def documented(table: object) -> Column:
        """A rule."""
        raise NotImplementedError

    needed = "needs a docstring, a source and a meaning"
    with pytest.raises(TypeError, match=needed):
        criterion("new", family=Family.OWN, name="New", abbr="N", source="DrA 99", meaning="new")(
            undocumented
        )
    with pytest.raises(TypeError, match=needed):
        criterion("new", family=Family.OWN, name="New", abbr="N", source="", meaning="new")(documented)
    with pytest.raises(TypeError, match=needed):
        criterion("new", family=Family.OWN, name="New", abbr="N", source="DrA 99")(documented)
    with pytest.raises(TypeError, match="solkoff is registered twice"):
        criterion("solkoff", family=Family.OWN, name="New", abbr="N", source="DrA 99", meaning="new")(
            documented
        )


def test_figures_are_integers() -> None:
    for found in all_criteria():
        column = rank(E1, system_of("total-score", found.code)).columns[-1].column
        assert {figure.dtype for figure in column.figures()} == {np.dtype(np.int64)}


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.code)
def test_every_system_lists_registered_criteria(system: RankingSystem) -> None:
    assert [get_criterion(code).code for code in system.criteria] == list(system.criteria)
