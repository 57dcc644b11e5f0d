"""How the prizes of one fund are shared by those who are level; in exact fractions of a hundredth.

Prizes go by position in the fund: 1 for the best who is in it. Under every rule those whom nothing separates
share the prizes of their positions; by points also those whom tie-breaks separate.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from tournaments.event.prizes import Sharing


class Contender(NamedTuple):
    """Somebody who can win prizes: row of the crosstable, place, and points as the engine has them."""

    row: int
    place: int
    points: int


class PrizeShare(NamedTuple):
    """What somebody has of a fund, and how: amounts in hundredths.

    `first` and `last` are the positions of those who share, `pool` the prizes of these positions as far as
    there are any. `own` is the prize of the own position, an average where the place is shared; `equal` the
    pool divided among all. `exact` is what follows.
    """

    first: int
    last: int
    pool: tuple[int, ...]
    own: Fraction
    equal: Fraction
    exact: Fraction

    @property
    def is_shared(self) -> bool:
        """Say whether more than one shares."""
        return self.last > self.first


def shares(prizes: Sequence[int], contenders: Sequence[Contender], sharing: str) -> list[PrizeShare]:
    """Return a share for each contender, in their order, as far as the prizes go.

    `prizes` are amounts by position; `contenders` stand in the order of the standings. Nobody behind a last
    prize has a share, unless level with somebody before it.
    """
    found: list[PrizeShare] = []
    for _level, group in groupby(contenders, key=_level_under(sharing)):
        those, first = list(group), len(found) + 1
        if first > len(prizes):
            break
        last = first + len(those) - 1
        pool = tuple(prizes[first - 1 : last])
        equal = Fraction(sum(pool), len(those))
        for own in _own_prizes(prizes, those, first):
            exact = (own + equal) / 2 if sharing == Sharing.HORT else equal
            found.append(PrizeShare(first, last, pool, own, equal, exact))
    return found


def _level_under(sharing: str) -> Callable[[Contender], int]:
    return (lambda each: each.place) if sharing == Sharing.NONE else (lambda each: each.points)


def _own_prizes(prizes: Sequence[int], those: Sequence[Contender], first: int) -> list[Fraction]:
    """Return the prize of each one's own position; the average of theirs for those who share a place."""
    own: list[Fraction] = []
    for _place, block in groupby(those, key=lambda each: each.place):
        size, start = len(list(block)), first - 1 + len(own)
        own += [Fraction(sum(prizes[start : start + size]), size)] * size
    return own
