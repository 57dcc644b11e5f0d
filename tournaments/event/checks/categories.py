"""Checks of the event's categories, and of competitors' labels and decisions."""

from collections.abc import Iterator

from tournaments.event.categories import CategoryPerson, EventCategory, meets_rule
from tournaments.event.checks.references import repeated
from tournaments.event.document import CompetitorEntry, Document, EventEntry
from tournaments.event.finding import EVENT, ROOT, Finding, Place, error, warning


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
