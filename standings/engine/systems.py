"""Ranking systems: which criteria in which order, and what unplayed rounds are worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from standings.engine.policies import FMJD, OLIMPBASE, OLYMPIAD_2010, UnplayedPolicy
from standings.engine.scoring import Scale


@dataclass(frozen=True)
class RankingSystem:
    """A list of criteria by code.

    `frozen`: it can be changed only by an override. `primary`: the score it fixes, None where the event says.
    """

    code: str
    name: str
    criteria: tuple[str, ...]
    unplayed: UnplayedPolicy
    frozen: bool = True
    primary: Scale | None = None

    def ordered_by(self, criteria: tuple[str, ...]) -> RankingSystem:
        """Return the same system with another list of criteria."""
        return replace(self, criteria=criteria)


def _system(
    code: str, name: str, criteria: str, unplayed: UnplayedPolicy, primary: Scale | None = None
) -> RankingSystem:
    return RankingSystem(code, name, tuple(criteria.split()), unplayed, primary=primary)


def _open(system: RankingSystem) -> RankingSystem:
    return replace(system, frozen=False)


SYSTEMS = {
    system.code: system
    for system in (
        _system(
            "fmjd-swiss",
            "Standard FMJD Swiss",
            "total-score solkoff-truncated-short solkoff-plus solkoff-baliakin solkoff-truncated-full manual",
            FMJD,
        ),
        _system(
            "fmjd-swiss-truncated",
            "FMJD Swiss on truncated Solkoff",
            "total-score solkoff-truncated-full manual",
            FMJD,
        ),
        _system(
            "fmjd-swiss-median",
            "FMJD Swiss on Median Solkoff",
            "total-score solkoff-median solkoff-truncated-full manual",
            FMJD,
        ),
        _system("fmjd-swiss-rating", "FMJD on Rating", "total-score average-rating-opponents manual", FMJD),
        _open(_system("manual-swiss", "Manual (Swiss)", "total-score manual", FMJD)),
        _open(
            _system(
                "manual-round-robin",
                "Manual (Round Robin)",
                "total-score wins direct-encounter best-opponents manual",
                FMJD,
            )
        ),
        _system("olympiad-1976", "Olympiad 1976", "game-points match-points buchholz", OLIMPBASE, Scale.GAME),
        _system(
            "olympiad-1978", "Olympiad 1978-2002", "game-points buchholz match-points", OLIMPBASE, Scale.GAME
        ),
        _system(
            "olympiad-2004",
            "Olympiad 2004-2006",
            "game-points buchholz match-points sonneborn-berger buchholz-median",
            OLIMPBASE,
            Scale.GAME,
        ),
        _system(
            "olympiad-2008", "Olympiad 2008", "match-points dsb dsmp game-points", OLIMPBASE, Scale.MATCH
        ),
        _system(
            "olympiad-2010", "Olympiad 2010-", "match-points dsb game-points dsmp", OLYMPIAD_2010, Scale.MATCH
        ),
        _open(
            _system(
                "league",
                "League",
                "match-points game-points direct-encounter manual",
                OLYMPIAD_2010,
                Scale.MATCH,
            )
        ),
    )
}
