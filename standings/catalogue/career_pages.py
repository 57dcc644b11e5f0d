"""The career pages of the competitors that a search finds in events."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Q

from standings.catalogue.peoplesearch import career_url
from standings.catalogue.search import NamedCompetitor
from tournaments.models import Person, PersonLink, Team, TeamLink
from tournaments.people.entries import Leading, leading_to


class CareerPage(NamedTuple):
    """A person or team with the URL of its career page."""

    address: str
    name: str


CareerPages = dict[tuple[int, int, str], CareerPage]
"""Persons and teams by event, competitor number and recorded name."""


def career_pages_of(named: Sequence[NamedCompetitor]) -> CareerPages:
    """Return the matches with a career page; two queries.

    Hidden persons are left out: their pseudonym differs from the recorded name.
    """
    wanted = {(each.event, each.found.number, each.found.name) for each in named}
    events = {each.event for each in named}
    numbers = {each.found.number for each in named}
    at = Q(event__in=events, number__in=numbers)
    persons = PersonLink.objects.filter(at, person__hidden=False).exclude(competitor=None, player=None)
    teams = TeamLink.objects.filter(at).exclude(competitor=None)
    # Read as values, not as objects: most competitors with these numbers are other people.
    found = {
        entry: _career_page(leading_to(Person(pk=row.person, name=row.person__name)), is_team=False)
        for row in persons.values_list(*LINK, "person", "person__name", named=True)
        if (entry := _entry_of(row)) in wanted
    }
    return found | {
        entry: _career_page(leading_to(Team(pk=row.team, name=row.team__name)), is_team=True)
        for row in teams.values_list(*LINK, "team", "team__name", named=True)
        if (entry := _entry_of(row)) in wanted
    }


LINK = ("event", "number", "name")


def _entry_of(row: Any) -> tuple[int, int, str]:
    return row.event, row.number, " ".join(row.name.split())


def _career_page(leading: Leading, *, is_team: bool) -> CareerPage:
    return CareerPage(career_url(leading, is_team=is_team), leading.name)
