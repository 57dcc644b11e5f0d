"""Tables from HTML pages of sites. All texts are read or reported."""

import pytest

from tests.growth import calls
from tests.tables import tables_of
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.test_layouts import CHESS, points, reading
from tournaments.interchange.formats.tables.grid import Grid
from tournaments.interchange.formats.tables.html import grids_of_page, is_page
from tournaments.interchange.formats.tables.reading import mapped_tables

PAGE = """<!DOCTYPE html><html lang="de"><head><meta charset="windows-1252">
<title>Results Server - Winter Open</title><style>td { color: red }</style>
<script>document.write("<table><tr><td>1</td></tr></table>")</script></head><body>
<table width="100%"><tr><td colspan="2"><a href="/">Home</a> | <a href="/x">Menu</a></td></tr>
<tr><td>Left</td><td><h2>Winter&nbsp;Open &amp; Friends</h2><h3>Ranking after Round 3</h3>
<table class="CRs1"><tr class="CRng1b"><th>Rk.</th><th>&nbsp;</th><th>Name</th><th>Rtg</th><th>FED</th>
<th>1.Rd</th><th>2.Rd</th><th>3.Rd</th><th>Pts. </th></tr>
<tr><td>1</td><td>IM</td><td><a href="p1">J&ouml;rg Ann</a></td><td>2400</td><td>NED</td>
<td> 4w1</td><td> 2b1</td><td> 5w&frac12;</td><td>2,5</td></tr>
<tr><td>2</td><td>FM</td><td>O&#8217;Cas</td><td>2300</td><td>BEL</td><td>5w½<td> 1w0<td> 4w+<td>1,5</tr>
<tr><td>3<td><td>Eve<td>2000<td>NED<td>-1<td>-½<td>-0<td>1,5
<tr><td>4<td><td>Bea<td>2100<td>GER<td>1b0<td>5w1<td>2b-<td>1
<tr><td>5<td><td>Dov<td>1900<td>FRA<td>2b½<td>4b0<td>1b½<td>1
</table></td></tr></table><p>You find all details at a server.</p></body></html>
"""


def cells(grid: Grid) -> list[tuple[str, ...]]:
    return [row.cells for row in grid.rows]


def grids(text: str) -> list[list[tuple[str, ...]]]:
    return [cells(each) for each in grids_of_page(text)[0]]


def test_page_has_its_tables_with_titles() -> None:
    (grid,), (finding,) = grids_of_page(PAGE)

    assert grid.name == "Ranking after Round 3"
    assert cells(grid)[:4] == [
        ("Results Server - Winter Open",),
        ("Winter\u00a0Open & Friends",),
        ("Ranking after Round 3",),
        ("Rk.", "", "Name", "Rtg", "FED", "1.Rd", "2.Rd", "3.Rd", "Pts."),
    ]
    assert (finding.code, "“Home | Menu”" in finding.message) == ("outside-tables", True)
    assert finding.message.startswith("3 texts of the page outside its tables are not read")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_page_is_imported_like_its_csv(encoding: str) -> None:
    read = samples.read_into(CHESS, "ranking.html", PAGE.encode(encoding))

    assert read.accepted, read.findings
    assert {each.code for each in read.findings} == {"outside-tables"}
    assert points(read) == {"Jörg Ann": 5, "O’Cas": 3, "Eve": 3, "Bea": 2, "Dov": 2}


def test_page_is_recognised_by_content() -> None:
    for name in ("pasted", "ranking.xls", "ranking.csv"):
        (table,) = tables_of(PAGE.encode(), name).tables
        assert mapped_tables([table])[0][1].role == "crosstable"
    assert is_page(" <!-- saved -->\n<TABLE border=1><tr>")
    assert is_page('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">')
    assert not is_page("Name;Rtg\n<b>Ann</b>;2400\n")
    assert not is_page('<?xml version="1.0"?><tournament><player/></tournament>')


def test_text_of_a_page_can_be_pasted() -> None:
    pasted = "\n".join("\t".join(row) for row in cells(grids_of_page(PAGE)[0][0]))

    assert points(reading(CHESS, pasted)) == points(samples.read_into(CHESS, "a.html", PAGE.encode()))


def test_column_and_row_spans() -> None:
    text = (
        "<table><tr><th rowspan=2>Name</th><th colspan=2>Rounds</th><th colspan=3>3.Rd</th></tr>"
        "<tr><th>1</th><th>2</th><th>O</th><th>C</th><th>R</th></tr>"
        "<tr><td>Ann</td><td>2w1</td><td>3b1</td><td>2</td><td>w</td><td>1</td></tr></table>"
        "<table><tr><th>Rd</th><th>White</th></tr><tr><td rowspan=2>1</td><td>Ann</td></tr>"
        "<tr><td>Bea</td></tr></table>"
    )
    assert grids(text) == [
        [("Name", "1", "2", "3.Rd", "", ""), ("Ann", "2w1", "3b1", "2", "w", "1")],
        [("Rd", "White"), ("1", "Ann"), ("1", "Bea")],
    ]


def test_titles_belong_to_the_next_table() -> None:
    text = (
        "<h1>Cup</h1><p>Round 1<table><tr><th>White<th>Black<tr><td>Ann<td>Bea</table>"
        "<b>Round 2</b><table><caption>Late</caption><tr><th>White<th>Black<tr><td>Bea<td>Cas</table>"
    )
    assert grids(text) == [
        [("Cup",), ("Round 1",), ("White", "Black"), ("Ann", "Bea")],
        [("Round 2",), ("Late",), ("White", "Black"), ("Bea", "Cas")],
    ]
    assert [grid.rows[-1].number for grid in grids_of_page(text)[0]] == [4, 8]


def test_alt_texts_and_blocks_in_a_cell() -> None:
    text = (
        '<table><tr><td><img src="x" alt="NED"><td>Ann<br>Bea<div>Cas</div><td>D<b>o</b>v<sup></sup></table>'
    )
    assert grids(text) == [[("NED", "Ann Bea Cas", "Dov")]]


@pytest.mark.parametrize(
    "text",
    [
        "<table>" * 5_000,
        "<b>" * 20_000,
        "<table><tr>" + "<td>a" * 1_000,
        "<table><tr><td rowspan=99999 colspan=99999>x" + "<tr><td>y" * 20,
        "<table>" + "<tr><td colspan=199 rowspan=20000>a" * 50,
        "<table><tr><td rowspan=²><td rowspan=-1 colspan=0>",
        "<td>x</td></table></table>",
        "<table><tr><td>" + "x" * 3_000,
        "<",
    ],
)
def test_parsing_time_grows_with_length(text: str) -> None:
    assert calls(lambda: grids_of_page(text)) < 25 * len(text) + 500


def test_preformatted_text_is_read_as_text() -> None:
    rows = "Rk  Name      1.Rd  2.Rd\n1   J&ouml;rg    2w1   -\n2   <a href='x'>Bea</a>       1b0   -\n"
    page = f"<html><title>Cup</title><body><p>All results</p><pre>\n{rows}</pre></html>"
    title, table = tables_of(page.encode()).tables
    assert [row.cells for row in title.rows] == [("Cup",), ("All results",)]
    assert table.heading
    assert table.heading.cells == ("Rk", "Name", "1.Rd", "2.Rd")
    assert [row.cells for row in table.rows] == [("1", "Jörg", "2w1", "-"), ("2", "Bea", "1b0", "-")]
