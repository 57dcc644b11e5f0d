"""Text whose columns stand below each other: where a cell is blank, blanks alone do not part the others.

    Rk.  SNo     Name          Rtg  FED   1.Rd
     1    2   IM Arends Bo     2400 NED    3b1
     2    1      Brill Cas     2300 BEL    4w½

A column begins behind two blanks that every line has, or behind one where the heading has a word, or where
figures alone stand before it.
"""

from collections.abc import Iterator, Sequence

_FEWEST_LINES, _FEWEST_CELLS = 3, 3
_MOST_SIGNS = 2_000_000  # of all lines together

Columns = list[tuple[int, int]]
"""Where each column begins and ends, counted from 0; the end is the beginning of the next."""


def columns_of(lines: Sequence[str], cells: Sequence[Sequence[str]]) -> Columns:
    """Return the columns of lines that stand together; none where blanks part them as well.

    `cells` are those of each line as two blanks part them: lines of a few are titles, and lines that have as
    many as the heading, which is the first of the others, need nothing else.
    """
    table = [line for line, parts in zip(lines, cells, strict=True) if len(parts) >= _FEWEST_CELLS]
    counts = {len(parts) for parts in cells if len(parts) >= _FEWEST_CELLS}
    width = max(map(len, table), default=0)
    if len(table) < _FEWEST_LINES or len(counts) == 1 or width * len(table) > _MOST_SIGNS:
        return []
    blank = [all(line[at : at + 1] in {" ", "\xa0", ""} for line in table) for at in range(width)]
    starts = [0]
    for start, end in _runs(blank):
        if _begins(table, blank, starts[-1], start, end):
            starts.append(start)
    return list(zip(starts, [*starts[1:], width], strict=True)) if len(starts) >= len(cells[0]) else []


def _runs(blank: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield where signs stand between columns of blanks: the beginning, and the blank behind."""
    starts = [at for at in range(1, len(blank)) if blank[at - 1] and not blank[at]]
    for start in starts:
        end = start
        while end < len(blank) and not blank[end]:
            end += 1
        yield start, end


def _begins(table: Sequence[str], blank: Sequence[bool], before: int, start: int, end: int) -> bool:
    """Say whether a column begins there: behind two blanks, under a word of the heading, behind figures."""
    is_wide = start > 1 and blank[start - 2]
    heading, *rows = table
    figures = [line[before:start].strip() for line in rows]
    is_counted = bool(heading[before:start].strip()) and all(each.isdecimal() for each in figures)
    return is_wide or bool(heading[start:end].strip()) or is_counted


def parted(line: str, columns: Columns) -> list[str]:
    """Return the cells of a line by its columns."""
    last = columns[-1][0]
    return [line[start:end].strip() if start != last else line[start:].strip() for start, end in columns]
