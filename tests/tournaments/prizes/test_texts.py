"""How the amount of a player is explained."""

import pytest

from tournaments.event.prizes import Sharing
from tournaments.prizes.allocation import Fund, allocate
from tournaments.prizes.sharing import Contender
from tournaments.prizes.texts import share_text

CENTS = 100


def explained(funds: list[Fund], players: int, sharing: str, *, step: int = 1) -> list[str]:
    level = [Contender(row, row + 1, 8) for row in range(players)]
    names = [fund.code or "Main" for fund in funds]
    return [share_text(win, sharing, names) for win in allocate(funds, level, sharing, step=step).wins]


def fund(*amounts: int, code: str = "", rows: tuple[int, ...] = tuple(range(9))) -> Fund:
    return Fund(code, tuple(CENTS * each for each in amounts), (), rows)


def test_undivided_prize_needs_no_explanation() -> None:
    assert explained([fund(100)], 1, Sharing.US_CHESS) == [""]
    assert explained([fund(103)], 1, Sharing.US_CHESS, step=500) == ["103, rounded down to 100"]


@pytest.mark.parametrize("sharing", [Sharing.US_CHESS, Sharing.EQUAL])
def test_equal_shares_name_the_prizes_and_the_number_of_players(sharing: Sharing) -> None:
    assert explained([fund(100, 50, 50)], 3, sharing)[0] == (
        "100 + 2 × 50 shared by 3: 66.66… each, rounded down to 66.66"
    )


def test_limited_share_names_the_limit_and_the_others_their_part_of_the_excess() -> None:
    funds = [fund(536, 306), fund(1379, 766, code="U2400", rows=(1, 2, 3))]
    pool = "536 (Main) + 306 (Main) + 1379 (U2400) + 766 (U2400) shared by 4: 746.75 each"
    limited = f"{pool}; limited to 536, the largest prize that this competitor could win without the tie"
    raised = f"{pool}; 817 with an equal share of the excess over the limits of others"
    assert explained(funds, 4, Sharing.US_CHESS) == [limited, raised, raised, raised]


def test_hort_names_both_parts() -> None:
    assert explained([fund(120, 100)], 2, Sharing.HORT) == [
        "120 + 100 shared by 2: 110 each; 50 per cent of this and of 120, the prize by place: 115",
        "120 + 100 shared by 2: 110 each; 50 per cent of this and of 100, the prize by place: 105",
    ]
