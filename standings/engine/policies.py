"""What an unplayed round is worth in a tie-break: data of a ranking system, of which no criterion knows."""

from dataclasses import dataclass
from enum import Enum

from standings.engine.arrays import ALONE, WITH_OPPONENT, RoundKind


class ForfeitWin(Enum):
    """The opponent, and the score, that a win by forfeit has in tie-breaks."""

    AS_SCORED = "the scheduled opponent, as scored"
    THREE_QUARTERS = "the scheduled opponent, three quarters of the points"
    VIRTUAL = "a virtual opponent"


class Dummy(Enum):
    """The opponent that stands in for an own round that was not played, and the score that it has."""

    OWN_SCORE = "a dummy with the own score"
    CAPPED = "a dummy with the own score, but no more than the opponent's or than a draw each round gives"
    VIRTUAL = "a virtual opponent, who drew every round to come"


@dataclass(frozen=True)
class UnplayedPolicy:
    """The value of rounds that were not played, to the criteria built on opponents.

    `entries`: the kinds of round that are an entry at all, if only of 0. `bye_against_itself`: a bye is a
    drawn match against the competitor itself. `forfeit_win`: what an own win by forfeit is.
    `opponents_gifts_are_draws`: an opponent's wins by forfeit and byes count as drawn matches, his losses by
    forfeit as nothing.

    The editions of FIDE's C.07 have a `dummy` for each own round that was not played; in the criteria of
    opponents a bye asked for behind which nothing was played is a draw, and all unplayed rounds are where
    `opponents_unplayed_are_draws`. `voluntary_first`: a cut takes voluntary unplayed rounds first.
    `in_round_robin`: the policy of events in which all pairings are determined beforehand.
    """

    code: str
    entries: tuple[RoundKind, ...]
    bye_against_itself: bool = False
    forfeit_win: ForfeitWin = ForfeitWin.AS_SCORED
    opponents_gifts_are_draws: bool = False
    dummy: Dummy | None = None
    opponents_unplayed_are_draws: bool = False
    voluntary_first: bool = False
    in_round_robin: "UnplayedPolicy | None" = None

    def of_schedule(self, *, round_robin: bool) -> "UnplayedPolicy":
        """Return the policy for events of that schedule."""
        return self.in_round_robin or self if round_robin else self


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


def _edition(code: str, dummy: Dummy, *, drawn: bool = False, voluntary_first: bool = True) -> UnplayedPolicy:
    """Return the policy of an edition of C.07; in a round robin forfeits are games, and byes no entries."""
    return UnplayedPolicy(
        code,
        entries=WITH_OPPONENT + ALONE,
        dummy=dummy,
        opponents_unplayed_are_draws=drawn,
        voluntary_first=voluntary_first,
        in_round_robin=UnplayedPolicy(code, entries=WITH_OPPONENT),
    )


FIDE_2009 = _edition("fide-2009", Dummy.VIRTUAL, drawn=True, voluntary_first=False)
FIDE_2024 = _edition("fide-2024", Dummy.OWN_SCORE)
FIDE_2026 = _edition("fide-2026", Dummy.CAPPED)
EDITIONS = {"2023-08-01": FIDE_2024, "2026-03-01": FIDE_2026}
"""The editions of C.07 by the day from which on events start under them; before the first, that of 2009."""

POLICIES = {
    policy.code: policy for policy in (FMJD, OLIMPBASE, OLYMPIAD_2010, FIDE_2009, FIDE_2024, FIDE_2026)
}


def edition_of(start: str) -> UnplayedPolicy:
    """Return the edition of C.07 for an event that starts on that day, YYYY-MM-DD; the newest for none."""
    if not start:
        return FIDE_2026
    # A year alone, or a month, is shorter than the days it is compared with and stands before them.
    return next((policy for day, policy in reversed(EDITIONS.items()) if start >= day), FIDE_2009)
