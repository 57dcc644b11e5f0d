"""The prize list of an event: its prizes, given to those who stand where they are for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from standings.engine import Row, Standings
from tournaments.categories import Members
from tournaments.event.arrays import Entry
from tournaments.event.categories import CategoryMembers
from tournaments.models import Competitor, Event
from tournaments.prizes.allocation import Fund, FundWins, Win, allocate
from tournaments.prizes.sharing import Contender
from tournaments.prizewording import amount_text, category_name, share_text


@dataclass(frozen=True, slots=True)
class PrizeWinner:
    """A line of the list: who has what of a fund, why, and the place in the whole."""

    position: int
    entry: Entry
    place: int
    amount: str
    goods: tuple[str, ...]
    goods_are_open: bool
    explanation: str


@dataclass(frozen=True, slots=True)
class PrizeFund:
    """The prizes of the whole event or of one category, and what became of them.

    `code` is blank for the whole. `passed` have a higher prize elsewhere; the `withdrawn` would have one if
    they had stayed. `unknown_count` may belong to the category: the record does not tell. What is left over
    is told in words, blank for nothing.
    """

    code: str
    name: str
    winners: tuple[PrizeWinner, ...]
    passed: tuple[Entry, ...]
    withdrawn: tuple[Entry, ...]
    unknown_count: int
    total: str
    paid: str
    unclaimed: str
    unclaimed_goods: tuple[str, ...]
    rounded: str


@dataclass(frozen=True, slots=True)
class SpecialPrize:
    """A special prize, and those to whom it was given."""

    name: str
    category: str
    amount: str
    goods: str
    winners: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The whole list; `total` and `paid` are of money, special prizes included, blank where there is none."""

    funds: tuple[PrizeFund, ...]
    specials: tuple[SpecialPrize, ...]
    total: str
    paid: str


def awards_of(event: Event) -> dict[int, list[str]]:
    """Return the names of the special prizes of those who have any, by number; one query."""
    rows = Competitor.objects.filter(event=event).exclude(awards=[]).order_by("number")
    return dict(rows.values_list("number", "awards"))


def prize_list(
    event: Event,
    entries: Sequence[Entry],
    standings: Standings,
    members: Members,
    awards: Mapping[int, Sequence[str]],
) -> PrizeList:
    """Return who wins what after these standings; in the language of now."""
    contenders = _contenders(entries, standings)
    found = allocate(
        _funds(event, entries, members),
        contenders,
        event.prize_sharing,
        is_cumulative=event.prizes_cumulative,
        step=event.prize_step,
    )
    withdrawn = [row for row in standings.rows() if row.place and "withdrawn" in row.marks]
    names = {"": ""} | {each["code"]: category_name(each) for each in event.categories}
    specials = tuple(_special(each, names, entries, awards) for each in event.prizes if each["name"])
    given = sum(
        each["amount"]
        for each in event.prizes
        if each["name"] and any(each["name"] in has for has in awards.values())
    )
    return PrizeList(
        tuple(
            _fund(
                event,
                each,
                names,
                entries,
                withdrawn,
                len(members[each.fund.code].unknown) if each.fund.code else 0,
            )
            for each in found
        ),
        specials,
        _money(event, sum(each["amount"] for each in event.prizes)),
        _money(event, sum(each.paid for each in found) + given),
    )


def _contenders(entries: Sequence[Entry], standings: Standings) -> list[Contender]:
    """Return those who can win prizes, in order: who has a place, and did not leave.

    Nobody outside the competition has a place.
    """
    points = standings.judged[0].column.keys().tolist() if standings.judged else [0] * len(entries)
    return [
        Contender(row.competitor, row.place, points[row.competitor])
        for row in standings.rows()
        if row.place and "withdrawn" not in row.marks
    ]


def _funds(event: Event, entries: Sequence[Entry], members: Members) -> list[Fund]:
    """Return the funds that have prizes for places: of the whole, then of the categories in their order."""
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


def _fund(
    event: Event,
    found: FundWins,
    names: Mapping[str, str],
    entries: Sequence[Entry],
    withdrawn: Sequence[Row],
    unknown_count: int,
) -> PrizeFund:
    fund = found.fund
    # Where a prize is left, whoever withdrew would have had one.
    is_any_left = len(found.wins) < len(fund.amounts)
    last_place = max((each.contender.place for each in found.wins), default=0)
    return PrizeFund(
        fund.code,
        names[fund.code],
        tuple(_winner(event, each, entries) for each in found.wins),
        tuple(entries[each.row] for each in found.passed),
        tuple(
            entries[row.competitor]
            for row in withdrawn
            if row.competitor in fund.rows and (is_any_left or (row.place or 0) < last_place)
        ),
        unknown_count,
        _money(event, sum(fund.amounts)),
        _money(event, found.paid),
        _money(event, found.unclaimed),
        found.unclaimed_goods,
        _money(event, found.rounded),
    )


def _winner(event: Event, win: Win, entries: Sequence[Entry]) -> PrizeWinner:
    share = win.share
    explanation = share_text(share, event.prize_sharing, win.amount) if share.exact else ""
    return PrizeWinner(
        win.position,
        entries[win.contender.row],
        win.contender.place,
        amount_text(win.amount) if share.exact else "",
        win.goods,
        win.are_open,
        explanation,
    )


def _special(
    prize: Mapping[str, Any],
    names: Mapping[str, str],
    entries: Sequence[Entry],
    awards: Mapping[int, Sequence[str]],
) -> SpecialPrize:
    winners = tuple(entry for entry in entries if prize["name"] in awards.get(entry.number, ()))
    amount = amount_text(prize["amount"]) if prize["amount"] else ""
    return SpecialPrize(prize["name"], names.get(prize["category"], ""), amount, prize["goods"], winners)


def _money(event: Event, hundredths: int) -> str:
    return amount_text(hundredths, event.prize_currency) if hundredths else ""
