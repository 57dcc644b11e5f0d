"""What an unplayed round is worth in a tie-break: data of a ranking system, of which no criterion knows."""

from dataclasses import dataclass
from enum import Enum

from standings.engine.arrays import ALONE, WITH_OPPONENT, RoundKind


class ForfeitWin(Enum):
    """The opponent, and the score, that a win by forfeit has in tie-breaks."""

    AS_SCORED = "the scheduled opponent, as scored"
    THREE_QUARTERS = "the scheduled opponent, three quarters of the points"
    VIRTUAL = "a virtual opponent"


@dataclass(frozen=True)
class UnplayedPolicy:
    """The value of rounds that were not played, to the criteria built on opponents.

    `entries`: the kinds of round that are an entry at all, if only of 0. `bye_against_itself`: a bye is a
    drawn match against the competitor itself. `forfeit_win`: what an own win by forfeit is.
    `opponents_gifts_are_draws`: an opponent's wins by forfeit and byes count as drawn matches, his losses by
    forfeit as nothing.
    """

    code: str
    entries: tuple[RoundKind, ...]
    bye_against_itself: bool = False
    forfeit_win: ForfeitWin = ForfeitWin.AS_SCORED
    opponents_gifts_are_draws: bool = False


FMJD = UnplayedPolicy("fmjd", entries=WITH_OPPONENT + ALONE)
OLIMPBASE = UnplayedPolicy(
    "olimpbase",
    entries=(*WITH_OPPONENT, RoundKind.BYE),
    bye_against_itself=True,
    forfeit_win=ForfeitWin.THREE_QUARTERS,
)
OLYMPIAD_2010 = UnplayedPolicy(
    "olympiad-2010",
    entries=(*WITH_OPPONENT, RoundKind.BYE),
    bye_against_itself=True,
    forfeit_win=ForfeitWin.VIRTUAL,
    opponents_gifts_are_draws=True,
)
POLICIES = {policy.code: policy for policy in (FMJD, OLIMPBASE, OLYMPIAD_2010)}
