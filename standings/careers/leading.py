"""Links from the competitors of an event to persons and teams, cached by its revision."""

from typing import NamedTuple

from standings.services import kept_standings
from tournaments.models import Event
from tournaments.people.entries import EventPeople, Leading, people_of, teams_of


class KnownOverEvents(NamedTuple):
    """The linked persons, and the linked teams by competitor number."""

    people: EventPeople
    teams: dict[int, Leading]


def known_over_events(event: Event) -> KnownOverEvents:
    """Return the links of an event; one query, two for team events, none if cached."""
    return kept_standings("over-events", event, _known)


def competitors_over_events(event: Event) -> dict[int, Leading]:
    known = known_over_events(event)
    return known.teams if event.is_team else known.people.competitors


def players_over_events(event: Event) -> dict[int, Leading]:
    return known_over_events(event).people.by_key


def _known(event: Event) -> KnownOverEvents:
    return KnownOverEvents(people_of(event), teams_of(event) if event.is_team else {})
