"""Crosstables with cells of their own form: Papi, SwissPerfect, the ECF's LMS, Toernooibase, squares."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from tournaments.event.choices import RatingsFrom
from tournaments.interchange.formats.layouts.crosstables import (
    around,
    crosstable_reading,
    crosstables_of,
    round_cells_of,
    with_split_column,
)
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.tables.headings import CROSSTABLE, MATRIX, HeadedTable

_CHESS = EventOutline().with_fact("discipline", "chess", "the layout")
_CATEGORY = re.compile(r"(\w{2,4})([MF])")


def _recognise(file: LayoutFile, cell: str, sign: str, what: str, role: str) -> Iterator[str]:
    pattern = re.compile(cell, re.IGNORECASE)
    for table, mapping in crosstables_of(file):
        cells = round_cells_of(table, mapping)
        found = list(filter(pattern.fullmatch, cells))
        if mapping.role != role or 2 * len(found) <= len(cells):
            continue
        yield f"{what}, such as “{found[0]}”"
        heading = " ".join(table.heading.cells).casefold() if table.heading else ""
        for named in dict.fromkeys(re.findall(sign, f"{around(file)}\n{heading}") if sign else ()):
            yield f"“{named}” in the file"
        return


def _read_papi(file: LayoutFile) -> LayoutReading:
    more = dict.fromkeys(("cat.", "cat", "ligue"), "categories") | {"(sexe)": "sex"}
    return crosstable_reading(file, _CHESS, more, [*map(_with_sexes, file.tables)])


def _with_sexes(table: HeadedTable) -> HeadedTable:
    labels = [each.casefold().strip(".") for each in table.labels]
    at = labels.index("cat") if table.heading and "cat" in labels else None
    if at is None:
        return table
    found = {row.number: _CATEGORY.fullmatch(row.cell(at)) for row in table.rows}
    parts = {row: (each[1], each[2]) for row, each in found.items() if each}
    return with_split_column(table, at, "(sexe)", parts)


def _read_swiss_perfect(file: LayoutFile) -> LayoutReading:
    labels = {label.casefold() for table in file.tables for label in table.labels}
    if "loc" not in labels or "rtg" in labels:
        return crosstable_reading(file, _CHESS)
    outline = _CHESS.with_fact("ratings_from", RatingsFrom.LOCAL, "the heading “Loc”")
    return crosstable_reading(file, outline, {"loc": "rating"})


def _read_toernooibase(file: LayoutFile) -> LayoutReading:
    facts = {"discipline": "draughts-100", "entrants": "players"}
    return crosstable_reading(file, EventOutline().with_facts(facts, "the layout"), {"cn": "flag"})


def _layout(
    code: str,
    name: str,
    form: tuple[str, str, str],
    read: Callable[[LayoutFile], LayoutReading],
    about: str,
    example: str,
    role: str = CROSSTABLE,
) -> Layout:
    """Return a layout in which most cells have a form: what they are, their pattern, further evidence."""
    what, cell, sign = form
    recognise = partial(_recognise, cell=cell, sign=sign, what=what, role=role)
    endings = (".csv", ".txt", ".xlsx", ".xls", ".html")
    return Layout(code, name, endings, recognise, read, example, about=about)


PAPI = _layout(
    "papi",
    "Papi, of the French federation: grille américaine",
    ("cells with the result first", r"[-+=<>–−]\s*\d{1,4}\s*[BN]|EXE", "grille américaine"),
    _read_papi,
    "Result, opponent and colour (`B` Blancs, `N` Noirs) in a cell: `+  4B`. `>` and `<` are forfeits, `EXE` "
    "is a bye. The letter after a rating is its kind: F FIDE, N national, E estimated. The last letter of "
    "`SenM` is the sex; `Sen` and the league are categories.",
    "Open du Port 2024\nGrille américaine après la ronde 3\n"
    "Pl;Nom;Elo;Cat.;Fede;Ligue;R 1;R 2;R 3;Pts;Tr.\n"
    "1;ARENDS Bo;2100 F;SenM;FRA;IDF;+  4B;+  3N;=  2B;2½;4\n"
    "2;BRILL Cas;1950 F;SenM;FRA;IDF;>  5B;+  4N;=  1N;2½;3\n"
    "3;CLAES Dee;1900 N;SenF;FRA;BRE;EXE;-  1B;=  4N;1½;4\n"
    "4;DORN Eva;1800 E;SenF;FRA;BRE;-  1N;-  2B;=  3B;½;6½\n"
    "5;EKMAN Finn;1700 E;SenM;FRA;PAC;<  2N;;;0;2½\n",
)
SWISS_PERFECT = _layout(
    "swiss-perfect",
    "SwissPerfect: cross table as text",
    ("cells with a colon", r"\d{0,4}\s*:\s*[WLD½=+.\d-]{0,3}", "loc id|intl id"),
    _read_swiss_perfect,
    "Opponent and result in a cell, without colours: `5:+` is a forfeit, `0:W` a bye, `0:D` a half-point bye, "
    "`:` an absence. Name and date of the tournament are missing. `Loc` is the local rating if there is no "
    "`Rtg`.",
    "No;Name;Feder;Intl Id;Loc Id;Rtg;Total;1;2;3\n\n"
    "1;Arends, Bo;NED;1000001;10692;2100;2.5;4:W;3:W;2:D\n2;Brill, Cas;NED;;193;;2;5:+;0:D;1:D\n"
    "3;Claes, Dee;BEL;;5601;1900;2;0:W;1:L;4:W\n4;Dorn, Eva;NED;;564;1800;1;1:L;5:W;3:L\n"
    "5;Ekman, Finn;NED;;1874;;0;2:-;4:L; : \n",
)
ECF_LMS = _layout(
    "ecf-lms",
    "LMS of the English federation: crosstable",
    (
        "cells with colour and opponent in brackets",
        r"(?:[\d½.,/]{1,3}|-)\s*\(\s*(?:[wb]\s*\d{1,4}|bye|)\s*\)",
        "",
    ),
    lambda file: crosstable_reading(file, _CHESS),
    "Points, colour and opponent in a cell: `1 (b4)`, `½ (bye)`; `- (  )` is a round without a game.",
    "Harbour Individual Championship 2025\nNo;Name;Round 1;Round 2;Round 3;Total\n"
    "1;Bo Arends;1 (b4);½ (w2);1 (b3);2½\n2;Cas Brill;1 (w3);½ (b1);- (  );1½\n"
    "3;Dee Claes;0 (b2);1 (w4);0 (w1);1\n4;Eva Dorn;0 (w1);0 (b3);½ (bye);½\n",
)
TOERNOOIBASE = _layout(
    "toernooibase",
    "Toernooibase, or an FMJD report",
    (
        "cells with the points first",
        r"\d+(?:[.,]5|½)?\s*/\s*\d{1,4}\s*[wzb]",
        "fmjd-?report|toernooibase|fmjd-id",
    ),
    _read_toernooibase,
    "Points, opponent and colour in a cell: `1/7w`. The opponent is named by place, or by start number if "
    "there is such a column: the program uses the reading in which the cells of both players agree. A round "
    "without a game is blank. A row “Dummy” is no player: its opponents had a bye with the points in their "
    "cell.",
    ";Kampioenschap van de Haven 1951\n;fill in FMJD-report\n"
    "Pl;FMJD-id;Title;Name;Cn;rating;R1;R2;R3;Pt \n"
    "1;10001;mf;Bo Arends;nl;2150;2/4w;1/2b;2/3w;5\n"
    "2;10002;;Cas Brill;be;2040;1/3b;1/1w;2/5b;4\n"
    "3;10003;;Dee Claes;nl;1990;1/2w;2/4b;0/1b;3\n"
    "4;10004;;Eva Dorn;de;;0/1b;0/3w;;0\n"
    "5;;;Dummy;nl;;;;0/2w;0\n",
)
MATCH_SQUARE = _layout(
    "match-square",
    "a square of matches, a sign for each game",
    ("a square with several games in a cell", r"[01½=+-]{2,}|[01½=](?:[ ·|][01½=])+", ""),
    crosstable_reading,
    "A round-robin table of matches, such as `½1½`: the games of a match are in the order of play, with or "
    "without a blank, a dot or a bar between them. The table has no rounds: a new event gets rounds by Berger "
    "tables, in the order of the rows, with a cycle for each game of a match.",
    ";Harbour Congress 1873 Crosstable\nPl;Name;Total;1;2;3\n"
    "1;Bo Arends (Netherlands);4.5;x;11½;½1½\n2;Cas Brill (Belgium);2;00½;x;1½\n"
    "3;Dee Claes (Hungary);1.5;½0½;0½;x\n",
    role=MATRIX,
)
