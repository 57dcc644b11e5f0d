"""Categories of an event: their rules and their members.

A manual decision comes first; then a label, which is the code among the competitor's own `categories`; then
the rule, all of whose conditions must be met. An unknown fact never makes a competitor a member.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypedDict

from tournaments.event.choices import Sex
from tournaments.event.dates import parse_day, parse_year
from tournaments.event.values import (
    LARGEST_RATING,
    LONGEST_REASON,
    CheckedText,
    Choice,
    Day,
    Fault,
    Keyed,
    Text,
    Texts,
    Truth,
    Whole,
)

LONGEST_CODE = 20
OLDEST = 150

_CODE = re.compile(r"[A-Za-z0-9_+-]([A-Za-z0-9_.+-]*[A-Za-z0-9_+-])?")


def is_code(text: str) -> bool:
    """Return whether a text can be a category code, which is part of URLs and file names."""
    return bool(_CODE.fullmatch(text)) and len(text) <= LONGEST_CODE


class CategoryCode(CheckedText):
    """A short name for URLs and file names, such as U20 or S65+."""

    called = "category_code"
    length = LONGEST_CODE
    is_valid = staticmethod(is_code)
    pattern = f"^{_CODE.pattern}$"
    refused = "bad-category", "not allowed in an address. Use letters, digits, + and - only, such as U20."


class TextList(Texts):
    """A list of texts as plain data."""

    blank: Any = []

    def read(self, value: Any, faults: list[Fault]) -> Any:
        return list(super().read(value, faults))


class _Coded(TypedDict):
    code: Annotated[str, CategoryCode(filled=True), "What the category is called for short: U20, W, S65."]


class EventCategory(_Coded, total=False):
    """A category of an event; plain data, blank or 0 if the rule has no such condition.

    Members meet all conditions. `unrated`: competitors without a rating are members in addition to those
    within the bounds, or are the only ones if there are no bounds.
    """

    name: Annotated[str, Text(120), "Left out: the rule in words."]
    names: Annotated[dict[str, str], Keyed(Text(120), by_label=True), "By the code of another language."]
    sex: Annotated[str, Choice.of(Sex), "Of this sex only."]
    age_under: Annotated[int, Whole(0, OLDEST), "Has not reached this age before the day."]
    age_from: Annotated[int, Whole(0, OLDEST), "Has reached this age on the day."]
    age_on: Annotated[str, Day(), "Left out: 1 January of the year, and 31 December for `age_from`."]
    rating_from: Annotated[int, Whole(0, LARGEST_RATING), "Has this rating at least."]
    rating_to: Annotated[int, Whole(0, LARGEST_RATING), "Has this rating at most."]
    unrated: Annotated[bool, Truth(), "Who has no rating belongs, too."]
    clubs: Annotated[list[str], TextList(Text(120)), "Is of one of these clubs."]
    federations: Annotated[list[str], TextList(Text(8)), "Is of one of these federations."]


class CategoryDecision(TypedDict):
    """A decision that a competitor belongs to a category, or does not, whatever the rule says."""

    category: Annotated[str, Text(LONGEST_CODE, filled=True), "The code of the category."]
    belongs: Annotated[bool, Truth(), "Whether the competitor belongs to it."]
    reason: Annotated[str, Text(LONGEST_REASON, filled=True), "Why, in words that readers see."]


class CategoryPerson(NamedTuple):
    """A person of an event with the facts that categories need. `country`: the code of the federation."""

    number: int
    sex: str = ""
    born: str = ""
    rating: int | None = None
    club: str = ""
    country: str = ""
    categories: Sequence[str] = ()
    category_decisions: Sequence[Mapping[str, Any]] = ()
    code: str = ""


class Why(Enum):
    """The reason for being a member of a category or not."""

    DECIDED_IN = "decided-in"
    DECIDED_OUT = "decided-out"
    LABEL = "label"
    RULE = "rule"
    NOT = "not"
    UNKNOWN = "unknown"

    @property
    def belongs(self) -> bool:
        return self in {Why.DECIDED_IN, Why.LABEL, Why.RULE}


def membership_reason(category: Mapping[str, Any], person: CategoryPerson, start: str) -> Why:
    """Return why a person is a member of a category or not. `start`: the first day of the event."""
    code = category["code"]
    for decision in person.category_decisions:
        if decision["category"] == code:
            return Why.DECIDED_IN if decision["belongs"] else Why.DECIDED_OUT
    if code in person.categories:
        return Why.LABEL
    meets = meets_rule(category, person, start)
    if meets is None:
        return Why.UNKNOWN
    return Why.RULE if meets else Why.NOT


def meets_rule(category: Mapping[str, Any], person: CategoryPerson, start: str) -> bool | None:
    """Return whether a person meets all conditions of a category's rule; None if a fact is unknown."""
    answers = list(_conditions_met(category, person, start))
    if not answers or False in answers:
        return False
    return None if None in answers else True


class CategoryMembers(NamedTuple):
    """The members of a category by number, and manual decisions: number, in or out, reason.

    `unknown`: competitors who may be members, but a fact is missing.
    """

    numbers: frozenset[int]
    decided: tuple[tuple[int, bool, str], ...] = ()
    unknown: frozenset[int] = frozenset()


def members_by_category(
    categories: Iterable[Mapping[str, Any]], people: Sequence[CategoryPerson], start: str
) -> dict[str, CategoryMembers]:
    members = {}
    for category in categories:
        grounds = {person.number: membership_reason(category, person, start) for person in people}
        numbers = frozenset(number for number, ground in grounds.items() if ground.belongs)
        unknown = frozenset(number for number, ground in grounds.items() if ground is Why.UNKNOWN)
        decided = tuple(
            (person.number, decision["belongs"], decision["reason"])
            for person in people
            for decision in person.category_decisions
            if decision["category"] == category["code"]
        )
        members[category["code"]] = CategoryMembers(numbers, decided, unknown)
    return members


def _conditions_met(category: Mapping[str, Any], person: CategoryPerson, start: str) -> Iterable[bool | None]:
    if sex := category.get("sex"):
        yield person.sex == sex if person.sex else None
    year = parse_year(start)
    first_day, last_day = (f"{year:04d}-01-01", f"{year:04d}-12-31") if year else ("", "")
    if age := category.get("age_under"):
        younger = _has_reached(age, person.born, category.get("age_on") or first_day, on_the_day=False)
        yield None if younger is None else not younger
    if age := category.get("age_from"):
        yield _has_reached(age, person.born, category.get("age_on") or last_day, on_the_day=True)
    yield from _of_rating(category, person.rating)
    if clubs := category.get("clubs"):
        yield _folded_club(person.club) in map(_folded_club, clubs) if person.club else None
    if federations := category.get("federations"):
        yield person.country in federations if person.country else None


def _has_reached(age: int, born: str, day: str, *, on_the_day: bool) -> bool | None:
    then, year = parse_day(day), parse_year(born)
    if then is None or year is None:
        return None
    birth = parse_day(born)
    # If only the year is known, the answers for its first and last day must agree.
    births = (birth, birth) if birth else (date(year, 1, 1), date(year, 12, 31))
    earliest, latest = ((each.year + age, each.month, each.day) for each in births)
    today = (then.year, then.month, then.day + on_the_day)
    if (earliest < today) != (latest < today):
        return None
    return latest < today


def _of_rating(category: Mapping[str, Any], rating: int | None) -> Iterable[bool]:
    lowest, highest = category.get("rating_from") or 0, category.get("rating_to") or 0
    takes_unrated = bool(category.get("unrated"))
    if not (lowest or highest or takes_unrated):
        return
    if not rating:
        yield takes_unrated
    elif lowest or highest:
        yield lowest <= rating and (not highest or rating <= highest)
    else:
        yield False


def _folded_club(club: str) -> str:
    return " ".join(club.casefold().split())
