"""The systems and their lists."""

import pytest

from standings.engine import POLICIES, SYSTEMS, Scale

FROZEN, OPEN = True, False
FMJD = ("fmjd", None)
RULES = {
    "fmjd-swiss": (
        "total-score solkoff-truncated-short solkoff-plus solkoff-baliakin solkoff-truncated-full manual",
        *FMJD,
        FROZEN,
    ),
    "fmjd-swiss-truncated": ("total-score solkoff-truncated-full manual", *FMJD, FROZEN),
    "fmjd-swiss-median": ("total-score solkoff-median solkoff-truncated-full manual", *FMJD, FROZEN),
    "fmjd-swiss-rating": ("total-score average-rating-opponents manual", *FMJD, FROZEN),
    "manual-swiss": ("total-score manual", *FMJD, OPEN),
    "manual-round-robin": ("total-score wins direct-encounter best-opponents manual", *FMJD, OPEN),
    "olympiad-1976": ("game-points match-points buchholz", "olimpbase", Scale.GAME, FROZEN),
    "olympiad-1978": ("game-points buchholz match-points", "olimpbase", Scale.GAME, FROZEN),
    "olympiad-2004": (
        "game-points buchholz match-points sonneborn-berger buchholz-median",
        "olimpbase",
        Scale.GAME,
        FROZEN,
    ),
    "olympiad-2008": ("match-points dsb dsmp game-points", "olimpbase", Scale.MATCH, FROZEN),
    "olympiad-2010": ("match-points dsb game-points dsmp", "olympiad-2010", Scale.MATCH, FROZEN),
    "league": ("match-points game-points direct-encounter manual", "olympiad-2010", Scale.MATCH, OPEN),
}


@pytest.mark.parametrize("code", RULES)
def test_as_the_rules_list_them(code: str) -> None:
    system = SYSTEMS[code]
    found = (" ".join(system.criteria), system.unplayed.code, system.primary, system.frozen)
    assert found == RULES[code]
    assert system.unplayed == POLICIES[system.unplayed.code]
