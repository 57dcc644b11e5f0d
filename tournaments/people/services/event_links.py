"""The entries of an event and their links during linking, and entries that may be hidden persons.

If a file identifies the entry of a hidden person, the link moves to it. If it does not, every entry that
may be the hidden person is hidden as a separate person until an organiser decides; undoing that act shows
it again (ADR 0041). The same applies to an entry with the id of a hidden person and a different name, sex
or birth, and to a typed entry with the name of a hidden person of the event.
"""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.models import EntryName, Event, LinkProposal, PeopleAct, Person, PersonLink, Team, TeamLink
from tournaments.people.hiding.import_filter import HiddenMatches
from tournaments.people.matching.entrants import Entrant, Row, are_distinct_entries, row_of_link
from tournaments.people.matching.names import name_key
from tournaments.people.models.team import Owner
from tournaments.people.public import PSEUDONYM, public_name
from tournaments.people.services.history import Act, lock_people

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
        theirs = [self.entrants[row] for row, each in self.links.items() if each.owner == link.owner]
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


# --- hidden persons ---------------------------------------------------------------------------------------


def apply_hidden_matches(now: EventLinks, matches: HiddenMatches) -> None:
    """Move the links of hidden persons to the entries that a file assigns to them. Hide the possible ones."""
    _follow_assignments(now, matches)
    for at, person in matches.doubtful.items():
        for entrant in list(now.entrants.values()):
            link = now.links.get(entrant.row)
            is_hidden = isinstance(link, PersonLink) and link.person.hidden
            if at == _place_in_order(entrant) and not is_hidden:
                hide_doubtful_entry(now, entrant, Person.objects.get(pk=person))


def hide_doubtful_entry(now: EventLinks, entrant: Entrant, hidden: Person) -> None:
    why = _(
        "“%(name)s”, number %(number)s of “%(event)s”, may be the hidden person %(pseudonym)s: the stored "
        "data do not show which namesake it is. Both are hidden until you decide."
    )
    _hide_entry(now, entrant, hidden, why)


def hide_contradicting_entry(now: EventLinks, entrant: Entrant, hidden: Person) -> None:
    """Hide an entry that has the id of a hidden person and contradicting data.

    Only once: if the entry was hidden already, a user has shown it again.
    """
    acts = PeopleAct.objects.filter(kind=PeopleAct.Kind.DOUBT)
    images = (after or {} for act in acts for _table, _key, _before, after in act.changes)
    if entrant.row not in {(each.get("competitor_id"), each.get("player_id")) for each in images}:
        why = _(
            "“%(name)s”, number %(number)s of “%(event)s”, has an id of the hidden person %(pseudonym)s, "
            "but other data differ. The entry is hidden until you decide."
        )
        _hide_entry(now, entrant, hidden, why)


def _place_in_order(entrant: Entrant) -> tuple[bool, int, str]:
    return bool(entrant.player), entrant.number, entrant.name


def _follow_assignments(now: EventLinks, matches: HiddenMatches) -> None:
    # a person who changed teams has two places
    own = {(person, is_player, number) for (is_player, number, _name), person in matches.own.items()}
    for link in [*now.links.values(), *now.waiting]:
        if not isinstance(link, PersonLink) or not link.person.hidden:
            continue
        theirs = [
            each
            for each in now.entrants.values()
            if (link.person_id, bool(each.player), each.number) in own
            and each.name in {public_name(link.person), link.name}
        ]
        # A namesake in the same team has the name too, but never the pseudonym.
        theirs = [each for each in theirs if is_pseudonym(link, each)] or theirs
        if now.entrants.get((link.competitor_id, link.player_id)) in theirs:
            continue
        linked = {row for row, each in now.links.items() if getattr(each, "person_id", 0) == link.person_id}
        free = [each for each in theirs if each.row not in linked]
        if len(free) == 1:
            now.wait(free[0].row)
            now.move(link, free[0])


def _hide_entry(now: EventLinks, entrant: Entrant, hidden: Person, why: str) -> None:
    lock_people([now.event.pk])
    now.wait(entrant.row)
    values = {
        "name": entrant.name, "number": entrant.number, "event": now.event.name,
        "pseudonym": public_name(hidden),
    }  # fmt: skip
    act = Act(PeopleAct.Kind.DOUBT, now.by, why % values, [now.event.pk])
    person = Person(name=entrant.name, hidden=True)
    act.add(person)
    now.links[entrant.row] = link_of(entrant, person, PersonLink.How.HAND, now.by)
    act.add(now.links[entrant.row])
    act.subjects.add((False, hidden.pk))
    act.store()


def possible_entries(link: PersonLink, free: list[Entrant]) -> dict[tuple[bool, int, str], int]:
    """Return the places of entries that may belong to a hidden person with a waiting link, by name only."""
    return {_place_in_order(each): link.person_id for each in free if each.key == name_key(link.name)}


def earlier_name_keys(now: EventLinks) -> dict[Row, str]:
    """Return the name keys of earlier entries. A single query if a hidden person has a waiting link."""
    if not any(isinstance(link, PersonLink) and link.person.hidden for link in now.waiting):
        return {}
    rows = EntryName.objects.filter(event=now.event).values_list("competitor", "player", "key")
    return {(competitor, player): key for competitor, player, key in rows}
