"""Crosstables of chess programs with cells of their own form: Papi, SwissPerfect, the ECF's LMS.

    Pl;Nom;Elo;Cat.;Fede;Ligue;R 1;R 2;R 3;Pts;Tr.
    1;ARENDS Bo;2100 F;SenM;FRA;IDF;+  4B;> 3N;EXE;3;4

Papi, of the French federation, writes result, opponent and colour (`B` Blancs, `N` Noirs). `>` and `<` are
forfeits, `EXE` is a bye. The letter after a rating is its kind (F FIDE, N national, E estimated); the last
letter of the category is the sex.

    No<tab>Name<tab>Loc Id<tab>Total<tab>1<tab>2<tab>3
    1<tab>Arends, Bo<tab>10692<tab>2.5<tab>4:W<tab>5:+<tab>0:D

SwissPerfect writes opponent and result, without colours: `5:+` is a forfeit, `0:W` a bye, `0:D` a half-point bye, `:`
an absence.

    No;Name;Round 1;Round 2;Round 3;Total
    1;Bo Arends;1 (b4);½ (bye);- (  );1½

The LMS of the English federation writes points, colour and opponent; `- (  )` is a round without a game.
"""

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
from tournaments.interchange.formats.tables.headings import HeadedTable

_PAPI_CELL = re.compile(r"[-+=<>–−]\s*\d{1,4}\s*[BN]|EXE", re.IGNORECASE)
_PERFECT_CELL = re.compile(r"\d{0,4}\s*:\s*[WLDwld½=+.\d-]{0,3}")
_LMS_CELL = re.compile(r"(?:[\d½.,/]{1,3}|-)\s*\(\s*(?:[wb]\s*\d{1,4}|bye|)\s*\)", re.IGNORECASE)
_CATEGORY = re.compile(r"(\w{2,4})([MF])")


def _recognise(file: LayoutFile, pattern: re.Pattern[str], sign: str) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        cells = round_cells_of(table, mapping)
        found = list(filter(pattern.fullmatch, cells))
        if 2 * len(found) <= len(cells):
            return
        yield f"cells such as “{found[0]}”"
        heading = " ".join(table.heading.cells).casefold() if table.heading else ""
        if sign in f"{around(file)}\n{heading}":
            yield f"“{sign}” in the file"


def _read_papi(file: LayoutFile) -> LayoutReading:
    more = dict.fromkeys(("cat.", "cat", "ligue"), "categories") | {"(sexe)": "sex"}
    return crosstable_reading(file, _CHESS, more, [*map(_with_sexes, file.tables)])


_CHESS = EventOutline().with_fact("discipline", "chess", "the layout")


def _with_sexes(table: HeadedTable) -> HeadedTable:
    labels = [each.casefold().strip(".") for each in table.labels]
    at = labels.index("cat") if table.heading and "cat" in labels else None
    if at is None:
        return table
    found = {row.number: _CATEGORY.fullmatch(row.cell(at)) for row in table.rows}
    return with_split_column(
        table, at, "(sexe)", {row: (each[1], each[2]) for row, each in found.items() if each}
    )


def _read_swiss_perfect(file: LayoutFile) -> LayoutReading:
    labels = {label.casefold() for table in file.tables for label in table.labels}
    if "loc" not in labels or "rtg" in labels:
        return crosstable_reading(file, _CHESS)
    outline = _CHESS.with_fact("ratings_from", RatingsFrom.LOCAL, "the heading “Loc”")
    return crosstable_reading(file, outline, {"loc": "rating"})


def _layout(
    code: str,
    name: str,
    signs: tuple[re.Pattern[str], str],
    read: Callable[[LayoutFile], LayoutReading],
    example: str,
) -> Layout:
    pattern, sign = signs
    recognise = partial(_recognise, pattern=pattern, sign=sign)
    return Layout(code, name, (".csv", ".txt", ".xlsx", ".xls", ".html"), recognise, read, example)


PAPI = _layout(
    "papi",
    "Papi, of the French federation: grille américaine",
    (_PAPI_CELL, "grille américaine"),
    _read_papi,
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
    (_PERFECT_CELL, "loc id"),
    _read_swiss_perfect,
    "No;Name;Feder;Intl Id;Loc Id;Rtg;Total;1;2;3\n\n"
    "1;Arends, Bo;NED;1000001;10692;2100;2.5;4:W;3:W;2:D\n2;Brill, Cas;NED;;193;;2;5:+;0:D;1:D\n"
    "3;Claes, Dee;BEL;;5601;1900;2;0:W;1:L;4:W\n4;Dorn, Eva;NED;;564;1800;1;1:L;5:W;3:L\n"
    "5;Ekman, Finn;NED;;1874;;0;2:-;4:L; : \n",
)
ECF_LMS = _layout(
    "ecf-lms",
    "LMS of the English federation: crosstable",
    (_LMS_CELL, "round 1"),
    lambda file: crosstable_reading(file, _CHESS),
    "Harbour Individual Championship 2025\nNo;Name;Round 1;Round 2;Round 3;Total\n"
    "1;Bo Arends;1 (b4);½ (w2);1 (b3);2½\n2;Cas Brill;1 (w3);½ (b1);- (  );1½\n"
    "3;Dee Claes;0 (b2);1 (w4);0 (w1);1\n4;Eva Dorn;0 (w1);0 (b3);½ (bye);½\n",
)
