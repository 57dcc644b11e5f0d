"""Cross tables of programs and sites, each in its layout: what is read, kept as printed, and told."""

from dataclasses import replace

import pytest

from tests.tournaments.formats import samples
from tournaments.event.document import Document
from tournaments.formats.account import Count
from tournaments.formats.json.reader import Reading
from tournaments.formats.layouts.cells import outline_of_cells
from tournaments.formats.layouts.chess_results import CHESS_RESULTS
from tournaments.formats.layouts.draughts_arbiter import DRAUGHTS_ARBITER
from tournaments.formats.layouts.game_file import GAME_FILE
from tournaments.formats.layouts.layout import Layout, LayoutFile
from tournaments.formats.layouts.match_square import MATCH_SQUARE
from tournaments.formats.layouts.recognition import read_by_layout
from tournaments.formats.layouts.swiss_manager import SWISS_MANAGER
from tournaments.formats.layouts.toernooibase import TOERNOOIBASE
from tournaments.formats.tables.grid import Grid, GridRow
from tournaments.formats.tables.headings import CROSSTABLE, HeadedTable, guessed_as
from tournaments.formats.tables.reading import read_tables

_PLAYERS = samples.document(samples.players())
DRAUGHTS = replace(_PLAYERS, competitors=(), rounds=())
CHESS = replace(
    DRAUGHTS,
    event=replace(DRAUGHTS.event, game_win=2, game_draw=1, system="manual-swiss", discipline="chess"),
)
ROBIN = replace(
    CHESS,
    event=replace(CHESS.event, schedule="double-round-robin", planned_rounds=9, system="manual-round-robin"),
)
TEAMS = replace(
    CHESS, event=replace(CHESS.event, entrants="teams", boards=4, planned_rounds=2, system="manual-swiss")
)


def reading_of(base: Document, text: str) -> Reading:
    """What the recognised layout makes of a file in an event."""
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading
    made = read_tables(base, found.tables, found.mappings)
    return replace(made, findings=(*found.findings, *made.findings))


def read(base: Document, text: str) -> Document:
    """The event with what a file adds, which has no errors."""
    reading = reading_of(base, text)
    assert reading.accepted, reading.findings
    return reading.accepted


def account(text: str) -> dict[str, Count]:
    """What the layout counted itself."""
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading
    return {each.what: each for each in found.account or ()}


@pytest.mark.parametrize(
    ("layout", "base", "codes", "points"),
    [
        (CHESS_RESULTS, CHESS, [], {"1": "2.5", "2": "2", "3": "1.5", "4": "1", "5": "0.5"}),
        (SWISS_MANAGER, CHESS, [], {"1": "2", "2": "2.5", "3": "0.5", "4": "0.5"}),
        (TOERNOOIBASE, DRAUGHTS, ["dummy-competitor"], {"1": "5", "2": "4", "3": "3", "4": "0"}),
        (DRAUGHTS_ARBITER, DRAUGHTS, [], {"1": "4", "2": "5", "3": "0", "4": "3"}),
        (MATCH_SQUARE, ROBIN, ["made-schedule"], {"1": "4.5", "2": "2", "3": "1.5"}),
        (GAME_FILE, ROBIN, [], None),
    ],
    ids=lambda each: each.code if isinstance(each, Layout) else "",
)
def test_each_example_is_read_whole_and_agrees_with_what_it_prints(
    layout: Layout, base: Document, codes: list[str], points: dict[str, str] | None
) -> None:
    reading = reading_of(base, layout.example)

    assert [each.code for each in reading.findings] == codes
    assert reading.accepted
    published = reading.accepted.published
    assert published
    printed = next(
        (column for label, column in published.columns.items() if label in {"Pts", "Pt", "Total"}), None
    )
    assert printed == points
    assert not {each.what: each for each in reading.account}["cells"].unread


def test_ranks_and_tie_breaks_are_the_published_standings() -> None:
    published = read(CHESS, CHESS_RESULTS.example).published

    assert published
    assert published.order == [[1], [2], [3], [4], [5]]
    assert published.columns["TB2"]["1"] == "2.75"


def test_a_printed_nought_has_no_sign() -> None:
    published = read(CHESS, CHESS_RESULTS.example.replace("0,5;3,5;0,75", "0,5;-0;-0,00")).published

    assert published
    assert [published.columns[label]["5"] for label in ("TB1", "TB2")] == ["0", "0"]


def test_who_has_no_place_shares_that_above() -> None:
    published = read(CHESS, SWISS_MANAGER.example).published

    assert published
    assert published.order == [[2], [1], [4, 3]]
    assert published.columns["RecRp"]["4"] == "1900"


def test_the_address_of_a_footer_is_the_source() -> None:
    outline = read_by_layout(LayoutFile("file.csv", CHESS_RESULTS.example.encode())).reading.outline

    assert outline.sources.splitlines()[0] == "https://chess-results.com/tnr12345.aspx?lan=1"
    assert (outline.name, outline.published) == ("Winter Open 2019", "chess-results.com")


def test_countries_behind_names_become_codes_and_strange_ones_stay() -> None:
    text = (
        "gamefile\nPl;Name;1;2;3\n1;Bo Arends (Netherlands);2w1;;3b½\n"
        "2;Cas Brill (Old Duchy);1b0;3w1;\n3;Dee Claes (Soviet Union);;2b0;1w½\n"
    )
    reading = reading_of(ROBIN, text)

    assert [each.code for each in reading.findings] == ["unknown-country"]
    assert reading.accepted
    assert [(each.name, each.code) for each in reading.accepted.competitors] == [
        ("Bo Arends", "NED"),
        ("Cas Brill (Old Duchy)", ""),
        ("Dee Claes", "URS"),
    ]


def test_printed_points_that_contradict_the_cells_are_objections_with_both_figures() -> None:
    text = TOERNOOIBASE.example.replace("2/3w;5\n", "2/3w;11\n")
    (objection,) = reading_of(DRAUGHTS, text).objections

    assert objection.where == "row 4, column Pt"
    assert "11 is printed for Bo Arends" in objection.message
    assert "add up to 5" in objection.message


def test_games_of_a_square_are_one_each_in_their_order() -> None:
    found = read(ROBIN, MATCH_SQUARE.example)

    met = [
        (number, each.first_score if each.first == 1 else each.second_score)
        for number, each in found.pairings()
        if {each.first, each.second} == {1, 2}
    ]
    assert [score for _, score in sorted(met)] == [2, 2, 1]


def test_three_for_a_win_and_a_tie_break_game_after_a_draw_is_a_list_of_results() -> None:
    text = "Game file\nPl;Name;1;2;3\n1;Ann;3b1½;2w1½;2b3\n2;Bea;;1b1;1w0\n3;Cas;1w1;;\n"
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading

    assert outline_of_cells(found.tables, found.mappings).scoring == "3-0 1½-1"


def test_one_and_a_half_for_the_extra_game_after_a_draw_is_a_list_of_results() -> None:
    text = "Game file\nPl;Name;1;2;3\n1;Ann;3b1½;2w½;2b2\n2;Bea;;1b1½;1w0\n3;Cas;1w½;;\n"
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading

    assert outline_of_cells(found.tables, found.mappings).scoring == "2-0 1½-½"


def test_rounds_that_begin_again_at_one_are_counted_on() -> None:
    rows = [
        ";Match of Four;;;;;;;;",
        "Pl;Player;Total;1;2;3;1;2;3",
        "1;A;5;4w1;3w1;2w1;4b1;3b1;2b0",
        "2;B;4;3b1;4b1;1b0;3w1;4w0;1w1",
        "3;C;2;2w0;1b0;4b1;2b0;1w0;4w1",
        "4;D;1;1b0;2w0;3w0;1w0;2b1;3b0",
    ]
    reading = reading_of(ROBIN, "\n".join(rows))
    assert not reading.findings
    assert reading.document
    assert [(each.number, len(each.pairings)) for each in reading.document.rounds] == [
        (number, 2) for number in range(1, 7)
    ]


def test_numbers_that_follow_no_order_are_not_counted_on() -> None:
    heading = GridRow(1, ("No", "Name", "1", "2", "2"))
    mapping = guessed_as(HeadedTable(Grid((heading,)), heading, ()), CROSSTABLE)
    assert [each for each in mapping.columns.values() if each.startswith("round:")] == ["round:1", "round:2"]


@pytest.mark.parametrize("word", ["bye", "BYE", "spielfrei", "vrij"])
def test_a_bye_in_three_columns_may_be_a_word(word: str) -> None:
    """Where one cell was none, no column was joined: every game was one to come, and nothing objected."""
    rows = SWISS_MANAGER.example.replace("1;w;0;-;-;x;2;b;0;x", "1;w;0;-;-;1;2;b;0;1")
    found = read(CHESS, rows.replace("1;w;0;-;-;1", f"1;w;0;{word};;"))
    assert list(found.pairings()) == list(read(CHESS, rows).pairings())


def test_three_columns_that_are_no_round_are_told_and_the_others_read() -> None:
    text = SWISS_MANAGER.example.replace("1;2;IM;Arends, Bo;2400;NED;3;b;1;", "1;2;IM;Arends, Bo;2400;NED;3;q;1;")
    reading = reading_of(CHESS, text)
    assert [(each.code, each.where) for each in reading.findings if each.severity == "error"] == [
        ("no-cell", "row 6, column 1.Rd.")
    ]
    assert "“3 q 1”" in reading.findings[0].message
