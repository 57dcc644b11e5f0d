"""chess-results.com: cross tables by rank, round-robin tables and starting lists, of players and of teams.

    Rk.;;Name;Rtg;FED;1.Rd;2.Rd;Pts.;TB1
    1;IM;Arends, Bo;2400;NED;4w1;2b½;1½;3

The lines above the table name the site, the event, the time of the upload and the kind of list. The lines
below name the tie-breaks and the address `tnr…` of the event. CSV, XLSX, the page and text copied from it
are equal.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tournaments.interchange.formats.layouts.crosstables import around, crosstable_reading, crosstables_of
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.titles import titles_of
from tournaments.interchange.formats.tables.headings import COMPETITORS, PRINTED, HeadedTable
from tournaments.interchange.formats.tables.reading import mappings_of

SITE = re.compile(r"chess-?\s?results(?:\.com)?|swiss-manager\.at", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:https?://)?(?:s\d+\.|www\.)?chess-results\.com/(tnr\d+\.aspx[^\s;\"'<>]*)", re.IGNORECASE
)
_ROUND = re.compile(r"\d{1,2}\.\s?(?:Rd|Rnd|Ronde|Runde|Rde|тур)\.?", re.IGNORECASE)
_TIE_BREAK = re.compile(r"(?:TB|Wtg|Desp?|D[eé]p|Dés|Crit|PH|BH|Крит|Доп)\.? ?(\d)", re.IGNORECASE)
_LEGEND = re.compile(
    r"(?:tie.?break|wertung|desempate|départage|spareggio|критер\w{1,20}|доп\w{0,20})\s?(\d)\s*:\s*([^<>\r\n;|]{3,120})",
    re.IGNORECASE,
)
_NAMED = (
    ("points", re.compile(r"points?\s*\(game.?points\)|points?$|punkte$|puntos$", re.IGNORECASE)),
    ("SB", re.compile(r"(?!.*olymp|.*match)sonneborn", re.IGNORECASE)),
)
"""The criteria of tie-breaks that the lines below a table name, if the name leaves no parameter open."""

_BEFORE_NAME = re.compile(r"^.{0,60}?chess-?results(?:\.com)?\s*[-–:]\s*(?=\S)", re.IGNORECASE)
_RANK = re.compile(r"R[kg]\.|Pl\.|Rg\.|Cl\.|М(?:есто)?\.?")


def recognise_chess_results(file: LayoutFile) -> Iterator[str]:
    has_crosstable = bool(crosstables_of(file))
    if not has_crosstable and all(each.role != COMPETITORS for each in mappings_of(file.tables)):
        return
    cells = [cell for table in file.tables if table.heading for cell in table.heading.cells]
    patterns = ((_RANK, "ranks"), (_ROUND, "rounds"), (_TIE_BREAK, "tie-breaks"))
    headings = [
        f"{what} headed “{found}”"
        for pattern, what in patterns
        if (found := next(filter(pattern.fullmatch, cells), ""))
    ]
    if site := SITE.search(around(file)):
        yield f"“{site[0]}” around the table"
    if site or (has_crosstable and len(headings) == len(patterns)):
        yield from headings


def read_chess_results(file: LayoutFile) -> LayoutReading:
    outline = EventOutline()
    for row in titles_of(file.tables, mappings_of(file.tables)):
        for found in _ADDRESS.finditer(" ".join(row.cells)):
            address = f"https://chess-results.com/{found[1]}"
            outline = outline.with_fact("sources", address, f"row {row.number}")
    if SITE.search(around(file)):
        outline = outline.with_fact("published", "chess-results.com", "around the table")
    outline = outline.with_fact("entrants", _entrants_by_columns(file), "the columns of the list")
    legend: dict[str, str] = {}
    for number, text in _LEGEND.findall(file.text or around(file)):
        named = next((code for code, sign in _NAMED if sign.match(text.strip())), "")
        legend.setdefault(number, named)
    named_breaks = {number: named for number, named in legend.items() if named}
    reading = _with_legend(crosstable_reading(file, outline), named_breaks)
    return replace(reading, outline=without_site(reading.outline))


def _with_legend(reading: LayoutReading, legend: Mapping[str, str]) -> LayoutReading:
    tables, mappings = [], []
    for given, each in zip(reading.tables, reading.mappings, strict=True):
        table, mapping = given, each
        for at in [at for at, name in each.columns.items() if name == PRINTED and given.heading]:
            found = _TIE_BREAK.fullmatch(given.labels[at])
            named = legend.get(found[1], "") if found else ""
            if named == "points" and mapping.column("points") is None:
                mapping = replace(mapping, columns={**mapping.columns, at: "points"})
            elif named == "SB":
                table = _with_heading(table, at, named)
        tables.append(table)
        mappings.append(mapping)
    return replace(reading, tables=tuple(tables), mappings=tuple(mappings))


def _with_heading(table: HeadedTable, at: int, label: str) -> HeadedTable:
    heading = table.heading
    if heading is None or label in heading.cells:
        return table
    cells = tuple(label if column == at else cell for column, cell in enumerate(heading.cells))
    headed = replace(heading, cells=cells)
    rows = tuple(headed if row is heading else row for row in table.grid.rows)
    return HeadedTable(replace(table.grid, rows=rows), headed, table.rows, table.is_of_sides)


def _entrants_by_columns(file: LayoutFile) -> str:
    if crosstables_of(file):
        return ""
    columns = {each for mapping in mappings_of(file.tables) for each in mapping.columns.values()}
    if columns & {"title", "rating", "fide_id", "sex", "born"} and "player" not in columns:
        return "players"
    return ""


def without_site(outline: EventOutline) -> EventOutline:
    """Return the outline without the name of the site, which page titles begin with."""
    return replace(outline, name=_BEFORE_NAME.sub("", outline.name))


CHESS_RESULTS = Layout(
    code="chess-results",
    name="chess-results.com: a ranking, its cross table, or a starting list",
    endings=(".csv", ".xlsx", ".html", ".htm", ".txt"),
    recognise=recognise_chess_results,
    read=read_chess_results,
    example=(
        "From the Tournament-Database of Chess-Results http://chess-results.com;;;;;;;;;;\n"
        "Winter Open 2019;;;;;;;;;;\n"
        "Final Ranking crosstable after 3 Rounds;;;;;;;;;;\n"
        "Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts. ;TB1;TB2\n"
        "1;IM;Arends, Bo;2400;NED; 4w1; 3b1; 2w½;2,5;4,5;2,75\n"
        "2;;Claes, Dee;2000;NED;-1;-½; 1b½;2;3,5;1,25\n"
        "3;FM;Brill, Cas;2300;BEL; 5w½; 1w0; 4w+;1,5;5;0,75\n"
        "4;;Dorn, Eva;2100;GER; 1b0; 5w1; 3b-;1;4,5;0,5\n"
        "5;;Ekman, Finn;1900;SWE; 3b½; 4b0;-0;0,5;3,5;0,75\n"
        "Annotation:;;;;;;;;;;\n"
        "Tie Break1: Buchholz Tie-Breaks (variabel with parameter);;;;;;;;;;\n"
        "You find all details to this tournament under http://chess-results.com/tnr12345.aspx?lan=1;;;;;;;;;;\n"
    ),
)
