"""Our values for a tournament, computed from its report or event file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from standings.engine import Crosstable, Ints, RankingSystem, Standings, rank
from standings.engine.fide.unplayed import UnplayedRounds
from standings.engine.scoring import EIGHTH, HALF
from tools.agreement.published import NO_CRITERIA, ORDER, PLACE, UNRATED, Run
from tournaments.event.document import Document, PairingEntry, RoundEntry
from tournaments.event.judging import crosstable_of_document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.trf.reading import read_report

DATES = ReadingOptions(dates="mdy")
"""Order of day and month in ambiguous dates of reports."""

ROUNDED = ("AOB", "SSSC")
"""Criteria whose published values are rounded, ½ up; all others are compared exactly."""

PLACES_IN_TIE = ("TBR", "BBE")
"""Vectors, for which gacrux prints the place within the tie."""


class RefusedError(Exception):
    """Our reader refuses a report; the message is the reason."""


@cache
def document_of(path: Path) -> Document:
    reading = read(path) if path.suffix == ".json" else read_report(path.read_bytes(), "agreement", DATES)
    if reading.accepted is None:
        raise RefusedError("; ".join(str(each) for each in reading.errors))
    return reading.accepted


def through(document: Document, rounds: int) -> Document:
    """Return the document up to a round; rounds without record count as not played (fide.md 7)."""
    recorded = {each.number: each for each in document.rounds if each.pairings}
    nobody = tuple(
        PairingEntry(table=table, first=each.number, kind="absent")
        for table, each in enumerate(document.competitors, start=1)
    )
    every = range(1, max(rounds, *recorded, 0) + 1)
    shown = (recorded.get(number) or RoundEntry(number=number, pairings=nobody) for number in every)
    return replace(document, rounds=tuple(shown))


def of_match(document: Document, numbers: Sequence[int]) -> Document:
    """Return the document with only the matches between these two teams."""
    rounds = [
        replace(each, pairings=tuple(there for there in each.pairings if {*there.numbers} == {*numbers}))
        for each in document.rounds
    ]
    return replace(document, rounds=tuple(each for each in rounds if each.pairings))


@lru_cache(maxsize=4)
def table_of_run(
    path: Path, edition: str, unrated: str, rounds: int | None, match: tuple[int, ...], *, round_robin: bool
) -> Crosstable:
    document = document_of(path)
    if round_robin:
        document = replace(document, event=replace(document.event, schedule="round-robin"))
    if match:
        document = of_match(document, match)
    return table_under(through(document, rounds) if rounds else document, edition, unrated)


def table_under(document: Document, edition: str, unrated: str = "") -> Crosstable:
    event = replace(document.event, unplayed=edition, unrated=unrated)
    return crosstable_of_document(replace(document, event=event))


class Ours:
    """Our values of a table, with `criteria` ranked before the requested criterion."""

    def __init__(self, table: Crosstable, criteria: tuple[str, ...]) -> None:
        self._criteria = criteria
        self._standings: dict[tuple[str, ...], Standings] = {}
        self._table = table
        self._row = {int(number): at for at, number in enumerate(table.numbers.tolist())}

    @classmethod
    def of(cls, run: Run) -> Ours:
        given = (run.path, run.edition, run.unrated, run.rounds, run.match)
        return cls(table_of_run(*given, round_robin=run.round_robin), run.criteria)

    def value(self, asked: str, competitor: int, like: str | None) -> str | None:
        """Return a value in the format of `like` if it is exact in that format, else exactly; None for no
        value.

        Raise UnknownCriterionError if we do not have the criterion.
        """
        row = self._row[competitor]
        code = asked.partition(UNRATED)[0].partition(" (")[0]
        if code == PLACE:
            return str(self._ranked().place[row])
        if code == ORDER:  # competitors who share a place may be in any order
            place, sharing = int(self._ranked().place[row]), int(self._ranked().sharing[row])
            return like if place <= int(like or 0) < place + sharing else str(place)
        if code in NO_CRITERIA:
            return printed(Fraction(int(self._beside(code)[row]), 8 if code == "ABH" else 1), like)
        if code in PLACES_IN_TIE and code == asked:
            return str(self._places_in_tie(code)[row])
        column = self._ranked().column(code)
        if column.criterion.within_tie:
            return printed(Fraction(column.text(row) or 0), like)
        figures = column.levels(row)
        rounded = code.startswith(ROUNDED)
        return printed(figures[0], like, rounded=rounded) if figures else None

    def _ranked(self, *more: str) -> Standings:
        criteria = (*self._criteria, *more)
        if criteria not in self._standings:
            # The table has its own policy, so that of the system is not used.
            system = RankingSystem("agreement", "Agreement", criteria, self._table.policy)
            self._standings[criteria] = rank(self._table, system)
        return self._standings[criteria]

    def _beside(self, code: str) -> Ints:
        table = self._ranked().table
        rounds = UnplayedRounds(table)
        if code == "VUR":
            return np.asarray(rounds.voluntary.sum(axis=1))
        if code == "NUM":
            return np.asarray(table.over_the_board.sum(axis=1))
        if table.is_round_robin:  # no adjustments in a round robin
            return np.asarray(EIGHTH // HALF * table.points().sum(axis=1))
        return rounds.adjusted_totals(table.scale)

    def _places_in_tie(self, code: str) -> Ints:
        before, after = self._ranked(), self._ranked(code)
        return np.where(before.sharing > after.sharing, after.place - before.place + 1, 0)


def printed(value: Fraction, like: str | None, *, rounded: bool = False) -> str:
    """Return a value with as many decimals as `like`; exactly if it has more, unless it is `rounded`."""
    decimals = len((like or "").partition(".")[2])
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    short = exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return str(short if rounded or Fraction(short) == value else value)
