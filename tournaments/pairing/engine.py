"""What an engine is asked and what it answers: reports and numbers in, pairs with their reasons out.

Points are half-points. Nothing here knows an event, a database or a language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

Progress = Callable[[int, int], None]
"""Is told how many parts of how many are done."""


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
        """Say whether it is one of FIDE's rules for teams."""
        return self in {Method.TEAM_A, Method.TEAM_B, Method.TEAM}

    @property
    def is_fide(self) -> bool:
        """Say whether these are rules of FIDE's for a Swiss, which give reasons for each pair."""
        return self.is_team or self is Method.DUTCH


class EngineError(Exception):
    """An engine made no pairs; `reason` says which sort of failure it was, the text what the engine said."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(text)
        self.reason = reason


NO_PAIRING, BAD_REPORT, TIMED_OUT, OUT_OF_MEMORY, CRASHED, NOT_THERE = (
    "no-pairing", "bad-report", "timed-out", "out-of-memory", "crashed", "not-there",
)  # fmt: skip
"""The sorts of failure: the rules allow no pairing, the report was refused, and what befell the process."""


@dataclass(frozen=True, slots=True)
class PairingTask:
    """What an engine is asked: to pair a round of a report.

    `absent` are the numbers of those whom it leaves out, `numbers` those of everybody, for rules that read no
    report; `colour` is `w` or `b`, that of number 1 in round 1; `game_scores` says of teams that game points
    come first.
    """

    report: str
    round: int
    method: str
    absent: Sequence[int] = ()
    numbers: Sequence[int] = ()
    colour: str = "w"
    game_scores: bool = False

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the task of plain data."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class ProposedPair:
    """Two who are to meet, or one who gets the bye of the pairing (`black` is None), and why.

    `bracket` is the score of the bracket in half-points, None where the engine tells none; `floats` are
    those of another score who play in it, with `down` or `up`; `rule` names what gave the colours, by FIDE's
    article; `criteria` are those that the pair does not meet, by FIDE's name (C12).
    """

    white: int
    black: int | None
    bracket: int | None = None
    floats: Mapping[str, str] = field(default_factory=dict)
    rule: str = ""
    criteria: Sequence[str] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the pair of plain data."""
        return cls(**data)

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of who sits here, White first."""
        return (self.white,) if self.black is None else (self.white, self.black)


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """What an engine found of the pairings of a round.

    `pair` is the first table at which it has others, `engine` what it has there, both None where it agrees;
    `criterion` is the first of FIDE's criteria in which its bracket is better, blank where none is named.
    `problem` is what kept it from pairing the round at all.
    """

    round: int
    pair: ProposedPair | None = None
    engine: ProposedPair | None = None
    criterion: str = ""
    problem: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the round of plain data."""
        pairs = {name: ProposedPair.of(data[name]) for name in ("pair", "engine") if data.get(name)}
        return cls(**{**data, "pair": None, "engine": None, **pairs})

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)

    @property
    def agrees(self) -> bool:
        """Say whether the engine pairs the round as it was paired."""
        return self.pair is self.engine is None and not self.problem
