"""Prizes of small draws, by trying every choice: to compare with tournaments.prizes.allocation."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, groupby, permutations

from tournaments.event.prizes import Sharing
from tournaments.prizes.allocation import Allocation, Fund, Prize
from tournaments.prizes.sharing import Contender

Money = tuple[int, int, int]
"""The amount, negative so that larger ones come first; the index of the fund; the position."""


def inversions(
    funds: Sequence[Fund], players: Sequence[Contender], found: Allocation
) -> list[tuple[int, int]]:
    """Return (row, row) of each player who gets less than a lower placed player without other prizes."""
    amounts = {each.row: sum(win.amount for win in found.wins if win.contender == each) for each in players}
    return sorted(
        (better.row, lower.row)
        for better in players
        for lower in players
        if better.place < lower.place
        and amounts[better.row] < amounts[lower.row]
        and all(better.row in fund.rows for fund in funds if lower.row in fund.rows)
    )


def paid(funds: Sequence[Fund], players: Sequence[Contender], sharing: str) -> dict[int, Fraction]:
    """Return the amount of each row that gets money, in whole units."""
    left = sorted(
        (-amount, at, index) for at, fund in enumerate(funds) for index, amount in enumerate(fund.amounts)
    )
    amounts: dict[int, Fraction] = {}
    by_place = sharing == Sharing.NONE
    for _level, group in groupby(players, key=lambda each: each.place if by_place else each.points):
        tied = list(group)
        while True:
            options = _next_prizes(funds, left, tied, sharing)
            if not options:
                break
            prizes, shares = options
            left = [each for each in left if each not in prizes]
            tied = [each for each in tied if each.row not in shares]
            amounts |= shares
    return {row: amount / 100 for row, amount in amounts.items() if amount}


def _next_prizes(
    funds: Sequence[Fund], left: Sequence[Money], tied: Sequence[Contender], sharing: str
) -> tuple[list[Money], dict[int, Fraction]] | None:
    """Return the prizes that are won next, and the shares; None if the tied players can win nothing more."""
    tied = [each for each in tied if any(each.row in funds[prize[1]].rows for prize in left)]
    if not tied:
        return None

    def option(
        those: Sequence[Contender], prizes: Sequence[Money]
    ) -> tuple[list[Money], dict[int, Fraction]]:
        brought = _brought(funds, prizes, those)
        return brought, _shares(funds, left, brought, those, sharing)

    whole = option(tied, left)
    best, most = (None, Fraction(-1)) if sharing == Sharing.EQUAL else (whole, Fraction(-1))
    for at, fund in enumerate(funds):
        members = [each for each in tied if each.row in fund.rows]
        others = [each for each in tied if each.row not in fund.rows]
        if sharing == Sharing.EQUAL:
            prizes = [prize for prize in left if prize[1] == at]
        else:
            prizes = [prize for prize in left if not any(each.row in funds[prize[1]].rows for each in others)]
        if not members or not any(prize[1] == at for prize in left):
            continue
        brought, shares = option(members, prizes)
        average = Fraction(sum(shares.values()), len(shares))
        gains = sharing == Sharing.EQUAL or all(shares[row] > whole[1][row] for row in shares)
        if gains and average > most:
            best, most = (brought, shares), average
    return best


def _brought(funds: Sequence[Fund], prizes: Sequence[Money], players: Sequence[Contender]) -> list[Money]:
    """Return the set of prizes, at most one for each player, with the largest sum."""
    fitting = [
        chosen
        for size in range(len(players) + 1)
        for chosen in combinations(prizes, size)
        if any(
            all(each.row in funds[prize[1]].rows for each, prize in zip(order, chosen, strict=False))
            for order in permutations(players, size)
        )
    ]
    return list(min(fitting, key=lambda chosen: (sum(prize[0] for prize in chosen), chosen)))


def _shares(
    funds: Sequence[Fund],
    left: Sequence[Money],
    brought: Sequence[Money],
    players: Sequence[Contender],
    sharing: str,
) -> dict[int, Fraction]:
    """Return the shares: an equal sum in addition to 50 % of the own prize, up to the limits."""
    values = [-prize[0] for prize in brought] + [0] * (len(players) - len(brought))
    values.sort(reverse=True)
    own = {}
    for each in players:
        level = [values[at] for at, other in enumerate(players) if other.place == each.place]
        own[each.row] = Fraction(sum(level), 2 * len(level)) if sharing == Sharing.HORT else Fraction(0)
    limits = {
        each.row: max(-prize[0] for prize in left if each.row in funds[prize[1]].rows) for each in players
    }
    total = sum(values)
    # The equal sum is where the line between two breakpoints reaches the total.
    points = sorted({Fraction(0), *(limits[row] - own[row] for row in own)})

    def sum_at(top: Fraction) -> Fraction:
        return sum((min(Fraction(limits[row]), own[row] + top) for row in own), Fraction(0))

    top = points[0]
    for point in points:
        if sum_at(point) <= total:
            top = point
    rising = sum(own[row] + top < limits[row] for row in own)
    if rising:
        top += (total - sum_at(top)) / rising
    return {row: min(Fraction(limits[row]), own[row] + top) for row in own}


def goods(
    funds: Sequence[Fund], prizes: Sequence[Prize], players: Sequence[Contender]
) -> dict[Contender, set[str]]:
    """Return the goods that each player can get if each brings one prize, "" for no goods.

    The players of the first place bring the best prizes, then those of the next place, and so on. A prize
    is as good as the best one of its place and of the lower places of its fund.
    """

    def best_from(each: Prize) -> tuple[int, bool]:
        fund = funds[each.fund]
        lower = zip(fund.amounts[each.place - 1 :], fund.goods[each.place - 1 :], strict=True)
        return min((-amount, not name) for amount, name in lower)

    numbered = sorted(prizes, key=lambda each: (best_from(each), each.fund, each.place))
    ways: list[list[int | None]] = []
    for order in permutations([*range(len(prizes)), *[None] * len(players)], len(players)):
        fits = all(
            at is None or each.row in funds[numbered[at].fund].rows
            for each, at in zip(players, order, strict=True)
        )
        if fits and len([at for at in order if at is not None]) == len(prizes):
            ways.append(list(order))

    def by_place(way: list[int | None]) -> list[list[int]]:
        brought = zip(players, way, strict=True)
        return [
            sorted(len(prizes) if at is None else at for _player, at in level)
            for _place, level in groupby(brought, key=lambda pair: pair[0].place)
        ]

    best = min(map(by_place, ways))
    found: dict[Contender, set[str]] = {each: set() for each in players}
    for way in ways:
        if by_place(way) == best:
            for each, at in zip(players, way, strict=True):
                found[each].add("" if at is None else numbered[at].goods)
    return found
