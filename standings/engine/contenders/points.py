"""Who can have the most points, where nobody has more than one pairing left."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.contenders.contest import (
    NOTHING,
    Contender,
    Contenders,
    Contest,
    Demand,
    OwnResult,
    Proof,
)
from standings.engine.contenders.search import PairingScore


class ByPoints:
    """The proof by points: each pairing is looked at by itself."""

    def __init__(self, contest: Contest) -> None:
        """Begin with what is open."""
        self.contest = contest

    def contenders(self) -> Contenders:
        """Return who can have the most points, where nobody has more than one pairing left."""
        return self.contest.found(Proof.POINTS, [self._by_points(row) for row in self._not_beaten])

    @property
    def _not_beaten(self) -> list[int]:
        """Return the rows, in the order of the standings, that can come to what the first now have."""
        best = max(score.first for score in self.contest.scores)
        most = self.contest.points + best * (self.contest.open_of > 0)
        reach = self.contest.ranked & (most >= self.contest.points[self.contest.ranked].max())
        return [row for row in self.contest.standings.order.tolist() if reach[row]]

    @cached_property
    def _sides(self) -> Ints:
        """Return (pairings, scores, 2) what both sides would have; `NOTHING` for who takes no place."""
        rows = np.array(
            [(each.first, each.second) for each in self.contest.pairings], dtype=np.int64
        ).reshape(-1, 2)
        totals: Ints = self.contest.points[rows][:, None, :] + np.array(self.contest.scores)[None]
        return np.where(self.contest.ranked[rows][:, None, :], totals, NOTHING)

    def _by_points(self, row: int) -> Contender:
        at = self.contest.open_at(row)
        points = int(self.contest.points[row])
        idle = self.contest.ranked & (self.contest.open_of == 0)
        idle[row] = False
        best_idle = int(self.contest.points[idle].max(initial=NOTHING))
        if at is None:
            found = [self._own_result(points, None, None, best_idle)]
            return Contender(row, points, points, None, tuple(filter(None, found)))
        pairing = self.contest.pairings[at]
        found = []
        for score in self.contest.scores_for(pairing, row):
            other = pairing.second if row == pairing.first else pairing.first
            theirs = int(self.contest.points[other]) + score.second if self.contest.ranked[other] else NOTHING
            found.append(self._own_result(points + score.first, score, at, max(best_idle, theirs)))
        most = points + max(score.first for score in self.contest.scores)
        return Contender(row, points, most, pairing, tuple(filter(None, found)))

    def _own_result(
        self, total: int, score: PairingScore | None, at: int | None, best: int
    ) -> OwnResult | None:
        """Return what must happen elsewhere for that total to be the most; None where nothing would do.

        `at` is the own pairing, `best` the most points of those whose total is known by then.
        """
        allowed, below = self._allowed(total, at), self._allowed(total - 1, at)
        if best > total or not allowed.any(axis=1).all():
            return None
        demands = tuple(
            Demand(pairing, tuple(score for score, may in zip(self.contest.scores, each, strict=True) if may))
            for pairing, each in zip(self.contest.pairings, allowed.tolist(), strict=True)
            if not all(each)
        )
        return OwnResult(
            score,
            certain=not demands,
            alone=best < total and bool(below.any(axis=1).all()),
            certain_alone=best < total and bool(below.all()),
            demands=demands,
        )

    def _allowed(self, total: int, at: int | None) -> Bools:
        """Return (pairings, scores) after which neither side has more than the total; all of the own one."""
        allowed: Bools = np.all(self._sides <= total, axis=2)
        if at is not None:
            allowed[at] = True
        return allowed
