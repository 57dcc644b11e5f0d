"""A round-robin table of matches: each cell has a character for each game, and totals are printed.

    Pl;Name;Total;1;2;3
    1;Bo Arends (Netherlands);4½;x;11½;½1½
    2;Cas Brill (Belgium);2;00½;x;1½

The games of a match are in the order of play, with or without a blank, a dot or a bar between them. The
table has no rounds: a new event gets rounds by Berger tables, in the order of the rows, with a cycle for
each game of a match.
"""

import re
from collections.abc import Iterator

from tournaments.interchange.formats.layouts.crosstables import (
    crosstable_reading,
    crosstables_of,
    round_cells_of,
)
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile
from tournaments.interchange.formats.tables.headings import MATRIX

_GAMES = re.compile(r"[01½=+-]{2,}|[01½=](?:[ ·|][01½=])+")


def recognise_match_square(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file):
        cells = round_cells_of(table, mapping)
        found = list(filter(_GAMES.fullmatch, cells))
        if mapping.role == MATRIX and 2 * len(found) > len(cells):
            yield f"a square with several games in a cell, such as “{found[0]}”"
            return


MATCH_SQUARE = Layout(
    code="match-square",
    name="a square of matches, a sign for each game",
    endings=(".csv", ".txt", ".xlsx", ".html"),
    recognise=recognise_match_square,
    read=crosstable_reading,
    example=(
        ";Harbour Congress 1873 Crosstable\nPl;Name;Total;1;2;3\n"
        "1;Bo Arends (Netherlands);4.5;x;11½;½1½\n2;Cas Brill (Belgium);2;00½;x;1½\n"
        "3;Dee Claes (Hungary);1.5;½0½;0½;x\n"
    ),
)
