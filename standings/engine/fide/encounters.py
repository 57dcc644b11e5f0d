"""Direct encounters, C.07 6 and 13.3: standings among tied competitors, repeated inside each remaining tie.

A tied group is tried with each method in turn. A method that splits it is applied again inside each new group
until it splits no more; these groups then start with the first method again. Each pass that split a group is
a level of the column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from standings.engine.arrays import BoardInput, Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.measures import Figures, Measure
from standings.engine.scoring import HALF
from standings.engine.terms import Column, Terms
from standings.engine.texts import counted_phrase, fraction_text, phrase
from standings.engine.tie import Tie, in_split_group, split_groups


@dataclass(frozen=True)
class EncounterMethod:
    """A method to separate a group, by (n, rounds) half-points, of which `most` is the maximum per game.

    `article`: the source. `pairs_only`: compares the boards of a match, for exactly two tied teams. `fewer`:
    fewer points are better.
    """

    points: Callable[[Crosstable], Ints]
    most: Callable[[Crosstable], int] = lambda _table: 0
    article: str = "6"
    pairs_only: bool = False
    fewer: bool = False


PRIMARY = EncounterMethod(lambda table: table.points(), lambda table: table.scoring.win(table.scale))
SECONDARY = EncounterMethod(
    lambda table: table.points(table.scale.other),
    lambda table: table.scoring.win(table.scale.other),
    article="13.3.1",
)


BOARD_COUNT = EncounterMethod(
    lambda table: table.points_on_boards @ np.arange(1, table.points_on_boards.shape[2] + 1),
    article="12.1",
    pairs_only=True,
    fewer=True,
)


def top_boards(table: Crosstable) -> tuple[EncounterMethod, ...]:
    boards = range(table.points_on_boards.shape[2])
    return tuple(_on_boards(slice(at, at + 1), "12.2") for at in boards)


def without_bottom_boards(table: Crosstable) -> tuple[EncounterMethod, ...]:
    counts = reversed(range(1, table.points_on_boards.shape[2]))
    return tuple(_on_boards(slice(count), "12.3") for count in counts)


def _on_boards(boards: slice, article: str) -> EncounterMethod:
    return EncounterMethod(
        lambda table: table.points_on_boards[:, :, boards].sum(axis=2), article=article, pairs_only=True
    )


@dataclass(frozen=True, eq=False)
class Pass:
    """A pass over the tied groups.

    `points` (n, rounds): of each encounter, averaged over several meetings. `counted` (n, rounds): rounds
    that are encounters. `place` (n,): within the original group, from 1. `separated` (n,): rows that were
    separated from others. `method` (n,): index of the method. `possible` (n,): points if all missing
    encounters were won.
    """

    points: Ints
    counted: Bools
    place: Ints
    separated: Bools
    method: Ints
    possible: Ints


class PlaceAmongTied(Measure):
    """The place within the tied group; 0 if the group was not split. Lower is better."""

    separating_only = True

    def __init__(self, passes: list[Pass], methods: tuple[EncounterMethod, ...], unit: int) -> None:
        self.passes, self.methods, self.unit = passes, methods, unit
        self.separated = np.any([each.separated for each in passes], axis=0)

    def figures(self, terms: Terms, level: int) -> Figures:
        places = np.where(self.separated, self.passes[level].place, 0)
        return places * terms.unit, terms.counts(level)

    def keys(self, figures: Figures) -> Ints:
        return -figures[0]

    def texts(self, column: Column, _used: Ints) -> list[str]:
        top, _ = column.figures(column.levels - 1)
        return [fraction_text(place, column.unit) for place in top.tolist()]

    def working(self, terms: Terms, row: int, level: int) -> str:
        done = self.passes[level]
        games = int(np.count_nonzero(done.counted[row]))
        scored = fraction_text(int(terms.sums(level)[row]), self.unit)
        possible = fraction_text(abs(int(done.possible[row])), self.unit)
        summary = counted_phrase(
            "%(points)s from %(count)s game", "%(points)s from %(count)s games", games, points=scored
        )
        if possible != scored:
            summary = phrase("%(made)s, at most %(possible)s (6.3)", made=summary, possible=possible)
        return phrase(
            "%(made)s: place %(place)s (%(article)s)",
            made=summary,
            place=int(done.place[row]),
            article=self.methods[int(done.method[row])].article,
        )


def encounter_column(tie: Tie, methods: tuple[EncounterMethod, ...], *, as_paired: bool) -> Column:
    """Return the column of the tied groups, split by the methods in turn as far as possible."""
    table = tie.table
    counts_forfeits = as_paired or table.is_round_robin
    games = table.met if counts_forfeits else table.met & table.over_the_board
    unit = HALF * _divisible_unit(_count_meetings(table.opponent, games))
    passes, lacking = _split_by_methods(tie, methods, games, unit)
    symbol, levels = phrase("points"), len(passes)
    points = np.concatenate([each.points for each in passes], axis=1)
    counted = np.concatenate([each.counted for each in passes], axis=1)
    level = np.where(counted, np.repeat(np.arange(levels), table.rounds)[None, :], -1)
    terms = table.repeated(symbol, points, unit, counted, levels).split_into_levels(level)
    measure = PlaceAmongTied(passes, methods, unit)
    return replace(terms.total(measure), not_recorded=lacking & ~measure.separated)


def _split_by_methods(
    tie: Tie, methods: tuple[EncounterMethod, ...], games: Bools, unit: int
) -> tuple[list[Pass], Bools]:
    n = len(tie.group)
    first, group = tie.group, tie.group
    level = tie.level
    method, last_way = np.zeros(n, dtype=np.int64), len(methods)
    has_split, lacking = np.zeros((2, n), dtype=bool)
    passes: list[Pass] = []
    while True:
        active = level & (np.bincount(group, minlength=n)[group] > 1) & (method < last_way)
        if not active.any():
            break
        keys = np.zeros(n, dtype=np.int64)
        points, counted = np.zeros(tie.table.shape, dtype=np.int64), np.zeros(tie.table.shape, dtype=bool)
        possible = np.zeros(n, dtype=np.int64)
        for number in np.unique(method[active]).tolist():
            rows = active & (method == number)
            met = _GroupEncounters(tie, group, rows, games, methods[number], unit)
            keys, possible = np.where(rows, met.keys, keys), np.where(rows, met.possible, possible)
            counted |= met.counted
            lacking |= met.lacking
            points = np.where(met.counted, met.points, points)
        after = split_groups(group, keys, np.flatnonzero(active))
        separated = in_split_group(group, after) & active
        if separated.any() or not passes:
            passes.append(Pass(points, counted, after - first + 1, separated, method, possible))
        # A method that splits is repeated inside the new groups (6.2); then the first method follows (13.3).
        method = np.where(separated, method, np.where(has_split, 0, method + active))
        has_split = separated
        group = after
    if len(passes) > 1 and not passes[0].separated.any():
        del passes[0]
    if not passes:
        zeros = np.zeros(n, dtype=np.int64)
        no_points = np.zeros(tie.table.shape, dtype=np.int64)
        passes.append(Pass(no_points, no_points > 0, zeros, zeros > 0, zeros, zeros))
    return passes, lacking


class _GroupEncounters:
    def __init__(
        self, tie: Tie, group: Ints, rows: Bools, games: Bools, method: EncounterMethod, unit: int
    ) -> None:
        table, self._group, self._rows = tie.table, group, rows
        inside = tie.inside
        opponent = table.opponent
        self.counted = games & (group[opponent] == group[:, None]) & rows[:, None]
        self.counted &= inside[:, None] & inside[opponent]
        n = len(group)
        sizes = np.bincount(group[inside], minlength=n)[group]
        self.lacking = np.zeros(n, dtype=bool)
        if method.pairs_only:
            self.counted &= (sizes == 2)[:, None]
            # Matches without recorded boards are left out, because their points are unknown.
            self.lacking = (self.counted & table.lacks_boards(BoardInput.EACH_BOARD)).any(axis=1)
            self.counted &= ~self.lacking[:, None]
        times = _count_meetings(opponent, self.counted)
        self.points = np.where(self.counted, method.points(table) * (unit // HALF) // np.maximum(times, 1), 0)
        scored = self.points.sum(axis=1) * (-1 if method.fewer else 1)
        # Each opponent counts once, regardless of the number of meetings.
        shares = _divisible_unit(times)
        met = (np.where(self.counted, shares // np.maximum(times, 1), 0).sum(axis=1)) // shares
        missing = np.where(rows & inside, sizes - 1 - met, 0)
        if table.is_round_robin or method.pairs_only:
            missing = np.zeros_like(missing)
        self.possible = scored + missing * method.most(table) * (unit // HALF)
        not_all = np.zeros(n, dtype=bool)
        not_all[group[missing > 0]] = True
        self.keys = np.where(not_all[group], self._keys_with_missing_games(scored), scored)

    def _keys_with_missing_games(self, scored: Ints) -> Ints:
        rows = np.flatnonzero(self._rows)
        order = rows[np.lexsort((-scored[rows], self._group[rows]))]
        group, own, most = self._group[order], scored[order], self.possible[order]
        if not len(order):
            return scored
        # The maximum from each row to the end of its group; the offset makes later groups smaller.
        span = int(most.max()) - int(min(own.min(), most.min())) + 1
        offset = -(np.unique(group, return_inverse=True)[1]) * span
        best_below = np.maximum.accumulate((most + offset)[::-1])[::-1]
        starts = np.concatenate([[True], group[1:] != group[:-1]])
        ahead = np.concatenate([own[:-1] + offset[:-1] > best_below[1:], [False]])
        last = np.concatenate([starts[1:], [True]])
        # A row has a place of its own if it, and all rows above it, are ahead of all rows below.
        stopped = np.cumsum(~ahead | last)
        before = np.concatenate([[0], stopped[:-1]])
        first_of = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
        has_own_place = (stopped - before[first_of]) == 0
        keys = np.zeros_like(scored)
        keys[order] = np.where(has_own_place, len(order) - np.arange(len(order)), 0)
        return keys


def _divisible_unit(times: Ints) -> int:
    """Return the smallest unit that all numbers of meetings up to the maximum divide."""
    return lcm(*range(1, int(times.max(initial=0)) + 1))


def _count_meetings(opponent: Ints, counted: Bools) -> Ints:
    times = counted.astype(np.int64)
    # Only rows with repeated meetings need counting, and these are rare.
    in_order = np.sort(np.where(counted, opponent, -1), axis=1)
    again = ((in_order[:, 1:] == in_order[:, :-1]) & (in_order[:, 1:] >= 0)).any(axis=1)
    if again.any():
        met, counts = opponent[again], counted[again]
        same = (met[:, :, None] == met[:, None, :]) & counts[:, None, :]
        times[again] = np.where(counts, same.sum(axis=2), 0)
    return times
