"""Points and places that a table prints, held against the results that were read."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tournaments.event.checks.published import points_are_of_matches, sums_of
from tournaments.event.document import Document
from tournaments.event.finding import Finding, objection
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import ResultError, half_points
from tournaments.formats.account import ReadingTally
from tournaments.formats.tables.entrants import WHOLE
from tournaments.formats.tables.grid import RowPlace
from tournaments.formats.tables.headings import HeadedTable, TableLayout, names_places

_HALF_AS_X = re.compile(r"(\d*)x")  # 7x is 7½ in texts of Swiss-Manager


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A competitor's points, in half-points, and place as a row prints them; None where it prints none."""

    number: int
    place: RowPlace
    points: int | None = None
    rank: int | None = None


def printed_rows(
    table: HeadedTable, layout: TableLayout, numbers: Sequence[int | None], tally: ReadingTally
) -> list[PrintedRow]:
    """Return what the rows of a table print; `numbers` says whose each row is. Count the figures."""
    points, rank = layout.column("points"), layout.column("label")
    if rank is not None and not names_places(table.labels[rank]):
        rank = None
    columns = {each: table.labels[at] for at, each in layout.columns.items()}
    rows = []
    for row, number in zip(table.rows, numbers, strict=True):
        if number is not None:
            place = table.grid.place(row, columns)
            made = _points(row.cell(points), tally) if points is not None else None
            stood = _rank(row.cell(rank), tally) if rank is not None else None
            rows.append(PrintedRow(number, place, made, stood))
    return rows


def _rank(text: str, tally: ReadingTally) -> int | None:
    found = WHOLE.fullmatch(text)
    if found:
        tally.read("ranks")
    elif text:
        tally.unread("ranks", text)
    return int(found[1]) if found else None


def _points(text: str, tally: ReadingTally) -> int | None:
    if not text:
        return None
    try:
        points = half_points(_HALF_AS_X.sub(r"\1½", text))
    except ResultError:
        tally.unread("points", text)
        return None
    tally.read("points")
    return points


def contradictions(
    document: Document, rows: Sequence[PrintedRow], rounds: Collection[int] | None = None
) -> list[Finding]:
    """Return objections where printed points or places do not follow from the results.

    `rounds` are those that the table has; its points are of those, or of all up to the last of them. Nothing
    is said of who has a result that is missing or not known, nor of a round robin that somebody left: his
    results may count for nobody.
    """
    event = document.event
    # His results may count for nobody, which only the ranking decides.
    if event.is_round_robin and any(each.withdrawn_after is not None for each in document.competitors):
        return []
    # A table after round 5 prints points of its rounds, or all up to the last of them.
    tried = [document]
    if rounds is not None:
        tried = [_only(document, rounds), _only(document, range(max(rounds) + 1))]
    found = [_faults(each, rows) for each in tried if any(True for _ in each.pairings())]
    return min(found, key=len, default=[])


def _only(document: Document, rounds: Collection[int]) -> Document:
    return replace(document, rounds=tuple(each for each in document.rounds if each.number in rounds))


def _faults(document: Document, rows: Sequence[PrintedRow]) -> list[Finding]:
    event = document.event
    kinds = (False, True) if event.is_team else (False,)
    columns = [sums_of(document, is_match=is_match) for is_match in kinds]
    points = min((list(_of_points(document, rows, *each)) for each in columns), key=len)
    # Which points a table of teams prints, its figures say; places are by the score that decides.
    return points + list(_of_places(document, rows, *columns[points_are_of_matches(event)]))


def _of_points(
    document: Document, rows: Sequence[PrintedRow], sums: dict[int, int], open_: set[int]
) -> Iterator[Finding]:
    names = {each.number: each.name for each in document.competitors}
    for row in rows:
        if row.points is None or row.number in open_ or row.points == sums[row.number]:
            continue
        text = (
            f"{points_text(row.points)} is printed for {names.get(row.number)}, and the results that were "
            f"read add up to {points_text(sums[row.number])}. Correct one of the two."
        )
        yield objection("printed-points", row.place.key("points"), text)


def _of_places(
    document: Document, rows: Sequence[PrintedRow], sums: dict[int, int], open_: set[int]
) -> Iterator[Finding]:
    """Object to a place in front of somebody with more points."""
    outside = {each.number for each in document.competitors if each.outside}
    ranked = [row for row in rows if row.rank is not None and row.number not in outside | open_]
    ranked.sort(key=lambda row: row.rank or 0)
    for before, row in pairwise(ranked):
        if row.rank != before.rank and sums[row.number] > sums[before.number]:
            text = (
                f"By the results, place {before.rank} has {points_text(sums[before.number])} points and "
                f"place {row.rank} {points_text(sums[row.number])}. Correct one of the two, or say that the "
                "column holds numbers and not places."
            )
            yield objection("printed-places", row.place.key("label"), text)
