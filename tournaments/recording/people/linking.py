"""After an import or an edit: links stay with their entries, ids link at once, names are proposed (ADR 0085).

Everything is done for one event, with what was touched in it, in a fixed number of queries. Nothing here
takes a link away but for one reason: the entry has another name now, so it may be somebody else.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, prefetch_related_objects

from tournaments.models import (
    EntryName,
    Event,
    LinkProposal,
    LinkRefusal,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonTitle,
    TeamLink,
)
from tournaments.models.inserting import insert_all
from tournaments.people.candidates import refused_among
from tournaments.people.entrants import (
    Entrant,
    entrants_of,
    federation_code,
    person_side,
    sides,
)
from tournaments.people.evidence import compare, contradicts_id, portrait, portrait_of
from tournaments.people.hiddenmarks import note_hidden
from tournaments.people.names import may_be_one_name, name_key
from tournaments.people.telling import NOBODY, Telling
from tournaments.people.withholding import withhold
from tournaments.recording.people.doubting import doubts_of, heed_telling, names_before
from tournaments.recording.people.eventlinks import (
    EventLinks,
    Link,
    is_pseudonym,
    link_team,
    name_seen,
    point,
    set_waiting,
)
from tournaments.recording.people.proposing import likely_links, proposal_of
from tournaments.recording.people.teamlinks import link_teams

Why = LinkProposal.Why
MOST_AT_ONCE = 500
"""Rows of a bulk write, so that no statement has more values than SQLite takes."""


def link_entries(event: Event, by: str = "", telling: Telling = NOBODY) -> None:
    """Link and propose what the entries of an event say, after they changed; inside the transaction that did.

    Links follow their entries, and wait for those that are gone; an id that a person has links at once, and
    one that nobody has makes a person; namesakes are proposed. What was refused stays refused. `telling` is
    what a file says of the entries of hidden persons.
    """
    now = EventLinks(event, by, {each.row: each for each in entrants_of(event)})
    _read_links(now)
    heed_telling(now, telling)
    _return_waiting(now)
    _heed_new_names(now)
    touched = _remember_names(now)
    fresh = _link_by_id(now)
    link_teams(now, touched)
    _propose(now, touched, fresh)
    note_hidden(withhold(event))


def carry_links(source: Event, made: Event, telling: Telling = NOBODY, by: str = "") -> None:
    """Give a copy of an event the links of the event that it was made of, and what was refused there.

    The copy is older as a rule: entries are told by id, name and number, as those of an import are, so a link
    whose entry is no more in the event now is again with its entry in the copy. Inside the transaction that
    made it. `telling` is what the copy says of the entries of hidden persons.
    """
    _carry_refusals(source, made)
    for model in (PersonLink, TeamLink):
        there = model.objects.filter(event=made)
        taken = {(each.competitor_id, getattr(each, "player_id", None)) for each in there}
        free = [each for each in entrants_of(made) if each.row not in taken]
        now = EventLinks(made, by, {each.row: each for each in free})
        for link in model.objects.filter(event=source).order_by("pk"):
            link.pk, link.event_id = None, made.pk
            link.competitor_id = None
            if isinstance(link, PersonLink):
                link.player_id = None
            now.waiting.append(link)
        heed_telling(now, telling)
        _return_waiting(now)
    note_hidden(withhold(made))


def _carry_refusals(source: Event, made: Event) -> None:
    was, now = f"entry:{source.pk}:", f"entry:{made.pk}:"
    refusals = LinkRefusal.objects.filter(Q(one__startswith=was) | Q(other__startswith=was))
    copies = []
    for each in refusals:
        theirs = [side.replace(was, now) if side.startswith(was) else side for side in (each.one, each.other)]
        left, right = sides(*theirs)
        first = each.follows or each.pk
        copies.append(
            LinkRefusal(one=left, other=right, by=each.by, reason=each.reason, at=each.at, follows=first)
        )
    LinkRefusal.objects.bulk_create(copies)


# --- links follow their entries ---------------------------------------------------------------------------


def _read_links(now: EventLinks) -> None:
    persons = PersonLink.objects.filter(event=now.event).select_related("person")
    teams = TeamLink.objects.filter(event=now.event).select_related("team") if now.event.is_team else ()
    for link in (*persons, *teams):
        row = (link.competitor_id, getattr(link, "player_id", None))
        if row in now.entrants:
            now.links[row] = link
        else:
            now.waiting.append(link)


def _return_waiting(now: EventLinks) -> None:
    """Give links that wait back to their entries: by id, by name and team, by number and a name like it."""
    free = [each for row, each in now.entrants.items() if row not in now.links]
    if not (now.waiting and free):
        return
    known = names_before(now)
    for link in list(now.waiting):
        found = [each for each in free if _is_of(link, each)]
        if isinstance(link, PersonLink) and link.person.hidden:
            # Who was in the event beside the hidden one is somebody else, and stays so.
            found = [each for each in found if known.get(each.row) != each.key or is_pseudonym(link, each)]
        best = [each for each in found if name_key(each.name) == name_key(link.name)] or found
        if len(best) > 1 and isinstance(link, PersonLink) and link.person.hidden:
            heed_telling(now, Telling({}, {}, doubts_of(link, best)))
            free = [each for each in free if each.row not in now.links]
            continue
        best = [each for each in best if each.number == link.number] if len(best) > 1 else best
        if len(best) == 1:
            free.remove(best[0])
            now.waiting.remove(link)
            now.links[best[0].row] = link
            point(link, best[0])


def _is_of(link: Link, entrant: Entrant) -> bool:
    """Say whether an entry is what a waiting link was last seen at."""
    if isinstance(link, TeamLink) != entrant.is_team:
        return False
    if is_pseudonym(link, entrant):
        return True
    if name_key(link.name) == entrant.key:
        return link_team(link) == name_key(entrant.team) or link.number == entrant.number
    return link.number == entrant.number and not entrant.player and may_be_one_name(link.name, entrant.name)


def _heed_new_names(now: EventLinks) -> None:
    """Remember what entries are called; one with quite another name loses the link, which is proposed."""
    for row, link in list(now.links.items()):
        entrant = now.entrants[row]
        if _seen(link) == (entrant.number, name_seen(link, entrant), entrant.team):
            continue
        if (
            is_pseudonym(link, entrant)
            or may_be_one_name(link.name, entrant.name)
            or _has_id_of(entrant, link)
        ):
            point(link, entrant)
            continue
        del now.links[row]
        now.waiting.append(link)
        set_waiting(link)
        now.proposed.append(_proposal(entrant, link, Why.RENAMED))


def _seen(link: Link) -> tuple[int, str, str]:
    return link.number, link.name, link.team if isinstance(link, PersonLink) else ""


def _has_id_of(entrant: Entrant, link: Link) -> bool:
    if not isinstance(link, PersonLink) or not entrant.ids:
        return False
    ids = set(link.person.identifiers.values_list("scheme", "value"))
    return bool(ids & {*entrant.ids.items()})


def _proposal(entrant: Entrant, link: Link, why: str) -> LinkProposal:
    known = link.person if isinstance(link, PersonLink) else link.team
    return proposal_of(entrant, known, why)


# --- names by which namesakes are found -------------------------------------------------------------------


def _remember_names(now: EventLinks) -> list[Entrant]:
    """Store the folded names of entries; return the entries that are new or have another name."""
    there = {(each.competitor_id, each.player_id): each for each in EntryName.objects.filter(event=now.event)}
    touched, added, changed = [], [], []
    for row, entrant in now.entrants.items():
        if not entrant.key:
            continue
        name = there.get(row)
        if name is None:
            added.append(
                EntryName(
                    event=now.event,
                    competitor_id=entrant.competitor,
                    player_id=entrant.player,
                    is_team=entrant.is_team,
                    key=entrant.key,
                )
            )
        elif name.key != entrant.key:
            name.key = entrant.key
            changed.append(name)
        else:
            continue
        touched.append(entrant)
    insert_all(added)
    EntryName.objects.bulk_update(changed, ["key"], batch_size=MOST_AT_ONCE)
    return touched


# --- the same id: at once ---------------------------------------------------------------------------------


def _link_by_id(now: EventLinks) -> list[Entrant]:
    """Link entries by their ids, making the persons of ids that nobody has; return those newly linked."""
    unlinked = [each for row, each in now.entrants.items() if each.ids and row not in now.links]
    if not unlinked:
        return []
    people = _people_with_ids(unlinked)
    refused = refused_among([each.side for each in unlinked])
    made: dict[tuple[str, str], Person] = {}
    linked: list[tuple[Entrant, Person]] = []
    for entrant in unlinked:
        known = list(dict.fromkeys(people[each] for each in entrant.ids.items() if each in people))
        known = [each for each in known if sides(entrant.side, person_side(each.pk)) not in refused]
        new = next((made[each] for each in entrant.ids.items() if each in made), None)
        if known:
            if _contradicts(entrant, known[0]):
                now.proposed.append(proposal_of(entrant, known[0], Why.CONTRADICTION))
                continue
            linked.append((entrant, known[0]))
            now.proposed += [proposal_of(entrant, each, Why.CONTRADICTION) for each in known[1:]]
        elif not any(each in people for each in entrant.ids.items()):
            person = new or _new_person(entrant, now.by)
            made |= dict.fromkeys(entrant.ids.items(), person)
            linked.append((entrant, person))
    _store_persons(made)
    _tell_of_entries(linked)
    add_links(now, linked, PersonLink.How.ID)
    return [entrant for entrant, person in linked if person in made.values()]


def _contradicts(entrant: Entrant, person: Person) -> bool:
    """Say whether the name, the sex or the birth speaks against an id; no query where all are the same."""
    if (entrant.key, entrant.sex, entrant.born) == (person.key, person.sex, person.born):
        return False
    return contradicts_id(compare(portrait(entrant), portrait_of([], person)))


def _people_with_ids(entrants: Iterable[Entrant]) -> dict[tuple[str, str], Person]:
    """Return the persons who have one of the ids, by scheme and value; four queries at most.

    What `_contradicts` reads of them is read for those alone who are not just as their entries say.
    """
    wanted = {each for entrant in entrants for each in entrant.ids.items()}
    rows = PersonIdentifier.objects.filter(value__in={value for _scheme, value in wanted})
    people = {(row.scheme, row.value): row.person for row in rows.select_related("person")}
    found = {each: person for each, person in people.items() if each in wanted}
    told = {
        each: (entrant.key, entrant.sex, entrant.born) for entrant in entrants for each in entrant.ids.items()
    }
    doubtful = [each for at, each in found.items() if told[at] != (each.key, each.sex, each.born)]
    prefetch_related_objects(doubtful, "names", "titles", "identifiers")
    return found


def _new_person(entrant: Entrant, by: str) -> Person:
    """Return a person as the entry tells; not stored."""
    return Person(name=entrant.name, key=entrant.key, sex=entrant.sex, born=entrant.born, changed_by=by)


def _store_persons(made: Mapping[tuple[str, str], Person]) -> None:
    people = list({id(person): person for person in made.values()}.values())
    insert_all(people)
    insert_all(
        PersonIdentifier(person=person, scheme=scheme, value=value)
        for (scheme, value), person in made.items()
    )


def _tell_of_entries(linked: Sequence[tuple[Entrant, Person]]) -> None:
    """Store federations and titles that entries tell of their persons and nobody knew, without a date."""
    people = {person.pk for _, person in linked}
    codes = {(person.pk, federation_code(each)) for each, person in linked if federation_code(each)}
    titles = {(person.pk, each.title) for each, person in linked if each.title}
    if codes:
        codes -= {*PersonFederation.objects.filter(person__in=people).values_list("person", "code")}
        insert_all(PersonFederation(person_id=key, code=code) for key, code in sorted(codes))
    if titles:
        titles -= {*PersonTitle.objects.filter(person__in=people).values_list("person", "title")}
        insert_all(PersonTitle(person_id=key, title=title) for key, title in sorted(titles))


def add_links(now: EventLinks, linked: Iterable[tuple[Entrant, Person]], how: str) -> None:
    """Store links of entries to persons."""
    made = [
        PersonLink(
            person=person,
            event_id=entrant.event,
            competitor_id=entrant.competitor,
            player_id=entrant.player,
            how=how,
            number=entrant.number,
            name=entrant.name,
            team=entrant.team,
            by=now.by,
        )
        for entrant, person in linked
    ]
    insert_all(made)
    now.links.update({(each.competitor_id, each.player_id): each for each in made})


# --- the same name: proposed ------------------------------------------------------------------------------


def _propose(now: EventLinks, touched: Iterable[Entrant], fresh: Iterable[Entrant]) -> None:
    """Propose for entries whom they may be, and what was found on the way; each once.

    `fresh` are linked to persons that were made of their ids, who may be others that were known by name.
    """
    wanted = {each.row: each for each in touched if each.row not in now.links}
    wanted |= {each.row: each for each in fresh}
    owners = {
        row: link.person if isinstance(link, PersonLink) else link.team for row, link in now.links.items()
    }
    found = likely_links(now.event, list(wanted.values()), owners, now.proposed)
    # Proposed before and still waiting, perhaps: then it is there.
    LinkProposal.objects.bulk_create(found, ignore_conflicts=True)
