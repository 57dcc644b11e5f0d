"""The entries of an event and their links during linking."""

from dataclasses import dataclass, field

from tournaments.models import Event, LinkProposal, PersonLink, Team, TeamLink
from tournaments.people.matching.entrants import Entrant, Row, are_distinct_entries, row_of_link
from tournaments.people.matching.names import name_key
from tournaments.people.models.team import Owner
from tournaments.people.public import PSEUDONYM, public_name

Link = PersonLink | TeamLink


@dataclass
class EventLinks:
    """State of linking one event: entries by row, their links, waiting links, and new suggestions."""

    event: Event
    by: str
    entrants: dict[Row, Entrant]
    links: dict[Row, Link] = field(default_factory=dict)
    waiting: list[Link] = field(default_factory=list)
    suggested: list[LinkProposal] = field(default_factory=list)

    def is_beside(self, link: Link, entrant: Entrant) -> bool:
        """Return whether the owner of a link has another entry of the event that excludes this one."""
        theirs = [
            self.entrants[row] for row, each in self.links.items() if _owner_key(each) == _owner_key(link)
        ]
        return any(are_distinct_entries(entrant, each) for each in theirs)

    def wait(self, row: Row) -> None:
        """Let the link of an entry wait for another entry, if it has a link."""
        if link := self.links.pop(row, None):
            self.waiting.append(link)
            link.competitor = None
            if isinstance(link, PersonLink):
                link.player = None
            link.save()

    def move(self, link: Link, entrant: Entrant) -> None:
        """Let a link of the event, or a waiting one, follow its entry."""
        if link in self.waiting:
            self.waiting.remove(link)
        self.links.pop(row_of_link(link), None)
        self.links[entrant.row] = link
        link.name = name_seen(link, entrant)
        link.competitor_id, link.number = entrant.competitor, entrant.number
        if isinstance(link, PersonLink):
            link.player_id, link.team = entrant.player, entrant.team
        link.save()


def _owner_key(link: Link) -> tuple[bool, int]:
    return (True, link.person_id) if isinstance(link, PersonLink) else (False, link.team_id)


def is_pseudonym(link: Link, entrant: Entrant) -> bool:
    # The name is checked first, because the person would have to be loaded.
    if not (isinstance(link, PersonLink) and entrant.name.startswith(PSEUDONYM)):
        return False
    return link.person.hidden and entrant.name == public_name(link.person)


def name_seen(link: Link, entrant: Entrant) -> str:
    """Return the name that a link stores for its entry, which is never a pseudonym."""
    return link.name if is_pseudonym(link, entrant) else entrant.name


def link_team(link: Link) -> str:
    """Return the folded name of the player's last team. Blank for other links."""
    return name_key(link.team) if isinstance(link, PersonLink) else ""


def link_of(entrant: Entrant, owner: Owner, how: str, by: str, reason: str = "") -> Link:
    """Return a new link of an entry, which is not stored yet."""
    values = {
        "event_id": entrant.event, "competitor_id": entrant.competitor, "how": how, "number": entrant.number,
        "name": entrant.name, "by": by, "reason": reason,
    }  # fmt: skip
    if isinstance(owner, Team):
        return TeamLink(team=owner, **values)
    return PersonLink(person=owner, player_id=entrant.player, team=entrant.team, **values)


def has_id_of(entrant: Entrant, link: Link) -> bool:
    """Return whether an entry has an id of the person of a link. A single query if it has ids."""
    if not isinstance(link, PersonLink) or not entrant.ids:
        return False
    ids = set(link.person.identifiers.values_list("scheme", "value"))
    return bool(ids & {*entrant.ids.items()})
