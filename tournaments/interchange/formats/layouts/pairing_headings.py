"""Headings of pairings: two sides, mirrored around the result, or the two teams of a match."""

import re
from dataclasses import dataclass

from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.heading_words import MEANINGS, word_of

_FEWEST_COLUMNS = 5
_SIDES = 2
_DASHES = frozenset("-–—")
_MATCH_RESULT = re.compile(r"\d*[½.,]?\d?\s*:\s*\d*[½.,]?\d?")


@dataclass(frozen=True, slots=True)
class PairingSide:
    """The columns of a side, from 0. None if the heading does not have the column."""

    name: int
    number: int | None = None
    code: int | None = None
    title: int | None = None
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class PairingHeading:
    """A heading of pairings.

    `scores`: the columns between the sides. `table`: the column of the table number.
    """

    sides: tuple[PairingSide, PairingSide]
    scores: tuple[int, ...]
    table: int | None = None


def heading_of(row: GridRow) -> PairingHeading | None:
    fields = [set(MEANINGS.get(word_of(cell), ())) for cell in row.cells]
    scores = [at for at, each in enumerate(fields) if "result" in each]
    names = [at for at, each in enumerate(fields) if each & {"name", "first", "second"}]
    if not scores or len(row.cells) < _FEWEST_COLUMNS or len(scores) > 2:
        return None
    middle = (scores[0], scores[-1])
    if len(names) == _SIDES and names[-1] < scores[0]:
        # The result follows both sides, with a dash between these.
        dashes = [at for at in range(*names) if row.cell(at).strip() in _DASHES]
        middle = (dashes[0], dashes[0]) if len(dashes) == 1 else middle
    left, right = [at for at in names if at < middle[0]], [at for at in names if at > middle[-1]]
    if not (left and right):
        return None
    numbers = [at for at, each in enumerate(fields) if each & {"number", "board", "table"}]
    first = [at for at in numbers if at < left[-1]]
    table = first[0] if first and first[0] == 0 else None
    sides = (
        _columns_of_side(row, fields, left[-1], range(1 if table == 0 else 0, middle[0]), left[:-1]),
        _columns_of_side(row, fields, right[0], range(middle[-1] + 1, len(row.cells)), right[1:]),
    )
    return PairingHeading(sides, tuple(scores), table)


def _columns_of_side(
    row: GridRow, fields: list[set[str]], name: int, columns: range, further: list[int]
) -> PairingSide:
    def found(what: str) -> int | None:
        return next((at for at in columns if what in fields[at] and at != name), None)

    # The title is in the column without a heading before the name.
    bare = name - 1 if name - 1 in columns and not row.cell(name - 1) else found("title")
    code = found("code")
    return PairingSide(
        name=name,
        number=found("number"),
        code=further[0] if code is None and further else code,
        title=bare,
        rating=found("rating"),
    )


def match_heading_of(row: GridRow) -> PairingHeading | None:
    """Return the columns of a match heading, such as `Br.

    | 1 | Absam | Elo | - | 5 | Telfs | Elo | 1½:2½`.
    """
    cells = [cell.strip() for cell in row.cells]
    # A link to the games may follow the result.
    while cells and cells[-1].casefold() in {"", "pgn"}:
        cells.pop()
    dashes = [at for at, cell in enumerate(cells) if cell in _DASHES]
    is_headed = len(cells) >= _FEWEST_COLUMNS and "board" in MEANINGS.get(word_of(cells[0]), ())
    if not (is_headed and len(dashes) == 1 and _MATCH_RESULT.fullmatch(cells[-1])):
        return None
    fields = [set(MEANINGS.get(word_of(cell), ())) for cell in cells]
    sides = []
    for columns in (range(1, dashes[0]), range(dashes[0] + 1, len(cells) - 1)):
        number = next((at for at in columns if cells[at].isdecimal()), None)
        names = [at for at in columns if cells[at] and at != number and "rating" not in fields[at]]
        if not names:
            return None
        rating = next((at for at in columns if "rating" in fields[at]), None)
        sides.append(PairingSide(names[0], number, None, None, rating))
    return PairingHeading((sides[0], sides[1]), (len(cells) - 1,), 0)
