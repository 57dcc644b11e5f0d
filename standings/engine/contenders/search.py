"""The search through the pairings that a schedule still has: can somebody still have the most points."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from standings.engine.arrays import Bools, Ints

MOST_STEPS = 4000
"""Steps of the search through a schedule before it is given up, about 20 ms."""

UNBOUNDED = 10**9
"""Room of who takes no place, and may have any points."""


class PairingScore(NamedTuple):
    """What both sides of a pairing get in the score that decides first; half-points."""

    first: int
    second: int


class SearchTooLongError(Exception):
    """The search took more steps than it may."""


class ScheduleSearch:
    """A search for one way in which all pairings can end so that one row has the most points."""

    def __init__(self, points: Ints, ranked: Bools, scores: Sequence[PairingScore]) -> None:
        """Begin with these points and with MOST_STEPS steps to take."""
        self.points, self.ranked, self.scores = points.tolist(), ranked.tolist(), scores
        self.steps = MOST_STEPS
        self.least = min(score.second for score in scores)

    def leads(
        self, row: int, against: Sequence[int], way: Sequence[PairingScore], others: Sequence[tuple[int, int]]
    ) -> bool:
        """Say whether a row can have the most, its own pairings ending `way` `against` these."""
        total = self.points[row] + sum(score.first for score in way)
        room = [
            total - points if ranked else 10**9
            for points, ranked in zip(self.points, self.ranked, strict=True)
        ]
        for opponent, score in zip(against, way, strict=True):
            room[opponent] -= score.second
        room[row] = 0
        if min(room) < 0:
            return False
        disputed = self._disputed(room, list(others))
        return min(room) >= 0 and self._ends_within(room, disputed)

    def _disputed(self, room: list[int], pairings: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the pairings between sides of which neither has room for a win in every pairing left.

        Who has takes all the points of the others, which leaves the opponents the least.
        """
        most = max(score.first for score in self.scores)
        while True:
            left = Counter(row for pairing in pairings for row in pairing)
            at_ease = {row for row, times in left.items() if room[row] >= times * most}
            rest = [pairing for pairing in pairings if not at_ease & {*pairing}]
            if len(rest) == len(pairings):
                return rest
            for first, second in pairings:
                if first not in at_ease:
                    room[first] -= self.least
                elif second not in at_ease:
                    room[second] -= self.least
            # Those at ease stay so: their room was enough for everything.
            pairings = rest

    def _ends_within(self, room: list[int], pairings: list[tuple[int, int]]) -> bool:
        """Say whether pairings can end so that no side gets more than its room; half-points."""
        self.steps -= 1
        if self.steps < 0:
            raise SearchTooLongError
        if not pairings:
            return True
        # The pairing with the fewest ways to end comes first: there a search without hope ends soonest.
        options = [list(self._within(room, pairing)) for pairing in pairings]
        at = min(range(len(pairings)), key=lambda at: len(options[at]))
        (first, second), rest = pairings[at], pairings[:at] + pairings[at + 1 :]
        for score in options[at]:
            room[first] -= score.first
            room[second] -= score.second
            ended = self._ends_within(room, rest)
            room[first] += score.first
            room[second] += score.second
            if ended:
                return True
        return False

    def _within(self, room: list[int], pairing: tuple[int, int]) -> Iterator[PairingScore]:
        for score in self.scores:
            if score.first <= room[pairing[0]] and score.second <= room[pairing[1]]:
                yield score
