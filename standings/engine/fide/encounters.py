"""Direct encounters, C.07 6 and 13.3: the table of the tied, made again inside each tie that is left.

A group still level is tried by one way after another. One that parts it is applied again inside each group
that is left, until it parts nobody any more; these begin with the first way again. A level of the column is
a pass that parted somebody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import lcm

import numpy as np

from standings.engine.arrays import BoardInput, Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.measures import Figures, Measure
from standings.engine.scoring import HALF
from standings.engine.terms import Column, Terms
from standings.engine.texts import counted_phrase, phrase, points_text
from standings.engine.tie import Tie, split_groups


@dataclass(frozen=True)
class Way:
    """One way to part a group: the (n, rounds) half-points that are compared, and the most that a game gives.

    `article`: where it stands. `pairs_only`: the boards of a match, for exactly two who are level.
    `fewer`: is better. `is_secondary`: not in the score that ranks.
    """

    points: Callable[[Crosstable], Ints]
    most: Callable[[Crosstable], int] = lambda _table: 0
    article: str = "6"
    pairs_only: bool = False
    fewer: bool = False
    is_secondary: bool = False


PRIMARY = Way(lambda table: table.points(), lambda table: table.scoring.win(table.scale))
SECONDARY = Way(
    lambda table: table.points(table.scale.other),
    lambda table: table.scoring.win(table.scale.other),
    article="13.3.1",
    is_secondary=True,
)


def _board_count(table: Crosstable) -> Ints:
    on_boards = table.points_on_boards
    count: Ints = on_boards @ np.arange(1, on_boards.shape[2] + 1)
    return count


BOARD_COUNT = Way(_board_count, article="12.1", pairs_only=True, fewer=True, is_secondary=True)


def top_boards(table: Crosstable) -> tuple[Way, ...]:
    """Return a way for each board, from the first on."""
    return tuple(
        Way(partial(_on_board, at), article="12.2", pairs_only=True, is_secondary=True)
        for at in range(table.points_on_boards.shape[2])
    )


def without_bottom_boards(table: Crosstable) -> tuple[Way, ...]:
    """Return a way without the last board, one without the last two, and so on."""
    return tuple(
        Way(partial(_above, left), article="12.3", pairs_only=True, is_secondary=True)
        for left in reversed(range(1, table.points_on_boards.shape[2]))
    )


def _on_board(at: int, table: Crosstable) -> Ints:
    points: Ints = table.points_on_boards[:, :, at]
    return points


def _above(left: int, table: Crosstable) -> Ints:
    above: Ints = table.points_on_boards[:, :, :left].sum(axis=2)
    return above


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass over the groups that are still level.

    `points` (n, rounds): of each encounter, the average where two met more than once. `there`: which rounds
    are encounters. `place` (n,): inside the groups level at the beginning, from 1. `parted` (n,): who was
    parted from somebody. `way` (n,): the number of the way that was tried. `possible` (n,): the points that
    the row would have, had it won all encounters that are missing.
    """

    points: Ints
    there: Bools
    place: Ints
    parted: Bools
    way: Ints
    possible: Ints


class PlaceAmongTied(Measure):
    """The place inside the group that was level; 0 where nothing was parted. Lower is better."""

    separating_only = True

    def __init__(self, passes: list[Pass], ways: tuple[Way, ...], unit: int) -> None:
        """Keep the passes, a level each."""
        self.passes, self.ways, self.unit = passes, ways, unit
        self.parted = np.any([each.parted for each in passes], axis=0)

    def figures(self, terms: Terms, level: int) -> Figures:
        """Return the places after that pass, 0 for who was never parted; and the numbers of encounters."""
        places = np.where(self.parted, self.passes[level].place, 0)
        return places * terms.unit, terms.counts(level)

    def keys(self, figures: Figures) -> Ints:
        """Return (n,) the places turned round."""
        return -figures[0]

    def texts(self, column: Column, _used: Ints) -> list[str]:
        """Return the last place of each row."""
        top, _ = column.figures(column.levels - 1)
        return [points_text(place, column.unit) for place in top.tolist()]

    def working(self, terms: Terms, row: int, level: int) -> str:
        """Return what parted: `2 from 1 game: place 1 of those level`."""
        done = self.passes[level]
        games = int(np.count_nonzero(done.there[row]))
        scored = points_text(int(terms.sums(level)[row]), self.unit)
        possible = points_text(abs(int(done.possible[row])), self.unit)
        made = counted_phrase(
            "%(points)s from %(count)s game", "%(points)s from %(count)s games", games, points=scored
        )
        if possible != scored:
            made = phrase("%(made)s, at most %(possible)s (6.3)", made=made, possible=possible)
        return phrase(
            "%(made)s: place %(place)s (%(article)s)",
            made=made,
            place=int(done.place[row]),
            article=self.ways[int(done.way[row])].article,
        )


def met_among_the_tied(tie: Tie, ways: tuple[Way, ...], *, as_paired: bool) -> Column:
    """Return the column of the groups of a tie, parted by the ways in turn until nothing parts them."""
    table = tie.table
    counts_forfeits = as_paired or table.is_round_robin
    games = table.met if counts_forfeits else table.met & table.over_the_board
    unit = HALF * _shares(_meetings(table.opponent, games))
    passes, lacking = _passes(tie, ways, games, unit)
    terms = _terms(tie, passes, unit)
    measure = PlaceAmongTied(passes, ways, unit)
    return replace(terms.total(measure), not_recorded=lacking & ~measure.parted)


def _passes(tie: Tie, ways: tuple[Way, ...], games: Bools, unit: int) -> tuple[list[Pass], Bools]:
    """Return the passes that parted somebody, the first one where none did; and (n,) who lacks boards."""
    n = len(tie.group)
    first, group = tie.group, tie.group
    level = tie.level
    way, last_way = np.zeros(n, dtype=np.int64), len(ways)
    has_parted, lacking = np.zeros((2, n), dtype=bool)
    passes: list[Pass] = []
    while True:
        active = level & (np.bincount(group, minlength=n)[group] > 1) & (way < last_way)
        if not active.any():
            break
        keys = np.zeros(n, dtype=np.int64)
        points, there = np.zeros(tie.table.shape, dtype=np.int64), np.zeros(tie.table.shape, dtype=bool)
        possible = np.zeros(n, dtype=np.int64)
        for number in np.unique(way[active]).tolist():
            rows = active & (way == number)
            met = _Encounters(tie, group, rows, games, ways[number], unit)
            keys, possible = np.where(rows, met.keys, keys), np.where(rows, met.possible, possible)
            there |= met.there
            lacking |= met.lacking
            points = np.where(met.there, met.points, points)
        after = split_groups(group, keys, np.flatnonzero(active))
        parted = (np.bincount(group, minlength=n)[group] > np.bincount(after, minlength=n)[after]) & active
        if parted.any() or not passes:
            passes.append(Pass(points, there, after - first + 1, parted, way, possible))
        # A way that parts goes on inside what it leaves (6.2); the rest then begins with the first (13.3).
        way = np.where(parted, way, np.where(has_parted, 0, way + active))
        has_parted = parted
        group = after
    if len(passes) > 1 and not passes[0].parted.any():
        del passes[0]
    if not passes:
        nothing = np.zeros(n, dtype=np.int64)
        no_round = np.zeros(tie.table.shape, dtype=np.int64)
        passes.append(Pass(no_round, no_round > 0, nothing, nothing > 0, nothing, nothing))
    return passes, lacking


class _Encounters:
    """The encounters inside the groups of these rows, by one way."""

    def __init__(self, tie: Tie, group: Ints, rows: Bools, games: Bools, way: Way, unit: int) -> None:
        table, self._group, self._rows = tie.table, group, rows
        inside = tie.inside
        opponent = table.opponent
        self.there = games & (group[opponent] == group[:, None]) & rows[:, None]
        self.there &= inside[:, None] & inside[opponent]
        n = len(group)
        sizes = np.bincount(group[inside], minlength=n)[group]
        if way.pairs_only:
            self.there &= (sizes == 2)[:, None]
        # Boards that are not recorded part nobody: no point of this way is known.
        self.lacking = np.zeros(n, dtype=bool)
        if way.pairs_only:
            self.lacking = (self.there & table.lacks_boards(BoardInput.EACH_BOARD)).any(axis=1)
            self.there &= ~self.lacking[:, None]
        times = _meetings(opponent, self.there)
        self.points = np.where(self.there, way.points(table) * (unit // HALF) // np.maximum(times, 1), 0)
        scored = self.points.sum(axis=1) * (-1 if way.fewer else 1)
        # Each opponent once, however often the two met.
        shares = _shares(times)
        met = (np.where(self.there, shares // np.maximum(times, 1), 0).sum(axis=1)) // shares
        missing = np.where(rows & inside, sizes - 1 - met, 0)
        if table.is_round_robin or way.pairs_only:
            missing = np.zeros_like(missing)
        self.possible = scored + missing * way.most(table) * (unit // HALF)
        not_all = np.zeros(n, dtype=bool)
        not_all[group[missing > 0]] = True
        self.keys = np.where(not_all[group], self._alone_on_top(scored), scored)

    def _alone_on_top(self, scored: Ints) -> Ints:
        """Return (n,) keys that part who is ahead of all below, whatever missing games had given (6.3)."""
        rows = np.flatnonzero(self._rows)
        order = rows[np.lexsort((-scored[rows], self._group[rows]))]
        group, own, most = self._group[order], scored[order], self.possible[order]
        if not len(order):
            return scored
        # The most that anybody from here to the end of the group can have; later groups lie far below.
        span = int(most.max()) - int(min(own.min(), most.min())) + 1
        offset = -(np.unique(group, return_inverse=True)[1]) * span
        best_below = np.maximum.accumulate((most + offset)[::-1])[::-1]
        starts = np.concatenate([[True], group[1:] != group[:-1]])
        ahead = np.concatenate([own[:-1] + offset[:-1] > best_below[1:], [False]])
        last = np.concatenate([starts[1:], [True]])
        # A row is alone on top if it and all before it in its group are ahead of everybody below.
        stopped = np.cumsum(~ahead | last)
        before = np.concatenate([[0], stopped[:-1]])
        first_of = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
        is_alone = (stopped - before[first_of]) == 0
        keys = np.zeros_like(scored)
        keys[order] = np.where(is_alone, len(order) - np.arange(len(order)), 0)
        return keys


def _shares(times: Ints) -> int:
    """Return into how many equal parts a point must go to be shared out among so many meetings."""
    return lcm(*range(1, int(times.max(initial=0)) + 1))


def _meetings(opponent: Ints, there: Bools) -> Ints:
    """Return (n, rounds) how often the row met that opponent in the rounds that are there."""
    times = there.astype(np.int64)
    # Only who met somebody twice has anything to count, and nearly nobody does.
    in_order = np.sort(np.where(there, opponent, -1), axis=1)
    again = ((in_order[:, 1:] == in_order[:, :-1]) & (in_order[:, 1:] >= 0)).any(axis=1)
    if again.any():
        met, counts = opponent[again], there[again]
        same = (met[:, :, None] == met[:, None, :]) & counts[:, None, :]
        times[again] = np.where(counts, same.sum(axis=2), 0)
    return times


def _terms(tie: Tie, passes: list[Pass], unit: int) -> Terms:
    """Return a level for each pass: the encounters that it looked at."""
    table = tie.table
    symbol = phrase("points")
    rounds, levels = table.rounds, len(passes)
    if levels == 1:
        return table.per_round(symbol, passes[0].points, unit, passes[0].there)
    points = np.concatenate([each.points for each in passes], axis=1)
    there = np.concatenate([each.there for each in passes], axis=1)
    step = np.where(there, np.repeat(np.arange(levels), rounds)[None, :], -1)
    return table.repeated(symbol, points, unit, there, levels).split_into_levels(step)
