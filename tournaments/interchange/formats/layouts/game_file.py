"""Tables of rounds that were typed for a calculation: titles and lines of numbers above, remarks below.

    ;Harbour Masters 1924
    gamefile after 3 rounds
    rElo; 207, 199, 171
    Pl;Name;1;2;3
    1;Bo Arends (Netherlands);2w1;;3b½
    # https://example.org/1924

A round without a game is blank. Lines of numbers above the heading are the ratings of the rows; they are
counted as unread. Leagues have the same form: the opponent of each week, 3 points for a win, blanks for
free weeks.
"""

import re
from collections.abc import Iterator

from tournaments.interchange.formats.layouts.crosstables import (
    around,
    crosstable_reading,
    crosstables_of,
    with_countries,
)
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.headings import CROSSTABLE

_TITLE = re.compile(r"game ?file|competition name|spelbestand", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_FEWEST_NUMBERS = 3


def recognise_game_file(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        if mapping.role != CROSSTABLE:
            return
        if found := _TITLE.search(around(file)):
            yield f"“{found[0]}” above the table"
        if line := next(filter(_is_of_numbers, table.outside), None):
            yield f"a line of numbers in row {line.number}"
        changed, _, _ = with_countries(table, mapping)
        if changed is not table:
            yield "countries in brackets behind the names"


def _is_of_numbers(row: GridRow) -> bool:
    cells = [cell for cell in row.cells if cell]
    numbers = [part for cell in cells[1:] for part in re.split(r", | ", cell)]
    return len(numbers) >= _FEWEST_NUMBERS and all(map(_NUMBER.fullmatch, numbers))


GAME_FILE = Layout(
    code="game-file",
    name="a table of rounds with titles, lines of numbers and remarks around it",
    endings=(".csv", ".txt", ".xlsx", ".ods"),
    recognise=recognise_game_file,
    read=crosstable_reading,
    example=(
        ";Harbour Masters 1924\ngamefile after 3 rounds (round robin)\nrElo; 207, 12, -219\n"
        "Pl;Name;1;2;3\n1;Bo Arends (Netherlands);2w1;;3b½\n2;Cas Brill (Belgium);1b0;3w1;\n"
        "3;Dee Claes (Soviet Union);;2b0;1w½\n# https://example.org/1924\n"
    ),
)
