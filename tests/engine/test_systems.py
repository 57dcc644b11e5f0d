"""The systems and their lists."""

import pytest

from standings.engine import POLICIES, SYSTEMS, Scale
from tests.engine.examples import system_of

FMJD = ("fmjd", None)
EXPECTED = {
    "fmjd-swiss": (
        "total-score solkoff-truncated-short solkoff-plus solkoff-baliakin solkoff-truncated-full manual",
        *FMJD,
    ),
    "fmjd-swiss-truncated": ("total-score solkoff-truncated-full manual", *FMJD),
    "fmjd-swiss-median": ("total-score solkoff-median solkoff-truncated-full manual", *FMJD),
    "fmjd-swiss-rating": ("total-score average-rating-opponents manual", *FMJD),
    "manual-swiss": ("total-score manual", *FMJD),
    "manual-round-robin": ("total-score wins direct-encounter best-opponents manual", *FMJD),
    "olympiad-1976": ("game-points match-points buchholz", "olimpbase", Scale.GAME),
    "olympiad-1978": ("game-points buchholz match-points", "olimpbase", Scale.GAME),
    "olympiad-2004": (
        "game-points buchholz match-points sonneborn-berger buchholz-median",
        "olimpbase",
        Scale.GAME,
    ),
    "olympiad-2008": ("match-points dsb dsmp game-points", "olimpbase", Scale.MATCH),
    "olympiad-2010": ("match-points dsb game-points dsmp", "olympiad-2010", Scale.MATCH),
    "league": ("match-points game-points direct-encounter manual", "olympiad-2010", Scale.MATCH),
}


@pytest.mark.parametrize("code", EXPECTED)
def test_as_the_rules_list_them(code: str) -> None:
    system = SYSTEMS[code]
    assert (" ".join(system.criteria), system.unplayed.code, system.primary) == EXPECTED[code]
    assert system.unplayed == POLICIES[system.unplayed.code]


def test_there_are_no_others() -> None:
    assert list(SYSTEMS) == list(EXPECTED)
    assert [code for code, system in SYSTEMS.items() if not system.frozen] == [
        "manual-swiss",
        "manual-round-robin",
        "league",
    ]


def test_durations_are_only_fair_after_wins() -> None:
    assert system_of("total-score", "wins", "faster-wins", "slower-losses").misplaced == ()
    assert system_of("total-score", "faster-wins", "wins", "slower-losses").misplaced == ("faster-wins",)
    assert system_of("slower-losses").misplaced == ("slower-losses",)
