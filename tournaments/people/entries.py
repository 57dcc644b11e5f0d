"""Persons and teams that own entries; a single query each."""

from typing import NamedTuple

from django.db.models import Q
from django.utils.text import slugify

from tournaments.models import Event, Person, PersonLink, Team, TeamLink
from tournaments.people.public import LONGEST_SLUG, person_slug, public_name


class Leading(NamedTuple):
    """A public reference to a person or a team: key, name and slug.

    The page is `/people/<id>-<slug>/` or `/teams/…`. If the slug is blank it is `/people/<id>/`, for
    example for a hidden person, whose `name` is the pseudonym.
    """

    id: int
    name: str
    slug: str
    is_hidden: bool = False


class EventPeople(NamedTuple):
    """The linked persons of an event.

    `competitors`: by number, in an event of players. `players`: by number of the team and identity in a
    document (`PlayerEntry.identity`). `by_key`: by primary key of the `Player`.
    """

    competitors: dict[int, Leading]
    players: dict[tuple[int, int | str], Leading]
    by_key: dict[int, Leading]


def linked_people(event: Event) -> EventPeople:
    """Return the linked persons of an event, valid for the event's revision. A single query."""
    found = EventPeople({}, {}, {})
    links = PersonLink.objects.filter(~Q(competitor=None, player=None), event=event)
    for link in links.select_related("person", "competitor", "player__competitor"):
        leading = leading_to(link.person)
        if link.competitor:
            found.competitors[link.competitor.number] = leading
        elif link.player:
            player = link.player
            identity = player.name if player.fide_id is None else player.fide_id
            found.players[player.competitor.number, identity] = leading
            found.by_key[player.pk] = leading
    return found


def linked_teams(event: Event) -> dict[int, Leading]:
    """Return the linked teams of an event by number. A single query."""
    links = TeamLink.objects.filter(event=event).exclude(competitor=None).select_related("team", "competitor")
    return {link.competitor.number: leading_to_team(link.team) for link in links if link.competitor}


def leading_to(person: Person) -> Leading:
    """Return the public reference to a person. No query."""
    return Leading(person.pk, public_name(person), person_slug(person), person.hidden)


def leading_to_team(team: Team) -> Leading:
    """Return the public reference to a team. No query."""
    return Leading(team.pk, team.name, team_slug(team))


def team_slug(team: Team) -> str:
    return slugify(team.name, allow_unicode=True)[:LONGEST_SLUG].strip("-")


def person_at(key: int) -> Person | None:
    """Return the person with that number, or the one it was merged into. None if it never existed.

    A single query for each merge, because merged numbers redirect permanently.
    """
    person = Person.objects.filter(pk=key).first()
    while person and person.merged_into_id:
        person = Person.objects.get(pk=person.merged_into_id)
    return person


def team_at(key: int) -> Team | None:
    """Return the team with that number as `person_at` does for persons."""
    team = Team.objects.filter(pk=key).first()
    while team and team.merged_into_id:
        team = Team.objects.get(pk=team.merged_into_id)
    return team
