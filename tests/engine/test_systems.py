"""The ranking systems and their criteria."""

import pytest

from standings.engine import POLICIES, SYSTEMS, Scale

FROZEN, OPEN = True, False
FMJD = ("fmjd", None)
FIDE = ("fide-2026", None)
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
    "fide-swiss": ("PTS BH/C1 BH SB DE manual", *FIDE, OPEN),
    "fide-round-robin": ("PTS DE SB KS WON manual", *FIDE, OPEN),
    "fide-team-swiss": ("MPTS GPTS EDE BH:MP/C1 EMGSB/C1 manual", *FIDE, OPEN),
    "fide-team-round-robin": ("MPTS GPTS EDE EGGSB manual", *FIDE, OPEN),
}


@pytest.mark.parametrize("code", RULES)
def test_criteria_are_those_of_the_published_rules(code: str) -> None:
    system = SYSTEMS[code]
    found = (" ".join(system.criteria), system.unplayed.code, system.primary, system.frozen)
    assert found == RULES[code]
    assert system.unplayed == POLICIES[system.unplayed.code]


SWISS = {"round_robin": False, "teams": False, "chess": False}


@pytest.mark.parametrize(
    ("event", "suiting"),
    [
        (SWISS, "fmjd-swiss fmjd-swiss-truncated fmjd-swiss-median fmjd-swiss-rating manual-swiss"),
        ({**SWISS, "chess": True}, "manual-swiss fide-swiss"),
        ({**SWISS, "round_robin": True}, "manual-round-robin"),
        (
            {**SWISS, "chess": True, "teams": True},
            (
                "manual-swiss olympiad-1976 olympiad-1978 olympiad-2004 olympiad-2008 olympiad-2010 league"
                " fide-team-swiss"
            ),
        ),
        ({**SWISS, "round_robin": True, "teams": True}, "manual-round-robin league"),
        ({**SWISS, "round_robin": True, "chess": True}, "manual-round-robin fide-round-robin"),
        (
            {"round_robin": True, "teams": True, "chess": True},
            "manual-round-robin league fide-team-round-robin",
        ),
    ],
)
def test_systems_suit_the_events_they_are_made_for(event: dict[str, bool], suiting: str) -> None:
    assert [code for code in RULES if SYSTEMS[code].suits(**event)] == suiting.split()
