"""The competitors who can still be first, and the results that they need, as far as they can be proven.

The strongest of these proofs that applies is used:

- TIEBREAKS: all possible results of the open games were ranked by all criteria;
- POINTS: competitors have at most a single open pairing, so pairings are independent;
- SCHEDULE: competitors have several open pairings, all known; a search found who can have the most points;
- REACH: later rounds are not paired yet. The remaining points prove only who can no longer be first.

Nothing can be proven if points do not decide first, if a ruling sets a place or value, or if a result is
unknown or may be annulled. Open pairings count as played, so a double forfeit is not considered. An open
pairing of a withdrawn competitor is won by the opponent, and bonus points of later rounds count already.
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
from standings.engine.contenders.proofs import PointsProof, ScheduleProof, TiebreakProof
from standings.engine.contenders.search import PairingScore
from standings.engine.standings import Standings


def contenders_of(standings: Standings, game_results: Sequence[tuple[int, int]]) -> Contenders | None:
    """Return the competitors who can still be first, None if that is unknown or no pairing is open.

    `game_results`: the possible results of a game, in half-points for both sides.
    """
    contest = Contest(standings, game_results)
    if not contest.is_provable:
        return None
    if contest.most_open > 1 or contest.left:
        schedule = ScheduleProof(contest)
        return schedule.contenders() or schedule.within_reach()
    if not contest.pairings:
        return None
    return TiebreakProof(contest).contenders() or PointsProof(contest).contenders()
