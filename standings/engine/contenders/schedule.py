"""Proof by a search of the remaining schedule, and competitors within reach of the leader."""

from __future__ import annotations

from itertools import product

from standings.engine.contenders.contest import Contender, Contenders, Contest, Proof
from standings.engine.contenders.search import LeftPairing, ScheduleSearch, SearchTooLongError

LAST_ROUNDS = 3  # earlier, nearly all competitors are within reach


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
