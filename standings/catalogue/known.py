"""Who of the hits of a search is known over events: persons and teams, each with its page."""

from collections.abc import Sequence
from typing import NamedTuple

from standings.catalogue.peoplesearch import address_of
from standings.catalogue.search import NamedCompetitor
from tournaments.models import PersonLink, TeamLink
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
    links = PersonLink.objects.filter(event__in=events, number__in=numbers, person__hidden=False)
    persons = links.exclude(competitor=None, player=None).select_related("person")
    found = {
        entry: _page(leading_to(each.person), is_team=False)
        for each in persons
        if (entry := _entry_of(each)) in wanted
    }
    teams = TeamLink.objects.filter(event__in=events, number__in=numbers).exclude(competitor=None)
    return found | {
        entry: _page(leading_to_team(each.team), is_team=True)
        for each in teams.select_related("team")
        if (entry := _entry_of(each)) in wanted
    }


def _entry_of(link: PersonLink | TeamLink) -> tuple[int, int, str]:
    return link.event_id, link.number, " ".join(link.name.split())


def _page(leading: Leading, *, is_team: bool) -> KnownOverEvents:
    return KnownOverEvents(address_of(leading, is_team=is_team), leading.name)
