"""Members of an event's categories, and their places within the category."""

from collections.abc import Collection

from standings.engine import Row, Standings
from tournaments import models
from tournaments.event.categories import CategoryMembers, CategoryPerson, members_by_category
from tournaments.models.rows import RecordQuery

Members = dict[str, CategoryMembers]
"""Members by the code of the category, in the order of the categories."""


PEOPLE = RecordQuery(CategoryPerson, models.Competitor.objects.order_by("number"), country="flag")


def people_of(event: models.Event) -> list[CategoryPerson]:
    """Return the competitors by number, with the facts that categories need; one query."""
    people = PEOPLE.where(event=event)
    if not event.has_nations:
        return people
    return [each._replace(country=each.country or each.code.rstrip("0123456789")) for each in people]


def members_of(event: models.Event) -> Members:
    """Return the members of each category; one query, none without categories."""
    return members_by_category(event.categories, people_of(event), event.start) if event.categories else {}


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
