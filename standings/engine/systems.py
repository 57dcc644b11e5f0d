"""Ranking systems: ordered criteria, a policy for unplayed rounds, and the events they are made for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from standings.engine.policies import FIDE_2026, FMJD, OLIMPBASE, OLYMPIAD_2010, UnplayedPolicy
from standings.engine.scoring import Scale


@dataclass(frozen=True)
class RankingSystem:
    """An ordered list of criteria, by code.

    `frozen`: only an override can change it. `primary`: the score that it fixes, None to leave it to the
    event. The other fields describe the events it is made for: `swiss` and `round_robin`; `teams`, only
    teams; `players`, only players; `draughts`, all games except chess; `chess`, only chess.
    """

    code: str
    name: str
    criteria: tuple[str, ...]
    unplayed: UnplayedPolicy
    primary: Scale | None = None
    frozen: bool = True
    swiss: bool = True
    round_robin: bool = False
    teams: bool = False
    draughts: bool = False
    players: bool = False
    chess: bool = False

    def suits(self, *, round_robin: bool, teams: bool, chess: bool) -> bool:
        scheduled = self.round_robin if round_robin else self.swiss
        entered = not (self.players if teams else self.teams)
        return scheduled and entered and not (self.draughts if chess else self.chess)

    def ordered_by(self, criteria: tuple[str, ...]) -> RankingSystem:
        return replace(self, criteria=criteria)


_draughts = partial(RankingSystem, unplayed=FMJD, draughts=True)
_olympiad = partial(RankingSystem, unplayed=OLIMPBASE, primary=Scale.GAME, teams=True)
_fide = partial(RankingSystem, unplayed=FIDE_2026, frozen=False, chess=True)
_fide_round_robin = partial(_fide, swiss=False, round_robin=True)

SYSTEMS = {
    system.code: system
    for system in (
        _draughts(
            "fmjd-swiss",
            "Standard FMJD Swiss",
            criteria=(
                *("total-score", "solkoff-truncated-short", "solkoff-plus", "solkoff-baliakin"),
                *("solkoff-truncated-full", "manual"),
            ),
        ),
        _draughts(
            "fmjd-swiss-truncated",
            "FMJD Swiss on truncated Solkoff",
            criteria=("total-score", "solkoff-truncated-full", "manual"),
        ),
        _draughts(
            "fmjd-swiss-median",
            "FMJD Swiss on Median Solkoff",
            criteria=("total-score", "solkoff-median", "solkoff-truncated-full", "manual"),
        ),
        _draughts(
            "fmjd-swiss-rating",
            "FMJD on Rating",
            criteria=("total-score", "average-rating-opponents", "manual"),
        ),
        RankingSystem(
            "manual-swiss", "Manual (Swiss)", criteria=("total-score", "manual"), unplayed=FMJD, frozen=False
        ),
        RankingSystem(
            "manual-round-robin",
            "Manual (Round Robin)",
            criteria=("total-score", "wins", "direct-encounter", "best-opponents", "manual"),
            unplayed=FMJD,
            frozen=False,
            swiss=False,
            round_robin=True,
        ),
        _olympiad(
            "olympiad-1976",
            "Olympiad 1976",
            criteria=("game-points", "match-points", "buchholz"),
        ),
        _olympiad(
            "olympiad-1978",
            "Olympiad 1978-2002",
            criteria=("game-points", "buchholz", "match-points"),
        ),
        _olympiad(
            "olympiad-2004",
            "Olympiad 2004-2006",
            criteria=("game-points", "buchholz", "match-points", "sonneborn-berger", "buchholz-median"),
        ),
        RankingSystem(
            "olympiad-2008",
            "Olympiad 2008",
            criteria=("match-points", "dsb", "dsmp", "game-points"),
            unplayed=OLIMPBASE,
            primary=Scale.MATCH,
            teams=True,
        ),
        RankingSystem(
            "olympiad-2010",
            "Olympiad (2010–)",
            criteria=("match-points", "dsb", "game-points", "dsmp"),
            unplayed=OLYMPIAD_2010,
            primary=Scale.MATCH,
            teams=True,
        ),
        RankingSystem(
            "league",
            "League",
            criteria=("match-points", "game-points", "direct-encounter", "manual"),
            unplayed=OLYMPIAD_2010,
            primary=Scale.MATCH,
            frozen=False,
            round_robin=True,
            teams=True,
        ),
        _fide(
            "fide-swiss",
            "FIDE Swiss",
            criteria=("PTS", "BH/C1", "BH", "SB", "DE", "manual"),
            players=True,
        ),
        _fide_round_robin(
            "fide-round-robin",
            "FIDE round robin",
            criteria=("PTS", "DE", "SB", "KS", "WON", "manual"),
            players=True,
        ),
        _fide(
            "fide-team-swiss",
            "FIDE team Swiss",
            criteria=("MPTS", "GPTS", "EDE", "BH:MP/C1", "EMGSB/C1", "manual"),
            teams=True,
        ),
        _fide_round_robin(
            "fide-team-round-robin",
            "FIDE team round robin",
            criteria=("MPTS", "GPTS", "EDE", "EGGSB", "manual"),
            teams=True,
        ),
    )
}
"""The systems by code. A frozen system is a published rule set, and its list never changes."""


def ranks_by_edition(code: str) -> bool:
    system = SYSTEMS.get(code)
    return system is not None and system.unplayed.dummy is not None
