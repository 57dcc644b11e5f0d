"""Crosstables of programs and sites in their layouts: results, printed values, findings."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats import samples
from tournaments.event.document import Document
from tournaments.interchange.formats.account import Count
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.cells import outline_of_cells
from tournaments.interchange.formats.layouts.chess_results import CHESS_RESULTS
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile
from tournaments.interchange.formats.layouts.program_crosstables import (
    DRAUGHTS_ARBITER,
    GAME_FILE,
    MATCH_SQUARE,
    SWISS_MANAGER,
    TOERNOOIBASE,
)
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.headings import CROSSTABLE, HeadedTable, guessed_as
from tournaments.interchange.formats.tables.reading import read_tables

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
    """Return the reading of a file by the recognised layout."""
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading
    made = read_tables(base, found.tables, games=found.games)
    return replace(made, findings=(*found.findings, *made.findings))


def read(base: Document, text: str) -> Document:
    """Return the event with the data of a valid file."""
    reading = reading_of(base, text)
    assert reading.accepted, reading.findings
    return reading.accepted


def account(text: str) -> dict[str, Count]:
    """Return the counts of the layout."""
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
def test_examples_are_read_completely_and_agree_with_printed_values(
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


def test_ranks_and_tie_breaks_are_published_standings() -> None:
    published = read(CHESS, CHESS_RESULTS.example).published

    assert published
    assert published.order == [[1], [2], [3], [4], [5]]
    assert published.columns["TB2"]["1"] == "2.75"


def test_printed_zero_has_no_sign() -> None:
    published = read(CHESS, CHESS_RESULTS.example.replace("0,5;3,5;0,75", "0,5;-0;-0,00")).published

    assert published
    assert [published.columns[label]["5"] for label in ("TB1", "TB2")] == ["0", "0"]


def test_missing_place_is_that_of_the_row_above() -> None:
    published = read(CHESS, SWISS_MANAGER.example).published

    assert published
    assert published.order == [[2], [1], [4, 3]]
    assert published.columns["RecRp"]["4"] == "1900"


def test_url_in_the_footer_is_the_source() -> None:
    outline = read_by_layout(LayoutFile("file.csv", CHESS_RESULTS.example.encode())).reading.outline

    assert outline.sources.splitlines()[0] == "https://chess-results.com/tnr12345.aspx?lan=1"
    assert (outline.name, outline.published) == ("Winter Open 2019", "chess-results.com")


def test_countries_after_names_are_codes_if_known() -> None:
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


def test_contradicted_points_are_an_objection_with_both_values() -> None:
    text = TOERNOOIBASE.example.replace("2/3w;5\n", "2/3w;11\n")
    (objection,) = reading_of(DRAUGHTS, text).objections

    assert objection.where == "row 4, column Pt"
    assert "11 is printed for Bo Arends" in objection.message
    assert "add up to 5" in objection.message


def test_games_of_a_square_are_in_order() -> None:
    found = read(ROBIN, MATCH_SQUARE.example)

    met = [
        (number, each.first_score if each.first == 1 else each.second_score)
        for number, each in found.pairings()
        if {each.first, each.second} == {1, 2}
    ]
    assert [score for _, score in sorted(met)] == [2, 2, 1]


def test_both_games_of_an_opponent_may_have_their_own_columns() -> None:
    rows = "1;GM;Arends, Bo;*;*;1;½;1;1;3,5\n2;;Brill, Cas;0;½;*;*;1;½;2\n3;;Claes, Dee;0;0;0;½;*;*;0,5\n"
    found = read(ROBIN, f"Rk.;;Name;1a;1b;2a;2b;3a;3b;Pts.\n{rows}")

    met = [
        (each.first_score, each.second_score) if each.first == 1 else (each.second_score, each.first_score)
        for _, each in found.pairings()
        if {each.first, each.second} == {1, 2}
    ]
    assert sorted(map(str, met)) == ["(1, 1)", "(2, 0)"]


def test_win_of_three_with_extra_game_is_a_list_of_results() -> None:
    text = "Game file\nPl;Name;1;2;3\n1;Ann;3b1½;2w1½;2b3\n2;Bea;;1b1;1w0\n3;Cas;1w1;;\n"
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading

    assert outline_of_cells(found.tables).scoring == "3-0 1½-1"


def test_one_and_a_half_for_the_extra_game_is_a_list_of_results() -> None:
    text = "Game file\nPl;Name;1;2;3\n1;Ann;3b1½;2w½;2b2\n2;Bea;;1b1½;1w0\n3;Cas;1w½;;\n"
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading

    assert outline_of_cells(found.tables).scoring == "2-0 1½-½"


@pytest.mark.parametrize(
    ("heading", "kind"), [("DWZ", "local"), ("RtgN", "local"), ("Rtg", ""), ("Elo", ""), ("RtgI", "")]
)
def test_national_rating_heading_is_a_local_list(heading: str, kind: str) -> None:
    text = f"Pl;Name;{heading};1;2\n1;Ann;2000;2w1;3b1\n2;Bea;1900;1b0;\n3;Cas;1800;;1w0\n"
    found = read_by_layout(LayoutFile("file.csv", text.encode())).reading

    outline = outline_of_cells(found.tables)
    assert (outline.ratings_from, outline.places.get("ratings_from", "")) == (
        kind,
        f"the heading “{heading}”" if kind else "",
    )


def test_restarting_rounds_are_continued() -> None:
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


def test_unordered_numbers_are_not_continued() -> None:
    heading = GridRow(1, ("No", "Name", "1", "2", "2"))
    mapping = guessed_as(HeadedTable(Grid((heading,)), heading, ()), CROSSTABLE)
    assert [each for each in mapping.columns.values() if each.startswith("round:")] == ["round:1", "round:2"]


@pytest.mark.parametrize("word", ["bye", "BYE", "spielfrei", "vrij"])
def test_bye_in_three_columns_may_be_a_word(word: str) -> None:
    """A single unread cell used to prevent the joining, so that all games were open without an objection."""
    rows = SWISS_MANAGER.example.replace("1;w;0;-;-;x;2;b;0;x", "1;w;0;-;-;1;2;b;0;1")
    found = read(CHESS, rows.replace("1;w;0;-;-;1", f"1;w;0;{word};;"))
    assert list(found.pairings()) == list(read(CHESS, rows).pairings())


def test_invalid_three_columns_are_reported() -> None:
    text = SWISS_MANAGER.example.replace(
        "1;2;IM;Arends, Bo;2400;NED;3;b;1;", "1;2;IM;Arends, Bo;2400;NED;3;q;1;"
    )
    reading = reading_of(CHESS, text)
    assert [(each.code, each.where) for each in reading.findings if each.severity == "error"] == [
        ("no-cell", "row 6, column 1.Rd.")
    ]
    assert "“3 q 1”" in reading.findings[0].message


HEADING = "Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts. ;TB1;TB2\n"


@pytest.mark.parametrize(
    "between",
    [
        HEADING,
        "\n" + HEADING,
        "Page 1 of 2\n" + HEADING,
        "\nWinter Open 2019\nPage 2\n\n" + HEADING.upper(),
    ],
)
def test_pages_of_a_table_are_joined(between: str) -> None:
    """The repeated heading used to be a competitor, or the rows below it a table with half of the cells."""
    row = "3;FM;Brill, Cas"
    text = CHESS_RESULTS.example.replace(row, between + row)
    found = read(CHESS, text)
    assert list(found.pairings()) == list(read(CHESS, CHESS_RESULTS.example).pairings())
    assert len(found.competitors) == 5


def test_repeated_heading_counts_as_read() -> None:
    row = "3;FM;Brill, Cas"
    text = CHESS_RESULTS.example.replace(row, HEADING + row)
    counts = {each.what: each for each in reading_of(CHESS, text).account or ()}
    of_one = {each.what: each for each in reading_of(CHESS, CHESS_RESULTS.example).account or ()}
    assert counts["lines"].read == of_one["lines"].read + 1


OTHER_GROUP = (
    "Rk.;;Name;Rtg;FED;1.Rd;Pts. ;TB1\n1;;Fjord, Gro;1800;NOR; 2w1;1;1\n2;;Gale, Hal;1700;DEN; 1b0;0;0\n"
)


@pytest.mark.parametrize(
    "between", ["", "\n", "Group B\n", "\nGroup B\nFinal Ranking crosstable after 1 Rounds\n\n"]
)
def test_single_group_is_read_and_others_named(between: str) -> None:
    """The rows used to be a single event, with opponents in the wrong group."""
    text = CHESS_RESULTS.example + between + OTHER_GROUP
    assert names(text) == ["Arends, Bo", "Brill, Cas", "Claes, Dee", "Dorn, Eva", "Ekman, Finn"]
    reading = reading_of(CHESS, text)
    (told,) = (each for each in reading.findings if each.code == "several-events")
    assert (told.severity, "2 groups" in told.message) == ("warning", True)
    unread = next(each.unread for each in reading.account or () if each.what == "lines")
    assert unread >= 3
    assert names(text, part="2") == ["Fjord, Gro", "Gale, Hal"]


def test_table_of_some_competitors_is_a_separate_group() -> None:
    """Its numbers are places in the youth ranking, not in the open."""
    young = "Rk.;Name;1.Rd;Pts. \n1;Claes, Dee;-1;1\n2;Ekman, Finn;3b½;½\n"
    assert len(names(CHESS_RESULTS.example + "\nU16\n" + young)) == 5


def test_further_rounds_are_read_with_the_first() -> None:
    one = "Pl;Name;1;2\n1;Ann;2w1;3b1\n2;Bea;1b0;\n3;Cyd;;1w0\n"
    two = "\nPl;Name;3\n1;Ann;\n2;Bea;3w1\n3;Cyd;2b0\n"
    assert sorted(number for number, each in read(CHESS, one + two).pairings() if each.kind == "played") == [
        1,
        2,
        3,
    ]


def test_unknown_group_is_an_error() -> None:
    file = LayoutFile(
        "file.csv", (CHESS_RESULTS.example + OTHER_GROUP).encode(), ReadingOptions(part="Group Z")
    )
    assert [each.code for each in read_by_layout(file).reading.findings] == ["unknown-part"]


def names(text: str, **options: str) -> list[str]:
    """Return the competitors in the tables."""
    found = read_by_layout(LayoutFile("file.csv", text.encode(), ReadingOptions(**options))).reading
    reading = read_tables(CHESS, found.tables, games=found.games)
    assert reading.document
    return sorted(each.name for each in reading.document.competitors)


def test_colour_letters_in_columns_are_no_heading() -> None:
    text = SWISS_MANAGER.example.replace(";b;", ";n;").replace(";w;", ";b;")
    assert text.count(";n;") > 3
    assert list(read(CHESS, text).pairings()) == list(read(CHESS, SWISS_MANAGER.example).pairings())


@pytest.mark.parametrize(
    "word", ["Team", "Mannschaft", "Equipo", "Equipe", "Equipa", "Squadra", "Drużyna", "Команда"]
)
def test_team_headings_in_many_languages(word: str) -> None:
    text = f"Rk.;{word};1.Rd;2.Rd\n1;Reds;2w3;3b2½\n2;Blues;1b1;4w2\n3;Greens;4w2;1w1½\n4;Whites;3b2;2b2\n"
    assert [each.name for each in read(TEAMS, text).competitors] == ["Reds", "Blues", "Greens", "Whites"]
