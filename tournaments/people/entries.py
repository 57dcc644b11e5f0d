"""Persons and teams that own entries; a single query each."""

from typing import NamedTuple, TypeVar

from django.db.models import Q
from django.urls import reverse

from tournaments.models import Event, PersonLink, Team, TeamLink
from tournaments.people.models.team import Owner
from tournaments.people.public import public_name, public_slug

OwnerT = TypeVar("OwnerT", bound=Owner)


class Leading(NamedTuple):
    """A public reference to a person or a team: key, name and slug.

    The page is `/people/<id>-<slug>/` or `/teams/…`. If the slug is blank it is `/people/<id>/`, for
    example for a hidden person, whose `name` is the pseudonym.
    """

    id: int
    name: str
    slug: str
    is_hidden: bool = False
    is_team: bool = False

    @property
    def address(self) -> str:
        page = "team" if self.is_team else "person"
        if self.slug:
            return reverse(page, args=[self.id, self.slug])
        return reverse(f"{page}-alone", args=[self.id])


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
    links = TeamLink.objects.filter(event=event).select_related("team", "competitor")
    links = links.only("team__name", "competitor__number")
    return {link.competitor.number: leading_to(link.team) for link in links if link.competitor}


def leading_to(owner: Owner) -> Leading:
    """Return the public reference to a person or a team. No query."""
    is_team = isinstance(owner, Team)
    is_hidden = not isinstance(owner, Team) and owner.hidden
    return Leading(owner.pk, public_name(owner), public_slug(owner), is_hidden, is_team)


def owner_at(model: type[OwnerT], key: int) -> OwnerT | None:
    """Return the person or team with that number, or the one it was merged into. None if it never existed.

    A single query for each merge, because merged numbers redirect permanently.
    """
    owner = model._default_manager.filter(pk=key).first()
    while owner and owner.merged_into_id:
        owner = model._default_manager.get(pk=owner.merged_into_id)
    return owner  # type: ignore[return-value]  # the type of the argument
