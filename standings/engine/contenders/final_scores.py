"""Proof by all criteria, which ranks all possible results of the open games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind
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
from standings.engine.registry import Family, get_criterion
from standings.engine.standings import Standings, rank

BEYOND_SCORES = {"plus-draws", "plus-minus-draws"}
"""Criteria that depend on more than the score of a game: a draw may be with advantage."""

MAX_OUTCOMES = 729  # three results of six games

MAX_RANKED = {64: 64, 4096: 24}
"""How many outcomes may be ranked by all criteria, by number of competitors; each takes 1 to 2 ms."""


class TiebreakProof:
    """The proof by all criteria. `outcomes` (k, pairings) are indices of results in `contest.games`."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest

    def contenders(self) -> Contenders | None:
        if (
            not self._needs_scores_only
            or len(self.contest.games) ** len(self.contest.pairings) > MAX_OUTCOMES
        ):
            return None
        every = product(range(len(self.contest.games)), repeat=len(self.contest.pairings))
        outcomes = np.array(list(every), dtype=np.int64)
        first = self._first_by_outcome(outcomes)
        if first is None:
            return None
        rows = [row for row in self.contest.standings.order.tolist() if first[:, row].any()]
        return self.contest.result(Proof.TIEBREAKS, [self._contender(row, outcomes, first) for row in rows])

    @property
    def _needs_scores_only(self) -> bool:
        criteria = [get_criterion(code) for code in self.contest.standings.criteria]
        return (
            self.contest.table.scoring.boards == 1
            and self.contest.table.boards is None
            and not any(
                each.on_boards
                or each.family in {Family.BOARDS, Family.DURATION}
                or each.plain_code in BEYOND_SCORES
                for each in criteria
            )
        )

    def _first_by_outcome(self, outcomes: Ints) -> Bools | None:
        """Return (k, n) a mask of the first competitors, None if too many outcomes need all criteria."""
        sides = np.array(self.contest.game_scores, dtype=np.int64)[outcomes]
        totals = np.repeat(
            np.where(self.contest.ranked, self.contest.points, BELOW_ALL)[None], len(outcomes), axis=0
        )
        for at, pairing in enumerate(self.contest.pairings):
            for side, row in enumerate((pairing.first, pairing.second)):
                totals[:, row] += sides[:, at, side] * bool(self.contest.ranked[row])
        first: Bools = (totals == totals.max(axis=1, keepdims=True)) & self.contest.ranked
        undecided = np.flatnonzero(first.sum(axis=1) > 1).tolist()
        most = next((most for n, most in MAX_RANKED.items() if len(self.contest.points) <= n), 0)
        if len(undecided) > most:
            return None
        for at in undecided:
            first[at] = self._standings_after(outcomes[at].tolist()).place == 1
        return first

    def _standings_after(self, outcome: Sequence[int]) -> Standings:
        table = self.contest.table
        changed = {
            name: getattr(table, name).copy() for name in ("kind", "game_points", "match_points", "games")
        }
        for pairing, at in zip(self.contest.pairings, outcome, strict=True):
            game, column = self.contest.games[at], pairing.round - 1
            own, theirs = np.array(game), np.array(game[::-1])
            match = table.scoring.match_points(own, theirs, np.full(2, RoundKind.PLAYED)).tolist()
            for side, row in enumerate((pairing.first, pairing.second)):
                changed["kind"][row, column] = RoundKind.PLAYED
                changed["games"][row, column] = 1
                changed["game_points"][row, column] = game[side]
                changed["match_points"][row, column] = match[side]
        return rank(table.derived(**changed), self.contest.standings.system, self.contest.standings.overrides)

    def _contender(self, row: int, outcomes: Ints, first: Bools) -> Contender:
        points, alone = int(self.contest.points[row]), first.sum(axis=1) == 1
        at = self.contest.index_of_open(row)
        if at is None:
            every = np.ones(len(outcomes), dtype=bool)
            result = self._own_result(None, outcomes, first[:, row], alone, every)
            return Contender(row, points, points, None, (result,) if result else ())
        pairing = self.contest.pairings[at]
        side = 0 if row == pairing.first else 1
        found = []
        for index, score in enumerate(self.contest.game_scores):
            mine = PairingScore(*score[:: 1 - 2 * side])
            found.append(self._own_result(mine, outcomes, first[:, row], alone, outcomes[:, at] == index, at))
        results = sorted(filter(None, found), key=lambda result: -(result.score or (0,))[0])
        return Contender(row, points, points + int(self.contest.most_left[row]), pairing, tuple(results))

    def _own_result(
        self,
        score: PairingScore | None,
        outcomes: Ints,
        first: Bools,
        alone: Bools,
        mask: Bools,
        own: int | None = None,
    ) -> OwnResult | None:
        """Return the other results needed in the outcomes of the mask, None if no outcome is enough."""
        sufficient = outcomes[mask & first]
        if not len(sufficient):
            return None
        others = [at for at in range(len(self.contest.pairings)) if at != own]
        possible = [sorted(set(sufficient[:, at].tolist())) for at in others]
        # Pairing by pairing only if every combination of these results is sufficient.
        is_independent = int(np.prod([len(each) for each in possible], dtype=np.int64)) == len(sufficient)
        demands = tuple(
            Demand(
                self.contest.pairings[at],
                tuple(self.contest.game_scores[index] for index in each),
                self.contest.scores,
            )
            for at, each in zip(others, possible, strict=True)
            if is_independent and len(each) < len(self.contest.games)
        )
        certain, alone_count = len(sufficient) == int(mask.sum()), (mask & first & alone).sum()
        ways = None if is_independent else (len(sufficient), int(mask.sum()))
        certain_alone = certain and alone_count == len(sufficient)
        return OwnResult(score, certain, bool(alone_count), certain_alone, demands, ways)
