"""Joins the three columns of a round, `81;b;1`, into a cell, `81b1`: opponent, colour, result."""

import re
from collections.abc import Collection, Sequence

from tournaments.interchange.formats.tables.crosstable_cells import BLACK, EITHER, WHITE
from tournaments.interchange.formats.tables.grid import GridRow

_OPPONENT = re.compile(r"\d{0,5}|-|bye|spielfrei|frei|vrij|exempt|descansa|libre|riposo|pauza", re.IGNORECASE)
_COLOUR = re.compile(rf"[{WHITE}{BLACK}{EITHER}-]?", re.IGNORECASE)
_RESULT = re.compile(r"[01x½=+-]?|1/2|0[.,]5", re.IGNORECASE)
_OFF = {"1": "BYE", "+": "BYE", "½": "½bye", "0": "–", "-": "–", "": ""}
_HALF = {"x": "½", "=": "½", "1/2": "½", "0.5": "½", "0,5": "½"}
WIDTH = 3


def joins(rows: Sequence[GridRow], at: int) -> bool:
    """Return whether this column and the next two have opponent, colour and result in most rows."""
    # Three blank columns would match too, so at least one cell must have a text.
    triples = [triple for row in rows if any(triple := _triple(row, at))]
    is_parted = any(colour or result for _, colour, result in triples)
    return is_parted and 2 * sum(map(_is_round_triple, triples)) > len(triples)


def joined(row: GridRow, starts: Collection[int], pairs: Collection[int] = ()) -> GridRow:
    """Return the row with a cell for each three columns that begin at one of `starts`.

    Works for headings too. `pairs`: the same for two columns, whose texts are joined with a blank.
    """
    cells: list[str] = []
    at = 0
    while at < len(row.cells):
        if at in starts:
            triple = _triple(row, at)
            # Other texts are joined with blanks, so that no part is taken for the result.
            cells.append(
                _joined_cell(*triple) if _is_round_triple(triple) else " ".join(filter(None, triple))
            )
            at += WIDTH
        elif at in pairs:
            cells.append(f"{row.cell(at)} {row.cell(at + 1)}".strip())
            at += 2
        else:
            cells.append(row.cells[at])
            at += 1
    return GridRow(row.number, tuple(cells))


def _triple(row: GridRow, at: int) -> tuple[str, str, str]:
    return row.cell(at), row.cell(at + 1), row.cell(at + 2)


def _is_round_triple(triple: tuple[str, str, str]) -> bool:
    patterns = (_OPPONENT, _COLOUR, _RESULT)
    return all(pattern.fullmatch(cell) for pattern, cell in zip(patterns, triple, strict=True))


def _joined_cell(opponent: str, colour: str, result: str) -> str:
    points = _HALF.get(result.casefold(), result)
    if opponent.isalpha():
        return _OFF[points] or "BYE"
    if not opponent.strip("-0"):
        return _OFF[points]
    return f"{opponent}{colour.strip('-')}{points}"
