"""Tables whose tabs were lost: single blanks, or columns of fixed width."""

import pytest

from tests.tournaments.interchange.formats.layouts.test_crosstables import CHESS, read, reading_of
from tournaments.interchange.formats.layouts.chess_results import CHESS_RESULTS
from tournaments.interchange.formats.tables.text import grids_of_text

ROWS = [line.split(";") for line in CHESS_RESULTS.example.splitlines()[3:9]]
ABOVE = "From the Tournament-Database of Chess-Results http://chess-results.com\nWinter Open 2019\n"
BELOW = "\nAnnotation:\nTie Break1: Buchholz Tie-Breaks (variabel with parameter)\n"


def same(text: str) -> bool:
    """Return whether a text is read like the example it was made from."""
    found, example = read(CHESS, text), read(CHESS, CHESS_RESULTS.example)
    particulars = [
        [(each.name, each.title, each.rating, each.code) for each in of.competitors]
        for of in (found, example)
    ]
    return list(found.pairings()) == list(example.pairings()) and particulars[0] == particulars[1]


@pytest.mark.parametrize("around", [("", ""), (ABOVE, ""), (ABOVE, BELOW)])
def test_single_blanks_are_split_by_the_heading(around: tuple[str, str]) -> None:
    """Commas in names and points used to split columns, and tie-breaks were read as results."""
    lines = [" ".join(filter(None, (cell.strip() for cell in row))) for row in ROWS]
    assert same("\n".join(lines).join(around))


@pytest.mark.parametrize("is_right", [False, True])
@pytest.mark.parametrize("gap", [1, 2])
def test_columns_of_fixed_width_are_split(gap: int, *, is_right: bool) -> None:
    width = [max(len(row[at].strip()) for row in ROWS) for at in range(len(ROWS[0]))]
    lines = [
        (" " * gap).join(
            cell.strip().rjust(size) if is_right and at != 2 else cell.strip().ljust(size)
            for at, (cell, size) in enumerate(zip(row, width, strict=True))
        )
        for row in ROWS
    ]
    assert same(ABOVE + "\n".join(lines))


def test_unreadable_line_is_named() -> None:
    lines = [" ".join(filter(None, (cell.strip() for cell in row))) for row in ROWS]
    lines[3] = lines[3].replace("5w½ 1w0 ", "5w½ ")  # a cell is missing
    reading = reading_of(CHESS, "\n".join(lines))
    assert "row 4, column Name" in [each.where for each in reading.findings if each.severity == "error"]


def test_ambiguous_club_has_advice() -> None:
    text = "Rk. Name Club 1.Rd 2.Rd Pts.\n1 Arends Bo SC Port 2w1 3b1 2\n2 Brill Cas SC Quay 1b0 3w1 1\n"
    grids, (finding,) = grids_of_text(text)
    assert (grids, finding.code, finding.where) == ([], "lost-tabs", "line 1")
    assert "Copy the table again" in finding.message


@pytest.mark.parametrize("sign", [";", ",", "\t"])
def test_first_line_may_name_the_separator(sign: str) -> None:
    text = "sep=;\r\nWinter Open 2019\r\nRk.;Name;1.Rd\r\n1;Ann;2w1\r\n2;Bea;1b0\r\n".replace(";", sign)
    (grid,), _ = grids_of_text(text)
    assert [row.cells for row in grid.rows][:2] == [("Winter Open 2019",), ("Rk.", "Name", "1.Rd")]


def test_lost_tabs_of_a_ranking_are_reported() -> None:
    rows = (
        "1 2 GM Arends, Bo NED 2447 4½ 14\n2 1 Brill, Cas BEL 2400 3 14½\n3 4 van der Meer, J NED 1950 3 13"
    )
    grids, findings = grids_of_text(f"Harbour Open\nRk. SNo Name FED Rtg Pts. TB1\n{rows}")

    assert (grids, [(each.code, each.where) for each in findings]) == ([], [("lost-tabs", "line 2")])
