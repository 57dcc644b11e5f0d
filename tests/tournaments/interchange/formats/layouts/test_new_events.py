"""New events from tables: contradictory facts, contradictory cells, and the forms of other files."""

import pytest

from standings.checking.comparing import agreements_with_published
from tournaments.event.judging import judge_document
from tournaments.interchange.formats.account import Count
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.outline import outline_of
from tournaments.interchange.formats.layouts.reading import LaidOutReading, outline_for, read_new_event
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.options import AS_FOUND


def made(text: str, name: str = "file.csv", **form: str) -> LaidOutReading:
    """Return the event of a file with these form values."""
    found = read_by_layout(LayoutFile(name, text.encode()))
    facts = outline_of({"slug": "harbour", "start": "2021", "discipline": "chess", **form}, "the form")
    return read_new_event(found, outline_for(found.reading, facts, name), AS_FOUND)


def codes(reading: LaidOutReading) -> list[str]:
    return [each.code for each in reading.findings]


def results(reading: LaidOutReading) -> list[tuple[int, int, int | None, str, int | None, int | None]]:
    """Return round, both sides, kind and half-points of each pairing."""
    assert reading.document
    return [
        (number, each.first, each.second, each.kind, each.first_score, each.second_score)
        for number, each in reading.document.pairings()
    ]


def counted(reading: LaidOutReading, what: str) -> Count:
    return next(each for each in reading.account if each.what == what)


def agreeing(reading: LaidOutReading) -> dict[str, tuple[int | None, int]]:
    """Return the number of equal rows in each printed column, and the number of rows."""
    assert reading.document
    assert reading.document.published
    found = agreements_with_published(judge_document(reading.document), reading.document.published)
    return {each.label: (each.agreeing, each.rows) for each in found if each.checked}


def test_end_before_start_is_rejected_with_both_places() -> None:
    text = "Harbour Cup\n2005-05-01 - 2005-05-03\nNo;Name;R1\n1;Ann;2w1\n2;Bea;1b0\n"
    reading = made(text, start="2019")

    (finding,) = reading.errors
    assert (finding.code, finding.where) == ("ends-before-start", "end")
    assert "start: the form; end: row 2" in finding.message
    assert made(text, start="2005").accepted


def test_country_in_the_place_of_a_code_is_its_code() -> None:
    reading = made("No;Name;Country;R1\n1;Ann;Belgium;2w1\n2;Bea;Spain;1b0\n")

    assert reading.accepted
    assert [each.code for each in reading.accepted.competitors] == ["BEL", "ESP"]


def test_fault_of_the_event_is_reported_once() -> None:
    reading = made("No;Name;R1\n1;Ann;2w1\n2;Bea;1b0\n", start="2019-05-03", end="2019-05-01")

    assert codes(reading) == ["ends-before-start"]


# --- scorings ---------------------------------------------------------------------------------------------


def test_points_imply_the_scoring() -> None:
    text = (
        ";Harbour Masters 2018;;;;;;;;\nPl;FMJD-id;Title;Name;Cn;rating;R1;R2;R3;Pts\n"
        "1;;;Bo Arends;nl;;12/3w;6/2b;12/4b;30\n2;;;Cas Brill;nl;;12/4b;4/1w;9/3b;25\n"
        "3;;;Dee Claes;nl;;0/1b;12/4w;1/2w;13\n4;;;Eva Dorn;nl;;0/2w;0/3b;0/1w;0\n"
    )
    reading = made(text, discipline="")

    assert codes(reading) == []
    assert reading.outline
    assert reading.outline.scoring == "12-0 9-1 6-4"
    assert agreeing(reading)["Pts"] == (4, 4)


@pytest.mark.parametrize(
    ("win", "other", "scoring"),
    [("2", "0", "2-1-0"), ("1½", "½", "2-0 1½-½"), ("1", "0", "1-½-0"), ("3", "0", "3-1-0")],
)
def test_simplest_possible_scoring_is_proposed(win: str, other: str, scoring: str) -> None:
    reading = made(f"No;Name;R1\n1;Ann;2w{win}\n2;Bea;1b{other}\n", discipline="")

    assert reading.outline
    assert reading.outline.scoring == scoring


def test_single_error_does_not_change_the_scoring() -> None:
    rounds = ";".join(map(str, range(1, 23)))
    first = ";".join(["2w1½", *["2w2"] * 20, "2w1"])
    second = ";".join(["1b½", *["1b0"] * 20, "1b½"])
    reading = made(f"No;Name;{rounds}\n1;Ann;{first}\n2;Bea;{second}\n")

    assert reading.outline
    assert reading.outline.scoring == "2-0 1½-½"
    (objection,) = reading.objections
    assert objection.code == "contradiction"
    assert "1-½ cannot be" in objection.message
    assert objection.message.endswith("accept this, and an unknown result.")
    assert results(reading)[-1] == (22, 1, 2, "unknown", None, None)


# --- rows and cells ---------------------------------------------------------------------------------------


def test_loss_without_opponent_has_no_points() -> None:
    text = (
        "Harbour Cup 2021\nPl;FMJD-id;Name;R1;R2;Pt\n1;;Ann;2/2w;2/3b;4\n2;;Bea;0/1b;2/4w;2\n"
        "3;;Cas;0/4b;0/1w;0\n4;;Dummy;0/3w;0/2b;0\n"
    )
    reading = made(text, discipline="")

    assert codes(reading) == ["dummy-competitor"]
    assert [each for each in results(reading) if each[2] is None] == [
        (1, 3, None, "zero-bye", 0, None),
        (2, 2, None, "bye", 4, None),
    ]


def test_remarks_without_a_blank_are_no_rows() -> None:
    text = (
        "Harbour Cup 2021 (Blitz)\nPl;Name;1;2\n1;Ann;2w2;2b1\n2;Bea;1b0;1w1\n#\n"
        "#          S1  S2  |  s  |\n#Ann     | xx  21  |  3  |\n#2;Bea; 01  xx\n"
    )
    reading = made(text + "#----+----+\n" * 20, discipline="draughts-100")

    assert codes(reading) == []
    assert results(reading) == [(1, 1, 2, "played", 4, 0), (2, 2, 1, "played", 2, 2)]
    lines = counted(reading, "lines")
    assert (lines.read, lines.unread) == (4, 24)


@pytest.mark.parametrize("cell", ["2w.", "2x."])
def test_point_for_a_result_is_unknown(cell: str) -> None:
    reading = made(f"No;Name;R1;R2\n1;Ann;2b1;{cell}\n2;Bea;1w0;1b.\n", rounds="2")

    if cell == "2x.":
        assert "no-cell" in codes(reading)
    else:
        assert results(reading)[1] == (2, 1, 2, "unknown", None, None)


def test_points_after_opponent_without_colour() -> None:
    reading = made("Pl;Name;1;2;3\n1;Ann;2x2;;\n2;Bea;1x0;;3x1\n3;Cas;;;2x1\n", discipline="")

    assert codes(reading) == []
    assert results(reading) == [(1, 1, 2, "played", 4, 0), (3, 2, 3, "played", 2, 2)]


def test_decimal_figures_are_no_ratings() -> None:
    reading = made("Pl.;Naam;rating;1;2\n1;Ann;0,1552;2w1;2b½\n2;Bea;0,2103;1b0;1w½\n")

    assert codes(reading) == []
    assert reading.document
    assert [each.rating for each in reading.document.competitors] == [None, None]
    assert counted(reading, "columns").examples == ("rating",)


def test_tie_breaks_of_a_square_are_stored_as_printed() -> None:
    text = "Cup\nRk.;Nombre;1;2;3;Pts;Des 1\n1;Ann;*;1;½;1,5;1,25\n2;Bea;0;*;1;1;0,5\n3;C;½;0;*;0,5;0,75\n"
    reading = made(text)

    assert counted(reading, "printed figures").read == 3
    assert reading.document
    assert reading.document.published
    assert reading.document.published.columns["Des 1"] == {"1": "1.25", "2": "0.5", "3": "0.75"}


# --- texts around a table ---------------------------------------------------------------------------------

ROUNDS = "No;Name;R1;R2\n1;Ann;2w1;3b½\n2;Bea;1b0;\n3;Cas;;1w½\n"


def test_titles_above_an_empty_line_are_no_competitors() -> None:
    reading = made(f"Some Federation\nOfficial results of 2021\n\n{ROUNDS}")

    assert reading.document
    assert [each.name for each in reading.document.competitors] == ["Ann", "Bea", "Cas"]
    assert reading.document.event.name == "Some Federation"


def test_a_remark_below_an_empty_line_is_no_row() -> None:
    reading = made(f"Harbour Cup\n{ROUNDS}\nPrinted by a program, page 1 of 1\n")

    assert not reading.errors
    assert counted(reading, "lines").examples == ("Printed by a program, page 1 of 1",)


def test_half_in_figures_on_several_boards() -> None:
    whole = "No;Team;R1;R2\n1;Reds;2w31/2;2b2\n2;Blues;1b1/2;1w2\n"
    reading = made(whole, boards="4", entrants="teams")

    assert results(reading) == [(1, 1, 2, "played", 7, 1), (2, 2, 1, "played", 4, 4)]


# --- tie-breaks named below the table ---------------------------------------------------------------------

PAGE = """<html lang="es"><body><h2>Abierto del Puerto 2021</h2><h2>Cuadro cruzado después de 3 rondas</h2>
<table><tr><th>Rk.</th><th></th><th>Nombre</th><th>1.Rd</th><th>2.Rd</th><th>3.Rd</th>
<th>&nbsp;Des 1&nbsp;</th><th>&nbsp;Des 2&nbsp;</th><th>&nbsp;Des 3&nbsp;</th></tr>
<tr><td>1</td><td></td><td>Ann</td><td> 2w1</td><td> 4w1</td><td> 3b1</td><td>3</td><td>3</td><td>3</td></tr>
<tr><td>2</td><td></td><td>Bea</td><td> 1b0</td><td> 3w1</td><td> 4b1</td><td>2</td><td>4</td><td>1</td></tr>
<tr><td>3</td><td></td><td>Cas</td><td> 4w1</td><td> 2b0</td><td> 1w0</td><td>1</td><td>5</td><td>0</td></tr>
<tr><td>4</td><td></td><td>Dov</td><td> 3b0</td><td> 1b0</td><td> 2w0</td><td>0</td><td>6</td><td>0</td></tr>
</table><p>Anotación:<br/>Desempate 1: points (game-points)<br/>Desempate 2: Buchholz Tie-Breaks (variabel)
<br/>Desempate 3: Sonneborn-Berger-Tie-Break variable</p></body></html>"""


def test_points_column_of_the_legend_is_compared() -> None:
    reading = made(PAGE, "page.html")

    assert reading.recognition.layout
    assert reading.recognition.layout.code == "chess-results"
    assert codes(reading) == ["outside-tables"]
    assert counted(reading, "points").read == 4
    assert agreeing(reading) == {"Pts": (4, 4), "SB": (4, 4), "order": (4, 4)}
    assert reading.document
    assert reading.document.published
    assert sorted(reading.document.published.columns) == ["Des 2", "Pts", "SB"]


# --- other languages, and shared places -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "white", "black", "found"),
    [
        ("Poř.;Jméno;Rtg;1.Kolo;2.Kolo;3.Kolo;Body", "b", "c", ["colour-letters"]),
        ("Sıra;İsim;Rtg;1.Tur;2.Tur;3.Tur;Puan", "b", "s", ["colour-letters"]),
        ("Plac.;Namn;Rating;Rond 1;Rond 2;Rond 3;Poäng", "v", "s", []),
        ("Hely;Név;Élő;1;2;3;Pont", "v", "s", []),
        ("Rbr;Ime;Rtg;1.Kolo;2.Kolo;3.Kolo;Poeni", "b", "c", ["colour-letters"]),
        ("M-ce;Zawodnik;Elo;1;2;3;Pkt", "b", "c", ["colour-letters"]),
    ],
)
def test_further_languages_of_headings(heading: str, white: str, black: str, found: list[str]) -> None:
    w, b = white, black
    rows = (
        f"1;Anna;1800;2{w}1;3{b}1;4{w}1;3",
        f"2;Bea;1700;1{b}0;4{w}1;3{b}½;1,5",
        f"3;Carl;1600;4{b}½;1{w}0;2{w}½;1",
        f"4;Dino;1500;3{w}½;2{b}0;1{b}0;0,5",
    )
    reading = made("\n".join(("Cup 2021", heading, *rows, "")))

    assert codes(reading) == found
    assert agreeing(reading)["Pts"] == (4, 4)
    assert counted(reading, "columns").unread == 0


@pytest.mark.parametrize("shared", ["1-2", "=1", "1=", "1–2."])
def test_shared_place_is_the_first_of_its_places(shared: str) -> None:
    first = f"{shared};Ann;2w½;3b1;1½\n{shared};Bea;1b½;4w1;1½"
    reading = made(f"Cup 2021\nPl.;Name;1;2;Pts\n{first}\n3;Cas;;1w0;0\n4;Dov;;2b0;0\n")

    assert counted(reading, "ranks").unread == 0
    assert reading.document
    assert reading.document.published
    assert [list(each) for each in reading.document.published.order] == [[1, 2], [3], [4]]


@pytest.mark.parametrize("digits", [7, 400, 5000], ids=str)
@pytest.mark.parametrize(
    "text",
    [
        "Harbour 1873\nPl;Name;Total;1;2;3\n1;Ann;4.5;x;1½;{}\n2;Bea;2;{};x;1½\n3;Cas;1.5;1½;½;x\n",
        "Harbour 1951\nPl;Name;R1;R2;Pt\n1;Ann;2/3w;{}/2b;5\n2;Bea;0/3b;1/1w;1\n3;Cas;2/1b;2/2w;4\n",
    ],
    ids=["matches", "cross-table"],
)
def test_huge_score_is_as_fast_as_others(text: str, digits: int) -> None:
    """The scoring was searched for each sum up to twice the largest figure, which needed gigabytes."""
    reading = made(text.replace("{}", "9" * digits))

    assert ("too-long" if digits > 2000 else "contradiction") in codes(reading)


def test_form_values_of_ratings_and_time_zone_are_stored() -> None:
    text = "No;Name;DWZ;R1\n1;Ann;1900;2w1\n2;Bea;1800;1b0\n"
    stated = made(text, rated_as="rapid", time_zone="Europe/Amsterdam").document
    assert stated
    event = stated.event
    assert (event.rated_as, event.ratings_from, event.time_zone) == ("rapid", "local", "Europe/Amsterdam")
    unstated = made(text.replace("DWZ", "Elo")).document
    assert unstated
    assert (unstated.event.rated_as, unstated.event.ratings_from, unstated.event.time_zone) == ("", "", "")


TITLED_GAME = """[Event "Quay Cup"]
[Round "1"]
[White "Ann Reed"]
[Black "Bea Moss"]
[WhiteTitle "wim"]
[BlackTitle "G4@EX.OR"]
[Result "1-0"]

1. e4 1-0
"""
TITLED_TEAM_GAME = TITLED_GAME.replace("[Result", '[WhiteTeam "Reds"]\n[BlackTeam "Blues"]\n[Result')


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (TITLED_GAME, "games.pgn"),
        ("No;Name;Title;R1\n1;Ann Reed;wim;2w1\n2;Bea Moss;G4@EX.OR;1b0\n", "table.csv"),
        (TITLED_TEAM_GAME, "teams.pgn"),
    ],
)
def test_only_known_titles_are_stored(text: str, name: str) -> None:
    reading = made(text, name)

    assert reading.accepted, reading.findings
    entrants = reading.accepted.competitors
    players = [player for each in entrants for player in each.players or (each,)]
    assert [each.title for each in players] == ["WIM", ""]
    (finding,) = [each for each in reading.findings if each.code == "unknown-title"]
    assert "“G4@EX.OR” is no known title" in finding.message
