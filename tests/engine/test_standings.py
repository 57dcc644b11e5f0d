"""Places, and the reasons for them."""

import pickle

import pytest

from standings.engine import (
    SYSTEMS,
    Crosstable,
    Decision,
    Standings,
    UnknownCriterionError,
    rank,
    read_crosstable,
)
from tests.engine.examples import E1, E2, order, system_of


def places(standings: Standings) -> dict[str, tuple[int | None, int]]:
    """Return place and number of competitors sharing it, by name in standings order."""
    return {standings.table.names[row.competitor]: (row.place, row.sharing) for row in standings.rows()}


def test_shared_place_skips_the_following_places() -> None:
    standings = rank(E1, SYSTEMS["fmjd-swiss"])
    assert places(standings) == {"A": (1, 1), "B": (2, 2), "C": (2, 2), "F": (4, 1), "E": (5, 1), "D": (6, 1)}
    assert [row.shared for row in standings.rows()] == [False, True, True, False, False, False]
    assert standings.place.tolist() == [1, 2, 2, 6, 5, 4]


def test_row_outside_the_competition_has_no_place() -> None:
    table = read_crosstable(
        """
        1 A          2:2-0  3:0-2  4:1-1
        2 B          1:0-2  4:2-0  3:1-1
        3 X outside  4:2-0  1:2-0  2:1-1
        4 C          3:0-2  2:0-2  1:1-1
        """
    )
    standings = rank(table, system_of("total-score"))
    assert places(standings) == {"X": (None, 0), "A": (1, 2), "B": (1, 2), "C": (3, 1)}
    assert [row.outside for row in standings.rows()] == [True, False, False, False]
    assert [row.decided_by for row in standings.rows()] == [None, "total-score", None, "total-score"]


def test_row_outside_the_competition_shares_no_place() -> None:
    table = read_crosstable("1 A 2:1-1 \n 2 X outside 1:1-1")
    assert places(rank(table, system_of("total-score"))) == {"A": (1, 1), "X": (None, 0)}


def test_decided_by_names_the_criterion_for_each_row() -> None:
    rows = list(rank(E1, SYSTEMS["fmjd-swiss"]).rows())
    assert [row.decided_by for row in rows] == [
        None,
        "total-score",
        None,
        "solkoff-truncated-short",
        "solkoff-plus",
        "total-score",
    ]


def test_decision_between_any_two_rows() -> None:
    standings = rank(E1, SYSTEMS["fmjd-swiss"])
    assert standings.decision_between(4, 5) == Decision(
        "solkoff-plus", 0, ahead=5, behind=4, figures=("60", "43")
    )
    assert standings.decision_between(3, 0) == Decision(
        "total-score", 0, ahead=0, behind=3, figures=("5", "3")
    )
    assert standings.decision_between(1, 2) is None


def test_vector_shows_only_the_levels_a_tie_needed() -> None:
    judged = rank(E1, SYSTEMS["fmjd-swiss-truncated"]).columns[1]
    assert judged.texts == ["12", "13·9·5", "13·9·5", "12", "12·9", "12·8"]
    assert judged.level_texts(4) == ["12", "9", "5"]
    decision = rank(E1, SYSTEMS["fmjd-swiss-truncated"]).decision_between(4, 5)
    assert decision == Decision("solkoff-truncated-full", 1, ahead=4, behind=5, figures=("9", "8"))


def test_steps_record_the_deciding_levels() -> None:
    steps = rank(E1, SYSTEMS["fmjd-swiss"]).steps
    assert [(step.code, step.level) for step in steps] == [
        ("total-score", 0),
        ("solkoff-truncated-short", 0),
        ("solkoff-plus", 0),
    ]
    assert steps[0].group.tolist() == [0, 1, 1, 5, 1, 1]


def test_exact_text_of_each_kind_of_value() -> None:
    standings = rank(E1, SYSTEMS["fmjd-swiss"])
    exact = {
        code: standings.column(code).level_texts(1) for code in ("total-score", "average-rating-opponents")
    }
    assert exact == {"total-score": ["4"], "average-rating-opponents": ["3325/2"]}
    assert standings.column("won-lost-ratio").level_texts(1) == ["2/2"]
    assert standings.column("solkoff-truncated-full").level_texts(1) == ["13", "9", "5"]
    assert standings.column("direct-encounter").level_texts(0) == []
    assert standings.column("slower-losses").level_texts(4) == []


def test_columns_outside_the_list() -> None:
    standings = rank(E1, SYSTEMS["fmjd-swiss-rating"])
    assert standings.column("solkoff-truncated-full").texts == ["12", "13", "13", "12", "12", "12"]
    assert standings.column("manual") is standings.columns[2]
    assert order(standings) == "A F C B E D"


def test_tie_criterion_has_values_for_tied_rows_only() -> None:
    """Under the standard system only B and C are tied: C beat B."""
    standings = rank(E1, SYSTEMS["fmjd-swiss"])
    assert standings.column("direct-encounter").texts == ["", "0/1", "2/1", "", "", ""]
    assert order(standings) == "A B=C F E D"


def test_unknown_criterion_is_refused() -> None:
    with pytest.raises(UnknownCriterionError, match="no criterion 'best'"):
        rank(E1, system_of("total-score", "best"))
    with pytest.raises(UnknownCriterionError, match="no criterion 'best'"):
        rank(E1, system_of("total-score")).column("best")


@pytest.mark.parametrize("table", [E1, E2], ids=["E1", "E2"])
@pytest.mark.parametrize("code", SYSTEMS)
def test_pickled_standings_are_equal(table: Crosstable, code: str) -> None:
    standings = rank(table, SYSTEMS[code])
    rows, texts = list(standings.rows()), [judged.texts for judged in standings.columns]
    again = pickle.loads(pickle.dumps(standings))  # noqa: S301 - our own bytes
    assert list(again.rows()) == rows
    assert [judged.texts for judged in again.columns] == texts
    assert again.system == standings.system


def test_pickle_contains_no_computed_values() -> None:
    standings = rank(E1, SYSTEMS["fmjd-swiss"])
    before = pickle.dumps(standings)
    assert list(standings.rows())
    assert standings.column("koya").texts
    assert pickle.dumps(standings) == before


def test_event_without_competitors_or_rounds() -> None:
    assert list(rank(read_crosstable(""), SYSTEMS["fmjd-swiss"]).rows()) == []
    before = rank(E1.after(0), SYSTEMS["manual-round-robin"])
    assert {row.place for row in before.rows()} == {1}
    assert before.columns[0].texts == ["0"] * 6
