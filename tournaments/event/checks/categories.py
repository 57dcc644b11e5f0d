"""Checks of the event's categories and prizes, and of what competitors have of them."""

from collections import defaultdict
from collections.abc import Iterator

from tournaments.event.categories import CategoryPerson, EventCategory, meets_rule
from tournaments.event.checks.references import repeated
from tournaments.event.document import CompetitorEntry, Document, EventEntry
from tournaments.event.finding import EVENT, ROOT, Finding, Place, error, warning
from tournaments.event.prizes import EventPrize, plain_amount

PRIZES = EVENT.key("prizes")


def check_categories(document: Document) -> Iterator[Finding]:
    event = document.event
    known = [each["code"] for each in event.categories]
    # Windows and readers take U20 and u20 for the same name.
    for index in repeated(code.casefold() for code in known):
        text = f"The category {known[index]} is listed twice. Give each category its own code."
        yield error("category-twice", EVENT.item("categories", index).key("code"), text)
    for index, each in enumerate(event.categories):
        yield from _check_rule(each, EVENT.item("categories", index))
    for index, competitor in enumerate(document.competitors):
        place = ROOT.item("competitors", index)
        decisions = competitor.category_decisions
        for at in repeated(each["category"] for each in decisions):
            text = f"{competitor.name} and {decisions[at]['category']} are listed twice. Keep one decision."
            yield error("category-twice", place.item("category_decisions", at), text)
        for at, decision in enumerate(decisions):
            if decision["category"] not in known:
                text = f"The event has no category {decision['category']}. Correct the code, or take it out."
                yield error("unknown-category", place.item("category_decisions", at).key("category"), text)
        if competitor.categories and event.categories:
            yield from _labels(event, competitor, place)


def person_of(event: EventEntry, competitor: CompetitorEntry) -> CategoryPerson:
    return CategoryPerson(
        number=competitor.number,
        sex=competitor.sex,
        born=competitor.born,
        rating=competitor.rating,
        club=competitor.club,
        country=competitor.flag or (competitor.code.rstrip("0123456789") if event.has_nations else ""),
        categories=competitor.categories,
        category_decisions=competitor.category_decisions,
    )


def _check_rule(category: EventCategory, place: Place) -> Iterator[Finding]:
    lowest, highest = category["rating_from"], category["rating_to"]
    if lowest and highest and lowest > highest:
        text = f"The ratings of {category['code']} begin at {lowest} and end at {highest}. Exchange them."
        yield error("category-empty", place.key("rating_from"), text)
    if category["age_under"] and category["age_from"] and category["age_under"] <= category["age_from"]:
        text = (
            f"No one can be {category['age_from']} or older and under {category['age_under']}. Correct "
            "one age."
        )
        yield error("category-empty", place.key("age_under"), text)


def _labels(event: EventEntry, competitor: CompetitorEntry, place: Place) -> Iterator[Finding]:
    person = person_of(event, competitor)
    decided = {each["category"] for each in competitor.category_decisions}
    for each in event.categories:
        code = each["code"]
        if (
            code not in competitor.categories
            or code in decided
            or not any(value for key, value in each.items() if key not in {"code", "name", "names", "age_on"})
        ):
            continue
        if meets_rule(each, person, event.start) is False:
            text = f"{competitor.name} is assigned to {code} against the rule of the category"
            yield warning(
                "category-contradicted",
                place.key("categories"),
                f"{text}. Correct one of them, or decide by hand.",
            )


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
