"""How unplayed rounds count in tie-breaks. A policy is part of a ranking system; criteria do not know it."""

from dataclasses import dataclass
from enum import Enum

from standings.engine.arrays import WITH_OPPONENT, WITHOUT_OPPONENT, RoundKind


class ForfeitWin(Enum):
    """The opponent and the score with which an own win by forfeit counts in tie-breaks."""

    AS_SCORED = "the scheduled opponent, as scored"
    THREE_QUARTERS = "the scheduled opponent, three quarters of the points"
    VIRTUAL = "a virtual opponent"


class Dummy(Enum):
    """The opponent that replaces the real one in an own unplayed round, by its score."""

    OWN_SCORE = "a dummy with the own score"
    CAPPED = "a dummy with the own score, but no more than the opponent's or than a draw each round gives"
    VIRTUAL = "a virtual opponent, who drew every round to come"


@dataclass(frozen=True)
class UnplayedPolicy:
    """How unplayed rounds count in criteria that use the opponents.

    `counted_kinds`: the kinds of round that count, even if only with 0. `bye_against_itself`: a bye counts as
    a drawn match against the competitor itself. `forfeit_win`: how an own win by forfeit counts.
    `opponents_gifts_are_draws`: in an opponent's score, wins by forfeit and byes count as draws, and losses
    by forfeit as 0.

    The editions of FIDE's C.07 use a `dummy` for each own unplayed round. In an opponent's score, requested
    byes after the last game count as draws; with `opponents_unplayed_are_draws`, all unplayed rounds do.
    `voluntary_first`: cuts remove voluntary unplayed rounds first. `in_round_robin`: the policy for round
    robins.
    """

    code: str
    counted_kinds: tuple[RoundKind, ...]
    bye_against_itself: bool = False
    forfeit_win: ForfeitWin = ForfeitWin.AS_SCORED
    opponents_gifts_are_draws: bool = False
    dummy: Dummy | None = None
    opponents_unplayed_are_draws: bool = False
    voluntary_first: bool = False
    in_round_robin: "UnplayedPolicy | None" = None


FMJD = UnplayedPolicy("fmjd", counted_kinds=WITH_OPPONENT + WITHOUT_OPPONENT)
OLIMPBASE = UnplayedPolicy(
    "olimpbase",
    counted_kinds=(*WITH_OPPONENT, RoundKind.BYE),
    bye_against_itself=True,
    forfeit_win=ForfeitWin.THREE_QUARTERS,
)
OLYMPIAD_2010 = UnplayedPolicy(
    "olympiad-2010",
    counted_kinds=(*WITH_OPPONENT, RoundKind.BYE),
    bye_against_itself=True,
    forfeit_win=ForfeitWin.VIRTUAL,
    opponents_gifts_are_draws=True,
)


def _fide_edition(
    code: str, dummy: Dummy, *, drawn: bool = False, voluntary_first: bool = True
) -> UnplayedPolicy:
    """In round robins of C.07, forfeits count like games, and byes do not count."""
    return UnplayedPolicy(
        code,
        counted_kinds=WITH_OPPONENT + WITHOUT_OPPONENT,
        dummy=dummy,
        opponents_unplayed_are_draws=drawn,
        voluntary_first=voluntary_first,
        in_round_robin=UnplayedPolicy(code, counted_kinds=WITH_OPPONENT),
    )


FIDE_2009 = _fide_edition("fide-2009", Dummy.VIRTUAL, drawn=True, voluntary_first=False)
FIDE_2024 = _fide_edition("fide-2024", Dummy.OWN_SCORE)
FIDE_2026 = _fide_edition("fide-2026", Dummy.CAPPED)
EDITIONS = {"2023-08-01": FIDE_2024, "2026-03-01": FIDE_2026}
"""The editions of C.07 by the first start date of their events. Earlier events use FIDE_2009."""

POLICIES = {
    policy.code: policy for policy in (FMJD, OLIMPBASE, OLYMPIAD_2010, FIDE_2009, FIDE_2024, FIDE_2026)
}


def edition_of(start: str) -> UnplayedPolicy:
    """Return the edition of C.07 for an event that starts on a date (ISO 8601), the newest if it is blank."""
    if not start:
        return FIDE_2026
    # A date may be a year or a month only; as text it sorts before all of its days.
    return next((policy for day, policy in reversed(EDITIONS.items()) if start >= day), FIDE_2009)
