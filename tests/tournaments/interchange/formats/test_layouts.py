"""Crosstables in the layouts of other programs: read correctly, or rejected with the unread parts."""

from dataclasses import replace

import pytest

from tests.tables import tables_of
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.test_tables import PLAYERS, changes, robin
from tournaments.event.checks.published import sums_of
from tournaments.event.document import Document
from tournaments.interchange.formats.account import Count
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.tables.crosstable_cells import CellReading, read_cell
from tournaments.interchange.formats.tables.headings import MATRIX, TableMapping
from tournaments.interchange.formats.tables.reading import read_tables

CHESS = replace(
    PLAYERS,
    event=replace(PLAYERS.event, game_win=2, game_draw=1, system="manual-swiss", discipline="chess"),
    competitors=(),
    rounds=(),
)
DRAUGHTS = replace(PLAYERS, competitors=(), rounds=())

CHESS_RESULTS = """From a database of results http://example.org;;;;;;;;;
Winter Open;;;;;;;;;
Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts. ;TB1
1;IM;Ann;2400;NED; 4w1; 2b1; 5w½;2,5;3,5
2;FM;Cas;2300;BEL; 5w½; 1w0; 4w+;1,5;4
3;;Eve;2000;NED;-1;-½;-0;1,5;0
4;;Bea;2100;GER; 1b0; 5w1; 2b-;1;5
5;;Dov;1900;FRA; 2b½; 4b0; 1b½;1;5
#;;;;;;;;;
#You find all details under http://example.org/1;;;;;;;;;
"""


def reading(base: Document, text: str, **options: str) -> Reading:
    return samples.read_into(base, "table.csv", text.encode(), ReadingOptions(**options))


def codes(read: Reading) -> list[str]:
    return [each.code for each in read.findings]


def points(read: Reading) -> dict[str, int]:
    """Return the half-points of all competitors by the results."""
    assert read.accepted, read.findings
    sums, _ = sums_of(read.accepted, is_match=False)
    return {each.name: sums[each.number] for each in read.accepted.competitors}


# --- rounds off of chess-results --------------------------------------------------------------------------


def test_dash_before_points_is_a_round_off() -> None:
    read = reading(CHESS, CHESS_RESULTS)

    assert codes(read) == []
    assert points(read) == {"Ann": 5, "Cas": 3, "Eve": 3, "Bea": 2, "Dov": 2}
    assert read.accepted
    eve = [(number, each.kind) for number, each in read.accepted.pairings() if each.first == 3]
    assert eve == [(1, "bye"), (2, "half-bye"), (3, "absent")]


def test_account_names_unread_columns() -> None:
    account = {each.what: each for each in reading(CHESS, CHESS_RESULTS).account}

    assert account["columns"] == Count("columns", 9, 1, ("TB1",))
    assert (account["lines"].read, account["lines"].unread) == (6, 4)
    assert account["cells"] == Count("cells", 15)
    assert account["points"] == Count("points", 5)


FIRST_MISSED = """Rk;Name;R1;R2;Pts
1;Ann;;2w1;1
2;Bea;-1;1b0;{bea}
3;Cas;4w1;4b½;1½
4;Dov;3b0;3w½;½
"""


def test_points_decide_if_opponent_does_not() -> None:
    assert points(reading(CHESS, FIRST_MISSED.format(bea="1")))["Bea"] == 2


def test_user_decides_if_points_do_not() -> None:
    silent = FIRST_MISSED.format(bea="")
    read = reading(CHESS, silent)

    assert [each.code for each in read.errors] == ["two-readings"]
    assert read.errors[0].where == "row 3, column R1"
    assert points(reading(CHESS, silent, dash="bye"))["Bea"] == 2
    lost = reading(CHESS, FIRST_MISSED.format(bea="0").replace("1;Ann;;2w1;1", "1;Ann;;2w1;2"), dash="loss")
    assert points(lost) == {"Ann": 4, "Bea": 0, "Cas": 3, "Dov": 1}


def test_dash_is_a_loss_if_results_come_first() -> None:
    text = "No;Name;R1;R2\n1;Ann;;+2\n2;Bea;-1;-1\n3;Cas;+4;=4\n4;Dov;-3;=3\n"
    assert points(reading(CHESS, text)) == {"Ann": 4, "Bea": 0, "Cas": 3, "Dov": 1}


# --- other layouts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("black", ["b", "z", "s"])
def test_colours_in_dutch_and_german(black: str) -> None:
    rows = ("Pl;Name;1.Rd;2.Rd", "1;Ann;2w1;3b½", "2;Bea;1b0;4w+", "3;Cas;4w1;1w½", "4;Dov;3b0;2b-")
    text = "\n".join(rows).replace("b", black)
    assert points(reading(CHESS, text)) == {"Ann": 3, "Bea": 2, "Cas": 3, "Dov": 0}


def test_points_before_place_of_opponent() -> None:
    rows = (
        " 1; 4;Ann;2/2w;1/3b;3",
        " 2; 1;Bea;0/1b;2/4w;2",
        " 3; 2;Cas;2/4w;1/1w;3",
        " 4; 3;Dov;0/3b;0/2b;0",
    )
    text = "\n".join(("; A cup", "Pl;Sno;Name;R1;R2;Pt", *rows))
    read = reading(DRAUGHTS, text)
    assert read.accepted
    assert points(read) == {"Ann": 6, "Bea": 4, "Cas": 6, "Dov": 0}
    assert {each.name: each.number for each in read.accepted.competitors}["Ann"] == 4


def test_class_and_rating_in_one_cell() -> None:
    heading = "Place;S.No.;Title;Name;Fed.;FMJD;R1;Total;SSolk"
    text = f"{heading}\n1;2;GMI;Ann;CMR;A 2339;2w2;2;0\n2;1;;Bea;BEL;;1b0;0;2\n"
    read = reading(DRAUGHTS, text)
    assert read.accepted
    ann = read.accepted.competitors[1]
    assert (ann.rating, ann.rating_class, ann.title) == (2339, "a", "GMI")


THREE_COLUMNS = """Final Ranking

Rank;SNo.;;Name;Rtg;1.Rd.;;;2.Rd.;;;3.Rd.;;;Pts;RecRp
1;2;IM;Ann;2400;2;w;1;3;b;x;4;w;+;2x;2500
2;4;;Bea;2300;1;b;0;4;w;1;-;-;1;2;2400
;1;;Cas;2200;4;w;x;1;w;x;-;-;x;1x;2300
4;3;;Dov;2100;3;b;x;2;b;0;1;-;-;x;2200
"""


def test_three_columns_for_a_round() -> None:
    read = reading(CHESS, THREE_COLUMNS)

    assert codes(read) == []
    assert points(read) == {"Ann": 5, "Bea": 4, "Cas": 3, "Dov": 1}
    assert read.account[0] == Count("columns", 9, 1, ("RecRp",))


def test_three_columns_continue_after_an_empty_line() -> None:
    text = THREE_COLUMNS.replace("4;3;;Dov", "\n4;3;;Dov") + "\n# A remark\nhttp://example.org\n"
    assert points(reading(CHESS, text)) == {"Ann": 5, "Bea": 4, "Cas": 3, "Dov": 1}


def test_a_text_file_without_records_is_a_table() -> None:
    read = samples.read_into(CHESS, "ranking.txt", THREE_COLUMNS.encode())
    assert points(read)["Ann"] == 5


def test_cell_of_a_match_has_a_character_for_each_game() -> None:
    base = robin(schedule="double-round-robin", scoring={"game": [1, 0.5, 0]})
    found = changes(base, "Name;1;2;3;4;Total\nAnn;x;1½;;;1½\nBea;0½;x;;;½\nCas;;;x;;0\nDov;;;;x;0\n")
    assert found == [
        "~ round 3, table 2: 1-2 pending → 1-2 1-0",
        "~ round 5, table 2: 2-1 pending → 2-1 ½-½",
    ]


def test_shared_places_are_blank_after_the_first() -> None:
    text = "Rk;No;Name;R1\n1;3;Ann;3w1\n;1;Bea;4w1\n3;2;Cas;1b0\n;4;Dov;2b0\n"
    assert points(reading(CHESS, text)) == {"Ann": 2, "Bea": 2, "Cas": 0, "Dov": 0}


# --- unread data ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "row", "example"),
    [
        ("R1;R2", "2:1-0;3:½", "2:1-0"),
        ("1;2", "Bea 1;Cas ½", "Bea 1"),
        ("first;second", "2w;3b", ""),
        ("1.Rd.;;;2.Rd.;;", "2;w;win;3;b;draw", "2"),
    ],
)
def test_unread_rounds_are_an_objection(heading: str, row: str, example: str) -> None:
    read = reading(CHESS, f"No;Name;{heading}\n1;Ann;{row}\n")

    assert codes(read) == ["unread-rounds"]
    assert "cells in 2 columns of rounds are not read" in read.objections[0].message
    assert example in read.objections[0].message
    (cells,) = [each for each in read.account if each.what == "cells"]
    assert (cells.read, cells.unread) == (0, 2)


def test_too_many_tables_are_rejected() -> None:
    rounds = "\n".join(f"Round;White;Black;Result\n{number};Ann;Bea;1-0\n" for number in range(1, 23))
    read = reading(CHESS, rounds)
    assert [each.code for each in read.errors] == ["too-many-tables"]
    assert "22 tables" in read.errors[0].message
    assert "“table 1” (1 rows)" in read.errors[0].message

    one = reading(PLAYERS, rounds, part="table 21")
    assert "too-many-tables" not in codes(one)
    assert [each.message for each in one.findings if each.code == "several-events"] == [
        "“table 21” is read, table 21 of 22; the others are not."
    ]


def test_square_rejects_columns_without_rows() -> None:
    text = "Name;1;2;3;4;Pts\nAnn;x;2;;;2\nBea;0;x;;;0\nCas;;;x;;0\nDov;;;;x;0\n"
    cells = [
        each for each in samples.read_into(robin(), "a.csv", text.encode()).account if each.what == "cells"
    ]
    assert cells == [Count("cells", 2)]

    (table,) = tables_of(text.encode()).tables
    chosen = TableMapping(MATRIX, {0: "name", 1: "opponent:1", 2: "opponent:2", 3: "opponent:7"})
    read = read_tables(robin(), [(table, chosen)])
    assert [(each.code, each.where) for each in read.errors] == [("unknown-number", "row 1, column 3")]


def test_places_are_counted() -> None:
    text = "Pl;Name;R1\n1;Ann;2w1\n2;Bea;1b0\nout;Cas;\n"
    (ranks,) = [each for each in reading(CHESS, text).account if each.what == "ranks"]
    assert ranks == Count("ranks", 2, 1, ("out",))


def test_contradicted_printed_points_are_an_objection() -> None:
    read = reading(CHESS, CHESS_RESULTS.replace("1;5\n5;;Dov", "2;5\n5;;Dov"))

    assert codes(read) == ["printed-points"]
    assert read.objections[0].where == "row 7, column Pts."
    assert "2 is printed for Bea, and the results that were read add up to 1." in read.objections[0].message
    assert read.accepted


def test_place_above_more_points_is_an_objection() -> None:
    text = "Pl;Name;R1\n1;Ann;2w0\n2;Bea;1b1\n"
    assert codes(reading(CHESS, text)) == ["printed-places"]
    assert codes(reading(CHESS, text.replace("Pl;", "No;"))) == []


def test_points_of_a_team_table_are_game_or_match_points() -> None:
    sample = samples.document(samples.teams())
    teams = replace(
        sample,
        event=replace(sample.event, forbidden_pairs=()),
        competitors=(), rounds=(), overrides=(), changes=(), acknowledged=(), published=None,
    )  # fmt: skip
    text = "Rk;Team;R1;{}\n1;Reds;2w1½;{}\n2;Blues;1b½;{}\n"
    assert codes(reading(teams, text.format("MP", "2", "0"))) == []
    assert codes(reading(teams, text.format("Pts", "1½", "½"))) == []
    assert codes(reading(teams, text.format("Pts", "2", "½"))) == ["printed-points"]


def test_printed_points_cover_own_rounds_or_all_until_then() -> None:
    once = reading(CHESS, CHESS_RESULTS).accepted
    assert once
    text = "No;Name;R3;Pts\n1;Ann;5w½;{}\n4;Bea;2b-;{}\n2;Cas;4w+;{}\n5;Dov;1b½;{}\n"
    assert codes(reading(once, text.format("2,5", "1", "1,5", "1"))) == []
    assert codes(reading(once, text.format("½", "0", "1", "½"))) == []
    assert codes(reading(once, text.format("2,5", "1", "1,5", "2"))) == ["printed-points"]


# --- references to opponents, and dummies -----------------------------------------------------------------


def test_opponents_by_start_number_are_recognised() -> None:
    by_place = (
        "Pl;Sno;Name;R1;R2\n1;3;Ann;2/3w;1/2b\n2;4;Cas;2/4b;1/1w\n3;1;Bea;0/1b;2/4w\n4;2;Dov;0/2w;0/3b\n"
    )
    by_number = (
        "Pl;Sno;Name;R1;R2\n1;3;Ann;2/1w;1/4b\n2;4;Cas;2/2b;1/3w\n3;1;Bea;0/3b;2/2w\n4;2;Dov;0/4w;0/1b\n"
    )

    assert codes(reading(DRAUGHTS, by_place)) == []
    assert codes(reading(DRAUGHTS, by_number)) == ["named-by"]
    assert points(reading(DRAUGHTS, by_place)) == points(reading(DRAUGHTS, by_number))


def test_start_numbers_are_preferred_to_shared_places() -> None:
    read = reading(DRAUGHTS, "Place;No;Name;R1\n1;2;Ann;1w2\n2;1;Bea;2b0\n2;4;Cas;3w0\n2;3;Dov;4b2\n")

    assert codes(read)[:1] == ["named-by"]
    assert points(read) == {"Ann": 4, "Bea": 0, "Cas": 0, "Dov": 4}


def test_opponents_of_a_dummy_have_a_bye() -> None:
    text = "Pl;Name;R1;R2;Pt\n1;Ann;2/3w;2/2b;4\n2;Bea;2/4b;0/1w;2\n3;Cas;0/1b;0/4w;0\n4;Dummy;0/2w;2/3b;0\n"
    read = reading(DRAUGHTS, text)

    assert codes(read) == ["dummy-competitor"]
    assert points(read) == {"Ann": 8, "Bea": 4, "Cas": 0}
    assert read.accepted
    off = [(number, each.first, each.kind) for number, each in read.accepted.pairings() if not each.second]
    assert off == [(1, 2, "bye"), (2, 3, "zero-bye")]


def test_equal_colours_are_a_single_objection() -> None:
    read = reading(DRAUGHTS, "No;Name;R1\n1;Ann;2b2\n2;Bea;1b0\n3;Cas;4w1\n4;Dov;3w1\n")

    assert codes(read) == ["same-colour"]
    assert "2 pairings" in read.findings[0].message
    assert points(read) == {"Ann": 4, "Bea": 0, "Cas": 2, "Dov": 2}


@pytest.mark.parametrize(
    ("cell", "reading"),
    [
        ("0wz", CellReading(None, "absent")),
        ("zwz", CellReading(None, "absent")),
        ("0w0", CellReading(None, "absent")),
        ("0b½", CellReading(None, "half-bye", score=1)),
        ("0w1", CellReading(None, "bye", score=2)),
        ("0wh", CellReading(None, "half-bye")),
        ("13h3", CellReading(13, "played", "w", score=6)),
        ("10a1½", CellReading(10, "played", "b", score=3)),
        ("11ax", CellReading(11, "pending", "b")),
    ],
)
def test_cells_without_opponent_and_home_or_away(cell: str, reading: CellReading) -> None:
    assert read_cell(cell) == reading


def test_objection_explains_printed_points() -> None:
    text = "Pl;Name;R1;R2;Pt\n1;Ann;2/2w;2/3b;4\n2;Bea;0/1b;;2\n3;Cas;;0/1w;0\n"
    (objection,) = reading(DRAUGHTS, text).objections

    assert "2 is printed for Bea, and the results that were read add up to 0." in objection.message
    assert "No games are played in round 2: a bye may be missing." in objection.message


FIXED = """Rk.  SNo     Name               Rtg  FED   R1    R2    R3    Pts
 1    2   IM Ann Arends         2400 NED    3b1   2w½   4b1   2½
 2    1      Bea Brill          2300 BEL    4w½   1b½   3w1   2
 3    4   FM Cas Claes          2000 NED    1w0   -½    2b0   ½
 4    3      Dov Dorn                       2b½   -0    1w0   ½
"""


def test_fixed_width_columns_may_have_blank_cells() -> None:
    (table,) = tables_of(FIXED.encode()).tables

    assert [row.cells[2:6] for row in table.rows] == [
        ("IM", "Ann Arends", "2400", "NED"),
        ("", "Bea Brill", "2300", "BEL"),
        ("FM", "Cas Claes", "2000", "NED"),
        ("", "Dov Dorn", "", ""),
    ]
    assert points(reading(CHESS, FIXED)) == {"Ann Arends": 5, "Bea Brill": 4, "Cas Claes": 1, "Dov Dorn": 1}
