"""The entries of an event with their links, while they are linked: pointed at an entry, left waiting."""

from dataclasses import dataclass, field

from tournaments.models import Event, LinkProposal, PersonLink, TeamLink
from tournaments.people.entrants import Entrant, are_beside
from tournaments.people.names import name_key
from tournaments.people.public import PSEUDONYM, public_name
from tournaments.recording.people.proposing import Row

Link = PersonLink | TeamLink


@dataclass
class EventLinks:
    """An event while its entries are linked: its entries by row, their links, and what is to be proposed."""

    event: Event
    by: str
    entrants: dict[Row, Entrant]
    links: dict[Row, Link] = field(default_factory=dict)
    waiting: list[Link] = field(default_factory=list)
    proposed: list[LinkProposal] = field(default_factory=list)

    def is_beside(self, link: Link, entrant: Entrant) -> bool:
        """Say whether whose link that is has another entry of the event, and cannot be this one too."""
        theirs = [self.entrants[row] for row, each in self.links.items() if _owner(each) == _owner(link)]
        return any(are_beside(entrant, each) for each in theirs)


def _owner(link: Link) -> tuple[bool, int]:
    return (True, link.person_id) if isinstance(link, PersonLink) else (False, link.team_id)


def is_pseudonym(link: Link, entrant: Entrant) -> bool:
    """Say whether an entry is called what readers are told instead of the name of a hidden person."""
    # The name first: of hardly any link the person has to be read for this.
    if not (isinstance(link, PersonLink) and entrant.name.startswith(PSEUDONYM)):
        return False
    return link.person.hidden and entrant.name == public_name(link.person)


def name_seen(link: Link, entrant: Entrant) -> str:
    """Return what a link remembers as the name of its entry: never a pseudonym."""
    return link.name if is_pseudonym(link, entrant) else entrant.name


def link_team(link: Link) -> str:
    """Return the folded name of the team in which a link last saw its player; blank for all others."""
    return name_key(link.team) if isinstance(link, PersonLink) else ""


def point(link: Link, entrant: Entrant) -> None:
    """Store which entry a link is of, and what that is called."""
    name = name_seen(link, entrant)
    link.competitor_id, link.number, link.name = entrant.competitor, entrant.number, name
    if isinstance(link, PersonLink):
        link.player_id, link.team = entrant.player, entrant.team
    link.save()


def set_waiting(link: Link) -> None:
    link.competitor = None
    if isinstance(link, PersonLink):
        link.player = None
    link.save()


def has_id_of(entrant: Entrant, link: Link) -> bool:
    """Say whether an entry has an id of the person of a link; one query where it has any."""
    if not isinstance(link, PersonLink) or not entrant.ids:
        return False
    ids = set(link.person.identifiers.values_list("scheme", "value"))
    return bool(ids & {*entrant.ids.items()})
