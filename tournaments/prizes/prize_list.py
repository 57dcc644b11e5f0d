"""The prize list of an event: prizes and their winners."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from standings.engine import Row, Standings
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.categories import CategoryMembers
from tournaments.models import Competitor, Event
from tournaments.prizes import texts
from tournaments.prizes.allocation import Allocation, Fund, Pool, Win, allocate, inversions
from tournaments.prizes.members import Members
from tournaments.prizes.sharing import Contender


@dataclass(frozen=True, slots=True)
class PrizeWinner:
    """A line of the list: a winner, the prize, the reason, and the overall place."""

    position: int
    entry: CompetitorInfo
    place: int
    amount: str
    goods: tuple[str, ...]
    goods_are_open: bool
    explanation: str


@dataclass(frozen=True, slots=True)
class PrizeFund:
    """The prizes of the whole event or of a category, and their winners.

    `code`: blank for the whole event. Winners who share prizes of several funds are listed in the first of
    these funds; `pooled`: sentences about such prizes in the other funds. `passed`: players who would win a
    prize of this fund if they did not have another one, with its amount. `withdrawn`: players who would win
    one if they had not left. `unknown_count`: players whose membership in the category is unknown. Amounts
    are blank for 0.
    """

    code: str
    name: str
    winners: tuple[PrizeWinner, ...]
    pooled: tuple[str, ...]
    passed: tuple[tuple[CompetitorInfo, str], ...]
    withdrawn: tuple[CompetitorInfo, ...]
    unknown_count: int
    unclaimed: str
    unclaimed_goods: tuple[str, ...]
    rounded: str


@dataclass(frozen=True, slots=True)
class SpecialPrize:
    name: str
    category: str
    amount: str
    goods: str
    winners: tuple[CompetitorInfo, ...]


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prize list. `total` and `paid`: money including special prizes, blank if there is none.

    `notes`: sentences about players who are paid more than a better placed player.
    """

    funds: tuple[PrizeFund, ...]
    notes: tuple[str, ...]
    specials: tuple[SpecialPrize, ...]
    total: str
    paid: str


def awards_of(event: Event) -> dict[int, list[str]]:
    """Return the names of the special prizes by number of their winner; one query."""
    rows = Competitor.objects.filter(event=event).exclude(awards=[]).order_by("number")
    return dict(rows.values_list("number", "awards"))


def prize_list(
    event: Event,
    entries: Sequence[CompetitorInfo],
    standings: Standings,
    members: Members,
    awards: Mapping[int, Sequence[str]],
) -> PrizeList:
    contenders = _contenders(entries, standings)
    funds = _funds(event, entries, members)
    found = allocate(
        funds,
        contenders,
        event.prize_sharing,
        is_cumulative=event.prizes_cumulative,
        step=event.prize_step,
    )
    names = {"": ""} | {each["code"]: texts.category_name(each) for each in event.categories}
    withdrawn = [row for row in standings.rows() if row.place and "withdrawn" in row.marks]
    fund_names = [names[each.code] or _("Main prizes") for each in funds]
    source = _Source(event, entries, funds, fund_names, found, withdrawn)
    given = sum(
        each["amount"]
        for each in event.prizes
        if each["name"] and any(each["name"] in has for has in awards.values())
    )
    return PrizeList(
        tuple(
            _fund(source, at, len(members[fund.code].unknown) if fund.code else 0)
            for at, fund in enumerate(funds)
        ),
        tuple(_notes(source, contenders)),
        tuple(_special(each, names, entries, awards) for each in event.prizes if each["name"]),
        _money(event, sum(each["amount"] for each in event.prizes)),
        _money(event, sum(each.amount for each in found.wins) + given),
    )


def _contenders(entries: Sequence[CompetitorInfo], standings: Standings) -> list[Contender]:
    """Return the players who can win prizes, in order: those with a place who did not leave.

    Players outside the competition have no place.
    """
    points = standings.columns[0].column.keys().tolist() if standings.columns else [0] * len(entries)
    return [
        Contender(row.competitor, row.place, points[row.competitor])
        for row in standings.rows()
        if row.place and "withdrawn" not in row.marks
    ]


def _funds(event: Event, entries: Sequence[CompetitorInfo], members: Members) -> list[Fund]:
    """Return the funds with prizes for places: the whole event, then the categories in order."""
    offered: dict[str, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for each in event.prizes:
        if each["place"] and not each["name"]:
            offered[each["category"]][each["place"]] = each
    everybody = CategoryMembers(frozenset(entry.number for entry in entries))
    funds = []
    for code, (numbers, _decided, _unknown) in {"": everybody, **members}.items():
        places = offered.get(code, {})
        at = [places.get(place, {}) for place in range(1, max(places, default=0) + 1)]
        amounts = tuple(each.get("amount", 0) for each in at)
        goods = tuple(each.get("goods", "") for each in at)
        rows = frozenset(row for row, entry in enumerate(entries) if entry.number in numbers)
        if at:
            funds.append(Fund(code, amounts, goods, rows))
    return funds


class _Source(NamedTuple):
    event: Event
    entries: Sequence[CompetitorInfo]
    funds: Sequence[Fund]
    names: Sequence[str]
    found: Allocation
    withdrawn: Sequence[Row]


def _fund(source: _Source, at: int, unknown_count: int) -> PrizeFund:
    event, fund, wins = source.event, source.funds[at], source.found.wins
    left = [each for each in source.found.left if each.fund == at]
    winners = [each for each in wins if any(prize.fund == at for prize in each.pool.prizes)]
    listed = [each for each in winners if each.pool.prizes[0].fund == at]
    # If a prize is left, it would have gone to any other member of the fund.
    reach = math.inf if left else max((each.contender.place for each in winners), default=0)
    have_won = {each.contender for each in winners}
    pools = dict.fromkeys(each.pool for each in winners)
    listed_value = sum(pool.value for pool in pools if pool.prizes[0].fund == at)
    return PrizeFund(
        fund.code,
        source.names[at] if fund.code else "",
        tuple(_winner(source, each) for each in listed),
        tuple(_pooled(source, at, pool) for pool in pools if pool.prizes[0].fund != at),
        tuple(
            (source.entries[each.contender.row], _win_text(each))
            for each in wins
            if each.contender.row in fund.rows
            and each.contender not in have_won
            and each.contender.place <= reach
        ),
        tuple(
            source.entries[row.competitor]
            for row in source.withdrawn
            if row.competitor in fund.rows and (row.place or 0) < reach
        ),
        unknown_count,
        _money(event, sum(each.amount for each in left)),
        tuple(each.goods for each in left if each.goods),
        _money(event, listed_value - sum(each.amount for each in listed)),
    )


def _winner(source: _Source, win: Win) -> PrizeWinner:
    return PrizeWinner(
        win.pool.prizes[0].place,
        source.entries[win.contender.row],
        win.contender.place,
        texts.amount_text(win.amount) if win.share.exact else "",
        win.goods,
        win.are_open,
        texts.share_text(win, source.event.prize_sharing, source.names) if win.share.exact else "",
    )


def _pooled(source: _Source, at: int, pool: Pool) -> str:
    """Return the sentence about prizes whose winners are listed under an earlier fund."""
    return texts.pooled_text(
        [each for each in pool.prizes if each.fund == at],
        source.names[pool.prizes[0].fund],
        [source.entries[each.row].name for each in pool.players],
    )


def _notes(source: _Source, contenders: Sequence[Contender]) -> Iterator[str]:
    """Yield a sentence, and then the reason, for each player who is paid more than a better placed player."""
    paid: Counter[int] = Counter()
    for win in source.found.wins:
        paid[win.contender.row] += win.amount

    def named(contender: Contender) -> str:
        return f"{source.entries[contender.row].name} ({texts.amount_text(paid[contender.row])})"

    found = inversions(source.funds, contenders, source.found.wins)
    for more, less in found:
        yield texts.inversion_text(named(more), list(map(named, less)))
    if found:
        yield texts.inversion_reason(source.event.prize_sharing)


def _win_text(win: Win) -> str:
    goods = " / ".join(win.goods) + (" ?" if win.are_open else "")
    return " + ".join(filter(None, [texts.amount_text(win.amount) if win.share.exact else "", goods]))


def _special(
    prize: Mapping[str, Any],
    names: Mapping[str, str],
    entries: Sequence[CompetitorInfo],
    awards: Mapping[int, Sequence[str]],
) -> SpecialPrize:
    winners = tuple(entry for entry in entries if prize["name"] in awards.get(entry.number, ()))
    amount = texts.amount_text(prize["amount"]) if prize["amount"] else ""
    return SpecialPrize(prize["name"], names.get(prize["category"], ""), amount, prize["goods"], winners)


def _money(event: Event, hundredths: int) -> str:
    return texts.amount_text(hundredths, event.prize_currency) if hundredths else ""
