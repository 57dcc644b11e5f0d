"""Text whose columns stand below each other: where a cell is blank, blanks alone do not part the others.

    Rk.  SNo     Name          Rtg  FED   1.Rd
     1    2   IM Arends Bo     2400 NED    3b1
     2    1      Brill Cas     2300 BEL    4w½

A column begins behind two blanks that every line has, or behind one before a word of the heading.
"""

from collections.abc import Sequence

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
    heading = table[0]
    starts = [at for at in range(1, width) if blank[at - 1] and not blank[at] and _begins(heading, blank, at)]
    return list(zip([0, *starts], [*starts, width], strict=True)) if len(starts) + 1 >= len(cells[0]) else []


def _begins(heading: str, blank: Sequence[bool], at: int) -> bool:
    """Say whether a column begins at a sign that has a blank in front of it in every line."""
    is_wide = at > 1 and blank[at - 2]
    return is_wide or (heading[at : at + 1].strip() != "" and heading[at - 1] == " ")


def parted(line: str, columns: Columns) -> list[str]:
    """Return the cells of a line by its columns."""
    last = columns[-1][0]
    return [line[start:end].strip() if start != last else line[start:].strip() for start, end in columns]
