"""Hidden persons in a file that names them anew: links follow them, and who may be one of them is hidden.

A file may give namesakes other numbers. Where it tells who is who, the link of the hidden person goes along;
where it does not, each who may be the hidden one is hidden as somebody of their own, until an organiser
decides: to undo that act shows this one again (ADR 0041). So is an entry with the id of a hidden person and
another name, sex or birth.
"""

from collections import defaultdict

from django.utils.translation import gettext as _

from tournaments.models import Competitor, EntryName, LinkProposal, PeopleAct, Person, PersonLink, Player
from tournaments.people.entrants import Entrant, person_side, sides
from tournaments.people.names import name_key
from tournaments.people.public import PSEUDONYM, public_name
from tournaments.people.telling import Telling
from tournaments.people.withholding import give_withheld
from tournaments.recording.people.acts import Act, lock_people
from tournaments.recording.people.eventlinks import EventLinks, point, set_waiting
from tournaments.recording.people.proposing import Row


def heed_telling(now: EventLinks, telling: Telling) -> None:
    """Give hidden persons the links of the entries that a file says are theirs; hide those that may be."""
    _follow(now, telling)
    for at, person in telling.doubtful.items():
        for entrant in list(now.entrants.values()):
            link = now.links.get(entrant.row)
            is_hidden = isinstance(link, PersonLink) and link.person.hidden
            if at == _place(entrant) and not is_hidden:
                why = _(
                    "“%(name)s”, number %(number)s of “%(event)s”, may be who is hidden as %(pseudonym)s: "
                    "nothing that was stored tells which of the namesakes that is. Both are hidden until you "
                    "decide."
                )
                _hide(now, entrant, Person.objects.get(pk=person), why)


def heed_id(now: EventLinks, entrant: Entrant, hidden: Person) -> None:
    """Hide an entry that has the id of a hidden person, and something that contradicts it.

    Once: where the link is proposed already, somebody has seen it, and shown the entry again.
    """
    one, other = sides(entrant.side, person_side(hidden.pk))
    if not LinkProposal.objects.filter(one=one, other=other).exists():
        why = _(
            "“%(name)s”, number %(number)s of “%(event)s”, has an id of who is hidden as %(pseudonym)s, and "
            "something else that contradicts it. The entry is hidden until you decide."
        )
        _hide(now, entrant, hidden, why)


def _place(entrant: Entrant) -> tuple[bool, int, str]:
    return bool(entrant.player), entrant.number, entrant.name


def _follow(now: EventLinks, telling: Telling) -> None:
    """Let the link of each hidden person be of the entry that a file says is theirs."""
    own: dict[int, set[tuple[bool, int]]] = defaultdict(set)  # who changed the team has two
    for (is_player, number, _name), person in telling.own.items():
        own[person].add((is_player, number))
    for link in [*now.links.values(), *now.waiting]:
        if not isinstance(link, PersonLink) or link.person_id not in own or not link.person.hidden:
            continue
        theirs = [each for each in now.entrants.values() if _is_theirs(each, link, own[link.person_id])]
        if now.entrants.get((link.competitor_id, link.player_id)) in theirs:
            continue
        free = [each for each in theirs if not _is_linked(now, each, link)]
        if len(free) == 1:
            _move(now, link, free[0])


def _is_theirs(entrant: Entrant, link: PersonLink, places: set[tuple[bool, int]]) -> bool:
    is_there = (bool(entrant.player), entrant.number) in places
    return is_there and entrant.name in {public_name(link.person), link.name}


def _is_linked(now: EventLinks, entrant: Entrant, link: PersonLink) -> bool:
    """Say whether the person of a link has that entry too."""
    other = now.links.get(entrant.row)
    return isinstance(other, PersonLink) and other.person_id == link.person_id


def _move(now: EventLinks, link: PersonLink, entrant: Entrant) -> None:
    """Give a hidden person another entry of the event; whose link that had waits for its own."""
    taken = now.links.pop(entrant.row, None)
    if taken is not None:
        now.waiting.append(taken)
        set_waiting(taken)
    model, key = (Player, entrant.player) if entrant.player else (Competitor, entrant.competitor)
    entry = model._default_manager.get(pk=key or 0)
    if entrant.name.startswith(PSEUDONYM):
        give_withheld(now.event, link, entry)
    now.links = {row: each for row, each in now.links.items() if each is not link}
    now.waiting = [each for each in now.waiting if each is not link]
    point(link, entrant)
    now.links[entrant.row] = link


def _hide(now: EventLinks, entrant: Entrant, hidden: Person, why: str) -> None:
    """Hide an entry as somebody of its own, by an act that tells whom it may be."""
    lock_people([now.event.pk])
    link = now.links.pop(entrant.row, None)
    if link is not None:
        now.waiting.append(link)
        set_waiting(link)
    values = {
        "name": entrant.name, "number": entrant.number, "event": now.event.name,
        "pseudonym": public_name(hidden),
    }  # fmt: skip
    act = Act(PeopleAct.Kind.DOUBT, now.by, why % values, [now.event.pk])
    person = Person(name=entrant.name, hidden=True)
    act.add(person)
    made = PersonLink(
        person=person,
        event=now.event,
        competitor_id=entrant.competitor,
        player_id=entrant.player,
        how=PersonLink.How.HAND,
        number=entrant.number,
        name=entrant.name,
        team=entrant.team,
        by=now.by,
    )
    act.add(made)
    act.subjects.add((False, hidden.pk))
    act.store()
    now.links[entrant.row] = made


def doubts_of(link: PersonLink, free: list[Entrant]) -> dict[tuple[bool, int, str], int]:
    """Return the places of entries that may be those of a hidden person whose link waits, by name alone."""
    return {_place(each): link.person_id for each in free if each.key == name_key(link.name)}


def names_before(now: EventLinks) -> dict[Row, str]:
    """Return the keys of the entries that were in the event before; one query where somebody hidden waits."""
    if not any(isinstance(link, PersonLink) and link.person.hidden for link in now.waiting):
        return {}
    rows = EntryName.objects.filter(event=now.event).values_list("competitor", "player", "key")
    return {(competitor, player): key for competitor, player, key in rows}
