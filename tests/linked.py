"""Persons and teams over events for tests: links to entries, and two editions of a league."""

from typing import Any

from tests.cast import stored_event
from tests.replay import built_once
from tournaments.models import Competitor, Event, Person, PersonLink, Player, Team, TeamLink
from tournaments.people.matching.names import name_key


def person(name: str, *entries: Competitor | Player, **about: Any) -> Person:
    """Link a person to these entries."""
    found = Person.objects.create(name=name, key=name_key(name), **about)
    for entry in entries:
        link_person(found, entry)
    return found


def link_person(found: Person, entry: Competitor | Player) -> PersonLink:
    """Link an entry to that person."""
    player = entry if isinstance(entry, Player) else None
    competitor = entry.competitor if isinstance(entry, Player) else entry
    return PersonLink.objects.create(
        person=found,
        event=competitor.event,
        competitor=None if player else competitor,
        player=player,
        how="hand",
        number=competitor.number,
        name=entry.name,
        team=competitor.name if player else "",
    )


def linked_events(person: Person) -> list[str]:
    """Return the slugs of the events that the person is linked to."""
    links = PersonLink.objects.filter(person=person).exclude(competitor=None, player=None)
    return list(links.order_by("event__start", "event", "pk").values_list("event__slug", flat=True))


def team(name: str, *competitors: Competitor, **about: Any) -> Team:
    """Link a team to these competitors."""
    found = Team.objects.create(name=name, key=name_key(name), **about)
    for competitor in competitors:
        TeamLink.objects.create(
            team=found,
            event=competitor.event,
            competitor=competitor,
            how="hand",
            number=competitor.number,
            name=competitor.name,
        )
    return found


def both_sides(event: Event) -> None:
    """Record the first player of teams 1 and 2 as the persons 1 and 2, and the teams as the teams 1 and 2.

    So addresses of `tests.routes` exist.
    """
    for competitor in event.competitors.filter(number__in=(1, 2)):
        player = competitor.players.order_by("board")[0]
        person(player.name, player, pk=competitor.number)
        team(competitor.name, competitor, pk=competitor.number)


def named(name: str) -> list[Competitor]:
    """Return the competitors of that name in all events, the oldest first."""
    return list(Competitor.objects.filter(name=name).select_related("event").order_by("event__start"))


def world_champions() -> tuple[Person, Person]:
    """Record Roozenburg and Ghestem, who are in the demo events of 1947 and 1948."""
    return (
        person("Piet Roozenburg", *named("Piet Roozenburg"), born="1924-10-24", sex="m"),
        person("Pierre Ghestem", *named("Pierre Ghestem"), born="1922", sex="m"),
    )


@built_once
def league(year: int, club: str = "Dam Eindhoven") -> Event:
    """Record an edition of a league of three teams with two boards; the first is the club of that name.

    Each edition has the same results: round 1 club - Huizen 2-0 (Ann beats Dov 2000 with White, Bea wins by
    forfeit), round 2 Culemborg - club 1½-½ (Ann draws with Fay 2100, Bea loses to Gus 1900), round 3 Huizen -
    Culemborg 1-1. The club has Ann, rated 1800, on board 1 and Bea, unrated, on board 2.
    """
    return stored_event(
        {
            "format": "crosstable-event",
            "version": 1,
            "event": {
                "slug": f"league-{year}", "name": f"League {year}", "state": "final", "start": str(year),
                "discipline": "chess", "entrants": "teams", "schedule": "round-robin", "rounds": 3,
                "boards": 2, "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "league",
            },
            "competitors": [
                {"number": 1, "name": club, "code": "NED", "players": [
                    {"name": "Ann", "board": 1, "rating": 1800, "title": "WCM"}, {"name": "Bea", "board": 2},
                ]},
                {"number": 2, "name": "Huizen", "code": "BEL", "players": [
                    {"name": "Dov", "board": 1, "rating": 2000}, {"name": "Eef", "board": 2},
                ]},
                {"number": 3, "name": "Culemborg", "code": "GER", "players": [
                    {"name": "Fay", "board": 1, "rating": 2100}, {"name": "Gus", "board": 2, "rating": 1900},
                ]},
            ],
            "rounds": [
                {"number": 1, "pairings": [
                    {"table": 1, "first": 1, "second": 2, "score": [2, 0], "games": [
                        {"board": 1, "first": "Ann", "second": "Dov", "white": "first", "score": [1, 0]},
                        {"board": 2, "first": "Bea", "second": "Eef", "white": "second", "kind": "forfeit",
                         "score": [1, 0]},
                    ]},
                    {"table": 2, "first": 3, "kind": "bye", "score": [1, None]},
                ]},
                {"number": 2, "pairings": [
                    {"table": 1, "first": 3, "second": 1, "score": [1.5, 0.5], "games": [
                        {"board": 1, "first": "Fay", "second": "Ann", "white": "first", "score": [0.5, 0.5]},
                        {"board": 2, "first": "Gus", "second": "Bea", "white": "second", "score": [1, 0]},
                    ]},
                    {"table": 2, "first": 2, "kind": "bye", "score": [1, None]},
                ]},
                {"number": 3, "pairings": [
                    {"table": 1, "first": 2, "second": 3, "score": [1, 1], "games": [
                        {"board": 1, "first": "Dov", "second": "Fay", "white": "first", "score": [0.5, 0.5]},
                        {"board": 2, "first": "Eef", "second": "Gus", "white": "second", "score": [0.5, 0.5]},
                    ]},
                    {"table": 2, "first": 1, "kind": "bye", "score": [1, None]},
                ]},
            ],
        }
    )  # fmt: skip


def players_named(name: str) -> list[Player]:
    """Return the players of teams of that name in all events, the oldest first."""
    found = Player.objects.filter(name=name).select_related("competitor__event")
    return list(found.order_by("competitor__event__start"))
