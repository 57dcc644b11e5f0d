"""The career of a person or team: its linked public events, the oldest first.

Also the cached links from the competitors of an event to persons and teams.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import IntegerField, QuerySet, Value

from standings.careers.ofcompetitors import participation_of
from standings.careers.onboards import participations_on_boards
from standings.careers.participation import CareerGame, Participation
from standings.catalogue.outcomes import outcomes_of
from standings.services import cached_at_revision
from tournaments.models import Event
from tournaments.operations.revision import with_versions
from tournaments.people.entries import EventPeople, Leading, leading_to, linked_people, linked_teams
from tournaments.people.services.tallies import LISTED_PERSONS, LISTED_TEAMS, ListedKind

Career = list[Participation]


LINK = ("event", "competitor__number", "player")
"""The columns of a link of a person or team: the event with a competitor's number, or a player's key."""


@dataclass(frozen=True)
class CareersOf:
    """The careers of all persons, or of all teams."""

    listed: ListedKind
    links: QuerySet[Any, Any]

    def career(self, key: int) -> Career:
        """Return the career of a person, or of a team; seven or four queries if standings are cached."""
        return self._career_of_links(self._links(key))

    def encounters(self, key: int, other: int) -> Career:
        """Return the events in which both played, with only the games against each other."""
        beside = {each.event for each in self._links(other)}
        links = [each for each in self._links(key) if each.event in beside]
        return [
            replace(each, all_games=tuple(game for game in each.games if game.opponent.key == other))
            for each in self._career_of_links(links)
        ]

    def years(self, key: int) -> list[str]:
        """Return the year of each public event, blank if unknown; one query."""
        events = self._links(key).values_list("event__start", "event")
        return [start[:4] for start, _event in events.distinct()]

    def _links(self, key: int) -> QuerySet[Any, Any]:
        return self.links.filter(**{self.listed.owner: key}).order_by().values_list(*LINK, named=True)

    def _career_of_links(self, links: Collection[Any]) -> Career:
        events = with_versions(Event.objects.select_related("series")).in_bulk({each.event for each in links})
        epoch = next((event.epoch for event in events.values()), "")
        outcomes = outcomes_of(epoch, list(events))
        as_competitors = [
            participation_of(events[each.event], each.competitor__number, outcomes[each.event])
            for each in links
            if each.competitor__number is not None and each.event in outcomes
        ]
        players = [each.player for each in links if each.player is not None]
        on_boards = participations_on_boards(players, events, outcomes)
        found = [
            *self._with_owners([each for each in as_competitors if each], "competitor_id"),
            *(self._with_owners(on_boards, "player_id") if on_boards else []),
        ]
        return sorted(found, key=lambda each: (each.event.start, each.event.pk, each.number))

    def _with_owners(self, career: Career, entry: str) -> Career:
        """Return the career with the persons or teams of the opponents; one query if it has games.

        `entry`: the column of links that contains the keys of opponents. Hidden persons have their pseudonym,
        and no page of games.
        """
        met = {game.opponent.entry for each in career for game in each.all_games} - {0}
        links = self.listed.links.model._default_manager.filter(**{f"{entry}__in": met})
        rows = links.order_by().select_related(self.listed.owner)
        who = {getattr(each, entry): leading_to(getattr(each, self.listed.owner)) for each in rows}

        def told(game: CareerGame) -> CareerGame:
            found = who.get(game.opponent.entry)
            if found is None:
                return game
            if found.is_hidden:
                return game._replace(opponent=game.opponent._replace(name=found.name, rating=0))
            return game._replace(opponent=game.opponent._replace(key=found.id, slug=found.slug))

        return [replace(each, all_games=tuple(map(told, each.all_games))) for each in career]


OF_PERSONS = CareersOf(LISTED_PERSONS, LISTED_PERSONS.links)
OF_TEAMS = CareersOf(LISTED_TEAMS, LISTED_TEAMS.links.annotate(player=Value(None, IntegerField())))


def people_over_events(event: Event) -> EventPeople:
    return cached_at_revision("people-over-events", event, linked_people)


def competitors_over_events(event: Event) -> dict[int, Leading]:
    """Return the linked teams or players by number; one query, none if cached."""
    if event.is_team:
        return cached_at_revision("teams-over-events", event, linked_teams)
    return people_over_events(event).competitors


def players_over_events(event: Event) -> dict[int, Leading]:
    return people_over_events(event).by_key
