"""Tables of competitors, results and crosstables, read into an event."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import openpyxl
import pytest

from tests.tables import tables_of
from tests.tournaments.interchange.formats import samples
from tournaments.event.choices import Kind
from tournaments.event.document import Document
from tournaments.event.finding import errors
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.tables.crosstable_cells import CellReading, read_cell
from tournaments.interchange.formats.tables.headings import MATRIX, guessed
from tournaments.interchange.formats.tables.reading import mapped_tables, read_tables
from tournaments.interchange.formats.tables.sheets import text_of_value
from tournaments.interchange.formats.tables.text import grids_of_text
from tournaments.interchange.imports.description import difference_lines
from tournaments.interchange.imports.differences import differences
from tournaments.pairing.berger import berger

PLAYERS = samples.document(samples.players())
EMPTY = replace(PLAYERS, competitors=(), rounds=())
TEAMS = samples.document(samples.teams())

CROSSTABLE = "No;Name;R1;R2\n1;Ann;2w2;3b1\n2;Bea;1b0;4w+\n3;Cas;4w1;1w1\n4;Dov;3b1;2b-\n"


def reading(base: Document, content: str | bytes) -> Reading:
    found = tables_of(content if isinstance(content, bytes) else content.encode())
    if errors(found.findings):
        return Reading(None, found.findings)
    return read_tables(base, mapped_tables(found.tables))


def changes(base: Document, content: str | bytes) -> list[str]:
    read = reading(base, content)
    assert read.accepted, read.findings
    return difference_lines(differences(base, read.accepted))


def faults(base: Document, content: str | bytes) -> list[tuple[str, str]]:
    """Return code and place of the errors of a table."""
    return [(each.code, each.where) for each in reading(base, content).errors]


def workbook(*sheets: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


# --- round-robin square -----------------------------------------------------------------------------------


def robin(**about: Any) -> Document:
    """Return four players in a round robin that is paired, but not played."""
    data = samples.players()
    data["event"] |= {"schedule": "round-robin", "system": "manual-round-robin", "state": "live", **about}
    is_double = data["event"]["schedule"] == "double-round-robin"
    data["event"]["rounds"] = 6 if is_double else 3
    data["rounds"] = [
        {
            "number": number,
            "state": "published",
            "pairings": [
                {"table": table, "first": first, "second": second, "kind": "pending"}
                for table, (first, second) in enumerate(meetings, start=1)
            ],
        }
        for number, meetings in enumerate(berger(4, is_double=is_double), start=1)
    ]
    return samples.document(data)


SQUARE = "No;Name;1;2;3;4;Pts\n1;Ann;*;2;1;0;3\n2;Bea;0;x;+;;2\n3;Cas;=;-;■;1;2\n4;Dov;2;;1;#;3\n"


def test_square_fills_pairings_of_the_event() -> None:
    assert changes(robin(), SQUARE) == [
        "~ round 1, table 1: 1-4 pending → 1-4 0-2",
        "~ round 1, table 2: 2-3 pending → 2-3 forfeit 2-0",
        "~ round 2, table 1: 4-3 pending → 4-3 1-1",
        "~ round 2, table 2: 1-2 pending → 1-2 2-0",
        "~ round 3, table 2: 3-1 pending → 3-1 1-1",
    ]


def test_square_by_place_without_numbers() -> None:
    text = "Some Cup\nName;1;2;3;4\nDov;;1;;2\nCas;1;;1;0\nBea;;1;;0\nAnn;0;2;2;\n"
    assert "~ round 1, table 2: 2-3 pending → 2-3 1-1" in changes(robin(), text)
    assert "~ round 2, table 2: 1-2 pending → 1-2 2-0" in changes(robin(), text)
    assert "~ round 3, table 2: 3-1 pending → 3-1 0-2" in changes(robin(), text)


def test_two_games_are_in_order_of_rounds() -> None:
    text = "Name;1;2;3;4\nAnn;;2·1;0;\nBea;0·1;;;\nCas;2;;;\nDov;;;;\n"
    found = changes(robin(schedule="double-round-robin"), text)
    assert found == [
        "~ round 2, table 2: 3-1 pending → 3-1 2-0",
        "~ round 3, table 2: 1-2 pending → 1-2 2-0",
        "~ round 5, table 2: 2-1 pending → 2-1 1-1",
    ]


def test_open_games_are_allowed_in_a_square() -> None:
    text = "Rk;Name;1;2;3;4\n1;Ann;x;2;-;-\n2;Bea;0;x;;\n3;Cas;;;x;\n4;Dov;;;;x\n"
    (table,) = tables_of(text.encode()).tables
    assert guessed(table).role == MATRIX
    assert changes(robin(), text) == ["~ round 2, table 2: 1-2 pending → 1-2 2-0"]


def test_stored_points_preserve_the_kind_of_result() -> None:
    known = robin()
    first, second = known.rounds[0].pairings
    uneven = replace(first, kind=Kind.PLAYED, first_score=2, second_score=0, note="Ruled by the referee.")
    forfeit = replace(second, kind=Kind.FORFEIT, first_score=4, second_score=0)
    played = replace(known.rounds[0], pairings=(uneven, forfeit))
    text = "Name;1;2;3;4\nAnn;;;;1\nBea;;;2;\nCas;;0;;\nDov;0;;;\n"
    assert changes(replace(known, rounds=(played, *known.rounds[1:])), text) == []


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (";2;;", "1;;;", "contradiction"),  # three points in a game of two
        (";2;;", ";;;", "contradiction"),  # a single cell has a result
        (";2 1;;", "0 1;;;", "no-meeting"),
        (";won;;", "lost;;;", "no-cell"),
        (";2;;", "-;;;", "no-cell"),
    ],
)
def test_contradictory_cells_of_a_square_are_named(first: str, second: str, code: str) -> None:
    text = f"Name;1;2;3;4\nAnn;{first}\nBea;{second}\nCas;;;;1\nDov;;;1;\n"
    assert (code, "row 2, column 2") in faults(robin(), text)


def test_event_without_schedule_gets_one_with_a_warning() -> None:
    read = reading(replace(robin(), rounds=()), SQUARE)

    assert [each.code for each in read.findings] == ["made-schedule"]
    assert "stored in 3 rounds" in read.findings[0].message
    assert read.accepted
    assert [len(each.pairings) for each in read.accepted.rounds] == [2, 2, 1]


def test_square_in_a_swiss_without_rounds_is_rejected() -> None:
    (first, *_) = reading(EMPTY, SQUARE).findings
    assert (first.code, first.where) == ("no-meeting", "row 2, column 2")
    assert "Make its schedule first" in first.message


# --- cells ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("12w1", CellReading(12, "played", "w", score=2)),
        ("12 W 1", CellReading(12, "played", "w", score=2)),
        ("54b½", CellReading(54, "played", "b", score=1)),
        ("54b1/2", CellReading(54, "played", "b", score=1)),
        ("12b2.5", CellReading(12, "played", "b", score=5)),
        ("12w,5", CellReading(12, "played", "w", score=1)),
        ("12b.5", CellReading(12, "played", "b", score=1)),
        ("１２ｗ½", CellReading(12, "played", "w", score=1)),
        ("12:2", CellReading(12, "played", "", score=4)),
        ("12w1+", CellReading(12, "played", "w", score=2, advantage="+")),
        ("12w+", CellReading(12, "forfeit", "w", "won")),
        ("12b–", CellReading(12, "forfeit", "b", "lost")),
        ("12w2f", CellReading(12, "forfeit", "w", score=4)),
        ("12b½f", CellReading(12, "forfeit", "b", score=1)),
        ("12w=", CellReading(12, "played", "w", "drawn")),
        ("+12", CellReading(12, "played", "", "won")),
        ("-12", CellReading(12, "played", "", "lost")),
        ("=12b", CellReading(12, "played", "b", "drawn")),
        ("+12w", CellReading(12, "played", "w", "won")),
        ("W12", CellReading(12, "played", "", "won")),
        ("L3", CellReading(3, "played", "", "lost")),
        ("D 7", CellReading(7, "played", "", "drawn")),
        ("12w?", CellReading(12, "unknown", "w")),
        ("12w", CellReading(12, "pending", "w")),
        ("12w1*", CellReading(12, "played", "w", score=2)),
        ("1 (w5d)", CellReading(5, "forfeit", "w", score=2)),
        ("1 (def)", CellReading(None, "bye", score=2)),
        ("0 (b-)", CellReading(None, "absent")),
        ("BYE", CellReading(None, "bye")),
        ("½bye", CellReading(None, "half-bye")),
        ("0bye", CellReading(None, "zero-bye")),
        ("–", CellReading(None, "absent")),
        ("-,5", CellReading(None, "half-bye")),
        ("-=", CellReading(None, "half-bye")),
        ("－０", CellReading(None, "absent")),
        ("12½", None),
        ("6.5", None),
        ("Ann", None),
        ("", None),
    ],
)
def test_cell_notations(text: str, played: CellReading | None) -> None:
    assert read_cell(text) == played


# --- crosstables ------------------------------------------------------------------------------------------


def test_crosstable_adds_competitors_and_rounds() -> None:
    assert changes(EMPTY, CROSSTABLE) == [
        "+ competitor 1 Ann",
        "+ competitor 2 Bea",
        "+ competitor 3 Cas",
        "+ competitor 4 Dov",
        "+ round 1",
        "+ round 2",
        "+ round 1, table 1: 1-2 2-0",
        "+ round 1, table 2: 3-4 1-1",
        "+ round 2, table 1: 3-1 1-1",
        "+ round 2, table 2: 2-4 forfeit 2-0",
    ]


def test_repeated_crosstable_changes_nothing() -> None:
    once = reading(EMPTY, CROSSTABLE).accepted
    assert once
    assert changes(once, CROSSTABLE) == []


def test_crosstable_without_heading_is_recognised_by_cells() -> None:
    text = "1  Ann, A.  +2  =3  3\n2  Bea, B.  -1  W4  2\n3  Cas, C.  =4  =1  2\n4  Dov, D.  =3  L2  1\n"
    assert changes(EMPTY, text)[-2:] == ["+ round 2, table 1: 1-3 1-1", "+ round 2, table 2: 2-4 2-0"]


def test_cells_by_place_find_competitors_by_name() -> None:
    text = "Place;Name;R1\n1;Bea;2w2\n2;Ann;1b0\n"
    assert changes(PLAYERS, text) == ["~ round 1, table 1: 1-2 2-0 → 2-1 2-0"]


def test_cells_without_colours_preserve_known_colours() -> None:
    assert changes(PLAYERS, "No;Name;R1\n2;Bea;+1\n1;Ann;-2\n") == ["~ round 1, table 1: 1-2 2-0 → 1-2 0-2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "No;Name;R1\n1;Ann;2w2\n2;Bea;1b1\n",
            "1 says “2w2” (row 2, column R1), 2 says “1b1” (row 3, column R1)",
        ),
        ("No;Name;R1\n1;Ann;2w2\n2;Bea;3b1\n3;Cas;2w1\n", "each names another opponent"),
        ("No;Name;R1\n1;Ann;2w+\n2;Bea;1b+\n", "both cannot win by forfeit"),
        ("No;Name;R1\n1;Ann;2w+\n2;Bea;1b0\n", "one is a forfeit, the other a game"),
        ("No;Name;R1\n1;Ann;2w2\n2;Bea;1b\n", "only one of them has a result"),
        (
            "No;Name;R1\n1;Ann;2w1f\n2;Bea;1b-\n",
            ("one of them has the points of a forfeit, the other has not"),
        ),
        ("No;Name;R1\n1;Ann;2w5f\n2;Bea;1b5f\n", "5-5 by forfeit cannot be"),
    ],
)
def test_contradictions_name_both_cells(text: str, said: str) -> None:
    read = reading(EMPTY, text)
    (found,) = read.objections
    assert found.code == "contradiction"
    assert said in found.message
    assert not read.errors


def test_result_in_a_single_cell_is_a_warning() -> None:
    read = reading(EMPTY, "No;Name;R1\n1;Ann;2w2\n2;Bea;\n")
    assert [each.code for each in read.findings] == ["one-sided"]
    assert read.document
    assert read.document.rounds[0].pairings[0].second_score == 0


def test_invalid_cell_is_named_with_row_and_column() -> None:
    text = "No;Name;R1;R2\n1;Ann;2w2;zz\n2;Bea;1b0;9w1\n3;Cas;4w1;BYE\n4;Dov;3b1;3x\n"
    assert faults(EMPTY, text) == [
        ("no-cell", "row 2, column R2"),
        ("unknown-number", "row 3, column R2"),
        ("no-cell", "row 5, column R2"),
    ]


def test_team_matches_have_their_score() -> None:
    event = replace(TEAMS.event, forbidden_pairs=())
    empty = replace(
        TEAMS,
        event=event,
        competitors=(),
        rounds=(),
        overrides=(),
        changes=(),
        acknowledged=(),
        published=None,
    )
    assert changes(empty, "No;Name;R1\n1;Reds;2w1½\n2;Blues;1b½\n")[-1] == "+ round 1, table 1: 1-2 1½-½"
    assert faults(empty, "No;Name;R1\n1;Reds;2w1½\n2;Blues;-1\n")[0] == ("no-score", "row 3, column R1")


# --- competitors ------------------------------------------------------------------------------------------


def test_list_adds_and_changes_but_never_removes() -> None:
    assert changes(PLAYERS, "Name,Rtg,FED\nZed,2100,NED\nAnn,2200,BEL\n") == [
        "~ competitor 1 Ann: code no value → BEL, rating no value → 2200",
        "+ competitor 5 Zed",
    ]


def test_competitor_list_has_particulars() -> None:
    """Club and name are distinguished, even if the club is first; dates and sexes in common notations."""
    heading = "Club;Name;Elo;City;Sex;B-day;FIDE ID;FMJD-ID;Category"
    read = reading(
        EMPTY, f"{heading}\nDamlust;Ann;2100;Gouda;f;3.5.1984;1503014;17;U20, W\n;Bea;;;;1990;;;\n"
    )
    assert read.accepted, read.findings
    ann, bea = read.accepted.competitors
    assert (ann.name, ann.club, ann.city, ann.sex, ann.born) == ("Ann", "Damlust", "Gouda", "w", "1984-05-03")
    assert (ann.fide_id, ann.fmjd_id, ann.categories) == (1503014, 17, ("U20", "W"))
    assert (bea.club, bea.born) == ("", "1990")


@pytest.mark.parametrize(("column", "text"), [("Sex", "x"), ("B-day", "01/02/2003"), ("FMJD-ID", "a1")])
def test_invalid_particular_has_its_place(column: str, text: str) -> None:
    [(_code, where)] = faults(EMPTY, f"Name;Elo;{column}\nAnn;2100;{text}\n")
    assert where == f"row 2, column {column}"


def test_club_is_the_team_without_another_column() -> None:
    read = reading(replace(TEAMS, competitors=(), rounds=(), overrides=()), "Club;Elo\nDamlust;2100\n")
    assert read.document
    assert [each.name for each in read.document.competitors] == ["Damlust"]


def test_particulars_after_a_player_are_the_players() -> None:
    text = "Team;Player;Sex;Club\nReds;Ann;m;Damlust\n"
    read = reading(replace(TEAMS, competitors=(), rounds=(), overrides=()), text)
    assert read.document
    [team] = read.document.competitors
    assert (team.club, team.players[0].sex, team.players[0].club) == ("", "m", "Damlust")


def test_blank_cells_and_rating_0_change_nothing() -> None:
    told = changes(PLAYERS, "No;Name;Rating\n1;Ann;2000\n")
    assert told == ["~ competitor 1 Ann: rating no value → 2000"]
    assert changes(PLAYERS, "No;Name;Rating\n1;Ann;\n2;Bea;0\n") == []


def test_list_without_heading_has_the_default_order() -> None:
    text = "7.;Zed, A.;NED;2310;MI\n8.;Yan;;2205;\n"
    assert changes(PLAYERS, text) == ["+ competitor 7 Zed, A.", "+ competitor 8 Yan"]
    assert faults(PLAYERS, "Zed;2310;NED\nYan;2205;BUL\n") == [("unknown-table", "")]


@pytest.mark.parametrize(
    ("text", "code", "finding"),
    [
        ("Nederland", "NED", []), ("Holland", "NED", []), ("The Netherlands", "NED", []),
        ("España", "ESP", []),
        ("Joegoslavië", "YUG", []), ("Schotland", "SCO", []), ("Россия", "RUS", []), ("GEO2", "GEO2", []),
        ("Elbonia", "Elbonia", ["unknown-country"]), ("Atlantis City", "", ["unknown-country"]),
    ],
)  # fmt: skip
def test_country_by_name_in_any_language_is_its_code(text: str, code: str, finding: list[str]) -> None:
    read = reading(EMPTY, f"Name;Country\nAnn;{text}\n")
    assert read.accepted, read.findings
    assert ([each.code for each in read.accepted.competitors], [each.code for each in read.findings]) == (
        [code], finding,
    )  # fmt: skip


@pytest.mark.parametrize(
    "name", ["Ekman, Finn (withdrawn)", "Ekman, Finn [WD]", "Ekman, Finn – retired", "Ekman, Finn, выбыл"]
)
def test_remark_about_a_withdrawal_is_no_part_of_the_name(name: str) -> None:
    read = reading(EMPTY, f'Name\tRtg\n"{name}"\t2000\n')
    assert read.document
    assert [each.name for each in read.document.competitors] == ["Ekman, Finn"]
    assert [each.code for each in read.findings] == ["remark-in-name"]


def test_rows_of_a_name_with_different_numbers_are_different_competitors() -> None:
    read = reading(PLAYERS, "No;Name;Rating\n8;Zed;2100\n9;Zed;1500\n")
    assert read.accepted
    assert [each.rating for each in read.accepted.competitors if each.name == "Zed"] == [2100, 1500]
    assert [each.code for each in read.findings] == ["namesakes"]


def test_players_follow_their_team() -> None:
    text = "No;Name;Board;Player;FIDE id\n4;Greys;;;\n;;1;Gus;77\n;;2;Gina;\n"
    assert changes(TEAMS, text) == ["+ competitor 4 Greys", "+ player Gus of Greys", "+ player Gina of Greys"]


def test_reserve_has_no_board() -> None:
    text = "No;Name;Board;Player\n4;Greys;;\n----;----;----;----\n;;1;Gus\n;;R;Gina\n"
    read = reading(TEAMS, text)
    assert read.accepted
    assert [(each.name, each.board) for each in read.accepted.competitors[-1].players] == [
        ("Gus", 1),
        ("Gina", None),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("No;Name\n9;Ann\n", ("number-differs", "row 2, column No")),
        ("No;Name\nx;Zed\n", ("wrong-type", "row 2, column No")),
        ("No;Name;Rating\n9;Zed;high\n", ("wrong-type", "row 2, column Rating")),
        ("No;Name;Rating\n9;Zed;99999\n", ("out-of-range", "row 2, column Rating")),
        (f"No;Name\n9;{'Z' * 121}\n", ("too-long", "row 2, column Name")),
        ("No;Name;Code\n;;NED\n", ("missing-key", "row 2, column Name")),
    ],
)
def test_invalid_row_has_its_place(text: str, fault: tuple[str, str]) -> None:
    assert faults(PLAYERS, text) == [fault]


# --- results ----------------------------------------------------------------------------------------------


def test_results_by_name_or_number_in_any_notation() -> None:
    text = "Ronde\tWit\tZwart\tUitslag\n1\tAnn\tBea\t1-1\n3\t4\t1\t+ - -\n3\tBea\tCas\t0\n"
    assert changes(PLAYERS, text) == [
        "~ round 1, table 1: 1-2 2-0 → 1-2 1-1",
        "~ round 3, table 1: 4-1 pending → 4-1 forfeit 2-0",
        "~ round 3, table 2: 2-3 unknown → 2-3 0-2",
    ]


def test_bye_and_new_pairing_in_a_new_round() -> None:
    text = "Round;First;Second;Result\n3;Ann;Cas;2-0\n3;Bea;;bye\n"
    assert changes(PLAYERS, text) == [
        "~ round 3, table 1: 4-1 pending → 1-3 2-0",
        "~ round 3, table 2: 2-3 unknown → 2 bye 2",
    ]


def test_boards_follow_their_match() -> None:
    text = (
        "round,table,board,first,first player,result,second player,second\n"
        "2,1,,Greens,,1½-½,,Reds\n2,1,1,Greens,Gus,1-0,Rik,Reds\n2,1,2,Greens,Gina,½,Ron,Reds\n"
    )
    read = reading(TEAMS, text)
    assert read.document, read.findings
    pairing = next(each for number, each in read.document.pairings() if number == 2 and each.table == 1)
    assert [(each.board, each.first_player and each.first_player.name) for each in pairing.games] == [
        (1, "Gus"),
        (2, "Gina"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Round;White;Black;Result\n1;Ann;Zed;2-0\n", ("unknown-competitor", "row 2, column Black")),
        ("Round;White;Black;Result\n1;;Bea;2-0\n", ("unknown-competitor", "row 2, column White")),
        ("Round;White;Black;Result\n1;Ann;Bea;3-0\n", ("no-result", "row 2, column Result")),
        ("Round;White;Black;Result\nx;Ann;Bea;2-0\n", ("no-round", "row 2, column Round")),
        ("Round;Date;White;Black;Result\n1;2026-02-31;Ann;Bea;2-0\n", ("bad-date", "row 2, column Date")),
        ("Round;White;Black;Result\n9;Ann;Bea;2-0\n", ("round-beyond-last", "rounds[3].number")),
        ("Round;White;Black;Result\n1;Ann;Bea;2-0\n1;Ann;Cas;2-0\n", ("competitor-twice", "row 3")),
    ],
)
def test_invalid_result_has_its_place(text: str, fault: tuple[str, str]) -> None:
    assert fault in faults(PLAYERS, text)


# --- sources of tables ------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding_and_separator(encoding: str) -> None:
    for separator in ("\t", ";", ",", "|"):
        text = f"No{separator}Name{separator}Rating\r\n9{separator}Zoë{separator}2000\r\n"
        assert changes(PLAYERS, text.encode(encoding)) == ["+ competitor 9 Zoë"]


def test_unclosed_quotation_mark_does_not_join_rows() -> None:
    grids, (fault,) = grids_of_text('No;Name;Pts\n1;"Arends;2\n2;Brill;1\n3;Claes;0\n')
    assert not grids
    assert "the quotation mark in row 2 is never closed" in fault.message


@pytest.mark.parametrize(
    "name", ['"Arends, Bo"', '"Arends\nBo"', 'Bo "Ace" Arends', '"Ace" Arends', '"Bo ""Ace"" Arends"']
)
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"])
def test_closed_and_inner_quotation_marks(name: str, end: str) -> None:
    (grid,), findings = grids_of_text(f"No;Pts;Name\n1;2;{name}{end}")
    assert not findings
    assert [row.cells[0] for row in grid.rows] == ["No", "1"]
    assert "Arends" in grid.rows[1].cells[2]


def test_workbook_is_read_with_numbers_and_dates() -> None:
    content = workbook([["Notes"]], [["No", "Name", "Rating"], [9, "Zed", 2000.0]])
    assert changes(PLAYERS, content) == ["+ competitor 9 Zed"]
    assert faults(PLAYERS, workbook([["No", "Name"], ["x", "Zed"]])) == [
        ("wrong-type", "Sheet 1, row 2, column No")
    ]


def test_formulas_and_their_marks_are_text() -> None:
    assert changes(PLAYERS, "No;Name\n9;'=1+1\n") == ["+ competitor 9 =1+1"]


@pytest.mark.parametrize(
    ("value", "text"), [(1.5, "1.5"), (3.0, "3"), (True, "yes"), (None, ""), ("a\tb ", "a b")]
)
def test_a_cell_of_a_workbook_as_text(value: object, text: str) -> None:
    assert text_of_value(value) == text


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-table"),
        (b"PK\x03\x04broken", "broken-archive"),
        (b"\xd0\xcf\x11\xe0rest", "unreadable-workbook"),
        (b"a;b;c\n1;2;3\n", "unknown-table"),
        (b"No;Name\n" + b"1;x\n" * 20_001, "too-many-rows"),
        (b";" * 300 + b"\n", "too-many-columns"),
    ],
)
def test_invalid_tables_have_a_finding(content: bytes, code: str) -> None:
    assert [each for each, _ in faults(PLAYERS, content)] == [code]


# --- order of dates ---------------------------------------------------------------------------------------

DATED = "Round;Date;White;Black;Result\n1;07/08/2005;Ann;Bea;1-1\n2;{second};Cas;Ann;1-1\n"


def test_single_date_decides_the_order_of_all() -> None:
    read = reading(PLAYERS, DATED.format(second="25/08/2005"))
    (told,) = [each for each in read.findings if each.code == "date-order"]

    assert told.message.startswith("Dates are read as day, month, year: only “25/08/2005” is possible.")
    assert read.document
    assert [each.date for each in read.document.rounds[:2]] == ["2005-08-07", "2005-08-25"]


def test_ascending_rounds_decide_the_order() -> None:
    read = reading(PLAYERS, DATED.format(second="01/09/2005"))
    assert read.document
    assert [each.date for each in read.document.rounds[:2]] == ["2005-08-07", "2005-09-01"]


def test_undecided_order_is_a_question() -> None:
    read = reading(PLAYERS, DATED.format(second="08/09/2005"))
    assert [each.code for each in read.findings].count("ambiguous-date") == 2


def test_order_also_applies_to_births() -> None:
    read = reading(PLAYERS, "Name;Born\nAnn;07/08/1990\nBea;13/08/1991\n")
    assert read.document
    assert [each.born for each in read.document.competitors[:2]] == ["1990-08-07", "1991-08-13"]
