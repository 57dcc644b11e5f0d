"""Swiss-Manager's text: three columns a round (opponent; colour; result), `x` for a draw, `7x` for 7½.

    Rank;SNo.;;Name;Rtg;FED;1.Rd.;;;2.Rd.;;;Pts
    1;14;IM;Arends, Bo;2486;NED;4;b;1;2;w;x;1x

Opponents are named by place. The place of a competitor that shares the place above is blank, but counted
on.
"""

import re
from collections.abc import Iterator

from tournaments.interchange.formats.layouts.crosstables import crosstable_reading, crosstables_of
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile
from tournaments.interchange.formats.tables.heading_words import ROUND
from tournaments.interchange.formats.tables.joining import joins

_POINTS_WITH_X = re.compile(r"\d*x")


def recognise_swiss_manager(file: LayoutFile) -> Iterator[str]:
    for table, mapping in crosstables_of(file)[:1]:
        # The tables have joined columns, so the grids of the file are used.
        heads = [
            row
            for grid in file.grids
            for row in grid.rows
            if table.heading and row.number == table.heading.number
        ]
        bare = [
            (row, at)
            for row in heads
            for at, cell in enumerate(row.cells)
            if ROUND.fullmatch(re.sub(r"[\s.]+", "", cell.casefold()))
            and not row.cell(at + 1)
            and not row.cell(at + 2)
        ]
        rows = {row.number for row in table.rows}
        of_file = [row for grid in file.grids for row in grid.rows if row.number in rows]
        if not (bare and joins(of_file, bare[0][1])):
            return
        yield f"three columns a round, from “{bare[0][0].cell(bare[0][1])}” on"
        points = mapping.column("points")
        texts = [row.cell(points) for row in table.rows] if points is not None else []
        if found := next(filter(_POINTS_WITH_X.fullmatch, texts), ""):
            yield f"points such as “{found}”"


SWISS_MANAGER = Layout(
    code="swiss-manager",
    name="Swiss-Manager: text with three columns a round",
    endings=(".txt", ".csv", ".xlsx", ".xls"),
    recognise=recognise_swiss_manager,
    read=crosstable_reading,
    example=(
        "3rd Open of the Harbour 2009\n\nFinal Ranking\n\n"
        "Rank;SNo.;;Name;Rtg;FED;1.Rd.;;;2.Rd.;;;3.Rd.;;;Pts;RecRp\n"
        "1;2;IM;Arends, Bo;2400;NED;3;b;1;2;w;x;4;b;1;2x;2500\n"
        "2;1;;Brill, Cas;2300;BEL;4;w;x;1;b;x;3;w;1;2;2410\n"
        "3;4;;Claes, Dee;2000;NED;1;w;0;-;-;x;2;b;0;x;1900\n"
        ";3;;Dorn, Eva;2100;GER;2;b;x;-;-;0;1;w;0;x;1890\n"
    ),
)
