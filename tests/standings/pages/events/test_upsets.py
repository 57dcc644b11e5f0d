"""Upsets of a round."""

from standings.pages.events.pairing_rows import PairingRow, SideResult
from standings.pages.events.round import upsets_of
from standings.pages.events.sides import Side


def win(winner: int | None, loser: int | None) -> PairingRow:
    sides = Side("Ann", number=1, rating=winner), Side("Bea", number=2, rating=loser)
    return PairingRow(1, 1, "", *sides, [SideResult("2", "w"), SideResult("0", "l")], [], [], "played")


def differences(*wins: PairingRow) -> list[int]:
    return [upset.difference for upset in upsets_of(wins)]


def test_upsets_have_the_largest_differences() -> None:
    assert differences(win(2000, 2150), win(2200, 2100), win(1800, 2300), win(2000, 2000)) == [500, 150]


def test_unrated_players_have_no_upsets() -> None:
    assert differences(win(None, 2300), win(2300, None), win(None, None), win(0, 2000)) == []


def test_equal_differences_are_all_listed_or_omitted() -> None:
    four = [win(2000, 2400), win(2000, 2390), win(2000, 2380), win(2000, 2370)]
    assert differences(*four, *[win(2000, 2300)] * 2, win(2000, 2100)) == [400, 390, 380, 370, 300, 300]
    assert differences(*four, *[win(2000, 2300)] * 9) == [400, 390, 380, 370]
    assert len(differences(*[win(2000, 2300)] * 12)) == 12


def test_bar_length_is_proportional_to_the_difference() -> None:
    upsets = upsets_of([win(2000, 2400), win(2000, 2100)])
    assert ['width="100%" height="8" rx' in upsets[0].bar, 'width="25%"' in upsets[1].bar] == [True, True]
