"""Draughts Arbiter's table of a tournament: start number, class and rating in one cell, Total, Solkoff.

    Place;S.No.;Title;Name;Fed.;FMJD;R1;R2;Total;SSolk
    1;2;GMI;Arends, Bo;NED;A 2339;4b2;2w1;3;5

`12w+` and `12b-` are forfeits; a minus for both sides is a forfeit loss of both. Total and SSolk are
stored as printed.
"""

import re
from collections.abc import Iterator

from tournaments.interchange.formats.layouts.crosstables import around, crosstable_reading, crosstables_of
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.outline import EventOutline

_CLASSED = re.compile(r"[A-E] ?\d{3,4}")
_COLUMNS = re.compile(r"S\.? ?No\.?|SSolk|Solk|TSolk|WSolk|S-?B|Trunc\.?", re.IGNORECASE)


def recognise_draughts_arbiter(file: LayoutFile) -> Signs:
    """Return at least two signs of the program, else ()."""
    signs = tuple(_program_signs(file))
    return signs if len(signs) > 1 else ()


def _program_signs(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        titles = around(file)
        if "tournament table" in titles or "draughts arbiter" in titles:
            yield "“Tournament table” above the table"
        headings = table.heading.cells if table.heading else ()
        if found := list(filter(_COLUMNS.fullmatch, headings)):
            yield f"columns “{'”, “'.join(found)}”"
        ratings = mapping.column("rating")
        texts = [row.cell(ratings) for row in table.rows] if ratings is not None else []
        if classed := next(filter(_CLASSED.fullmatch, texts), ""):
            yield f"class and rating in one cell, such as “{classed}”"


def read_draughts_arbiter(file: LayoutFile) -> LayoutReading:
    return crosstable_reading(file, EventOutline().with_fact("discipline", "draughts-100", "the layout"))


DRAUGHTS_ARBITER = Layout(
    code="draughts-arbiter",
    name="Draughts Arbiter: tournament table",
    endings=(".csv", ".xlsx", ".xls", ".html", ".txt"),
    recognise=recognise_draughts_arbiter,
    read=read_draughts_arbiter,
    example=(
        ";Tournament table\nHarbour Open 2018\n"
        "Place;S.No.;Title;Name;Fed.;FMJD;R1;R2;R3;Total;SSolk\n"
        "1;2;MI;Arends, Bo;NED;A 2239;3b2;2w1;4w+;5;8\n"
        "2;1;MF;Brill, Cas;BEL;A 2251;4w2;1b1;3b1;4;9\n"
        "3;4;;Claes, Dee;NED;B 1990;1w0;4b2;2w1;3;11\n"
        "4;3;;Dorn, Eva;GER; ;2b0;3w0;1b-;0;10\n"
    ),
)
