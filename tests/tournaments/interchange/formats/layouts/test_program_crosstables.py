"""Crosstables of Papi, SwissPerfect and the ECF's LMS: every cell, and the other forms of their files."""

import re
from pathlib import Path

import pytest

from tournaments.event.document import Document
from tournaments.interchange.formats.layouts.outline import outline_of
from tournaments.interchange.formats.layouts.program_crosstables import ECF_LMS, PAPI, SWISS_PERFECT
from tournaments.interchange.formats.tables.crosstable_cells import CellReading, read_cell
from tournaments.interchange.formats.validating.validation import Validation, validate

CASES = Path(__file__).parents[4] / "cases"
BEGUN = outline_of({"start?": "2024"}, "the form")

PAPI_ROUNDS = "1 1-4 2:0, 1 2-5 forfeit 2:0, 1 3 bye, 2 3-1 0:2, 2 4-2 0:2, 3 1-2 1:1, 3 4-3 1:1"
PERFECT_ROUNDS = (
    "1 1-4 2:0, 1 2-5 forfeit 2:0, 1 3 bye, 2 1-3 2:0, 2 2 half-bye, 2 4-5 2:0, "
    "3 1-2 1:1, 3 3-4 2:0, 3 5 absent"
)
LMS_ROUNDS = "1 4-1 0:2, 1 2-3 2:0, 2 1-2 1:1, 2 3-4 2:0, 3 3-1 0:2, 3 2 absent, 3 4 half-bye"


def told(document: Document) -> str:
    """Return the pairings with round, sides, kind and half-points."""
    return ", ".join(
        f"{number} {each.first} {each.kind}"
        if each.second is None
        else f"{number} {each.first}-{each.second}{' forfeit' * (each.kind == 'forfeit')} "
        f"{each.first_score}:{each.second_score}"
        for number, each in document.pairings()
    )


def read(content: bytes, name: str) -> Validation:
    return validate(content, name, facts=BEGUN)


@pytest.mark.parametrize(
    ("name", "rounds", "codes"),
    [
        ("ffe-grille.csv", PAPI_ROUNDS, ["colour-letters"]),
        ("swissperfect.txt", PERFECT_ROUNDS, []),
        ("ecf-lms-standings.csv", LMS_ROUNDS, []),
    ],
)
def test_every_cell_of_a_file_is_read_and_points_agree(name: str, rounds: str, codes: list[str]) -> None:
    found = read((CASES / name).read_bytes(), name)
    assert [each.finding.code for each in found.findings] == codes
    assert found.document
    assert told(found.document) == rounds
    event = found.document.event
    assert (event.discipline, event.entrants, event.schedule, event.planned_rounds) == (
        "chess", "players", "swiss", 3,
    )  # fmt: skip
    assert event.unknown == (("colours",) if name == "swissperfect.txt" else ())
    counts = {each.what: each for each in found.account}
    assert not any(counts[what].unread for what in ("cells", "points"))


def test_only_the_start_is_missing_from_a_file_of_swiss_perfect() -> None:
    found = validate((CASES / "swissperfect.txt").read_bytes(), "swissperfect.txt")
    assert [each.finding.where for each in found.findings] == ["start"]


def test_papi_category_is_sex_and_category_and_rating_has_its_kind() -> None:
    document = read(PAPI.example.encode(), "a.csv").document
    assert document
    first, _, third = document.competitors[:3]
    assert (first.rating, first.rating_class, first.sex, first.categories) == (2100, "f", "m", ("Sen", "IDF"))
    assert (third.rating, third.rating_class, third.sex, third.categories) == (1900, "n", "w", ("Sen", "BRE"))


def test_letters_before_the_names_of_papi_are_titles() -> None:
    text = PAPI.example.replace("Pl;Nom", "Pl;;Nom").replace("1;A", "1;m;A")
    document = read(re.sub(r"(?m)^(\d);(?!m)", r"\1;;", text).encode(), "a.csv").document
    assert document
    assert [each.title for each in document.competitors[:2]] == ["IM", ""]


def test_ranking_of_papi_is_recognised_by_its_columns() -> None:
    heading = "Pl;;Nom;Elo;Cat.;Fede;Ligue;Pts"
    text = f"{heading}\n1;g;ARENDS Bo;2100 F;SenF;FRA;IDF;2\n2;;BRILL Cas;1990 N;SenM;FRA;BRE;1"
    facts = outline_of(
        {"start": "2024", "schedule": "swiss", "rounds": "3", "results": "unknown"}, "the form"
    )
    document = validate(text.encode(), "a.csv", facts=facts).document
    assert document
    first = document.competitors[0]
    assert (first.title, first.sex, first.rating_class, document.event.discipline) == (
        "GM",
        "w",
        "f",
        "chess",
    )


def test_blank_line_below_the_heading_belongs_to_columns_of_fixed_width() -> None:
    text = (
        "No  Name        Feder  Rtg  Loc   Total  1    2\n\n"
        "1.  Arends, Bo  NED    2100       2      2:W  3:W\n"
        "2.  Brill, Cas  BEL    2000 2010  1      1:L  0:W\n"
        "3.  Claes, Dee  NED    1900       1      0:W  1:L\n"
    )
    document = read(text.encode(), "a.txt").document
    assert document
    assert [each.rating for each in document.competitors] == [2100, 2000, 1900]


def test_swiss_perfect_has_federation_and_ids() -> None:
    document = read(SWISS_PERFECT.example.encode(), "a.txt").document
    assert document
    first = document.competitors[0]
    assert (first.code, first.fide_id, first.rating) == ("NED", 1000001, 2100)
    local = SWISS_PERFECT.example.replace("Rtg;", "Loc;")
    document = read(local.encode(), "a.txt").document
    assert document
    assert (document.competitors[0].rating, document.event.ratings_from) == (2100, "local")


ROWS = {
    each.code: [line.split(";") for line in each.example.splitlines()]
    for each in (PAPI, SWISS_PERFECT, ECF_LMS)
}


def in_columns(rows: list[list[str]]) -> str:
    width = max(map(len, rows))
    table = [[*map(str.strip, row), *[""] * (width - len(row))] for row in rows if len(row) > 2]
    widths = [max(len(row[at]) for row in table) for at in range(width)]
    lines = [
        "  ".join(cell.ljust(widths[at]) for at, cell in enumerate(row)).rstrip() if len(row) > 2 else row[0]
        for row in ([*row, *[""] * (width - len(row))] if len(row) > 2 else row for row in rows)
    ]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("code", "rounds"),
    [("papi", PAPI_ROUNDS), ("swiss-perfect", PERFECT_ROUNDS), ("ecf-lms", LMS_ROUNDS)],
)
def test_separators_encodings_and_columns_may_differ(
    code: str, rounds: str, subtests: pytest.Subtests
) -> None:
    rows = ROWS[code]
    text = "\n".join(";".join(row) for row in rows)
    fewer = text if code == "ecf-lms" else "\n".join(";".join(row[:2] + row[3:]) for row in rows)
    forms = {
        "tabs": text.replace(";", "\t").encode(),
        "bars": text.replace(";", "|").encode(),
        "commas": "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows).encode(),
        "blanks": in_columns(rows).encode(),
        "utf-16": text.encode("utf-16"),
        "cp1252": text.encode("cp1252"),
        "cp850": text.encode("cp850"),
        "line ends": text.replace("\n", "\r\n").encode("utf-8-sig"),
        "half points": text.replace("½", ",5").encode(),
        "fractions": text.replace("½", "1/2").encode(),
        "no third column": fewer.encode(),
        "no points": text.replace("Pts", "?").replace("Total", "?").encode(),
    }  # fmt: skip
    for form, content in forms.items():
        with subtests.test(form):
            found = read(content, "a.csv" if form != "blanks" else "a.txt")
            assert found.document, found.findings
            assert told(found.document) == rounds


def test_page_of_the_french_federation_has_boxes_over_the_names() -> None:
    title, grid, *table = ROWS["papi"]
    box = '<div class="papi_joueur_box"><b>{0}</b><div><table><tr><td>1</td></tr></table></div></div>'
    lines = [
        [cell if at != 1 or row[0] == "Pl" else box.format(cell) for at, cell in enumerate(row)]
        for row in table
    ]
    rows = "".join(f"<tr><td>{'<td>'.join(row).replace('<  ', '&lt; &nbsp;')}" for row in lines)
    page = f"<table><tr class=papi_titre><td colspan=11>{title[0]}<br>{grid[0]}</tr>{rows}</table>"
    document = validate(page.encode(), "a.html").document
    assert document
    assert document.event.name == "Open du Port 2024"
    assert told(document) == PAPI_ROUNDS


@pytest.mark.parametrize("code", ["papi", "swiss-perfect"])
def test_lost_tabs_are_reported(code: str) -> None:
    text = "\n".join(" ".join(filter(None, map(str.strip, row))) for row in ROWS[code])
    assert [each.finding.code for each in read(text.encode(), "a.txt").findings] == ["lost-tabs"]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("+  4B", CellReading(4, colour="b", outcome="won")),
        ("> 5B", CellReading(5, "forfeit", "b", "won")),
        ("< 2N", CellReading(2, "forfeit", "b", "lost")),
        ("EXE", CellReading(None, "bye")),
        ("=", CellReading(None, "half-bye")),
        (" 4:W", CellReading(4, outcome="won")),
        ("4:½", CellReading(4, score=1)),
        ("5:+", CellReading(5, "forfeit", outcome="won")),
        ("0:W", CellReading(None, "bye")),
        ("0:1", CellReading(None, "bye", score=2)),
        ("0:D", CellReading(None, "half-bye")),
        ("0:=", CellReading(None, "half-bye")),
        ("0:L", CellReading(None, "absent")),
        (" : ", CellReading(None, "absent")),
        ("1 (b4)", CellReading(4, colour="b", score=2)),
        ("1/2 (w12)", CellReading(12, colour="w", score=1)),
        ("- (b4)", CellReading(4, "pending", "b")),
        ("½ (bye)", CellReading(None, "half-bye", score=1)),
        ("1 (bye)", CellReading(None, "bye", score=2)),
        ("0 (bye)", CellReading(None, "absent")),
        ("- (  )", CellReading(None, "absent")),
        ("(bye)", None),
        (":5", None),
        ("> B", None),
    ],
)  # fmt: skip
def test_cells_of_programs(text: str, reading: CellReading | None) -> None:
    assert read_cell(text) == reading


def test_round_without_a_game_is_an_absence_unless_the_total_has_points_for_it() -> None:
    text = ECF_LMS.example.replace("- (  );1½", "- (  );2")
    (objection,) = (each.finding for each in read(text.encode(), "a.csv").findings)
    assert objection.code == "printed-points"
    assert "No games are played in round 3: a bye may be missing." in objection.message


def test_first_and_last_names_are_joined_and_contacts_are_not_quoted() -> None:
    text = (
        "No,First name,Last name,FIDE ID,Email,Phone,R1,R2\n1,Bo,Arends,1000001,bo@example.org,061,2w1,2b1\n"
        "2,Cas,Brill,1000002,cas@example.org,062,1b0,1w0\n"
    )
    found = validate(text.encode(), "a.csv", facts=outline_of({"start": "2024", "discipline": "chess"}, "x"))
    assert found.document
    assert [each.name for each in found.document.competitors] == ["Arends, Bo", "Brill, Cas"]
    assert found.document.event.entrants == "players"
    assert "example.org" not in f"{found.document} {found.account} {found.findings}"


def test_given_name_that_begins_the_surname_is_kept() -> None:
    text = "No;Surname;First name;R1\n1;Jansen;Jan;2w1\n2;Boer, Bo;Bo;1b0\n"
    found = validate(text.encode(), "a.csv", facts=outline_of({"start": "2024", "discipline": "chess"}, "x"))
    assert found.document
    assert [each.name for each in found.document.competitors] == ["Jansen, Jan", "Boer, Bo"]
