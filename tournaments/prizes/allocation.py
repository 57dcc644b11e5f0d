"""Who wins which prizes of several funds: the whole event's, and one for each category.

Where prizes are not cumulative, everybody takes part in the fund that gives the most, and leaves the others,
in which those behind move up. The highest prospect of all is settled first, with the prospects of everybody
else made anew; of equal prospects the one in the fund that comes first, which is the whole event's. So nobody
has less than was in prospect when it was settled, and those who are level and in the same funds settle
together.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from tournaments.event.prizes import Sharing
from tournaments.prizes.sharing import Contender, PrizeShare, shares


class Fund(NamedTuple):
    """Prizes of the whole event or of a category, by position from 1: amounts in hundredths, and goods.

    `code` is the category's, blank for the whole event; `rows` are those of the crosstable who take part.
    """

    code: str
    amounts: tuple[int, ...]
    goods: tuple[str, ...]
    rows: Collection[int]


class Win(NamedTuple):
    """What a contender has of a fund.

    `amount` is paid: the share, rounded down to a multiple of the step. `goods` are those of the own
    position; where a place is shared, of all positions of it: they `are_open`, nothing says who has which.
    """

    contender: Contender
    position: int
    share: PrizeShare
    amount: int
    goods: tuple[str, ...]
    are_open: bool


class FundWins(NamedTuple):
    """What became of a fund: who has what; who would have had a prize here, and has another one."""

    fund: Fund
    wins: tuple[Win, ...]
    passed: tuple[Contender, ...]

    @property
    def paid(self) -> int:
        """Return how much of it is paid, in hundredths."""
        return sum(win.amount for win in self.wins)

    @property
    def unclaimed(self) -> int:
        """Return the amount of the prizes for whose positions nobody is there."""
        return sum(self.fund.amounts[self._positions :])

    @property
    def unclaimed_goods(self) -> tuple[str, ...]:
        """Return the goods for whose positions nobody is there."""
        return tuple(filter(None, self.fund.goods[self._positions :]))

    @property
    def rounded(self) -> int:
        """Return what rounding leaves over."""
        return sum(self.fund.amounts) - self.unclaimed - self.paid

    @property
    def _positions(self) -> int:
        return max((win.share.last for win in self.wins), default=0)


Prospect = tuple[Fraction, bool]
"""Money first, goods where there is no money in prospect."""

NOTHING: Prospect = (Fraction(0), False)


def allocate(
    funds: Sequence[Fund],
    contenders: Sequence[Contender],
    sharing: str,
    *,
    is_cumulative: bool = False,
    step: int = 1,
) -> list[FundWins]:
    """Return what becomes of each fund; `contenders` in the order of the standings.

    Amounts are rounded down to multiples of `step` hundredths, so no fund ever pays more than it has.
    """
    everywhere = [[each for each in contenders if each.row in fund.rows] for fund in funds]
    settled = {} if is_cumulative else _settled(funds, everywhere, sharing)
    return [_fund_wins(at, fund, everywhere[at], settled, sharing, step) for at, fund in enumerate(funds)]


def _fund_wins(
    at: int,
    fund: Fund,
    eligible: Sequence[Contender],
    settled: Mapping[int, int],
    sharing: str,
    step: int,
) -> FundWins:
    there = [each for each in eligible if settled.get(each.row, at) == at]
    reach = {
        each.row for each, _share in zip(eligible, shares(_values(fund), eligible, sharing), strict=False)
    }
    passed = tuple(each for each in eligible if each.row in reach and settled.get(each.row, at) != at)
    return FundWins(fund, tuple(_wins(fund, there, sharing, step)), passed)


def _wins(fund: Fund, there: Sequence[Contender], sharing: str, step: int) -> list[Win]:
    wins = []
    for index, (contender, share) in enumerate(
        zip(there, shares(_values(fund), there, sharing), strict=False)
    ):
        goods, are_open = _goods_of(fund, there, index)
        amount = int(share.exact) // step * step
        if share.exact or goods:
            wins.append(Win(contender, index + 1, share, amount, goods, are_open))
    return wins


def _goods_of(fund: Fund, there: Sequence[Contender], index: int) -> tuple[tuple[str, ...], bool]:
    """Return the goods of a position, or of all of a shared place, and whether it is open whose they are."""
    places = [each.place for each in there]
    first, count = places.index(places[index]), places.count(places[index])
    block = (*fund.goods[first : first + count], *([""] * (first + count - len(fund.goods))))
    return tuple(dict.fromkeys(filter(None, block))), len(set(block)) > 1


def _values(fund: Fund) -> tuple[int, ...]:
    """Return the amounts, as many as there are positions with anything."""
    return fund.amounts + (0,) * (len(fund.goods) - len(fund.amounts))


def _settled(
    funds: Sequence[Fund], everywhere: Sequence[Sequence[Contender]], sharing: str
) -> dict[int, int]:
    """Return the fund, by index, of everybody who has a prospect, by row."""
    settled: dict[int, int] = {}
    while True:
        prospects = _prospects(funds, everywhere, settled, sharing)
        best = {row: _best(of_funds) for row, of_funds in prospects.items() if row not in settled}
        best = {row: (prospect, at) for row, (prospect, at) in best.items() if prospect > NOTHING}
        if not best:
            return settled
        highest, first = max(best.values(), key=lambda found: (found[0], -found[1]))
        leader = next(row for row, found in best.items() if found == (highest, first))
        # With all who are level and have nothing better: else the first of them would move up the others.
        levels = {each.row: _indistinguishable(each, sharing) for each in everywhere[first]}
        settled |= {
            row: first
            for row, (_prospect, at) in best.items()
            if at == first and levels[row] == levels[leader]
        }


def _indistinguishable(contender: Contender, sharing: str) -> int:
    """Return what those have in common who are treated alike: points, or the place where that counts."""
    return contender.points if sharing == Sharing.EQUAL else contender.place


def _prospects(
    funds: Sequence[Fund], everywhere: Sequence[Sequence[Contender]], settled: Mapping[int, int], sharing: str
) -> dict[int, dict[int, Prospect]]:
    """Return what each would have in each fund, by row and index, if all who are not settled took part."""
    prospects: dict[int, dict[int, Prospect]] = {}
    for at, fund in enumerate(funds):
        there = [each for each in everywhere[at] if settled.get(each.row, at) == at]
        for index, (each, share) in enumerate(
            zip(there, shares(_values(fund), there, sharing), strict=False)
        ):
            goods, _are_open = _goods_of(fund, there, index)
            prospects.setdefault(each.row, {})[at] = share.exact, bool(goods)
    return prospects


def _best(of_funds: Mapping[int, Prospect]) -> tuple[Prospect, int]:
    """Return the best prospect and its fund; of equal ones that of the fund that comes first."""
    at = max(of_funds, key=lambda each: (of_funds[each], -each))
    return of_funds[at], at
