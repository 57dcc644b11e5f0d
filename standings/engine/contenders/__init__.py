"""Who can still be first, and by which results: exactly, as far as that can be proven.

Four proofs, of which the strongest that holds is taken:

- TIEBREAKS: every way in which the open games can end was tried, and judged by all criteria;
- POINTS: nobody has more than one pairing left, so that every pairing can be looked at by itself;
- SCHEDULE: several are left and all are known; who can still have the most points was searched for;
- REACH: pairings are still to be made. Only points that can still be had are counted, which proves who can no
  longer be first, and not who still can.

Nothing is said where points do not decide first, where a ruling gives a place or a value, or where a result
is unknown or may come to count otherwise. Open pairings are taken to be played: a pairing that both lose by
default ends as none of these do. An open pairing of somebody who has left by then is won by the opponent, and
bonus and penalty points that are dated to a later round count from the beginning.
"""

from collections.abc import Sequence

from standings.engine.contenders.contest import (
    Contender,
    Contenders,
    Contest,
    Demand,
    OpenPairing,
    OwnResult,
    Proof,
)
from standings.engine.contenders.endings import ByEndings
from standings.engine.contenders.points import ByPoints
from standings.engine.contenders.schedule import BySchedule
from standings.engine.contenders.search import PairingScore
from standings.engine.standings import Standings

__all__ = [
    "Contender",
    "Contenders",
    "Demand",
    "OpenPairing",
    "OwnResult",
    "PairingScore",
    "Proof",
    "contenders_of",
]


def contenders_of(standings: Standings, game_results: Sequence[tuple[int, int]]) -> Contenders | None:
    """Return who can still be first; None where nothing can be told, is left, or is near enough to the end.

    `game_results` are those that one game can have, in half-points, each from both sides.
    """
    contest = Contest(standings, game_results)
    if not contest.can_be_told:
        return None
    if contest.busiest > 1 or contest.left:
        schedule = BySchedule(contest)
        return schedule.contenders() or schedule.within_reach()
    if not contest.pairings:
        return None
    return ByEndings(contest).contenders() or ByPoints(contest).contenders()
