"""Members of an event's categories, and their places within the category."""

from collections.abc import Collection
from typing import Any, NamedTuple

from standings.engine import Row, Standings
from tournaments import models
from tournaments.event.categories import CategoryMembers, CategoryPerson, members_by_category
from tournaments.models.rows import RecordQuery

Members = dict[str, CategoryMembers]
"""Members by the code of the category, in the order of the categories."""


class _PersonRow(NamedTuple):
    """Columns of a competitor that categories need."""

    number: int
    sex: str
    born: str
    rating: int | None
    club: str
    code: str
    flag: str
    categories: list[str]
    category_decisions: list[dict[str, Any]]


PEOPLE = RecordQuery(_PersonRow, models.Competitor.objects.order_by("number"))


def people_of(event: models.Event) -> list[CategoryPerson]:
    """Return the competitors by number, with the facts that categories need; one query."""
    return [_person(event, row) for row in PEOPLE.where(event=event)]


def members_of(event: models.Event) -> Members:
    """Return the members of each category; one query, none without categories."""
    return members_by_category(event.categories, people_of(event), event.start) if event.categories else {}


def _person(event: models.Event, row: _PersonRow) -> CategoryPerson:
    country = row.flag or (row.code.rstrip("0123456789") if event.has_nations else "")
    return CategoryPerson(
        row.number, row.sex, row.born, row.rating, row.club, country, row.categories, row.category_decisions
    )


def rows_among(standings: Standings, numbers: Collection[int]) -> list[Row]:
    """Return the rows of competitors with these numbers, in order, with places within the group.

    Nothing is computed again: competitors who share a place overall also share one here, and those without a
    place have none here.
    """
    of_row = standings.table.numbers.tolist()
    there = [row for row in standings.rows() if of_row[row.competitor] in numbers]
    whole = [row.place for row in there if row.place]
    place_of = {place: at for at, place in reversed(list(enumerate(whole, start=1)))}
    return [
        row._replace(place=place_of[row.place], sharing=whole.count(row.place)) if row.place else row
        for row in there
    ]
