"""A search of the remaining schedule: can a competitor still have the most points?"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from standings.engine.arrays import Bools, Ints

MAX_STEPS = 4000  # about 20 ms
UNBOUNDED = 10**9  # half-points; room of competitors outside the competition


class PairingScore(NamedTuple):
    """The half-points of both sides of a pairing, in the score that decides first."""

    first: int
    second: int


class LeftPairing(NamedTuple):
    """A pairing that is left, and the scores with which it can end."""

    first: int
    second: int
    scores: tuple[PairingScore, ...]


class SearchTooLongError(Exception):
    """The search took more than MAX_STEPS steps."""


class ScheduleSearch:
    """A search for final results of all pairings with which a row has the most points."""

    def __init__(self, points: Ints, ranked: Bools) -> None:
        self.points, self.ranked = points.tolist(), ranked.tolist()
        self.steps = MAX_STEPS

    def leads(
        self, row: int, against: Sequence[int], way: Sequence[PairingScore], others: Sequence[LeftPairing]
    ) -> bool:
        """Return whether a row can have the most points if its own pairings `against` others end in `way`."""
        total = self.points[row] + sum(score.first for score in way)
        room = [
            total - points if ranked else UNBOUNDED
            for points, ranked in zip(self.points, self.ranked, strict=True)
        ]
        for opponent, score in zip(against, way, strict=True):
            room[opponent] -= score.second
        room[row] = 0
        if min(room) < 0:
            return False
        limited = self._limited_pairings(room, list(others))
        return min(room) >= 0 and self._can_end_within(room, limited)

    def _limited_pairings(self, room: list[int], pairings: list[LeftPairing]) -> list[LeftPairing]:
        """Return the pairings between sides that both have too little room to win all their pairings.

        A side with enough room takes all points, which leaves the fewest points to its opponents.
        """
        while True:
            most = Counter[int]()
            for first, second, scores in pairings:
                most[first] += max(score.first for score in scores)
                most[second] += max(score.second for score in scores)
            unlimited = {row for row, points in most.items() if room[row] >= points}
            rest = [pairing for pairing in pairings if not unlimited & {pairing.first, pairing.second}]
            if len(rest) == len(pairings):
                return rest
            for first, second, scores in pairings:
                if first not in unlimited and second in unlimited:
                    room[first] -= min(score.first for score in scores)
                elif second not in unlimited and first in unlimited:
                    room[second] -= min(score.second for score in scores)
            # The sides with enough room keep it, because it allows for all of their pairings.
            pairings = rest

    def _can_end_within(self, room: list[int], pairings: list[LeftPairing]) -> bool:
        self.steps -= 1
        if self.steps < 0:
            raise SearchTooLongError
        if not pairings:
            return True
        # The pairing with the fewest options first, so that hopeless searches end early.
        options = [
            [score for score in scores if score.first <= room[first] and score.second <= room[second]]
            for first, second, scores in pairings
        ]
        at = min(range(len(pairings)), key=lambda at: len(options[at]))
        (first, second, _scores), rest = pairings[at], pairings[:at] + pairings[at + 1 :]
        for score in options[at]:
            room[first] -= score.first
            room[second] -= score.second
            ended = self._can_end_within(room, rest)
            room[first] += score.first
            room[second] += score.second
            if ended:
                return True
        return False
