"""Decide which players win which prizes of several funds: of the entire event, and of each category.

The standings are settled from the top, in groups of tied players: equal in points, or, if prizes are not
shared, in place. Each player of a group brings one prize into its pool, so that the pool has the highest
possible value; of equal prizes that of the earlier fund is brought first (US Chess 32B1 to 32B4). Before
that, the members of a category take the prizes for which the rest of the group is not eligible, if each of
them gets more from only these (32B3). Under `Sharing.EQUAL` a pool never has prizes of two funds: members of
a fund share it, beginning with the fund that gives them most.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from tournaments.event.prizes import Sharing
from tournaments.prizes.sharing import Contender, Share, divide


class Fund(NamedTuple):
    """Prizes of the entire event or of a category, by position from 1: amounts in hundredths, and goods.

    `code`: of the category, blank for the entire event. `rows`: the rows of the crosstable that can win.
    """

    code: str
    amounts: tuple[int, ...]
    goods: tuple[str, ...]
    rows: Collection[int]


Kind = frozenset[int]
"""The indexes of the funds whose prizes a player can win."""


class Prize(NamedTuple):
    """One prize: the index of its fund, its position there, the amount in hundredths, and goods."""

    fund: int
    place: int
    amount: int
    goods: str


class Pool(NamedTuple):
    """Prizes, in the order of the funds, and the players who share them; a single player has a pool, too."""

    prizes: tuple[Prize, ...]
    players: tuple[Contender, ...]
    shares: tuple[Share, ...]

    @property
    def value(self) -> int:
        return sum(each.amount for each in self.prizes)

    @property
    def equal(self) -> Fraction:
        return Fraction(self.value, len(self.players))


class Win(NamedTuple):
    """The part of a pool that a player gets.

    `amount` is paid: the share, rounded down to a multiple of the step. `goods` are those of the prize that
    the player brings. If players who share a place can bring different prizes, each has all goods that they
    can get, and these are open.
    """

    contender: Contender
    pool: Pool
    share: Share
    amount: int
    goods: tuple[str, ...]
    are_open: bool


class Allocation(NamedTuple):
    """All wins, pool by pool, and the prizes without a possible winner."""

    wins: tuple[Win, ...]
    left: tuple[Prize, ...]


def allocate(
    funds: Sequence[Fund],
    contenders: Sequence[Contender],
    sharing: str,
    *,
    is_cumulative: bool = False,
    step: int = 1,
) -> Allocation:
    """Return the winners of the prizes. `contenders` are in the order of the standings.

    Each player wins at most a single prize; if prizes are cumulative, a prize of each fund. Amounts are
    rounded down to multiples of `step` hundredths.
    """
    level = "place" if sharing == Sharing.NONE else "points"
    wins: list[Win] = []
    left: list[Prize] = []
    prizes = _prizes(funds)
    lots = [[each for each in prizes if each.fund == at] for at in range(len(funds))]
    for offered in lots if is_cumulative else [prizes]:
        lot = offered
        for _level, group in groupby(contenders, key=attrgetter(level)):
            players = list(group)
            while pool := _next_pool(funds, lot, players, sharing):
                found = list(_wins(funds, pool, step))
                wins += found
                winners = {each.contender for each in found}
                players = [each for each in players if each not in winners]
                won = set(pool.prizes)
                lot = [each for each in lot if each not in won]
        left += lot
    return Allocation(tuple(wins), tuple(sorted(left)))


def inversions(
    funds: Sequence[Fund], contenders: Sequence[Contender], wins: Sequence[Win]
) -> list[tuple[Contender, tuple[Contender, ...]]]:
    """Return each player who is paid more than better placed players who can win the same prizes, and these.

    A player who won only goods is not compared.
    """
    paid: Counter[int] = Counter()
    has_goods = set[int]()
    for win in wins:
        paid[win.contender.row] += win.amount
        if win.goods:
            has_goods.add(win.contender.row)
    kinds = {each.row: _kind(funds, each) for each in contenders}
    found = []
    for more in contenders:
        less = tuple(
            each
            for each in contenders
            if each.place < more.place
            and paid[each.row] < paid[more.row]
            and (paid[each.row] or each.row not in has_goods)
            and kinds[each.row] >= kinds[more.row]
        )
        if less:
            found.append((more, less))
    return found


def _prizes(funds: Sequence[Fund]) -> list[Prize]:
    """Return the prizes of all funds: the most valuable first, of equal ones that of the earlier fund.

    Goods are not compared with money: a cup for a place is worth no less than the prizes of the places below.
    """
    found = []
    for at, fund in enumerate(funds):
        worth = (0, True)
        for index in reversed(range(max(len(fund.amounts), len(fund.goods)))):
            amount = fund.amounts[index] if index < len(fund.amounts) else 0
            goods = fund.goods[index] if index < len(fund.goods) else ""
            if amount or goods:
                worth = min(worth, (-amount, not goods))
                found.append((worth, Prize(at, index + 1, amount, goods)))
    return [prize for _worth, prize in sorted(found)]


def _kind(funds: Sequence[Fund], player: Contender) -> Kind:
    return frozenset(at for at, fund in enumerate(funds) if player.row in fund.rows)


def _next_pool(
    funds: Sequence[Fund], prizes: Sequence[Prize], players: Sequence[Contender], sharing: str
) -> Pool | None:
    at_stake = {each.fund for each in prizes}
    kinds = {each: kind for each in players if (kind := _kind(funds, each) & at_stake)}
    if not kinds:
        return None
    members = {at: [each for each in kinds if at in kinds[each]] for at in sorted(at_stake)}
    limits = {kind: max(each.amount for each in prizes if each.fund in kind) for kind in set(kinds.values())}

    def pool(members: Sequence[Contender], offered: Sequence[Prize]) -> Pool:
        brought = most_valuable(offered, [kinds[each] for each in members])
        most = [limits[kinds[each]] for each in members]
        shares = divide([each.amount for each in brought], members, most, sharing)
        return Pool(tuple(sorted(brought)), tuple(members), tuple(shares))

    def pool_apart(at: int) -> Pool:
        """Return the pool of the fund's members, without prizes that others in the tie could win."""
        others = {other for kind in kinds.values() if at not in kind for other in kind}
        return pool(members[at], [each for each in prizes if each.fund not in others])

    funds_left = [at for at, those in members.items() if those]
    if sharing == Sharing.EQUAL:
        of_funds = [pool(members[at], [each for each in prizes if each.fund == at]) for at in funds_left]
        return max(of_funds, key=lambda each: (each.equal, any(prize.goods for prize in each.prizes)))
    whole = pool(list(kinds), prizes)
    better = [each for each in map(pool_apart, funds_left) if _is_better_for_all(each, whole)]
    return max(better, key=lambda each: each.equal, default=whole)


def _is_better_for_all(pool: Pool, other: Pool) -> bool:
    elsewhere = dict(zip(other.players, other.shares, strict=True))
    return all(
        share.exact > elsewhere[each].exact for each, share in zip(pool.players, pool.shares, strict=True)
    )


def most_valuable(prizes: Sequence[Prize], kinds: Sequence[Kind]) -> list[Prize]:
    """Return the most valuable prizes that players of these kinds can bring, a prize each.

    `prizes` are in the order of preference. A greedy choice is optimal, because the possible sets are those
    of a transversal matroid. Only the number of prizes of each fund that each kind brings is stored.
    """
    room, brings = Counter(kinds), Counter[tuple[Kind, int]]()
    found: list[Prize] = []
    for prize in prizes:
        if len(found) == len(kinds):
            break
        if path := _path_to_room(prize.fund, room, brings):
            for kind, fund in path:
                brings[kind, fund] += 1
            for (kind, _fund), (_next, fund) in pairwise(path):
                brings[kind, fund] -= 1
            room[path[-1][0]] -= 1
            found.append(prize)
    return found


def _path_to_room(
    fund: int, room: Mapping[Kind, int], brings: Mapping[tuple[Kind, int], int]
) -> list[tuple[Kind, int]]:
    """Return the shortest chain of kinds from the fund to a kind with room for a prize; [] if there is none.

    Each (kind, fund) takes a prize of the fund; the next kind takes the prize that it gave up.
    """
    paths, seen = deque[list[tuple[Kind, int]]]([[]]), set()
    while paths:
        path = paths.popleft()
        wanted = [fund] if not path else [at for at in path[-1][0] if brings.get((path[-1][0], at))]
        for at in wanted:
            for kind in room:
                if at in kind and kind not in seen:
                    seen.add(kind)
                    longer = [*path, (kind, at)]
                    if room[kind]:
                        return longer
                    paths.append(longer)
    return []


def _wins(funds: Sequence[Fund], pool: Pool, step: int) -> Iterator[Win]:
    goods = _goods(funds, pool)
    for each, share in zip(pool.players, pool.shares, strict=True):
        outcomes = goods.get(each, [])
        named = tuple(filter(None, outcomes))
        if share.exact or named:
            yield Win(each, pool, share, int(share.exact) // step * step, named, len(outcomes) > 1)


def _goods(funds: Sequence[Fund], pool: Pool) -> dict[Contender, list[str]]:
    """Return the goods that each player can get, several if they are open; "" for possibly no goods.

    The players of each place bring the most valuable prizes that leave a possible winner for every other
    prize of the pool. A player can then get the goods of any of these prizes, if the other players of the
    place can bring the others.
    """
    found: dict[Contender, list[str]] = {}
    prizes = [each for each in _prizes(funds) if each in pool.prizes]
    kinds = {each: _kind(funds, each) for each in pool.players}
    for _place, group in groupby(pool.players, key=lambda each: each.place):
        if not any(each.goods for each in prizes):
            break
        level = {each: kinds.pop(each) for each in group}
        brought = _brought_by(list(level.values()), prizes, list(kinds.values()))
        prizes = [each for each in prizes if each not in brought]
        goods = {kind: _goods_of(kind, brought, list(level.values())) for kind in set(level.values())}
        found |= {each: goods[kind] for each, kind in level.items()}
    return found


def _brought_by(kinds: Sequence[Kind], prizes: Sequence[Prize], others: Sequence[Kind]) -> list[Prize]:
    """Return the most valuable prizes that players of `kinds` can bring while `others` bring the rest."""
    # Only players of `kinds` can win prizes of a fund with a negative index.
    players = [*(kind | {~at for at in kind} for kind in kinds), *others]
    found: list[Prize] = []
    refused = set[int]()
    for prize in prizes:
        if len(found) == len(kinds):
            break
        if prize.fund in refused:
            continue
        mine = {*found, prize}
        if _can_bring([each._replace(fund=~each.fund) if each in mine else each for each in prizes], players):
            found.append(prize)
        else:
            refused.add(prize.fund)
    return found


def _goods_of(kind: Kind, prizes: Sequence[Prize], kinds: Sequence[Kind]) -> list[str]:
    """Return the goods that a player of `kind` can get if players of `kinds` bring these prizes."""
    others = list(kinds)
    others.remove(kind)
    first = {each.fund: each for each in prizes if each.fund in kind}
    funds = {at for at, one in first.items() if _can_bring([each for each in prizes if each != one], others)}
    goods = [each.goods for each in prizes if each.fund in funds]
    return list(dict.fromkeys([*goods, ""] if _can_bring(prizes, others) else goods))


def _can_bring(prizes: Sequence[Prize], kinds: Sequence[Kind]) -> bool:
    return len(most_valuable(prizes, kinds)) == len(prizes)
