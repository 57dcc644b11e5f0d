"""What an unplayed round is worth in a tie-break: data of a ranking system, of which no criterion knows."""

from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np

from standings.engine.arrays import Bools, Ints


class Kind(IntEnum):
    """What a round was for a competitor. ANNULLED is never recorded: it follows from a withdrawal."""

    ABSENT = 0
    PLAYED = 1
    FORFEIT = 2
    BYE = 3
    HALF_BYE = 4
    ZERO_BYE = 5
    PENDING = 6
    UNKNOWN = 7
    ANNULLED = 8


class ForfeitWin(Enum):
    """Whom a win by forfeit was won against, and how high, as far as tie-breaks are concerned."""

    AS_SCORED = "the scheduled opponent, as scored"
    THREE_QUARTERS = "the scheduled opponent, three quarters of the points"
    VIRTUAL = "a virtual opponent"


PAIRED = (Kind.PLAYED, Kind.FORFEIT)
AWAITED = (Kind.PENDING, Kind.UNKNOWN)
WITH_OPPONENT = PAIRED + AWAITED
ALONE = (Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE, Kind.ABSENT, Kind.ANNULLED)


@dataclass(frozen=True)
class UnplayedPolicy:
    """What the criteria built on opponents make of rounds that were not played.

    `entries`: the kinds of round that are an entry at all, if only of 0. `bye_against_itself`: a bye is a
    drawn match against the competitor itself. `forfeit_win`: what an own win by forfeit is.
    `opponents_gifts_are_draws`: an opponent's wins by forfeit and byes count as drawn matches, his losses by
    forfeit as nothing.
    """

    code: str
    entries: tuple[Kind, ...]
    bye_against_itself: bool = False
    forfeit_win: ForfeitWin = ForfeitWin.AS_SCORED
    opponents_gifts_are_draws: bool = False


FMJD = UnplayedPolicy("fmjd", entries=WITH_OPPONENT + ALONE)
OLIMPBASE = UnplayedPolicy(
    "olimpbase",
    entries=(*WITH_OPPONENT, Kind.BYE),
    bye_against_itself=True,
    forfeit_win=ForfeitWin.THREE_QUARTERS,
)
OLYMPIAD_2010 = UnplayedPolicy(
    "olympiad-2010",
    entries=(*WITH_OPPONENT, Kind.BYE),
    bye_against_itself=True,
    forfeit_win=ForfeitWin.VIRTUAL,
    opponents_gifts_are_draws=True,
)
POLICIES = {policy.code: policy for policy in (FMJD, OLIMPBASE, OLYMPIAD_2010)}


def is_any(kind: Ints, kinds: tuple[Kind, ...]) -> Bools:
    """Where the kind is one of these; one look-up for the whole array."""
    chosen = np.zeros(len(Kind), dtype=bool)
    chosen[list(kinds)] = True
    return chosen[kind]
