"""Checks of the event's prizes and of the special prizes that were awarded."""

from collections import defaultdict
from collections.abc import Iterator

from tournaments.event.checks.references import repeated
from tournaments.event.document import Document
from tournaments.event.finding import EVENT, ROOT, Finding, error
from tournaments.event.prizes import EventPrize, plain_amount

PRIZES = EVENT.key("prizes")


def check_prizes(document: Document) -> Iterator[Finding]:
    offered = document.event.prizes
    codes = {each["code"] for each in document.event.categories}
    for index, each in enumerate(offered):
        place = PRIZES.item("list", index)
        if bool(each["place"]) == bool(each["name"]):
            text = "A prize needs a place, or a name if it is a special prize. Add one of them."
            yield error("prize-for-nothing", place, text)
        if not (each["amount"] or each["goods"]):
            text = f"{prize_text(each)} has no amount and no goods. Add one of them, or remove the prize."
            yield error("prize-for-nothing", place, text)
        if each["category"] and each["category"] not in codes:
            text = f"The event has no category {each['category']}. Correct the code, or add the category."
            yield error("unknown-category", place.key("category"), text)
    for index in repeated((each["category"], each["place"], each["name"].casefold()) for each in offered):
        text = f"{prize_text(offered[index])} is listed twice. Keep one."
        yield error("prize-twice", PRIZES.item("list", index), text)
    yield from _check_order_of_prizes(offered)
    names = {each["name"] for each in offered if each["name"]}
    for index, competitor in enumerate(document.competitors):
        for at, name in enumerate(competitor.awards):
            if name not in names:
                text = f"The event has no special prize “{name}”. Correct the name, or take it out."
                yield error("unknown-prize", ROOT.item("competitors", index).item("awards", at), text)


def prize_text(prize: EventPrize) -> str:
    """Return a prize as messages name it: `place 2 of U20`."""
    where = f" of {prize['category']}" if prize["category"] else ""
    return f"“{prize['name']}”{where}" if prize["name"] else f"Place {prize['place']}{where}"


def _check_order_of_prizes(offered: tuple[EventPrize, ...]) -> Iterator[Finding]:
    """Refuse a place that is left out, and an amount that is larger than that of a better place."""
    funds: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for index, each in enumerate(offered):
        if each["place"] and not each["name"]:
            funds[each["category"]].append((each["place"], each["amount"], index))
    for places in funds.values():
        better, more = 0, 0
        for place, amount, index in sorted(places):
            where = PRIZES.item("list", index)
            if place > better + 1:
                text = (
                    f"{prize_text(offered[index])} is a prize, but there is no prize for place {better + 1}"
                )
                yield error("prize-missing", where.key("place"), f"{text}. Add it, or correct the place.")
            elif more and amount > more:
                amounts = f"{plain_amount(amount)}, more than the {plain_amount(more)} before it"
                text = f"{prize_text(offered[index])} is {amounts}. Prizes do not rise with the place."
                yield error("prize-rises", where.key("amount"), text)
            better, more = place, amount or more  # goods cannot be compared with money
