"""The competitors next to one in the standings, under one criterion."""

from dataclasses import dataclass

from standings.entries import Entry
from standings.tables.columns import Sheet
from standings.words import value_of


@dataclass(frozen=True)
class Neighbour:
    """One line of the standings around a competitor: its place and its value; `here` is the competitor."""

    entry: Entry
    place: str
    text: str
    here: bool


def neighbours_of(sheet: Sheet, row: int, code: str, reach: int = 2) -> list[Neighbour]:
    """The lines of the standings around a row of the crosstable, itself included.

    UnknownCriterionError where there is no such criterion.
    """
    judged = sheet.standings.column(code)
    at = next(at for at, line in enumerate(sheet.rows) if line.competitor == row)
    around = sheet.rows[max(at - reach, 0) : at + reach + 1]
    return [
        Neighbour(
            sheet.entries[line.competitor],
            f"{line.place or '-'}{sheet.standings.place_mark(line.competitor)}",
            value_of(judged, line.competitor),
            here=line.competitor == row,
        )
        for line in around
    ]
