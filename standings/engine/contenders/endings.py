"""Who can be first by all criteria, where every way in which the open games can end can be tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind
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
from standings.engine.registry import Family, get
from standings.engine.standings import Standings, rank

BEYOND_SCORES = {"plus-draws", "plus-minus-draws"}
"""Criteria of players that ask more of a game than its score: a draw may be one with advantage."""

MOST_ENDINGS = 729
"""Ways in which the open games can end, at most, to try them all: three results of six games."""

MOST_RANKED = {64: 64, 4096: 24}
"""How many of these may need all criteria, by the most competitors: ranking costs a millisecond or two."""


class ByEndings:
    """The proof by all criteria: every ending is judged."""

    def __init__(self, contest: Contest) -> None:
        """Begin with what is open."""
        self.contest = contest

    def contenders(self) -> Contenders | None:
        """Return who can be first by all criteria; None where too many endings would have to be tried."""
        if not self._scores_are_all or len(self.contest.games) ** len(self.contest.pairings) > MOST_ENDINGS:
            return None
        every = product(range(len(self.contest.games)), repeat=len(self.contest.pairings))
        endings = np.array(list(every), dtype=np.int64)
        first = self._first_in(endings)
        if first is None:
            return None
        rows = [row for row in self.contest.standings.order.tolist() if first[:, row].any()]
        return self.contest.found(Proof.TIEBREAKS, [self._by_endings(row, endings, first) for row in rows])

    @property
    def _scores_are_all(self) -> bool:
        """Say whether the criteria ask nothing of a pairing but its score."""
        asked = [get(code) for code in self.contest.standings.criteria]
        return (
            self.contest.table.scoring.boards == 1
            and self.contest.table.boards is None
            and not any(
                each.on_boards
                or each.family in {Family.BOARDS, Family.DURATION}
                or each.plain_code in BEYOND_SCORES
                for each in asked
            )
        )

    def _first_in(self, endings: Ints) -> Bools | None:
        """Return (endings, n) who is first; None where too many of them would have to be judged."""
        sides = np.array(self.contest.game_scores, dtype=np.int64)[endings]
        totals = np.repeat(
            np.where(self.contest.ranked, self.contest.points, NOTHING)[None], len(endings), axis=0
        )
        for at, pairing in enumerate(self.contest.pairings):
            for side, row in enumerate((pairing.first, pairing.second)):
                totals[:, row] += sides[:, at, side] * bool(self.contest.ranked[row])
        first: Bools = (totals == totals.max(axis=1, keepdims=True)) & self.contest.ranked
        level = np.flatnonzero(first.sum(axis=1) > 1).tolist()
        most = next((most for n, most in MOST_RANKED.items() if len(self.contest.points) <= n), 0)
        if len(level) > most:
            return None
        for at in level:
            first[at] = self._ended(endings[at].tolist()).place == 1
        return first

    def _ended(self, ending: Sequence[int]) -> Standings:
        """Return the standings after the open pairings ended so."""
        table = self.contest.table
        changed = {
            name: getattr(table, name).copy() for name in ("kind", "game_points", "match_points", "games")
        }
        for pairing, at in zip(self.contest.pairings, ending, strict=True):
            game, column = self.contest.games[at], pairing.round - 1
            own, theirs = np.array(game), np.array(game[::-1])
            match = table.scoring.match_points(own, theirs, np.full(2, RoundKind.PLAYED)).tolist()
            for side, row in enumerate((pairing.first, pairing.second)):
                changed["kind"][row, column] = RoundKind.PLAYED
                changed["games"][row, column] = 1
                changed["game_points"][row, column] = game[side]
                changed["match_points"][row, column] = match[side]
        return rank(table.derived(**changed), self.contest.standings.system, self.contest.standings.overrides)

    def _by_endings(self, row: int, endings: Ints, first: Bools) -> Contender:
        points, alone = int(self.contest.points[row]), first.sum(axis=1) == 1
        at = self.contest.open_at(row)
        if at is None:
            every = np.ones(len(endings), dtype=bool)
            result = self._in_endings(None, endings, first[:, row], alone, every)
            return Contender(row, points, points, None, (result,) if result else ())
        pairing = self.contest.pairings[at]
        side = 0 if row == pairing.first else 1
        found = []
        for index, score in enumerate(self.contest.game_scores):
            mine = PairingScore(*score[:: 1 - 2 * side])
            found.append(self._in_endings(mine, endings, first[:, row], alone, endings[:, at] == index, at))
        results = sorted(filter(None, found), key=lambda result: -(result.score or (0,))[0])
        return Contender(
            row, points, points + max(score.first for score in self.contest.scores), pairing, tuple(results)
        )

    def _in_endings(
        self,
        score: PairingScore | None,
        endings: Ints,
        first: Bools,
        alone: Bools,
        here: Bools,
        own: int | None = None,
    ) -> OwnResult | None:
        """Return what must happen elsewhere in the endings that are `here`; None where nothing would do."""
        good = endings[here & first]
        if not len(good):
            return None
        others = [at for at in range(len(self.contest.pairings)) if at != own]
        may = [sorted(set(good[:, at].tolist())) for at in others]
        # Told pairing by pairing only where every combination of what they may end with would do.
        told = int(np.prod([len(each) for each in may], dtype=np.int64)) == len(good)
        demands = tuple(
            Demand(self.contest.pairings[at], tuple(self.contest.game_scores[index] for index in each))
            for at, each in zip(others, may, strict=True)
            if told and len(each) < len(self.contest.games)
        )
        certain, whole = len(good) == int(here.sum()), (here & first & alone).sum()
        ways = None if told else (len(good), int(here.sum()))
        return OwnResult(score, certain, bool(whole), certain and whole == len(good), demands, ways)
