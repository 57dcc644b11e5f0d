"""The upsets of a round: wins against the largest rating differences, as bars."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString

from standings.charts.svg import element

SHOWN = 5
"""Number of upsets shown. Wins with the same difference as the last are all shown or all omitted."""
MOST = 8
"""Maximum number of upsets, including equal ones."""


class RatedWin(NamedTuple):
    """A played and won pairing. Ratings are None if unknown."""

    winner: str
    winner_number: int
    winner_rating: int | None
    loser: str
    loser_number: int
    loser_rating: int | None
    table: int


class Upset(NamedTuple):
    """A win against a higher rating. `bar`: a bar for the difference."""

    win: RatedWin
    difference: int
    bar: SafeString


def upsets_of(wins: Iterable[RatedWin]) -> list[Upset]:
    upset_wins = [
        (win.loser_rating - win.winner_rating, win)
        for win in wins
        if win.winner_rating and win.loser_rating and win.loser_rating > win.winner_rating
    ]
    upset_wins.sort(key=lambda each: -each[0])
    shown: list[tuple[int, RatedWin]] = []
    for _difference, group in groupby(upset_wins, lambda each: each[0]):
        alike = list(group)
        # Wins with the same difference have no order, so they are listed together or not at all.
        if shown and (len(shown) >= SHOWN or len(shown) + len(alike) > MOST):
            break
        shown += alike
    upsets = []
    for difference, win in shown:
        width = f"{100 * difference // shown[0][0]}%"
        bar = element("rect", class_="bar", width=width, height=8, rx=2)
        svg = element("svg", bar, class_="bars", width="100%", height=8, aria_hidden="true")
        upsets.append(Upset(win, difference, svg))
    return upsets
