"""Text in columns of fixed width, in which cells may be blank.
    Rk.  SNo     Name          Rtg  FED   1.Rd
     1    2   IM Arends Bo     2400 NED    3b1
     2    1      Brill Cas     2300 BEL    4w½

A column begins after two blanks in all lines, or after a single blank if the heading has a word there or only
figures precede it.
"""

from collections.abc import Iterator, Sequence

_FEWEST_LINES, _FEWEST_CELLS = 3, 3
_MOST_SIGNS = 2_000_000  # in all lines together

Columns = list[tuple[int, int]]  # start and end of each column, from 0; the end is the start of the next


def columns_of_lines(lines: Sequence[str], cells: Sequence[Sequence[str]]) -> Columns:
    """Return the columns of the lines, [] if double blanks separate the cells as well.

    `cells`: the cells of each line if double blanks are separators. Lines with few cells are titles; if all
    others have as many cells as the heading, columns are not needed.
    """
    table = [line for line, parts in zip(lines, cells, strict=True) if len(parts) >= _FEWEST_CELLS]
    counts = {len(parts) for parts in cells if len(parts) >= _FEWEST_CELLS}
    width = max(map(len, table), default=0)
    if len(table) < _FEWEST_LINES or len(counts) == 1 or width * len(table) > _MOST_SIGNS:
        return []
    blank = [all(line[at : at + 1] in {" ", "\xa0", ""} for line in table) for at in range(width)]
    starts = [0]
    for start, end in _runs_of_blanks(blank):
        before = starts[-1]
        is_wide = start > 1 and blank[start - 2]
        heading, *rows = table
        figures = [line[before:start].strip() for line in rows]
        is_counted = bool(heading[before:start].strip()) and all(each.isdecimal() for each in figures)
        if is_wide or bool(heading[start:end].strip()) or is_counted:
            starts.append(start)
    return list(zip(starts, [*starts[1:], width], strict=True)) if len(starts) >= len(cells[0]) else []


def _runs_of_blanks(blank: Sequence[bool]) -> Iterator[tuple[int, int]]:
    starts = [at for at in range(1, len(blank)) if blank[at - 1] and not blank[at]]
    for start in starts:
        end = start
        while end < len(blank) and not blank[end]:
            end += 1
        yield start, end


def split_at_columns(line: str, columns: Columns) -> list[str]:
    last = columns[-1][0]
    return [line[start:end].strip() if start != last else line[start:].strip() for start, end in columns]
