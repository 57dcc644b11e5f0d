"""Keep persons hidden if a file changes the numbers of their entries.

If a file identifies the entry of a hidden person, the link moves to it. If it does not, every entry that
may be the hidden person is hidden as a separate person until an organiser decides; undoing that act shows
it again (ADR 0041). The same applies to an entry with the id of a hidden person and a different name, sex
or birth, and to a typed entry with the name of a hidden person of the event.
"""

from django.utils.translation import gettext as _

from tournaments.models import EntryName, PeopleAct, Person, PersonLink
from tournaments.people.hiding.namesakes import HiddenMatches
from tournaments.people.matching.entrants import Entrant, Row
from tournaments.people.matching.names import name_key
from tournaments.people.public import public_name
from tournaments.people.services.event_links import (
    EventLinks,
    is_pseudonym,
    link_of,
)
from tournaments.people.services.history import Act, lock_people


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
