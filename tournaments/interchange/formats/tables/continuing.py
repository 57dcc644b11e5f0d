"""Headings inside a table: of a further page, or of another group of the event.
Rk.;Name;1.Rd;2.Rd
1;Arends, Bo;2w1;3b½
Page 2
Rk.;Name;1.Rd;2.Rd
2;Brill, Cas;1b0;4w1
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tournaments.interchange.formats.tables.crosstable_cells import is_of_an_opponent
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.heading_words import ROUND, names_a_column, word_of
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    CROSSTABLE,
    MATRIX,
    HeadedTable,
    guessed,
)

_COUNTED = re.compile(r"(\d{1,5})\.?")
_FEWEST_WORDS = 3  # in a heading inside a table; two of them may be a name


def split_at_headings(grid: Grid) -> Iterator[Grid]:
    """Yield the parts of a grid. Each begins with its heading, after title lines of a single cell."""
    start, has_heading = 0, False
    for at, row in enumerate(grid.rows):
        words = [word_of(cell) for cell in row.cells if cell]
        has_rounds = any(ROUND.fullmatch(word) for word in words)
        known = sum(names_a_column(word) or ROUND.fullmatch(word) is not None for word in words)
        named = sum(map(names_a_column, words))
        if not (
            has_rounds and named > 1 and known >= _FEWEST_WORDS and not any(map(is_of_an_opponent, row.cells))
        ):
            continue
        if has_heading:
            first = at
            while first > start + 1 and sum(map(bool, grid.rows[first - 1].cells)) == 1:
                first -= 1
            yield replace(grid, rows=grid.rows[start:first])
            start = first
        has_heading = True
    yield replace(grid, rows=grid.rows[start:]) if start else grid


def continued(tables: Sequence[HeadedTable]) -> list[HeadedTable]:
    """Return the tables. A further page is joined to the table before it."""
    joined: list[HeadedTable] = []
    for each in tables:
        if joined and _continues(joined[-1], each):
            above = joined[-1]
            grid = Grid((*above.grid.rows, *each.grid.rows), above.grid.name)
            joined[-1] = replace(above, grid=grid, rows=(*above.rows, *each.rows))
        else:
            joined.append(each)
    return joined


def heads_again(row: GridRow, heading: GridRow | None) -> bool:
    if heading is None or row is heading:
        return False
    first, second = ("\t".join(map(word_of, each.cells)).rstrip("\t") for each in (row, heading))
    return first == second


def _continues(above: HeadedTable, below: HeadedTable) -> bool:
    if below.heading is None or not heads_again(below.heading, above.heading):
        return False
    mapping = guessed(above)
    at = next((at for name in ("label", "number") if (at := mapping.column(name)) is not None), None)
    if at is None or mapping.role not in (COMPETITORS, CROSSTABLE, MATRIX):
        return False
    so_far, then = (_numbers_in_column(table, at) for table in (above, below))
    return bool(so_far and then) and max(so_far) < min(then)


def _numbers_in_column(table: HeadedTable, at: int) -> list[int]:
    found = (_COUNTED.fullmatch(row.cell(at).strip()) for row in table.rows)
    return [int(each[1]) for each in found if each]
