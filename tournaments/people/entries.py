"""From persons and teams to their entries in events, and back; each in one query."""

from typing import NamedTuple

from django.db.models import Q
from django.utils.text import slugify

from tournaments.event.choices import PUBLIC
from tournaments.models import Competitor, Event, Person, PersonLink, Player, Team, TeamLink
from tournaments.people.public import LONGEST_SLUG, public_name, slug_of


class PersonEntry(NamedTuple):
    """An entry that is a person. `competitor` is who is entered, or of a `player` the team."""

    link: PersonLink
    event: Event
    competitor: Competitor
    player: Player | None

    @property
    def number(self) -> int:
        """Return the number of the competitor."""
        return self.competitor.number


class TeamEntry(NamedTuple):
    """A competitor that is a team."""

    link: TeamLink
    event: Event
    competitor: Competitor


class Leading(NamedTuple):
    """A person or a team that an entry leads to, as readers may know it: the key, the name, the slug.

    The page is `/people/<id>-<slug>/`, or `/teams/…`; `/people/<id>/` where the slug is blank, as of who
    is hidden, whose `name` is the pseudonym.
    """

    id: int
    name: str
    slug: str
    is_hidden: bool = False


class EventPeople(NamedTuple):
    """Who of an event is known over events.

    `competitors` by number, of an event of players. `players` of teams, by the number of the team and the
    identity that a document gives the player (`PlayerEntry.identity`); `by_key` by the primary key of the
    `Player`.
    """

    competitors: dict[int, Leading]
    players: dict[tuple[int, int | str], Leading]
    by_key: dict[int, Leading]


_ENTRY = ("event__series", "competitor", "player__competitor")


def entries_of(person: Person, *, public_only: bool = True) -> list[PersonEntry]:
    """Return the entries of a person by the start of their events, then by the key; one query.

    Links that wait for an entry to come back are none of them, and by default none of an event that readers
    do not find.
    """
    links = PersonLink.objects.filter(person=person).exclude(competitor=None, player=None)
    if public_only:
        links = links.filter(event__state__in=PUBLIC)
    found = links.select_related(*_ENTRY).order_by("event__start", "event", "pk")
    return [
        PersonEntry(each, each.event, each.competitor or each.player.competitor, each.player)  # type: ignore[union-attr]  # one of the two is there
        for each in found
    ]


def entries_of_team(team: Team, *, public_only: bool = True) -> list[TeamEntry]:
    """Return the competitors that are a team, as `entries_of` does of a person; one query."""
    links = TeamLink.objects.filter(team=team).exclude(competitor=None)
    if public_only:
        links = links.filter(event__state__in=PUBLIC)
    found = links.select_related("event__series", "competitor").order_by("event__start", "event", "pk")
    return [TeamEntry(each, each.event, each.competitor) for each in found if each.competitor]


def people_of(event: Event) -> EventPeople:
    """Return who of an event is known over events; one query. It is fresh under the event's revision."""
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


def teams_of(event: Event) -> dict[int, Leading]:
    """Return which competitors of an event are teams over events, by number; one query."""
    links = TeamLink.objects.filter(event=event).exclude(competitor=None).select_related("team", "competitor")
    return {link.competitor.number: leading_to_team(link.team) for link in links if link.competitor}


def leading_to(person: Person) -> Leading:
    """Return how readers are led to a person; no query."""
    return Leading(person.pk, public_name(person), slug_of(person), person.hidden)


def leading_to_team(team: Team) -> Leading:
    """Return how readers are led to a team; no query."""
    return Leading(team.pk, team.name, team_slug(team))


def team_slug(team: Team) -> str:
    """Return the name of a team in an address."""
    return slugify(team.name, allow_unicode=True)[:LONGEST_SLUG].strip("-")


def person_at(key: int) -> Person | None:
    """Return the person of that number, or the one that it was merged into; None where there never was one.

    A query for each merge on the way: merged numbers lead on for ever.
    """
    person = Person.objects.filter(pk=key).first()
    while person and person.merged_into_id:
        person = Person.objects.get(pk=person.merged_into_id)
    return person


def team_at(key: int) -> Team | None:
    """Return the team of that number, or the one that it was merged into, as `person_at` does."""
    team = Team.objects.filter(pk=key).first()
    while team and team.merged_into_id:
        team = Team.objects.get(pk=team.merged_into_id)
    return team
