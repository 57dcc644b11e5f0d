"""What is ruled by hand enters the ranking, and marks it."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine import SYSTEMS, Decision, RankingOverride, Row, rank, read_crosstable
from tests.engine.examples import E1, system_of, values

A, B, C, D, E, F = range(6)
SWISS = SYSTEMS["fmjd-swiss"]  # A, B=C, F, E, D


def table_of(*rulings: RankingOverride) -> list[tuple[str, int | None, str | None]]:
    """Name, place and what parted it, line by line."""
    rows = rank(E1, SWISS, rulings).rows()
    return [(E1.names[row.competitor], row.place, row.decided_by) for row in rows]


def place(competitor: int, at: int, after: int = 0) -> RankingOverride:
    return RankingOverride("place", competitor=competitor, place=at, after=after)


def test_a_place_is_fixed_and_the_others_keep_their_order() -> None:
    assert table_of(place(D, 1)) == [
        ("D", 1, None),
        ("A", 2, "place"),
        ("B", 3, "total-score"),
        ("C", 3, None),
        ("F", 5, "solkoff-truncated-short"),
        ("E", 6, "solkoff-plus"),
    ]


def test_a_ruling_between_rows_that_stand_as_computed_decides_nothing() -> None:
    """A stands above D by its score all the same."""
    assert table_of(place(D, 2))[:3] == [("A", 1, None), ("D", 2, "total-score"), ("B", 3, "place")]


def test_a_shared_place_broken_by_hand() -> None:
    """C second alone; B takes the place left, the third."""
    assert table_of(place(C, 2))[:3] == [("A", 1, None), ("C", 2, "total-score"), ("B", 3, "place")]


def test_two_on_one_place_share_it() -> None:
    rows = table_of(place(E, 2), place(D, 2))
    assert rows[:4] == [("A", 1, None), ("D", 2, "total-score"), ("E", 2, None), ("B", 4, "place")]


def test_a_row_set_among_those_who_share_stands_on_its_place() -> None:
    """B and C stay level: both second, on the places left."""
    assert [row[:2] for row in table_of(place(F, 3))] == [
        ("A", 1),
        ("B", 2),
        ("F", 3),
        ("C", 2),
        ("E", 5),
        ("D", 6),
    ]


def test_beyond_the_last_place_is_the_last_row() -> None:
    assert [row[:2] for row in table_of(place(A, 9))][-1] == ("A", 9)


def test_the_last_ruling_on_a_competitor_holds() -> None:
    assert table_of(place(D, 1), place(D, 6)) == table_of()


def test_why_two_stand_as_ruled() -> None:
    standings = rank(E1, SWISS, [place(D, 1)])
    assert standings.parted_by(A, D) == Decision("place", 0, ahead=D, behind=A, figures=("1", "2"))
    assert standings.parted_by(A, B) == Decision("total-score", 0, ahead=A, behind=B, figures=("5", "4"))


def test_marks() -> None:
    rulings = [
        place(D, 1),
        RankingOverride("value", competitor=B, criterion="solkoff-plus", levels=(Fraction(60),)),
    ]
    marks = {E1.names[row.competitor]: row.marks for row in rank(E1, SWISS, rulings).rows()}
    assert marks == {"A": (), "B": ("value",), "C": (), "D": ("place",), "E": (), "F": ()}


def test_who_is_outside_keeps_standing_by_score() -> None:
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


def test_a_place_given_outside_the_competition_is_a_place() -> None:
    table = read_crosstable("1 A 2:2-0 \n 2 X outside 1:0-2")
    rows = list(rank(table, system_of("total-score"), [place(1, 1)]).rows())
    assert rows == [
        Row(1, 1, 1, outside=True, decided_by=None, marks=("place",)),
        Row(0, 2, 1, outside=False, decided_by="place", marks=()),
    ]


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 5), st.integers(1, 6), max_size=6))
def test_ruled_rows_stand_where_they_were_put_and_the_others_in_order(ruled: dict[int, int]) -> None:
    computed = [row.competitor for row in rank(E1, SWISS).rows()]
    rows = list(rank(E1, SWISS, [place(row, at) for row, at in ruled.items()]).rows())
    others = [row.competitor for row in rows if row.competitor not in ruled]
    assert others == [row for row in computed if row not in ruled]
    assert all(row.place == ruled.get(row.competitor, row.place) for row in rows)
    if len(set(ruled.values())) == len(ruled):
        assert all(rows[at - 1].competitor == row for row, at in ruled.items())


def test_a_value_is_replaced_and_feeds_nothing_else() -> None:
    ruling = RankingOverride("value", competitor=B, criterion="total-score", levels=(Fraction(11, 2),))
    standings = rank(E1, SWISS, [ruling])
    assert standings.judged[0].texts == ["5", "5½*", "4", "3", "4", "4"]
    assert standings.judged[0].level_texts(B) == ["5.5"]
    assert standings.judged[0].ruled == {B}
    assert E1.names[standings.order[0]] == "B"
    assert [standings.column("solkoff").column.value(row) for row in range(6)] == values(E1, "solkoff")


def test_a_ruled_direct_encounter() -> None:
    """B and C, still level at the end, met once: C won, but B is given the better of it."""
    ruling = RankingOverride("value", competitor=B, criterion="direct-encounter", levels=(Fraction(3),))
    system = system_of(*SWISS.criteria, "direct-encounter")
    standings = rank(E1, system, [ruling])
    assert standings.judged[-1].texts[1:3] == ["3*", "2/1"]
    assert [E1.names[row] for row in standings.order[:3]] == ["A", "B", "C"]
    assert standings.judged[-1].level_texts(B) == ["3"]


@pytest.mark.parametrize(("rounds", "ruled"), [(2, False), (3, True), (4, True)])
def test_a_ruling_touches_the_standings_from_its_round_on(rounds: int, ruled: bool) -> None:
    standings = rank(E1.after(rounds), SWISS, [place(D, 1, after=3)])
    assert len(standings.overrides) == ruled
    assert (standings.order[0] == D) == ruled


def test_another_list_of_criteria() -> None:
    rulings = [
        RankingOverride("criteria", criteria=("total-score",)),
        RankingOverride("criteria", criteria=("total-score", "progress", "manual")),
    ]
    standings = rank(E1, SWISS, rulings)
    assert standings.criteria == ("total-score", "progress", "manual")
    assert standings.changed_columns == {"progress", "manual"}
    assert standings.system is SWISS
    assert rank(E1, SWISS).changed_columns == set()


def test_a_pairing_changed_by_hand_marks_both_sides_and_changes_nothing() -> None:
    standings = rank(E1, SWISS, [RankingOverride("pairing", round=2, table=2)])
    assert standings.changed_pairings == {(B, 2), (D, 2)}
    assert [row.marks for row in sorted(standings.rows())] == [(), ("pairing",), (), ("pairing",), (), ()]
    assert standings.place.tolist() == rank(E1, SWISS).place.tolist()
    assert not rank(E1.after(1), SWISS, [RankingOverride("pairing", round=2, table=2)]).changed_pairings
