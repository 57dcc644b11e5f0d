"""From the entries of an event to persons and teams over events, kept under its revision."""

from typing import NamedTuple

from standings.services import kept_standings
from tournaments.models import Event
from tournaments.people.entries import EventPeople, Leading, people_of, teams_of


class KnownOverEvents(NamedTuple):
    """Who of an event is known over events: persons, and the teams by the numbers of competitors."""

    people: EventPeople
    teams: dict[int, Leading]


def known_over_events(event: Event) -> KnownOverEvents:
    """Return who is known over events; one query, two of teams, and none where that is kept."""
    return kept_standings("over-events", event, _known)


def competitors_over_events(event: Event) -> dict[int, Leading]:
    """Return the persons, or the teams, that competitors of an event are, by number."""
    known = known_over_events(event)
    return known.teams if event.is_team else known.people.competitors


def players_over_events(event: Event) -> dict[int, Leading]:
    """Return the persons that players of teams are, by the key of the player."""
    return known_over_events(event).people.by_key


def _known(event: Event) -> KnownOverEvents:
    return KnownOverEvents(people_of(event), teams_of(event) if event.is_team else {})
