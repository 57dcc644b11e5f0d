"""Three proofs: by ranking all possible results, by points, and by a search of the remaining schedule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import compress, product

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
from standings.engine.contenders.search import LeftPairing, PairingScore, ScheduleSearch, SearchTooLongError
from standings.engine.registry import Family, get_criterion
from standings.engine.standings import Standings, rank

BEYOND_SCORES = {"plus-draws", "plus-minus-draws"}
"""Criteria that depend on more than the score of a game: a draw may be with advantage."""

MAX_OUTCOMES = 729  # three results of six games

MAX_RANKED = {64: 64, 4096: 24}
"""How many outcomes may be ranked by all criteria, by number of competitors; each takes 1 to 2 ms."""

LAST_ROUNDS = 3  # earlier, nearly all competitors are within reach


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


class PointsProof:
    """The proof by points, if each competitor has at most a single open pairing: they are independent."""

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


class ScheduleProof:
    """The proof by a search of the remaining schedule, and the estimate of who is within reach."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest

    def contenders(self) -> Contenders | None:
        """Return the competitors who can have the most points, if all remaining pairings are known.

        Return None if they are not, or if the search would take too long.
        """
        if (
            not self.contest.knows_schedule
            or self.contest.most_open > LAST_ROUNDS
            or not self._best_is_widest
        ):
            return None
        search = ScheduleSearch(self.contest.points, self.contest.ranked)
        found = []
        try:
            for row in self.contest.standings.order.tolist():
                needed = self._needed(row, search) if self.contest.ranked[row] else None
                if needed is not None:
                    points = int(self.contest.points[row])
                    most = points + int(self.contest.most_left[row])
                    found.append(Contender(row, points, most, needed=needed))
        except SearchTooLongError:
            return None
        return self.contest.result(Proof.SCHEDULE, found)

    @property
    def _best_is_widest(self) -> bool:
        sides = {
            self.contest.scores_for(each, row)
            for each in self.contest.pairings
            for row in (each.first, each.second)
        }
        return all(
            scores[0].first - scores[0].second >= first - second
            for scores in sides
            for first, second in scores
        )

    def _needed(self, row: int, search: ScheduleSearch) -> int | None:
        own = [each for each in self.contest.pairings if row in (each.first, each.second)]
        others = [
            LeftPairing(each.first, each.second, self.contest.scores_of(each))
            for each in self.contest.pairings
            if each not in own
        ]
        against = [each.second if row == each.first else each.first for each in own]
        every = [self.contest.scores_for(each, row) for each in own]
        ways = sorted(
            product(*every), key=lambda way: (sum(s.first for s in way), -sum(s.second for s in way))
        )
        # First the best results: a row that cannot be first with them never can.
        if not search.leads(row, against, ways[-1], others):
            return None
        return next(sum(s.first for s in way) for way in ways if search.leads(row, against, way, others))

    def within_reach(self) -> Contenders | None:
        unpaired = self.contest.rounds_left * (not self.contest.knows_schedule)
        if int((unpaired + self.contest.open_counts).max()) > LAST_ROUNDS:
            return None
        best = max(score.first for score in self.contest.scores)
        most = self.contest.points + self.contest.most_left + best * unpaired
        top = (self.contest.points + self.contest.certain_left)[self.contest.ranked].max()
        each = [
            Contender(row, int(self.contest.points[row]), int(most[row]))
            for row in self.contest.standings.order.tolist()
            if self.contest.ranked[row] and most[row] >= top
        ]
        return self.contest.result(Proof.REACH, each)
