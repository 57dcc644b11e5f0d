"""The upsets of a round: the largest differences in rating that were overcome, as bars."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString

from standings.charts.svg import element

SHOWN = 5
"""So many are enough for a round; who are level with the last of them are shown too, or none of them."""
MOST = 8
"""More than this do not stand in the list: a large group that is level with the last is left out."""


class RatedWin(NamedTuple):
    """A pairing that was played and won, with the rating of both sides; None for none."""

    winner: str
    winner_number: int
    winner_rating: int | None
    loser: str
    loser_number: int
    loser_rating: int | None
    table: int


class Upset(NamedTuple):
    """A win against a rating that was higher by the `difference`, and a bar as long as that."""

    win: RatedWin
    difference: int
    bar: SafeString


def upsets_of(wins: Iterable[RatedWin]) -> list[Upset]:
    """Return the wins against higher ratings, the largest difference first; none without ratings."""
    found = [
        (win.loser_rating - win.winner_rating, win)
        for win in wins
        if win.winner_rating and win.loser_rating and win.loser_rating > win.winner_rating
    ]
    found.sort(key=lambda each: -each[0])
    shown: list[tuple[int, RatedWin]] = []
    for _difference, group in groupby(found, lambda each: each[0]):
        alike = list(group)
        # A difference is listed whole or not at all: nothing orders its wins.
        if shown and (len(shown) >= SHOWN or len(shown) + len(alike) > MOST):
            break
        shown += alike
    largest = shown[0][0] if shown else 0
    return [Upset(win, difference, _bar(difference, largest)) for difference, win in shown]


def _bar(difference: int, largest: int) -> SafeString:
    bar = element("rect", class_="bar", width=f"{100 * difference // largest}%", height=8, rx=2)
    return element("svg", bar, class_="bars", width="100%", height=8, aria_hidden="true")
