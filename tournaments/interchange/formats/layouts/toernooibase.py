"""Toernooibase of the Dutch federation, and FMJD reports: points, opponent and colour in a cell, `1/7w`.

    Pl;FMJD-id;Title;Name;Cn;rating;R1;R2;Pt
    1;10011;gmi;Arends, Bo;nl;2282;2/3w;1/2b;3

The opponent is named by place, or by start number if there is such a column: the program uses the reading
in which the cells of both players agree. A round without a game is blank. A row “Dummy” is no player: its
opponents had a bye with the points in their cell.
"""

import re
from collections.abc import Iterator

from tournaments.interchange.formats.layouts.crosstables import (
    around,
    crosstable_reading,
    crosstables_of,
    round_cells_of,
)
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.outline import EventOutline

_CELL = re.compile(r"\d+(?:[.,]5|½)?\s*/\s*\d{1,4}\s*[wzb]", re.IGNORECASE)
_REPORT = re.compile(r"fmjd-?report|toernooibase", re.IGNORECASE)


def recognise_toernooibase(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        cells = round_cells_of(table, mapping)
        found = list(filter(_CELL.fullmatch, cells))
        if 2 * len(found) <= len(cells):
            return
        yield f"cells with the points first, such as “{found[0]}”"
        if named := _REPORT.search(around(file)):
            yield f"“{named[0]}” around the table"
        headings = {cell.casefold() for cell in table.heading.cells} if table.heading else set()
        if "fmjd-id" in headings:
            yield "a column “FMJD-id”"


def read_toernooibase(file: LayoutFile) -> LayoutReading:
    facts = {"discipline": "draughts-100", "entrants": "players"}
    outline = EventOutline().with_facts(facts, "the layout")
    return crosstable_reading(file, outline, {"cn": "flag"})


TOERNOOIBASE = Layout(
    code="toernooibase",
    name="Toernooibase, or an FMJD report",
    endings=(".csv", ".xlsx", ".html", ".txt"),
    recognise=recognise_toernooibase,
    read=read_toernooibase,
    example=(
        ";Kampioenschap van de Haven 1951\n;fill in FMJD-report\n"
        "Pl;FMJD-id;Title;Name;Cn;rating;R1;R2;R3;Pt \n"
        "1;10001;mf;Bo Arends;nl;2150;2/4w;1/2b;2/3w;5\n"
        "2;10002;;Cas Brill;be;2040;1/3b;1/1w;2/5b;4\n"
        "3;10003;;Dee Claes;nl;1990;1/2w;2/4b;0/1b;3\n"
        "4;10004;;Eva Dorn;de;;0/1b;0/3w;;0\n"
        "5;;;Dummy;nl;;;;0/2w;0\n"
    ),
)
