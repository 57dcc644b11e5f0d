"""Who of the hits of a search is known over events: persons and teams, each with its page."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Q

from standings.catalogue.peoplesearch import address_of
from standings.catalogue.search import NamedCompetitor
from tournaments.models import Person, PersonLink, Team, TeamLink
from tournaments.people.entries import Leading, leading_to, leading_to_team


class KnownOverEvents(NamedTuple):
    """A person or a team over events, as readers know it: the address and the name."""

    address: str
    name: str


Known = dict[tuple[int, int, str], KnownOverEvents]
"""Persons and teams by event, number of the competitor, and name of the entry."""


def known_among(named: Sequence[NamedCompetitor]) -> Known:
    """Return the pages of those who are known over events; two queries.

    Who is hidden is named by a pseudonym here, which is no entry's name: nothing leads there.
    """
    wanted = {(each.event, each.found.number, each.found.name) for each in named}
    events = {each.event for each in named}
    numbers = {each.found.number for each in named}
    at = Q(event__in=events, number__in=numbers)
    persons = PersonLink.objects.filter(at, person__hidden=False).exclude(competitor=None, player=None)
    teams = TeamLink.objects.filter(at).exclude(competitor=None)
    # Not as objects: most of what is there under these numbers is somebody else.
    found = {
        entry: _page(leading_to(Person(pk=row.person, name=row.person__name)), is_team=False)
        for row in persons.values_list(*LINK, "person", "person__name", named=True)
        if (entry := _entry_of(row)) in wanted
    }
    return found | {
        entry: _page(leading_to_team(Team(pk=row.team, name=row.team__name)), is_team=True)
        for row in teams.values_list(*LINK, "team", "team__name", named=True)
        if (entry := _entry_of(row)) in wanted
    }


LINK = ("event", "number", "name")


def _entry_of(row: Any) -> tuple[int, int, str]:
    return row.event, row.number, " ".join(row.name.split())


def _page(leading: Leading, *, is_team: bool) -> KnownOverEvents:
    return KnownOverEvents(address_of(leading, is_team=is_team), leading.name)
