"""The interface of pairing engines: reports and numbers in, pairs with their reasons out.

Points are half-points. This module uses no event, database or language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

Progress = Callable[[int, int], None]
"""Called with the number of finished parts and of all parts."""

PROGRESS = "progress"
"""The prefix of progress lines on standard error; other lines are messages of an engine."""


class Method(StrEnum):
    """The rules by which rounds are paired."""

    DUTCH = "dutch"
    TEAM_A = "team-type-a"
    TEAM_B = "team-type-b"
    TEAM = "team-no-colours"
    BERGER = "berger"
    DOUBLE_BERGER = "double-berger"
    COMMAND = "command"

    @property
    def is_team(self) -> bool:
        return self in {Method.TEAM_A, Method.TEAM_B, Method.TEAM}

    @property
    def is_fide(self) -> bool:
        """Return whether these are FIDE rules for a Swiss, which give a reason for each pair."""
        return self.is_team or self is Method.DUTCH


class EngineError(Exception):
    """An engine returned no pairs. `reason`: the kind of failure; the text is the message of the engine."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(text)
        self.reason = reason


NO_PAIRING, BAD_REPORT, TIMED_OUT, OUT_OF_MEMORY, CRASHED, NOT_THERE = (
    "no-pairing", "bad-report", "timed-out", "out-of-memory", "crashed", "not-there",
)  # fmt: skip
"""The kinds of failure: no legal pairing, a refused report, and failures of the process."""


@dataclass(frozen=True, slots=True)
class PairingTask:
    """A round of a report to be paired.

    `absent`: the numbers that are left out. `numbers`: all numbers, for rules that read no report. `colour`:
    `w` or `b`, the colour of number 1 in round 1. `game_scores`: teams are ranked by game points first.

    These are pairing numbers. `start_numbers`: the start numbers of competitors with another pairing number.
    Proposed pairs have start numbers. `provisional`: the postponed and adjourned games of the report.
    """

    report: str
    round: int
    method: str
    absent: Sequence[int] = ()
    numbers: Sequence[int] = ()
    colour: str = "w"
    game_scores: bool = False
    start_numbers: Mapping[str, int] = field(default_factory=dict)
    provisional: Sequence[Mapping[str, Any]] = ()

    def start_number(self, number: int) -> int:
        return self.start_numbers.get(str(number), number)


@dataclass(frozen=True, slots=True)
class ProposedPair:
    """Competitors who are to meet, or a competitor with the pairing bye (`black` is None).

    `bracket`: the score of the bracket in half-points, None if the engine does not report it. `floats`:
    competitors of another score in it, with `down` or `up`. `rule`: the article of FIDE that decided the
    colours. `criteria`: FIDE's names of the criteria that the pair does not meet (C12).
    """

    white: int
    black: int | None
    bracket: int | None = None
    floats: Mapping[str, str] = field(default_factory=dict)
    rule: str = ""
    criteria: Sequence[str] = ()

    def renumbered(self, number_of: Callable[[int], int]) -> Self:
        return replace(
            self,
            white=number_of(self.white),
            black=None if self.black is None else number_of(self.black),
            floats={str(number_of(int(number))): float_ for number, float_ in self.floats.items()},
        )

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.white,) if self.black is None else (self.white, self.black)


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """The comparison of a round with the pairings of an engine.

    `pair`: the first table that differs. `engine`: the engine's pair there. Both are None if the pairings
    agree. `criterion`: the first of FIDE's criteria that is better in the engine's bracket, blank if there is
    none. `problem`: why the engine could not pair the round.
    """

    round: int
    pair: ProposedPair | None = None
    engine: ProposedPair | None = None
    criterion: str = ""
    problem: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        pairs = {name: ProposedPair(**data[name]) for name in ("pair", "engine") if data.get(name)}
        return cls(**{**data, "pair": None, "engine": None, **pairs})

    def renumbered(self, number_of: Callable[[int], int]) -> Self:
        return replace(
            self,
            pair=self.pair and self.pair.renumbered(number_of),
            engine=self.engine and self.engine.renumbered(number_of),
        )

    @property
    def agrees(self) -> bool:
        return self.pair is self.engine is None and not self.problem
