"""Proof by points, if each competitor has at most a single open pairing."""

from __future__ import annotations

from functools import cached_property
from itertools import compress

import numpy as np

from standings.engine.arrays import Bools, Ints
from standings.engine.contenders.contest import (
    BELOW_ALL,
    Contender,
    Contenders,
    Contest,
    Demand,
    OwnResult,
    Proof,
)
from standings.engine.contenders.search import PairingScore


class PointsProof:
    """The proof by points. Pairings are independent."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest

    def contenders(self) -> Contenders:
        most = self.contest.points + self.contest.most_left
        reach = self.contest.ranked & (most >= self.contest.points[self.contest.ranked].max())
        rows = [row for row in self.contest.standings.order.tolist() if reach[row]]
        return self.contest.result(Proof.POINTS, [self._contender(row) for row in rows])

    @cached_property
    def _totals(self) -> Ints:
        """Return (pairings, scores, 2) the totals of both sides after each possible score.

        Pairings with fewer scores than others repeat their last one.
        """
        rows = np.array(
            [(each.first, each.second) for each in self.contest.pairings], dtype=np.int64
        ).reshape(-1, 2)
        scores = [self.contest.scores_of(each) for each in self.contest.pairings]
        longest = max(map(len, scores), default=0)
        padded = np.array([[*each, *each[-1:] * (longest - len(each))] for each in scores], dtype=np.int64)
        totals: Ints = self.contest.points[rows][:, None, :] + padded.reshape(len(scores), longest, 2)
        return np.where(self.contest.ranked[rows][:, None, :], totals, BELOW_ALL)

    def _contender(self, row: int) -> Contender:
        at = self.contest.index_of_open(row)
        points = int(self.contest.points[row])
        finished = self.contest.ranked & (self.contest.open_counts == 0)
        finished[row] = False
        best_finished = int(self.contest.points[finished].max(initial=BELOW_ALL))
        if at is None:
            found = [self._own_result(points, None, None, best_finished)]
            return Contender(row, points, points, None, tuple(filter(None, found)))
        pairing = self.contest.pairings[at]
        found = []
        for score in self.contest.scores_for(pairing, row):
            other = pairing.second if row == pairing.first else pairing.first
            theirs = (
                int(self.contest.points[other]) + score.second if self.contest.ranked[other] else BELOW_ALL
            )
            found.append(self._own_result(points + score.first, score, at, max(best_finished, theirs)))
        most = points + int(self.contest.most_left[row])
        return Contender(row, points, most, pairing, tuple(filter(None, found)))

    def _own_result(
        self, total: int, score: PairingScore | None, at: int | None, best: int
    ) -> OwnResult | None:
        """Return the needed results of other pairings for a total to be the maximum, None if it cannot be.

        `at`: index of the own pairing. `best`: the maximum of the totals that are certain by then.
        """
        allowed, below = self._allowed(total, at), self._allowed(total - 1, at)
        if best > total or not allowed.any(axis=1).all():
            return None
        demands = tuple(
            Demand(pairing, tuple(compress(possible, each)), possible)
            for pairing, each in zip(self.contest.pairings, allowed.tolist(), strict=True)
            if not all(each)
            for possible in [self.contest.scores_of(pairing)]
        )
        return OwnResult(
            score,
            certain=not demands,
            alone=best < total and bool(below.any(axis=1).all()),
            certain_alone=best < total and bool(below.all()),
            demands=demands,
        )

    def _allowed(self, total: int, at: int | None) -> Bools:
        allowed: Bools = np.all(self._totals <= total, axis=2)
        if at is not None:
            allowed[at] = True
        return allowed
