"""Divide the prizes of a pool among the players who share it, in exact fractions of a hundredth.

Sources: US Chess' Official Rules of Chess, 7th edition, 32B2 (equal shares) and 32B3 (limit of each player);
Hort: the article "Hort-System" of the German Wikipedia.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from tournaments.event.prizes import Sharing


class Contender(NamedTuple):
    """A competitor who can win prizes: row of the crosstable, place, and points as the engine has them."""

    row: int
    place: int
    points: int


class Share(NamedTuple):
    """The part of a pool that a player gets, in hundredths.

    `own` is the amount of the pool that belongs to the player's position, an average if the place is shared.
    `unlimited` is the share before the limits of 32B3, `limit` the largest prize that the player could have
    won without a tie, and `exact` the share.
    """

    own: Fraction
    unlimited: Fraction
    limit: int
    exact: Fraction


def divide(
    amounts: Sequence[int], players: Sequence[Contender], limits: Sequence[int], sharing: str
) -> list[Share]:
    """Return the share of each player, in the order of the players, which is that of the standings.

    There are at most as many `amounts` as players, and one of the `limits` for each player. The shares add up
    to the amounts.
    """
    equal = Fraction(sum(amounts), len(players))
    own = _own_amounts(amounts, players)
    unlimited = [(each + equal) / 2 if sharing == Sharing.HORT else equal for each in own]
    exact = _limited(unlimited, limits)
    return [Share(*each) for each in zip(own, unlimited, limits, exact, strict=True)]


def _own_amounts(amounts: Sequence[int], players: Sequence[Contender]) -> list[Fraction]:
    """Return the amounts by position; players who share a place get the average of their positions."""
    highest_first = sorted(amounts, reverse=True)
    own: list[Fraction] = []
    for _place, level in groupby(players, key=lambda each: each.place):
        size, first = len(list(level)), len(own)
        own += [Fraction(sum(highest_first[first : first + size]), size)] * size
    return own


def _limited(shares: Sequence[Fraction], limits: Sequence[int]) -> list[Fraction]:
    """Return the shares, limited; the other players divide the excess equally.

    The limits must add up to at least the shares.
    """
    found = list(shares)
    while excess := sum(max(each - limit, Fraction(0)) for each, limit in zip(found, limits, strict=True)):
        below = sum(each < limit for each, limit in zip(found, limits, strict=True))
        found = [
            each + excess / below if each < limit else Fraction(limit)
            for each, limit in zip(found, limits, strict=True)
        ]
    return found
