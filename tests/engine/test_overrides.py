"""Rulings of the arbiter change and mark the ranking."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine import SYSTEMS, Decision, RankingOverride, Row, rank, read_crosstable
from tests.engine.examples import E1, system_of, values

A, B, C, D, E, F = range(6)
SWISS = SYSTEMS["fmjd-swiss"]  # A, B=C, F, E, D


def table_of(*rulings: RankingOverride) -> list[tuple[str, int | None, str | None]]:
    """Return name, place and deciding code of each row."""
    rows = rank(E1, SWISS, rulings).rows()
    return [(E1.names[row.competitor], row.place, row.decided_by) for row in rows]


def place(competitor: int, at: int, after: int = 0) -> RankingOverride:
    return RankingOverride("place", competitor=competitor, place=at, after=after)


def test_ruled_place_keeps_the_order_of_the_others() -> None:
    assert table_of(place(D, 1)) == [
        ("D", 1, None),
        ("A", 2, "place"),
        ("B", 3, "total-score"),
        ("C", 3, None),
        ("F", 5, "solkoff-truncated-short"),
        ("E", 6, "solkoff-plus"),
    ]


def test_ruling_decides_nothing_between_rows_in_computed_order() -> None:
    """A is still above D by score."""
    assert table_of(place(D, 2))[:3] == [("A", 1, None), ("D", 2, "total-score"), ("B", 3, "place")]


def test_shared_place_is_split_by_a_ruling() -> None:
    """C is second; B gets the remaining third place."""
    assert table_of(place(C, 2))[:3] == [("A", 1, None), ("C", 2, "total-score"), ("B", 3, "place")]


def test_two_rows_ruled_to_a_place_share_it() -> None:
    rows = table_of(place(E, 2), place(D, 2))
    assert rows[:4] == [("A", 1, None), ("D", 2, "total-score"), ("E", 2, None), ("B", 4, "place")]


def test_row_can_be_ruled_into_a_shared_place() -> None:
    """B and C stay level: both are second."""
    assert [row[:2] for row in table_of(place(F, 3))] == [
        ("A", 1),
        ("B", 2),
        ("F", 3),
        ("C", 2),
        ("E", 5),
        ("D", 6),
    ]


def test_place_beyond_the_last_puts_the_row_last() -> None:
    assert [row[:2] for row in table_of(place(A, 9))][-1] == ("A", 9)


def test_last_ruling_on_a_competitor_applies() -> None:
    assert table_of(place(D, 1), place(D, 6)) == table_of()


def test_decision_between_two_rows_names_the_ruling() -> None:
    standings = rank(E1, SWISS, [place(D, 1)])
    assert standings.decision_between(A, D) == Decision("place", 0, ahead=D, behind=A, figures=("1", "2"))
    assert standings.decision_between(A, B) == Decision(
        "total-score", 0, ahead=A, behind=B, figures=("5", "4")
    )


def test_marks() -> None:
    rulings = [
        place(D, 1),
        RankingOverride("value", competitor=B, criterion="solkoff-plus", levels=(Fraction(60),)),
    ]
    marks = {E1.names[row.competitor]: row.marks for row in rank(E1, SWISS, rulings).rows()}
    assert marks == {"A": (), "B": ("value",), "C": (), "D": ("place",), "E": (), "F": ()}


def test_rulings_keep_rows_outside_the_competition_in_score_order() -> None:
    table = read_crosstable(
        """
        1 A          4:2-0  2:2-0  bye
        2 B          3:2-0  1:0-2  bye
        3 X outside  2:0-2  4:2-0  –
        4 C          1:0-2  3:0-2  –
        """
    )
    rows = rank(table, system_of("total-score"), [place(3, 1)]).rows()
    assert [(table.names[row.competitor], row.place) for row in rows] == [
        ("C", 1),
        ("A", 2),
        ("B", 3),
        ("X", None),
    ]


def test_row_outside_the_competition_can_be_ruled_to_a_place() -> None:
    table = read_crosstable("1 A 2:2-0 \n 2 X outside 1:0-2")
    rows = list(rank(table, system_of("total-score"), [place(1, 1)]).rows())
    assert rows == [
        Row(1, 1, 1, outside=True, decided_by=None, marks=("place",)),
        Row(0, 2, 1, outside=False, decided_by="place", marks=()),
    ]


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 5), st.integers(1, 6), max_size=6))
def test_ruled_rows_get_their_places_and_others_keep_their_order(ruled: dict[int, int]) -> None:
    computed = [row.competitor for row in rank(E1, SWISS).rows()]
    rows = list(rank(E1, SWISS, [place(row, at) for row, at in ruled.items()]).rows())
    others = [row.competitor for row in rows if row.competitor not in ruled]
    assert others == [row for row in computed if row not in ruled]
    assert all(row.place == ruled.get(row.competitor, row.place) for row in rows)
    if len(set(ruled.values())) == len(ruled):
        assert all(rows[at - 1].competitor == row for row, at in ruled.items())


def test_ruled_value_does_not_change_other_criteria() -> None:
    ruling = RankingOverride("value", competitor=B, criterion="total-score", levels=(Fraction(11, 2),))
    standings = rank(E1, SWISS, [ruling])
    assert standings.columns[0].texts == ["5", "5½*", "4", "3", "4", "4"]
    assert standings.columns[0].level_texts(B) == ["5.5"]
    assert standings.columns[0].ruled == {B}
    assert E1.names[standings.order[0]] == "B"
    assert [standings.column("solkoff").column.value(row) for row in range(6)] == values(E1, "solkoff")


def test_ruled_direct_encounter() -> None:
    """C beat B in their only game, but the ruling favours B."""
    ruling = RankingOverride("value", competitor=B, criterion="direct-encounter", levels=(Fraction(3),))
    system = system_of(*SWISS.criteria, "direct-encounter")
    standings = rank(E1, system, [ruling])
    assert standings.columns[-1].texts[1:3] == ["3*", "2/1"]
    assert [E1.names[row] for row in standings.order[:3]] == ["A", "B", "C"]
    assert standings.columns[-1].level_texts(B) == ["3"]


@pytest.mark.parametrize(("rounds", "ruled"), [(2, False), (3, True), (4, True)])
def test_ruling_affects_standings_from_its_round_on(rounds: int, ruled: bool) -> None:
    standings = rank(E1.after(rounds), SWISS, [place(D, 1, after=3)])
    assert len(standings.overrides) == ruled
    assert (standings.order[0] == D) == ruled


def test_ruled_list_of_criteria() -> None:
    rulings = [
        RankingOverride("criteria", criteria=("total-score",)),
        RankingOverride("criteria", criteria=("total-score", "progress", "manual")),
    ]
    standings = rank(E1, SWISS, rulings)
    assert standings.criteria == ("total-score", "progress", "manual")
    assert standings.changed_columns == {"progress", "manual"}
    assert standings.system is SWISS
    assert rank(E1, SWISS).changed_columns == set()


def test_pairing_changed_by_hand_marks_both_sides_without_moving_them() -> None:
    standings = rank(E1, SWISS, [RankingOverride("pairing", round=2, table=2)])
    assert standings.changed_pairings == {(B, 2), (D, 2)}
    assert [row.marks for row in sorted(standings.rows())] == [(), ("pairing",), (), ("pairing",), (), ()]
    assert standings.place.tolist() == rank(E1, SWISS).place.tolist()
    assert not rank(E1.after(1), SWISS, [RankingOverride("pairing", round=2, table=2)]).changed_pairings
