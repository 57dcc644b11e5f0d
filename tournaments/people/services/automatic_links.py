"""Link entries without a decision: players by id, and national teams by name and code."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product

from django.db.models import prefetch_related_objects

from tournaments.event.choices import TeamsAre
from tournaments.event.federations import bearer_of
from tournaments.models import (
    EntryLink,
    LinkProposal,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonTitle,
    Team,
    TeamCode,
)
from tournaments.models.rows import insert_all
from tournaments.people.matching.candidates import namesakes_in_series, refused_among, suggestion_of
from tournaments.people.matching.entrants import (
    Entrant,
    are_distinct_entries,
    federation_code,
    row_of_link,
    side_of,
    sides,
)
from tournaments.people.matching.evidence import (
    compare_entrants,
    contradicts,
    portrait,
    portrait_of,
)
from tournaments.people.matching.names import name_key
from tournaments.people.models.team import Owner
from tournaments.people.services.event_links import (
    EventLinks,
    hide_contradicting_entry,
    hide_doubtful_entry,
    link_of,
)

CONTRADICTION = LinkProposal.Why.CONTRADICTION


def follow_ids(now: EventLinks) -> list[Entrant]:
    """Move links that were made by an id to the entry that has the id now. Return the entries that lost
    theirs.

    An import may swap the numbers of namesakes. Links by hand and links of hidden persons stay; entries of
    hidden persons have no id anyway. A single query, none if no entry has an id.
    """
    at = {each: entrant for entrant in now.entrants.values() for each in entrant.ids.items()}
    links = {
        row: each
        for row, each in now.links.items()
        if at and isinstance(each, PersonLink) and each.how == PersonLink.How.ID and not each.person.hidden
    }
    ids: dict[int, set[tuple[str, str]]] = defaultdict(set)
    theirs = PersonIdentifier.objects.filter(person__in={each.person_id for each in links.values()})
    for person, scheme, value in theirs.values_list("person", "scheme", "value") if links else ():
        ids[person].add((scheme, value))
    gone = {
        row: link
        for row, link in links.items()
        if ids[link.person_id].isdisjoint(now.entrants[row].ids.items())
        and not ids[link.person_id].isdisjoint(at)
    }
    for row in gone:
        now.wait(row)
    for link in gone.values():
        entrant = next(at[each] for each in sorted(ids[link.person_id]) if each in at)
        if entrant.row not in now.links:
            now.move(link, entrant)
    return [now.entrants[row] for row in gone if row not in now.links]


def link_by_id(now: EventLinks) -> list[Entrant]:
    """Link entries by id, creating persons for new ids. Return the entries of new persons.

    A person who already has an entry in the event gets no second one in the same round or team: the link
    is suggested as a contradiction.
    """
    unlinked = [each for row, each in now.entrants.items() if each.ids and row not in now.links]
    if not unlinked:
        return []
    people = _people_with_ids(unlinked)
    refused = refused_among([each.side for each in unlinked])
    new_persons: dict[tuple[str, str], Person] = {}
    linked: list[tuple[Entrant, Person]] = []
    doubtful: list[tuple[Entrant, Person]] = []
    theirs: dict[int, list[Entrant]] = defaultdict(list)
    for row, link in now.links.items():
        if isinstance(link, PersonLink):
            theirs[link.person_id].append(now.entrants[row])
    for entrant in unlinked:
        persons = list(dict.fromkeys(people[each] for each in entrant.ids.items() if each in people))
        persons = [each for each in persons if sides(entrant.side, side_of(each)) not in refused]
        # hidden persons first, so that no entry of theirs is shown under another person's id
        persons.sort(key=lambda each: not each.hidden)
        if not persons and any(each in people for each in entrant.ids.items()):
            continue
        new = next((new_persons[each] for each in entrant.ids.items() if each in new_persons), None)
        person = (persons[0] if persons else new) or Person(
            name=entrant.name, key=entrant.key, sex=entrant.sex, born=entrant.born, changed_by=now.by
        )
        new_persons |= {} if persons else dict.fromkeys(entrant.ids.items(), person)
        is_opponent = any(are_distinct_entries(entrant, each) for each in theirs[_person_key(person)])
        if is_opponent or (persons and _contradicts(entrant, person)):
            doubtful.append((entrant, person))
            continue
        linked.append((entrant, person))
        theirs[_person_key(person)].append(entrant)
        doubtful += [(entrant, each) for each in persons[1:]]
    insert_all({id(person): person for person in new_persons.values()}.values())
    insert_all(
        PersonIdentifier(person=person, scheme=scheme, value=value)
        for (scheme, value), person in new_persons.items()
    )
    _store_federations_and_titles(linked)
    _add_links(now, linked)
    for entrant, person in doubtful:
        if person.hidden and entrant.row not in now.links:
            hide_contradicting_entry(now, entrant, person)
        now.suggested.append(suggestion_of(entrant, person, CONTRADICTION))
    return [entrant for entrant, person in linked if person in new_persons.values()]


def hide_namesakes(now: EventLinks, typed: Iterable[Entrant]) -> None:
    """Hide typed entries with a name of a hidden person of the event, unless the birth, sex or id differ."""
    links = [each for each in (*now.links.values(), *now.waiting) if isinstance(each, PersonLink)]
    hidden = [(each, portrait_of([], each.person)) for each in links if each.person.hidden]
    for entrant, (link, facts) in product(typed, hidden):
        is_named = entrant.key in map(name_key, (link.name, *facts.names)) and not entrant.is_team
        is_other = is_named and contradicts(compare_entrants(portrait(entrant), facts))
        if is_named and not is_other and entrant.row not in now.links:
            hide_doubtful_entry(now, entrant, link.person)


def _person_key(person: Person) -> int:
    return person.pk or -id(person)


def _contradicts(entrant: Entrant, person: Person) -> bool:
    if (entrant.key, entrant.sex, entrant.born) == (person.key, person.sex, person.born):
        return False
    evidence = compare_entrants(portrait(entrant), portrait_of([], person))
    return contradicts(evidence, {"name", "sex", "born"})


def _people_with_ids(entrants: Iterable[Entrant]) -> dict[tuple[str, str], Person]:
    """Return the persons with one of the ids, by scheme and value. At most four queries.

    Related rows that `_contradicts` needs are prefetched only for persons who differ from their entries.
    """
    wanted = {each for entrant in entrants for each in entrant.ids.items()}
    rows = PersonIdentifier.objects.filter(value__in={value for _scheme, value in wanted})
    people = {(row.scheme, row.value): row.person for row in rows.select_related("person")}
    found = {each: person for each, person in people.items() if each in wanted}
    entry_values = {
        each: (entrant.key, entrant.sex, entrant.born) for entrant in entrants for each in entrant.ids.items()
    }
    doubtful = [each for at, each in found.items() if entry_values[at] != (each.key, each.sex, each.born)]
    prefetch_related_objects(doubtful, "names", "titles", "identifiers")
    return found


def _store_federations_and_titles(linked: Sequence[tuple[Entrant, Person]]) -> None:
    people = {person.pk for _, person in linked}
    codes = {(person.pk, federation_code(each)) for each, person in linked if federation_code(each)}
    titles = {(person.pk, each.title) for each, person in linked if each.title}
    if codes:
        codes -= {*PersonFederation.objects.filter(person__in=people).values_list("person", "code")}
        insert_all(PersonFederation(person_id=key, code=code) for key, code in sorted(codes))
    if titles:
        titles -= {*PersonTitle.objects.filter(person__in=people).values_list("person", "title")}
        insert_all(PersonTitle(person_id=key, title=title) for key, title in sorted(titles))


def _add_links(now: EventLinks, linked: Iterable[tuple[Entrant, Owner]]) -> None:
    links = insert_all(link_of(entrant, owner, EntryLink.How.ID, now.by) for entrant, owner in linked)
    now.links.update({row_of_link(each): each for each in links if each.event_id == now.event.pk})


def link_teams(now: EventLinks, touched: Sequence[Entrant]) -> None:
    """Link national teams to teams with the same name and code in another year of the series.

    A code counts as an id if the same federation had it in both years: URS and RUS are different, and so
    are GER before and after 1990, and sections of a congress. All other matches are suggested.
    """
    free = [each for each in touched if each.is_team and each.row not in now.links]
    if now.event.series_id is None or now.event.teams_are != TeamsAre.NATIONS or not free:
        return
    pairs = [
        (each, other, team)
        for each, (other, team) in namesakes_in_series(now.event, free).items()
        if _is_one_nation(each, other)
    ]
    if not pairs:
        return
    refused = refused_among({each.side for each, _other, _team in pairs})
    linked: list[tuple[Entrant, Team]] = []
    new_teams: list[Team] = []
    for entrant, other, team in pairs:
        if sides(entrant.side, side_of(team or other)) in refused:
            continue
        if team is None:
            team = Team(name=other.name, key=other.key, kind=other.kind, changed_by=now.by)  # noqa: PLW2901 - created here
            new_teams.append(team)
            linked.append((other, team))
        linked.append((entrant, team))
    insert_all(new_teams)
    insert_all(
        TeamCode(team=team, code=entrant.code)
        for entrant, team in linked
        if team in new_teams and entrant.event == now.event.pk
    )
    _add_links(now, linked)


def _is_one_nation(one: Entrant, other: Entrant) -> bool:
    if None in {one.year, other.year} or one.year == other.year or one.code != other.code:
        return False
    bearers = bearer_of(one.code, one.year), bearer_of(other.code, other.year)
    return bearers[0] is not None and bearers[0] == bearers[1]
